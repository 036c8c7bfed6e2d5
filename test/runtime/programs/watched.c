// A program to be watched: watched MODE COUNT [THREADS]. Its output says what it did, and must be the same whoever watches.
#include "probes.h"

#include <kymo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define VISIT(x) __asm__ volatile("" : "+r"(x))

// Functions that are switched: many of them, of different sizes, so that their sites lie anywhere in a cache line.
#define PART(n) PROBE_FOR(n) NOINLINE long part##n(long x) { PROBE(n); for (int i = 0; i < n % 5; ++i) VISIT(x); return x + n; }
PART(100) PART(101) PART(102) PART(103) PART(104) PART(105) PART(106) PART(107) PART(108) PART(109)
PART(110) PART(111) PART(112) PART(113) PART(114) PART(115) PART(116) PART(117) PART(118) PART(119)
PART(120) PART(121) PART(122) PART(123) PART(124) PART(125) PART(126) PART(127) PART(128) PART(129)
PART(130) PART(131) PART(132) PART(133) PART(134) PART(135) PART(136) PART(137) PART(138) PART(139)
static long (*const parts[40])(long) = {
    part100, part101, part102, part103, part104, part105, part106, part107, part108, part109, part110, part111, part112, part113,
    part114, part115, part116, part117, part118, part119, part120, part121, part122, part123, part124, part125, part126, part127,
    part128, part129, part130, part131, part132, part133, part134, part135, part136, part137, part138, part139};

static long calls;
PROBE_FOR(1)
NOINLINE long leaf(long x) { PROBE(1); VISIT(x); return x * 3 + 1; }
PROBE_FOR(2)
NOINLINE long inner(long x) { PROBE(2); for (int i = 0; i < 3; ++i) x = leaf(x); return x; }
PROBE_FOR(3)
NOINLINE long recursive(long x, int depth) { PROBE(3); return depth ? recursive(leaf(x), depth - 1) + 1 : x; }
PROBE_FOR(4)
NOINLINE long outer(long x) { PROBE(4); x = inner(x); x = recursive(x, 4); for (int i = 0; i < 40; ++i) x = parts[i](x); return x; }
PROBE_FOR(5) // No tail call: that would end the visit of this function, and the iteration, before the call.
NOINLINE long step(long x) { PROBE(5); ++calls; x = outer(x); VISIT(x); return x; }
PROBE_FOR(6)
NOINLINE void pausing(int microseconds) { PROBE(6); usleep(microseconds); }

static volatile int over;
static void *worker(void *result) {
  long x = (long)result, rounds = 0;
  while (!over) x = outer(x & 0xff), ++rounds;
  return (void *)(rounds > 0);
}

// Ends when standard input does, so that a test decides how long it runs.
static void *wait_for_input(void *unused) {
  char byte;
  while (read(0, &byte, 1) > 0) {}
  over = 1;
  return unused;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "steps";
  long count = argc > 2 ? atol(argv[2]) : 100, threads = argc > 3 ? atol(argv[3]) : 0, x = 1;
  pthread_t others[256], input;
  if (threads > 256) threads = 256;
  if (!strcmp(mode, "steps")) {
    for (long i = 0; i < count; ++i) x = step(x & 0xff);
  } else if (!strcmp(mode, "paused")) { // Each step takes a while.
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(2000);
  } else if (!strcmp(mode, "named")) {
    for (long i = 0; i < count; ++i) {
      KYMO_PHASE_BEGIN("iteration");
      x = step(x & 0xff);
      pausing(500);
      KYMO_PHASE_END("iteration");
    }
  } else if (!strcmp(mode, "threads")) { // as long as standard input is open
    long good = 0;
    pthread_create(&input, 0, wait_for_input, 0);
    for (long i = 0; i < threads; ++i) pthread_create(&others[i], 0, worker, (void *)i);
    while (!over) x = step(x & 0xff), x = 1;
    for (long i = 0; i < threads; ++i) {
      void *result;
      pthread_join(others[i], &result);
      good += (long)result;
    }
    pthread_join(input, 0);
    printf("%ld threads, %ld\n", good, outer(1));
    fprintf(stderr, "= step %ld\n", calls);
    return 7;
  } else if (!strcmp(mode, "fork")) {
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
    fflush(stdout);
    pid_t child = fork();
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
    if (!child) {
      printf("child %ld\n", x);
      fflush(stdout);
      _exit(3);
    }
    int status;
    waitpid(child, &status, 0);
    printf("status %d\n", WEXITSTATUS(status));
  } else if (!strcmp(mode, "exec")) {
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
    execl("/bin/echo", "echo", "executed", (char *)0);
  } else if (!strcmp(mode, "_exit")) {
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
    printf("%ld\n", x);
    fflush(stdout);
    _exit(5);
  } else if (!strcmp(mode, "crash")) {
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
    raise(SIGSEGV);
  } else if (!strcmp(mode, "descriptors")) { // those that the program sees, and how many threads libc and the kernel count
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
    int pipes[2];
    if (pipe(pipes)) return 1;
    printf("pipe %d %d\n", pipes[0], pipes[1]);
    for (int i = 3; i < 1024; ++i) close(i);
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
  } else if (!strcmp(mode, "last-thread")) { // The process ends with its last thread.
    for (long i = 0; i < count; ++i) x = step(x & 0xff), pausing(1000);
    printf("%ld\n", x);
    fflush(stdout);
    pthread_exit(0);
  }
  printf("%ld\n= step %ld\n", x, calls);
  return 7;
}
