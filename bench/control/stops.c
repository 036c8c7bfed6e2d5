// Calls a function for argv[1] seconds and prints how often the thread stood still for longer than 20 µs, 100 µs and 1 ms without having lost its processor, and the longest such time in ms.
// What a hypervisor or an interrupt takes counts as well, so the figures mean something beside those of the same program when nobody switches its sites.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

__attribute__((noinline)) int entry(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }

__attribute__((noinline, patchable_function_entry(0, 0))) static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

__attribute__((noinline, patchable_function_entry(0, 0))) static long switches(void) {
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_nvcsw + use.ru_nivcsw;
}

int main(int argc, char **argv) {
  long long begin = now(), last = begin, most = 0, end = begin + (long long)((argc > 1 ? atof(argv[1]) : 1) * 1e9);
  long before = switches();
  int x = 0, fiftieths = 0, tenths = 0, wholes = 0;
  while (last < end) {
    for (int i = 0; i < 20; ++i) x = entry(x);
    long long time = now(), gap = time - last;
    last = time;
    if (gap < 20000) continue;
    long after = switches();
    last = now();
    if (after != before) gap = 0;
    before = after;
    if (gap > most) most = gap;
    fiftieths += gap > 20000;
    tenths += gap > 100000;
    wholes += gap > 1000000;
  }
  printf("{\"over20us\":%d,\"over100us\":%d,\"over1ms\":%d,\"longestMs\":%.3f}\n", fiftieths, tenths, wholes, (double)most / 1e6);
  return x == 0;
}
