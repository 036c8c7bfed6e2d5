const char *t = "流 ü 🙂"; int größe(int n) { const char *u = "ü🙂"; while (n) n -= *u; return n; } int g(int n) { while (n) n--; return n; }
