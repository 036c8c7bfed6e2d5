// A shared library that users.c links or opens.
#include "probes.h"
#include <stdio.h>

PROBE_FOR(11)
PROBE_FOR(12)
static long visits;
__attribute__((noinline)) static long step(long x) { PROBE(12); ++visits; __asm__ volatile("" : "+r"(x)); return x + 1; }
long in_library(long (*back)(long), long n) {
  PROBE(11);
  long total = 0;
  for (long i = 0; i < n; ++i) total += back(step(i));
  return total;
}
__attribute__((destructor)) static void last(void) { step(0); }
