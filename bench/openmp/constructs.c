// Prints as JSON what constructs cost in a team of one or two threads: nanoseconds per visit of a thread.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 20000 };

static double per_visit(double begin) { return (omp_get_wtime() - begin) * 1e9 / COUNT; }
static volatile long sum;
static long shared;

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_num_threads(threads);
#pragma omp parallel
  sum = 1;

  double begin = omp_get_wtime();
  for (int i = 0; i < COUNT; ++i) {
#pragma omp parallel
    sum = i;
  }
  printf("{\"parallel\": %.1f", per_visit(begin));

  begin = omp_get_wtime();
#pragma omp parallel
  for (int i = 0; i < COUNT; ++i) {
#pragma omp barrier
  }
  printf(", \"barrier\": %.1f", per_visit(begin));

  begin = omp_get_wtime();
#pragma omp parallel
  for (int i = 0; i < COUNT; ++i) {
#pragma omp for schedule(dynamic) nowait
    for (int k = 0; k < 1; ++k) sum = k;
  }
  printf(", \"for\": %.1f", per_visit(begin));

  begin = omp_get_wtime();
#pragma omp parallel
  for (int i = 0; i < COUNT; ++i) {
#pragma omp critical
    ++shared;
  }
  printf(", \"critical\": %.1f", per_visit(begin));

  begin = omp_get_wtime();
#pragma omp parallel
  for (int i = 0; i < COUNT; ++i) {
    omp_set_lock(&lock);
    ++shared;
    omp_unset_lock(&lock);
  }
  printf(", \"lock\": %.1f", per_visit(begin));

  begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < COUNT; ++i) {
#pragma omp task
    sum = 1;
  }
  printf(", \"task\": %.1f}\n", per_visit(begin));
  return 0;
}
