# 7 "/usr/include/x.h" 3
int f(int n) { while (n) n--; return n; }
