# 1 "file with \"quotes\" and \\"
int f(int n) { while (n) n--; return n; }
