// An OMPT tool of the program itself.
#include <stdio.h>

struct result {
  int (*initialize)(void *, int, void *);
  void (*finalize)(void *);
  unsigned long long data;
};

static int initialize(void *lookup, int device, void *data) {
  puts("the program's tool");
  return lookup != NULL && device >= 0 && data != NULL;
}
static void finalize(void *data) { puts(data ? "is over" : ""); }

struct result *ompt_start_tool(unsigned version, const char *library) {
  static struct result result = {initialize, finalize, 0};
  return version && library ? &result : NULL;
}
