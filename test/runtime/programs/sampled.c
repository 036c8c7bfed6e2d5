// Small functions with very many visits below recorded callers. Every measured function counts its own visits.
#include "probes.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PROBES_OFF
#define FN __attribute__((noinline, used))
#else
#define FN __attribute__((used)) // sleds survive inlining
#endif
#define PLAIN __attribute__((noinline, patchable_function_entry(0, 0)))

static long visits[16];
static const char *names[16];
#define COUNT(n)                                                                                                   \
  PROBE(n);                                                                                                        \
  names[n] = __func__;                                                                                             \
  __atomic_fetch_add(&visits[n], 1, __ATOMIC_RELAXED)

PROBE_FOR(1) PROBE_FOR(2) PROBE_FOR(3) PROBE_FOR(4) PROBE_FOR(5) PROBE_FOR(6) PROBE_FOR(7) PROBE_FOR(8) PROBE_FOR(9)

static inline __attribute__((always_inline)) int work(int rounds, int x) {
  for (int i = 0; i < rounds; ++i) __asm__ volatile("" : "+r"(x));
  return x;
}

FN int leaf(int x) { COUNT(1); return work(100, x) + 1; }
FN int other(int x) { COUNT(2); return work(10, x) + 2; }
FN int calling(int times) { // It calls leaf and other in turn.
  COUNT(3);
  int sum = 0;
  for (int i = 0; i < times; ++i) sum += leaf(i) + other(i);
  return sum;
}
FN int outer(int times) {
  COUNT(4);
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += calling(times) + leaf(i);
  return sum;
}
FN int recursive(int depth) {
  COUNT(5);
  int below = depth > 0 ? recursive(depth - 1) : 0;
  return work(10, below) + 1;
}
FN int even(int n);
FN int odd(int n) { COUNT(6); return n == 0 ? 0 : work(1, even(n - 1)) + 1; }
FN int even(int n) { COUNT(7); return n == 0 ? 1 : work(1, odd(n - 1)) + 1; }

static __thread jmp_buf back;
FN int jumping(int x) {
  COUNT(8);
  if (x % 3 == 0) longjmp(back, 1);
  return work(5, x);
}
FN int landing(int times) {
  COUNT(9);
  volatile int sum = 0;
  for (volatile int i = 0; i < times; ++i)
    if (setjmp(back) == 0) sum += jumping(i);
  return sum;
}

PLAIN static void *thread(void *times) {
  int n = *(int *)times;
  for (int i = 0; i < 10; ++i) __asm__ volatile("" ::"r"(outer(n)));
  return 0;
}

PLAIN int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "outer";
  int times = argc > 2 ? atoi(argv[2]) : 1000, sum = 0;
  if (!strcmp(what, "outer")) sum = outer(times);
  else if (!strcmp(what, "recursive")) for (int i = 0; i < times; ++i) sum += recursive(i % 7);
  else if (!strcmp(what, "mutual")) for (int i = 0; i < times; ++i) sum += odd(i % 7);
  else if (!strcmp(what, "jump")) for (int i = 0; i < 5; ++i) sum += landing(times);
  else if (!strcmp(what, "threads")) {
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, thread, &times);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  } else if (!strcmp(what, "parallel")) {
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 40; ++i) sum += outer(times);
  }
  printf("%d\n", sum);
  for (int i = 0; i < 16; ++i)
    if (visits[i]) printf("= %s %ld\n", names[i], visits[i]);
  return 0;
}
