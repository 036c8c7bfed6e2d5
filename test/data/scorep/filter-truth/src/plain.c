static int helper(int x) { return x + 1; }
static inline int inline_helper(int x) { return x + 2; }
int größe(int x) { return x + 3; }
int plain_c(int x) { return helper(x) + inline_helper(x) + größe(x); }
