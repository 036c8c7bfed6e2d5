// Uses each construct a known number of times, and prints lines `= <region> <line> <visits>`.
#include <omp.h>
#include <stdio.h>

enum { THREADS = 2, TIMES = 5 };

static long counts[8];
static void count(int at) { __atomic_fetch_add(&counts[at], 1, __ATOMIC_RELAXED); }

static void say(const char *region, int line, long visits) { printf("= %s\t%d\t%ld\n", region, line, visits); }

__attribute__((noinline)) static void worksharing(void) {
  int line[8] = {0};
  for (int time = 0; time < TIMES; ++time) {
    line[0] = __LINE__ + 1;
#pragma omp parallel num_threads(THREADS)
    {
      count(0);
      line[1] = __LINE__ + 1;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 10; ++i) count(7);
      line[2] = __LINE__ + 1;
#pragma omp barrier
      line[3] = __LINE__ + 1;
#pragma omp sections
      {
#pragma omp section
        count(1);
#pragma omp section
        count(2);
      }
      line[4] = __LINE__ + 1;
#pragma omp single
      count(3);
      count(4);
    }
  }
  say("!$omp parallel", line[0], counts[0]);
  say("!$omp for", line[1], counts[0]);
  say("!$omp barrier", line[2], counts[0]);
  say("!$omp sections", line[3], counts[0]);
  say("!$omp single", line[4], counts[0]);
  const int barriers[] = {line[1], line[3], line[4], line[0]};
  for (int i = 0; i < 4; ++i) say("!$omp implicit barrier", barriers[i], counts[0]);
}

__attribute__((noinline)) static void exclusion(omp_lock_t *lock, omp_nest_lock_t *nest) {
  int line[8] = {0};
  long sum = 0;
#pragma omp parallel num_threads(THREADS)
  for (int time = 0; time < TIMES; ++time) {
    line[0] = __LINE__ + 1;
#pragma omp critical
    ++sum;
    line[1] = __LINE__ + 1;
#pragma omp critical(named)
    ++sum;
    line[2] = __LINE__ + 1;
    omp_set_lock(lock);
    ++sum;
    line[3] = __LINE__ + 1;
    omp_unset_lock(lock);
    line[4] = __LINE__ + 1;
    omp_set_nest_lock(nest);
    line[5] = __LINE__ + 1;
    omp_set_nest_lock(nest);
    ++sum;
    omp_unset_nest_lock(nest);
    omp_unset_nest_lock(nest);
  }
  long each = THREADS * TIMES;
  say("!$omp critical", line[0], each);
  say("!$omp critical sblock", line[0], each);
  say("!$omp critical", line[1], each);
  say("omp_set_lock", line[2], each);
  say("omp_unset_lock", line[3], each);
  say("omp_set_nest_lock", line[4], each);
  say("omp_set_nest_lock", line[5], each);
  say("omp_unset_nest_lock", 0, 2 * each);
}

static long fib_tasks;
static int fib_line, wait_line;
static int fib(int n) {
  if (n < 2) return n;
  int a, b;
  __atomic_fetch_add(&fib_tasks, 1, __ATOMIC_RELAXED);
  fib_line = __LINE__ + 1;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
  wait_line = __LINE__ + 1;
#pragma omp taskwait
  return a + b;
}

__attribute__((noinline)) static void tasks(void) {
  int result = 0, line[4] = {0};
  long before = 0, done = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
  {
    result = fib(12);
    line[0] = __LINE__ + 1;
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i) {
      double data[40] = {i};
      line[1] = __LINE__ + 1;
#pragma omp task firstprivate(data, i) shared(done)
      __atomic_fetch_add(&done, data[0] == i, __ATOMIC_RELAXED);
    }
    line[2] = __LINE__ + 1;
#pragma omp task if (0) shared(before)
    before = done;
    line[3] = __LINE__ + 1;
#pragma omp taskloop num_tasks(4) shared(done)
    for (long i = 0; i < 40; ++i) __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
  }
  printf("fib %d done %ld %ld\n", result, before, done);
  say("!$omp task", fib_line, fib_tasks);
  say("!$omp create task", fib_line, fib_tasks);
  say("!$omp taskwait", wait_line, fib_tasks);
  say("!$omp taskgroup", line[0], 1);
  say("!$omp task", line[1], 20);
  say("!$omp task", line[2], 1);
}

__attribute__((noinline)) static void nested(void) {
  int line[2] = {0};
  long inner = 0;
  omp_set_max_active_levels(2);
  line[0] = __LINE__ + 1;
#pragma omp parallel num_threads(2)
  {
    line[1] = __LINE__ + 1;
#pragma omp parallel num_threads(2)
    __atomic_fetch_add(&inner, 1, __ATOMIC_RELAXED);
  }
  say("!$omp parallel", line[0], 2);
  say("!$omp parallel", line[1], inner);
}

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  worksharing();
  exclusion(&lock, &nest);
  tasks();
  nested();
  return 3;
}
