#define PAIR(name) static int name##_a(int n) { while (n) n--; return n; } int name##_b(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return name##_a(s); }
PAIR(one) PAIR(two)
PAIR(three)
#define BEGIN {
#define END }
int f(int n) BEGIN while (n) n--; return n; END
