// Measured handlers of signals at any instruction, including those of the runtime; signals <what> <threads> <handlers>.
//   own      run on the interrupted stack                nested   two signals, one interrupting the other, on another stack
//   other    run on another stack, of 8 KB               jump     end by siglongjmp
//   leap     end by siglongjmp at any instruction, so that a visit that has just begun may be counted or not
//   preempt  switch to another user thread, so that the interrupted call continues much later
#include "probes.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifdef PROBES_OFF
#define FN __attribute__((noinline, used))
#else
#define FN __attribute__((noinline))
#endif
#define PLAIN __attribute__((noinline, patchable_function_entry(0)))
static std::atomic<long> counts[8];
static const char *const names[8] = {"", "leaf", "branch", "wide", "handling", "inner", "working", ""};
#define COUNT(n) PROBE(n); counts[n].fetch_add(1, std::memory_order_relaxed)

FN long leaf(long x) { COUNT(1); return x * 3 + 1; }
FN long branch(long x) { COUNT(2); return leaf(x) + leaf(x + 1); }
FN long wide(long x) { COUNT(3); return x % 3 ? leaf(x) : branch(x); }
FN long inner(long x) { COUNT(5); return x + branch(x); }
FN long working(long x) { COUNT(6); return branch(x) + wide(x) + leaf(x); }
PLAIN long expected_branch(long x) { return 6 * x + 5; }
PLAIN long expected_wide(long x) { return x % 3 ? 3 * x + 1 : expected_branch(x); }
PLAIN long expected(long x) { return expected_branch(x) + expected_wide(x) + 3 * x + 1; }

static std::atomic<long> handlers, wrong;
static long wanted;
static thread_local sigjmp_buf place;
static thread_local volatile int may_jump;
static std::string mode;
static volatile char how; // the mode, for handlers

PLAIN void swap_user_thread();
FN void handling(int depth) {
  COUNT(4);
  if (inner(depth) != depth + expected_branch(depth)) ++wrong;
  if (depth > 0) handling(depth - 1);
  __asm__ volatile(""); // keeps the compiler from making a loop
}
PLAIN void handler(int) {
  ++handlers;
  if (how == 'p') {
    if (handlers % 3 == 0) handling(1);
    swap_user_thread();
    return;
  }
  handling(2);
  if (how == 'n' && handlers % 2) raise(SIGUSR2);
  if ((how == 'j' || how == 'l') && may_jump) siglongjmp(place, 1);
}
PLAIN void second(int) { ++handlers; handling(0); }
PLAIN void on(int number, void (*function)(int), int flags) {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = function;
  action.sa_flags = flags | SA_RESTART;
  sigaction(number, &action, nullptr);
}
PLAIN void another_stack() {
  stack_t stack{};
  stack.ss_size = 8192;
  stack.ss_sp = std::malloc(stack.ss_size);
  sigaltstack(&stack, nullptr);
}
PLAIN void set_timer(long microseconds) {
  itimerval timer{{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}
PLAIN void step(long x) {
  if (working(x) != expected(x)) ++wrong;
}
PLAIN void steps(long *x) {
  while (handlers < wanted)
    for (int i = 0; i < 100; ++i) step(++*x);
}
PLAIN void *work(void *) {
  long x = 0;
  if (mode == "other") another_stack();
  if (how == 'n' || how == 'j' || how == 'l') another_stack();
  if (how == 'j' || how == 'l')
    while (handlers < wanted) {
      if (sigsetjmp(place, 1) == 0) for (int i = 0; i < 100; ++i) {
        may_jump = how == 'l';
        step(++x);
        may_jump = 1;
        for (volatile int j = 0; j < 20; j = j + 1) {}
        may_jump = 0;
      }
      may_jump = 0;
    }
  else steps(&x);
  return nullptr;
}

// --- user threads: the timer's handler switches to the next one ---
enum { USERS = 8, STACK = 65536 };
static ucontext_t users[USERS], home;
static std::atomic<int> running;
static volatile int ended[USERS], left_over;
PLAIN void swap_user_thread() {
  int from = running, to = from;
  do to = (to + 1) % USERS;
  while (ended[to] && to != from);
  if (to == from) return;
  running = to;
  swapcontext(&users[from], &users[to]);
}
PLAIN void mask(int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPROF);
  sigprocmask(how, &set, nullptr);
}
PLAIN void user_thread(int self) {
  long x = self * 1000;
  mask(SIG_UNBLOCK);
  steps(&x);
  mask(SIG_BLOCK);
  ended[self] = 1;
  if (--left_over > 0) swap_user_thread(); // It does not return.
  setcontext(&home);
}
PLAIN void preempted() {
  static volatile int back;
  left_over = USERS;
  back = 0;
  getcontext(&home);
  if (back) return;
  back = 1;
  // swapcontext sets the mask before it changes stacks; a pending signal must not come in between.
  mask(SIG_BLOCK);
  for (int i = 0; i < USERS; ++i) {
    getcontext(&users[i]);
    users[i].uc_stack.ss_sp = std::malloc(STACK);
    users[i].uc_stack.ss_size = STACK;
    makecontext(&users[i], reinterpret_cast<void (*)()>(user_thread), 1, i);
  }
  running = 0;
  setcontext(&users[0]);
}

int main(int, char **words) {
  mode = words[1];
  how = mode[0];
  int threads = std::atoi(words[2]);
  wanted = std::atol(words[3]);
  on(SIGPROF, handler, mode == "own" || mode == "preempt" ? 0 : SA_ONSTACK);
  on(SIGUSR2, second, SA_ONSTACK);
  set_timer(1000);
  if (how == 'p') {
    preempted();
  } else {
    pthread_t others[16];
    for (int i = 1; i < threads; ++i) pthread_create(&others[i], nullptr, work, nullptr);
    work(nullptr);
    for (int i = 1; i < threads; ++i) pthread_join(others[i], nullptr);
  }
  set_timer(0);
  std::fprintf(stderr, "wrong %ld\n", wrong.load());
  for (int i = 1; i < 7; ++i) std::printf("= %s %ld\n", names[i], counts[i].load());
  return 3;
}
