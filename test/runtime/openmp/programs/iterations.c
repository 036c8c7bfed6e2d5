// Iterations with a parallel region each, in which one thread waits for the other one.
#include <omp.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void compute(double microseconds) {
  for (double end = now() + microseconds; now() < end;) {}
}

__attribute__((noinline)) void step(int i) {
#pragma omp parallel num_threads(2)
  compute(omp_get_thread_num() == i % 2 ? 5000 : 1000);
  compute(2000);
}

int main(void) {
  for (int i = 0; i < 10; ++i) step(i);
  return 0;
}
