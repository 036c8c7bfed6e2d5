#define OMP(x) _Pragma(#x)
#pragma GCC diagnostic push
int f(int n) { int i, s = 0;
OMP(omp parallel for reduction(+:s))
for (i = 0; i < n; i++) s += i;
#pragma omp barrier
return s; }
#pragma GCC diagnostic pop
