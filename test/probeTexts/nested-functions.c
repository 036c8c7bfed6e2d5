int outer(int n) { int inner(int k) { int deepest(void) { return 1; } while (k) k -= deepest(); return k; } int i, s = 0; for (i = 0; i < n; i++) s += i; return inner(s); }
int after(int n) { while (n) n--; return n; }
