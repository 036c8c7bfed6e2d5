// Measures the cost of one recorded enter+exit pair for each kind of site, and of two dependent timer reads, in one run. Prints one JSON
// line. argv[1] is the number of rounds. Without a selection, the same program measures the cost of sites that are not selected.
#include "../../test/runtime/programs/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)
static inline unsigned long long timer(unsigned long long after) {
  unsigned low, high; // Each reading depends on the previous one, like the two readings of a profiler.
  __asm__ volatile("add %2, %%rax\n\trdtsc" : "=a"(low), "=d"(high) : "0"(after));
  return (unsigned long long)high << 32 | low;
}
#else
static inline unsigned long long timer(unsigned long long after) {
  unsigned long long now;
  __asm__ volatile("add xzr, %1, xzr\n\tmrs %0, cntvct_el0" : "=r"(now) : "r"(after));
  return now;
}
#endif
#define BARE __attribute__((noinline, patchable_function_entry(0, 0)))

BARE static int plain(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((noinline)) int entry(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
PROBE_FOR(1)
BARE int sled(int x) { PROBE(1); __asm__ volatile("" : "+r"(x)); return x + 1; }

BARE static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { CALLS = 20000 };
BARE static double of(int (*function)(int)) {
  double begin = seconds();
  int x = 0;
  for (int i = 0; i < CALLS; ++i) x = function(x);
  __asm__ volatile("" ::"r"(x));
  return (seconds() - begin) * 1e9 / CALLS;
}
BARE static double reads(void) {
  double begin = seconds();
  unsigned long long x = 0;
  for (int i = 0; i < CALLS; ++i) x = timer(timer(x));
  __asm__ volatile("" ::"r"(x));
  return (seconds() - begin) * 1e9 / CALLS;
}
BARE static int compare(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }
BARE static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

BARE int main(int argc, char **argv) {
  enum { MOST = 1000 };
  static double two[MOST], base[MOST], by_sled[MOST], by_entry[MOST];
  int rounds = argc > 1 ? atoi(argv[1]) : 101;
  if (rounds > MOST) rounds = MOST;
  for (int i = 0; i < rounds; ++i) { // interleaved, so that disturbances of the machine affect all measurements
    two[i] = reads();
    base[i] = of(plain);
    by_sled[i] = of(sled);
    by_entry[i] = of(entry);
  }
  double empty = median(base, rounds);
  printf("{\"twoReads\":%.3f,\"call\":%.3f,\"sled\":%.3f,\"entry\":%.3f}\n", median(two, rounds), empty, median(by_sled, rounds) - empty,
         median(by_entry, rounds) - empty);
  return 0;
}
