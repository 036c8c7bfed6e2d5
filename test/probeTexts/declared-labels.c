int f(int n) { __label__ out; for (;;) if (n-- < 0) goto out; out: return n; }
