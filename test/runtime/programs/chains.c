// A program whose call stacks are known: chains MODE. It computes until standard input ends, and says then what went wrong.
#define _GNU_SOURCE
#include "probes.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define KEEP(x) __asm__ volatile("" : "+r"(x) : : "memory")

static volatile int over;
static volatile long failures;

PROBE_FOR(1)
NOINLINE long spin(long x) {
  PROBE(1);
  while (!over) for (int i = 0; i < 1000; ++i) KEEP(x);
  return x;
}

// A chain of functions with frames of different sizes; the first and every third one has a sled or an entry like all others.
#define LINK(n, next) NOINLINE long link##n(long x) { volatile char room[n * 8 + 1]; room[0] = (char)x; x = next(x + 1); KEEP(x); return x + room[0]; }
PROBE_FOR(2)
NOINLINE long recorded(long x) { PROBE(2); x = spin(x); KEEP(x); return x + 1; }
LINK(1, recorded) LINK(2, link1) LINK(3, link2) LINK(4, link3) LINK(5, link4) LINK(6, link5) LINK(7, link6) LINK(8, link7)
LINK(9, link8) LINK(10, link9) LINK(11, link10) LINK(12, link11)
// The stack pointer of these is not a constant distance from the frame.
NOINLINE long varying(long x) { volatile char room[(x & 63) + 1]; room[0] = 1; x = link12(x); KEEP(x); return x + room[0]; }
NOINLINE long aligned(long x) { _Alignas(64) volatile char room[64]; room[0] = 1; x = varying(x); KEEP(x); return x + room[0]; }
PROBE_FOR(3)
NOINLINE long outermost(long x) { PROBE(3); x = aligned(x); KEEP(x); return x; }

NOINLINE long descend(long x, long depth) {
  volatile char room[64];
  room[0] = 1;
  x = depth ? descend(x, depth - 1) : spin(x);
  KEEP(x);
  return x + room[0];
}

NOINLINE int compare(const void *a, const void *b) {
  if (!over) spin(0);
  return *(const int *)a - *(const int *)b;
}
NOINLINE void sorting(void) {
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
  KEEP(numbers[0]);
}

NOINLINE static void in_handler(int signal) { failures += spin(signal) != signal; }
NOINLINE void raising(int flags) {
  stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  struct sigaction action = {.sa_handler = in_handler, .sa_flags = flags};
  sigaltstack(&other, 0);
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  KEEP(failures);
}

static void *wait_for_input(void *then) {
  char byte;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, 0);
  while (read(0, &byte, 1) > 0)
    if (then) ((void (*)(void))then)();
  over = 1;
  return 0;
}

static void ignore(int signal) { (void)signal; ++failures; }
static void handle_everything(void) {
  struct sigaction action = {.sa_handler = ignore};
  for (int i = 1; i <= 64; ++i) sigaction(i, &action, 0);
  write(1, "handled\n", 8);
}

// Calls that end early when a signal comes, and which the kernel does not repeat.
static void check(int ended_early) {
  if (ended_early) ++failures;
}
NOINLINE void sleeping(void) {
  struct timespec time = {1, 0};
  while (!over) {
    check(nanosleep(&time, 0) && errno == EINTR);
    check(ppoll(0, 0, &time, 0) < 0 && errno == EINTR);
  }
}

// poll(2), as libc's functions make system calls.
static long poll_for(long milliseconds) {
  long result;
  __asm__ volatile("mov $7, %%eax\n syscall" : "=a"(result) : "D"(0), "S"(0), "d"(milliseconds) : "rcx", "r11", "memory");
  return result;
}
// It is about to wait again all the time, when a signal comes.
NOINLINE void napping(void) {
  while (!over) {
    for (volatile int i = 0; i < 300; ++i) {}
    check(poll_for(1) == -EINTR);
  }
}

static void *blocking(void *unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, 0);
  spin(0);
  return unused;
}

static void *deep(void *unused) {
  descend(1, 1000);
  return unused;
}

static void *short_lived(void *unused) {
  volatile long x = 0;
  for (int i = 0; i < 20000; ++i) x += i;
  return unused;
}

NOINLINE void telling_time(void) { // in code that the kernel provides
  struct timespec time;
  while (!over) clock_gettime(CLOCK_MONOTONIC, &time);
}

// It handles none itself.
static void raise_handled(void) {
  struct sigaction action;
  for (int i = 1; i <= 64; ++i)
    if (!sigaction(i, 0, &action) && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN && printf("raised\n")) kill(getpid(), i);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "chain";
  pthread_t input, other;
  void (*then)(void) = !strcmp(mode, "handles-later") ? handle_everything : !strcmp(mode, "raises") ? raise_handled : 0;
  if (!strcmp(mode, "handles")) handle_everything();
  pthread_create(&input, 0, wait_for_input, (void *)then);
  if (!strcmp(mode, "blocks")) pthread_create(&other, 0, blocking, 0);
  for (int i = 0; !strcmp(mode, "many") && i < 35; ++i) pthread_create(&other, 0, deep, 0);
  if (!strcmp(mode, "sorts")) sorting();
  else if (!strcmp(mode, "deep")) descend(1, 10000);
  else if (!strcmp(mode, "handler")) raising(0);
  else if (!strcmp(mode, "other-stack")) raising(SA_ONSTACK);
  else if (!strcmp(mode, "sleeps")) sleeping();
  else if (!strcmp(mode, "naps")) napping();
  else if (!strcmp(mode, "time")) telling_time();
  else if (!strcmp(mode, "threads"))
    while (!over) {
      pthread_create(&other, 0, short_lived, 0);
      pthread_join(other, 0);
    }
  else outermost(argc);
  pthread_join(input, 0);
  printf("failures %ld\n", failures);
  return 0;
}
