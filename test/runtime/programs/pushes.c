// A function that pushes an argument, with gcc's padding for it in the prologue: the stack pointer is lower at its sled than at its later calls.
#include "probes.h"

#define FN __attribute__((noipa))
static volatile long sink;

FN long check(long a, long b, long c, long d, long e, long f, long pushed) { return a + b + c + d + e + f + pushed; }
FN void entered(long *values) { sink += *values; }
PROBE_FOR(1)
PROBE_FOR(2)
PROBE_FOR(3)
FN long probed(long value) { PROBE(2); return value + sink; }
static inline __attribute__((always_inline)) long inlined(long value) { PROBE(3); return value * sink; }

FN int pushing(int count) {
  PROBE(1);
  long here[3] = {0};
  here[1] = check(1, 2, 3, 4, 5, 6, 7);
  for (int i = 0; i < count; ++i) entered(here);
  here[2] = probed(count);
  here[0] += inlined(here[2]);
  entered(here);
  return (int)here[0];
}

int main(void) {
  for (int i = 0; i < 100; ++i) pushing(3);
  return 0;
}
