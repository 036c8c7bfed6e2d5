int a(x, n) int x; char n; { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
static int b(n)
  register int n;
{ while (n) n--; return n; }
int c(int), d(int);
