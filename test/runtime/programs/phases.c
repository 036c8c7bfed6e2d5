// Iterations whose calls the program itself counts: phases MODE COUNT. Prints "# iteration leaf-visits" for the iterations that tests
// compare one by one.
#include "probes.h"

#include <kymo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
static long leaves, rares, steps;

PROBE_FOR(1)
NOINLINE int leaf(int x) { PROBE(1); __atomic_fetch_add(&leaves, 1, __ATOMIC_RELAXED); __asm__ volatile("" : "+r"(x)); return x + 1; }
PROBE_FOR(2)
NOINLINE int rare(int x) { PROBE(2); ++rares; __asm__ volatile("" : "+r"(x)); return leaf(x) + 1; }
static int pauses; // sleeps within iterations, so that other threads run
static int visits_of(int i) { return i % 7 + 1; }
NOINLINE static int body(int i) {
  int x = 0;
  for (int k = 0; k < visits_of(i); ++k) x += leaf(k);
  if (i % 50 == 0) x += rare(i);
  if (pauses && i % 1000 == 0) usleep(2000);
  return x;
}
PROBE_FOR(3)
NOINLINE int step(int i) { PROBE(3); ++steps; return body(i) + 1; }
PROBE_FOR(4)
NOINLINE int again(int depth) { PROBE(4); ++steps; return depth ? again(depth - 1) + leaf(depth) : leaf(0); }

static int by_function(int count) {
  int x = leaf(0); // a visit outside of iterations
  for (int i = 0; i < count; ++i) x += step(i);
  return x;
}
static int by_macros(int count) {
  int x = 0;
  for (int i = 0; i < count; ++i) {
    KYMO_PHASE_BEGIN("iteration");
    KYMO_REGION_BEGIN("inside");
    x += body(i);
    KYMO_REGION_END("inside");
    KYMO_PHASE_END("iteration");
  }
  return x;
}
static int left_open(int count) { // `continue` skips the end of the phase.
  int x = 0;
  for (int i = 0; i < count; ++i) {
    KYMO_PHASE_BEGIN("iteration");
    x += body(i);
    if (i % 2) continue;
    KYMO_PHASE_END("iteration");
  }
  return x;
}
static int nested(int count) {
  int x = 0;
  for (int i = 0; i < count; ++i) {
    KYMO_PHASE_BEGIN("outer");
    KYMO_PHASE_BEGIN("inner");
    x += body(i);
    KYMO_PHASE_END("inner");
    KYMO_PHASE_END("outer");
  }
  return x;
}
static int never_begun(int count) {
  KYMO_PHASE_END("iteration");
  return by_macros(count);
}
static int leaving(int count) {
  for (int i = 0; i < count; ++i) {
    KYMO_PHASE_BEGIN("iteration");
    body(i);
    if (i == count - 1) return i;
    KYMO_PHASE_END("iteration");
  }
  return 0;
}

static pthread_barrier_t barrier;
static int rounds;
static void *worker(void *unused) {
  (void)unused;
  for (int k = 0; k < 1000; ++k) leaf(k); // before the first iteration
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < rounds; ++i) {
    pthread_barrier_wait(&barrier);
    for (int k = 0; k < 10 * visits_of(i); ++k) leaf(k);
    pthread_barrier_wait(&barrier);
  }
  return 0;
}
PROBE_FOR(5)
NOINLINE int parallel(int i) {
  PROBE(5);
  ++steps;
  pthread_barrier_wait(&barrier);
  int x = body(i);
  pthread_barrier_wait(&barrier);
  return x;
}
static int with_threads(int count) {
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  int x = 0;
  rounds = count;
  pthread_barrier_init(&barrier, 0, THREADS + 1);
  for (int t = 0; t < THREADS; ++t) pthread_create(&threads[t], 0, worker, 0);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < count; ++i) x += parallel(i);
  for (int t = 0; t < THREADS; ++t) pthread_join(threads[t], 0);
  return x;
}
// Workers that run independently of the phase: their trees grow and are rearranged while the runtime reads them.
#define MANY(n) PROBE_FOR(n) NOINLINE int many##n(int x) { PROBE(n); __asm__ volatile("" : "+r"(x)); return x + 1; }
MANY(20) MANY(21) MANY(22) MANY(23) MANY(24) MANY(25) MANY(26) MANY(27) MANY(28) MANY(29)
MANY(30) MANY(31) MANY(32) MANY(33) MANY(34) MANY(35) MANY(36) MANY(37) MANY(38) MANY(39)
static int (*const all[20])(int) = {many20, many21, many22, many23, many24, many25, many26, many27, many28, many29,
                                    many30, many31, many32, many33, many34, many35, many36, many37, many38, many39};
static int enough, started;
static void *busy(void *unused) {
  (void)unused;
  int x = 0;
  __atomic_fetch_add(&started, 1, __ATOMIC_RELAXED);
  for (unsigned k = 0; !__atomic_load_n(&enough, __ATOMIC_RELAXED); ++k) x += all[k * k % 7 % (1 + k / 100000 % 20)](x) + all[k / 1000 % 20](x);
  return (void *)(long)(x & 1);
}
static int beside_busy(int count) {
  pthread_t threads[3];
  int x = 0;
  pauses = 1;
  for (int t = 0; t < 3; ++t) pthread_create(&threads[t], 0, busy, 0);
  while (__atomic_load_n(&started, __ATOMIC_RELAXED) < 3) usleep(100);
  for (int i = 0; i < count; ++i) x += step(i);
  __atomic_store_n(&enough, 1, __ATOMIC_RELAXED);
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], 0);
  return x;
}
PROBE_FOR(6)
NOINLINE int forking(int count) {
  PROBE(6);
  int x = by_function(count);
  fflush(stdout);
  pid_t child = fork();
  x += by_function(child ? count : 2 * count);
  if (!child) _exit(0);
  waitpid(child, 0, 0);
  return x;
}
PROBE_FOR(7)
NOINLINE int ending(int i, int count) { PROBE(7); body(i); if (i == count - 1) exit(3); return 0; }
static int exits(int count) { for (int i = 0;; ++i) ending(i, count); }

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "function";
  int count = argc > 2 ? atoi(argv[2]) : 100, x = 0;
  if (!strcmp(mode, "function")) x = by_function(count);
  else if (!strcmp(mode, "macros")) x = by_macros(count);
  else if (!strcmp(mode, "left-open")) x = left_open(count);
  else if (!strcmp(mode, "nested")) x = nested(count);
  else if (!strcmp(mode, "never-begun")) x = never_begun(count);
  else if (!strcmp(mode, "leaving")) x = leaving(count);
  else if (!strcmp(mode, "recursion")) for (int i = 0; i < count; ++i) x += again(i % 5);
  else if (!strcmp(mode, "threads")) x = with_threads(count);
  else if (!strcmp(mode, "busy")) x = beside_busy(count);
  else if (!strcmp(mode, "fork")) x = forking(count);
  else if (!strcmp(mode, "exit")) x = exits(count);
  for (int i = 0; i < count && count <= 1000; ++i) printf("# %d %d\n", i, visits_of(i));
  printf("%d %ld %ld %ld\n", x, leaves, rares, steps);
  if (argc > 3) {
    // Counted page by page. getrusage() may be wrong by hundreds of KiB: the kernel keeps its sum in parts, one for each processor.
    char line[256];
    FILE *memory = fopen("/proc/self/smaps_rollup", "r");
    while (memory && fgets(line, sizeof line, memory))
      if (!strncmp(line, "Anonymous:", 10)) fputs(line, stderr);
    if (memory) fclose(memory);
  }
  return 0;
}
