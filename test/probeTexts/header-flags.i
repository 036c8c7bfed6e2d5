# 1 "a.c"
# 1 "b.h" 1 3 4
int f(int n) { while (n) n--; }
# 2 "a.c" 2
int g(int n) { while (n) n--; }