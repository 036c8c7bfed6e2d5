#include "probe.h"

static inline __attribute__((always_inline)) void leave(int *guard) { (void)guard, (void)0; SLED(7, 1); }

static int kernel(int a) {
  int guard __attribute__((cleanup(leave))) = 0;
  SLED(7, 0);
  int s = 0;
  for (int i = 0; i < a; i++) s += i ^ a;
  return s;
}

__attribute__((noinline)) int other(int a) { return kernel(a) + kernel(a + 1); }

int main(int count, char **arguments) {
  (void)arguments;
  return other(count) & 1;
}
