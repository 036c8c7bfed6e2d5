// The program that stepper.c interrupts: stepped <what> <bytes of a user thread's stack>.
//   preempt  The handler switches to another user thread, which is interrupted, too. Both continue later, the first one before the other.
//   jump     The handler ends by siglongjmp, also during a look of the runtime (gaps.c).
//   return   The handler calls measured functions and returns.
#include "../../../runtime/runtime.h"
#include "probes.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#ifdef PROBES_OFF
#define FN __attribute__((noinline, used))
#else
#define FN __attribute__((noinline))
#endif
#define PLAIN __attribute__((noinline, patchable_function_entry(0)))

enum { END, ROUND, BESIDES, USERS = 3 };
static const uint64_t GAP = 1ull << 40;
static long counts[5];
static const char *const names[] = {"", "leaf", "branch", "wide", "handling"};
static int wrong;

PROBE_FOR(1)
FN long leaf(long x) { PROBE(1); ++counts[1]; return x * 3 + 1; }
PROBE_FOR(2)
FN long branch(long x) { PROBE(2); ++counts[2]; return leaf(x) + leaf(x + 1); }
PROBE_FOR(3)
FN long wide(long x) { PROBE(3); ++counts[3]; return x % 3 ? branch(x) + leaf(x) : leaf(x) + branch(x); }
PROBE_FOR(4)
FN long handling(long x) { PROBE(4); ++counts[4]; return wide(x) + leaf(x); }
PLAIN void check(long got, long wanted) { wrong += got != wanted; }

// Marks a place for stepper.c. Returns true at the end when each instruction has been interrupted.
PLAIN int mark(long what) {
  __asm__ volatile("int3" : "+a"(what) : : "memory");
  return (int)what;
}

static ucontext_t users[USERS], home;
static int running;
static volatile int finished;
static volatile char how;
static sigjmp_buf place;

PLAIN void next_user(void) {
  int from = running;
  running = (from + 1) % USERS;
  swapcontext(&users[from], &users[running]);
}
PLAIN void handler(int number) {
  (void)number;
  if (how == 'p') {
    next_user();
    return;
  }
  check(handling(7), 91);
  if (how == 'j') siglongjmp(place, 1);
}
// The first user thread is interrupted at each instruction, the second at some instruction, and the third lets the first continue.
PLAIN void user(int self) {
  for (long x = 0; !finished; ++x) {
    if (self < 2) mark(self ? BESIDES : ROUND);
    check(leaf(x), 3 * x + 1);
    if (self == 0) finished = mark(END);
    for (int i = 0; i < 5; ++i) check(wide(x), 9 * x + 6);
    next_user();
  }
  running = 0;
  setcontext(&home);
}
PLAIN void preempted(size_t bytes) {
  char *stacks = malloc(USERS * bytes);
  for (int i = 0; i < USERS; ++i) {
    getcontext(&users[i]);
    users[i].uc_stack.ss_sp = stacks + (size_t)i * bytes;
    users[i].uc_stack.ss_size = bytes;
    makecontext(&users[i], (void (*)(void))user, 1, i);
  }
  swapcontext(&home, &users[0]);
}
PLAIN void rounds(void) {
  for (volatile long x = 0; !finished; x = x + 1) {
    if (!sigsetjmp(place, 1)) {
      if (how == 'j') kymo_self->clock -= 2 * GAP; // makes the first event look (gaps.c)
      mark(ROUND);
      check(leaf(x), 3 * x + 1);
    }
    finished = mark(END);
    check(wide(x), 9 * x + 6);
  }
}

int main(int count, char **words) {
  (void)count;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  how = words[1][0];
  kymo.gap = GAP; // Single steps take so long that otherwise each event would look.
  sigaction(SIGUSR1, &action, 0);
  if (how == 'p') preempted((size_t)atol(words[2]));
  else rounds();
  // Later events must take over the work that a jump has interrupted.
  kymo.gap = 1000;
  nanosleep(&(struct timespec){0, 5000000}, 0);
  for (long x = 0; x < 4; ++x) check(handling(x), 12 * x + 7);
  wrong += kymo_self->looking || kymo_self->moving;
  for (int i = 1; i < 5; ++i) printf("= %s %ld\n", names[i], counts[i]);
  fprintf(stderr, "wrong %d\n", wrong);
  return 3;
}
