/* ä */ const char *t = "ä"; int f(int n) { while (n) n--; return n; }
