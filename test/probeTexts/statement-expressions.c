#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
int f(int n) { int w = 3, v = MAX(n, w); v += _Generic(n, int: ({ int q = 0; for (; q < n;) q++; q; }), default: 1); return v; }
