int (*fp(int n))(int) { for (;;) n++; return 0; }
int (plain)(int n) { while (n) n--; return n; }
struct s { int a; } made(int n) { struct s r = { 0 }; do r.a++; while (--n); return r; }
int *const pointer(void) __attribute__((noinline));
int *const pointer(void) { static int v; while (v < 3) v++; return &v; }
int (*table[2])(int) = { plain, plain };
int (*array(void))[3] { static int v[3]; for (;;) v[0]++; return &v; }
