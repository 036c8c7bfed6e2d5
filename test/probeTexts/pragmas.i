# 0 "pragmas.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "pragmas.c"

#pragma GCC diagnostic push
int f(int n) { int i, s = 0;

# 4 "pragmas.c"
#pragma omp parallel for reduction(+:s)
for (i = 0; i < n; i++) s += i;
        
# 6 "pragmas.c"
#pragma omp barrier
return s; }
#pragma GCC diagnostic pop
