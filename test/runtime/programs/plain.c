// A simple program for tests with special environments. It prints its counts and whether any of its code is writable.
#include "probes.h"

#include <stdio.h>
#include <string.h>

#ifdef PROBES_OFF
#define FN __attribute__((noinline, used))
#else
#define FN __attribute__((noinline))
#endif
static long counts[3];
#define COUNT(n) PROBE(n); ++counts[n]

PROBE_FOR(1)
PROBE_FOR(2)

FN long leaf(long x) { COUNT(1); return x * 3 + 1; }
FN long branch(long x) { COUNT(2); return leaf(x) + leaf(x + 1); }

static int writable_code(void) {
  char line[4096], protection[5] = "";
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    found += sscanf(line, "%*s %4s", protection) == 1 && protection[1] == 'w' && protection[2] == 'x';
  if (maps) fclose(maps);
  return found;
}

int main(void) {
  long total = 0;
  for (long i = 0; i < 1000; ++i) total += branch(i);
  printf("%ld\nwritable code %d\n= leaf %ld\n= branch %ld\n", total, writable_code(), counts[1], counts[2]);
  return 7;
}
