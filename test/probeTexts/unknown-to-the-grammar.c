int f(int n) { switch (n) { case 2 ... 4: n--; } while (n) n--; return n; }
int g(int n) { static const void *to[] = { &&a, &&b }; goto *to[n]; a: while (n) n--; b: return n; }
