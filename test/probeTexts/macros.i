# 0 "macros.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "macros.c"

static int one_a(int n) { while (n) n--; return n; } int one_b(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return one_a(s); } static int two_a(int n) { while (n) n--; return n; } int two_b(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return two_a(s); }
static int three_a(int n) { while (n) n--; return n; } int three_b(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return three_a(s); }


int f(int n) { while (n) n--; return n; }
