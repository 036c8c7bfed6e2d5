struct p { int x, y; const char *t; };
static const struct p all[] = { [0] = { .x = 1, .t = "{" }, [1] = { 2, 3, "}" } };
enum e { one = '{', two = '}', three = '"' };
int f(enum e v) { struct p q = (struct p){ .x = v }; int r = ((struct p){ 1, 2, "" }).y; for (; q.x > 0; q.x--) r += all[0].x; return r; }
