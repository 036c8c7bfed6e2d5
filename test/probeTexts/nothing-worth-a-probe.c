int x = 1;
int f(void) { return x; }
typedef struct { int a; } t;
extern int g(t);
