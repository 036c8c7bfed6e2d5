// Constructors and destructors of the highest priority that a program may request.
#include "probes.h"

#include <stdio.h>

#define FN __attribute__((noinline, used))
static int counts[5];

PROBE_FOR(1)
FN int leaf(int x) { PROBE(1); ++counts[1]; __asm__ volatile("" ::: "memory"); return x + 1; } // keeps clang from evaluating it
PROBE_FOR(2)
__attribute__((constructor(101))) FN void early(void) { PROBE(2); ++counts[2]; leaf(1); }
PROBE_FOR(3)
__attribute__((destructor(101))) FN void late(void) {
  PROBE(3);
  ++counts[3];
  leaf(2);
  printf("= leaf %d\n= early %d\n= late %d\n= main %d\n", counts[1], counts[2], counts[3], counts[4]);
}
PROBE_FOR(4)
int main(void) { PROBE(4); ++counts[4]; return leaf(3); }
