#line 5 "x.c"
#pragma once
 int f(int n)
{ while (n) n--; return n; }
