// Measures the cost of the end of an iteration. A phase that calls argv[1] different functions runs argv[2] times, and the program prints
// the CPU time per iteration in nanoseconds. The cost is the difference between a run whose selection names the phase and one whose
// selection does not. argv[3] is the number of further functions that are called once before the measurement.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BARE __attribute__((noinline, patchable_function_entry(0, 0)))
#define ONE(n) __attribute__((noinline)) int function##n(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
#define EIGHT(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7)
#define NAMES(n) function##n##0, function##n##1, function##n##2, function##n##3, function##n##4, function##n##5, function##n##6, function##n##7
EIGHT(1) EIGHT(2) EIGHT(3) EIGHT(4) EIGHT(5) EIGHT(6) EIGHT(7) EIGHT(8)
static int (*const functions[])(int) = {NAMES(1), NAMES(2), NAMES(3), NAMES(4), NAMES(5), NAMES(6), NAMES(7), NAMES(8)};

static int touched;
__attribute__((noinline)) int step(int x) {
  for (int i = 0; i < touched; ++i) x = functions[i](x);
  return x;
}

BARE int main(int argc, char **argv) {
  int wanted = argc > 1 ? atoi(argv[1]) : 8, count = argc > 2 ? atoi(argv[2]) : 100000, x = 0;
  struct timespec begin, end;
  touched = argc > 3 ? wanted + atoi(argv[3]) : wanted;
  x = step(x);
  touched = wanted;
  for (int i = 0; i < 1000; ++i) x = step(x);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (int i = 0; i < count; ++i) x = step(x);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  printf("%.2f\n", ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / count);
  return x == -1;
}
