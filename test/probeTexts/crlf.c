int f(int n)
{
  while (n) n--;
  return n;
}
int g(int n) { while (n) n--; return n; }