# 0 "statement-expressions.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "statement-expressions.c"

int f(int n) { int w = 3, v = ({ __typeof__(n) x_ = (n); __typeof__(w) y_ = (w); x_ > y_ ? x_ : y_; }); v += _Generic(n, int: ({ int q = 0; for (; q < n;) q++; q; }), default: 1); return v; }
