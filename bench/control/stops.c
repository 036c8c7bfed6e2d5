// Calls a function for argv[1] seconds and prints how often the thread stood still for longer than 100 µs and 1 ms, and the longest time in ms. Pre-emption counts
// as well, so the figure means something beside that of the same program when nobody switches its sites.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) int entry(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }

__attribute__((noinline, patchable_function_entry(0, 0))) static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

int main(int argc, char **argv) {
  long long begin = now(), last = begin, most = 0, end = begin + (long long)((argc > 1 ? atof(argv[1]) : 1) * 1e9);
  int x = 0, tenths = 0, wholes = 0;
  while (last < end) {
    for (int i = 0; i < 20; ++i) x = entry(x);
    long long time = now(), gap = time - last;
    last = time;
    if (gap > most) most = gap;
    tenths += gap > 100000;
    wholes += gap > 1000000;
  }
  printf("{\"over100us\":%d,\"over1ms\":%d,\"longestMs\":%.3f}\n", tenths, wholes, (double)most / 1e6);
  return x == 0;
}
