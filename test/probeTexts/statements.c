int f(int n) { int s = 0; switch (n) { case 1: s++; case 4: s--; break; default: s = 2; s = 3; case 9: { s = 4; } } if (n) ; else if (n > 1) s = n ? 1 : 2; else { s++; s++; } do s--; while (s > 0); goto end; end: return s; }
int g(int n) { out: if (n) goto out; ; ; return n; }
int duff(int n) { switch (n) { case 0: do { n--; case 3: n--; } while (n > 0); } return n; }
