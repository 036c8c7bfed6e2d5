static inline int tiny(int n) __attribute__((always_inline));
static inline int tiny(int n) { while (n) n--; return n; }
__attribute__((noinline, used)) static int f(int n) { while (n) n--; return tiny(n); }
int g(int n) __attribute__((no_instrument_function));
int g(int n) { while (n) n--; return f(n); }
void __attribute__((noreturn)) h(int n) { for (;;) n = g(n); }
struct __attribute__((packed)) q { char c; int i; } k(int n) { struct q r = { 1, 2 }; while (n) n--; return r; }
