/* int no(void) { */ int f(int n) /* { */ { // }
  while (n) n--; /* always_inline } */ return n; }
