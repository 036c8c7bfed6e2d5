// Threads of a team work for different times. Prints for each thread how long it waited at the end of the region and at an explicit
// barrier: from its own arrival until the last one's. `= <kind> <thread> <microseconds>`
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 16 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double arrived[MOST], waited_end[MOST], waited_barrier[MOST];

static void add(double *waited, int threads) {
  double last = 0;
  for (int i = 0; i < threads; ++i) last = arrived[i] > last ? arrived[i] : last;
  for (int i = 0; i < threads; ++i) waited[i] += last - arrived[i];
}

__attribute__((noinline)) static void compute(double microseconds) {
  for (double end = now() + microseconds; now() < end;) {}
}

__attribute__((noinline)) static void serial(double microseconds) { compute(microseconds); }

int main(int argc, char **argv) {
  int threads = atoi(argv[1]), times = atoi(argv[2]), late = atoi(argv[3]);
  double unit = argc > 4 ? atof(argv[4]) : 2000;
#pragma omp parallel num_threads(threads)
  compute(10);
  double inside = 0;
  for (int time = 0; time < times; ++time) {
    double begin = now();
#pragma omp parallel num_threads(threads)
    {
      int me = omp_get_thread_num();
      compute(me == late ? 6 * unit : unit);
      arrived[me] = now();
    }
    inside += now() - begin;
    add(waited_end, threads);
    serial(3 * unit);
  }
  for (int time = 0; time < times; ++time) {
    double begin = now();
#pragma omp parallel num_threads(threads)
    {
      int me = omp_get_thread_num();
      compute(me == late ? 6 * unit : unit);
      arrived[me] = now();
#pragma omp barrier
      if (me == 0) add(waited_barrier, threads);
    }
    inside += now() - begin;
    serial(3 * unit);
  }
  for (int i = 0; i < threads; ++i) printf("= end %d %.0f\n= barrier %d %.0f\n", i, waited_end[i], i, waited_barrier[i]);
  printf("= inside 0 %.0f\n", inside);
  return 0;
}
