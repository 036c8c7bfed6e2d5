# 0 "a.c"
# 1 "a.c"
int x;
static int f(int n) { return n; }
# 40 "b.h" 1
int g(void)
{
  return 1;
}
