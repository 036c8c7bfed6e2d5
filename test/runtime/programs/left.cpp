// Very many functions that never return: the memory of the runtime must not grow. Every measured function counts its own visits.
#include "probes.h"

#include <alloca.h>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef PROBES_OFF
#define FN extern "C" __attribute__((noinline, used))
#else
#define FN extern "C" __attribute__((used))
#endif
#define PLAIN extern "C" __attribute__((noinline, no_instrument_function, patchable_function_entry(0, 0)))

static long visits[17];
static const char *names[17];
#define COUNT(n)                                                                                                   \
  PROBE(n);                                                                                                        \
  names[n] = __func__;                                                                                             \
  __atomic_fetch_add(&visits[n], 1, __ATOMIC_RELAXED)

static unsigned random_state = 1;
PLAIN int below(int limit) {
  random_state = random_state * 1103515245u + 12345u;
  return static_cast<int>((random_state >> 16) % static_cast<unsigned>(limit));
}

// --- exceptions and jumps out of varying depths, over frames of varying size ---
static jmp_buf out;
FN int falling(int depth, int how) {
  COUNT(1);
  volatile char *room = static_cast<volatile char *>(alloca(16 + 16 * below(16)));
  room[0] = 1;
  if (depth == 0) {
    if (how) throw depth;
    longjmp(out, 1);
  }
  return falling(depth - 1, how) + room[0];
}
FN int catching(int depth) {
  COUNT(2);
  try {
    return falling(depth, 1);
  } catch (int) {
    return 1;
  }
}
FN int landing(int depth) {
  COUNT(3);
  if (setjmp(out) == 0) return falling(depth, 0);
  return 1;
}
PLAIN int once(int i) { return i % 2 ? catching(below(20)) : landing(below(20)); }

// --- the same on fibers in the caller's frame and in the heap, to which no switch returns ---
static ucontext_t back, fibers[8];
static int rounds;
FN int switching(int self) {
  COUNT(4);
  return swapcontext(&fibers[self], &back);
}
PLAIN void run_fiber(int self) {
  for (int i = 0; i < rounds; ++i) {
    once(i);
    switching(self);
  }
  switching(self); // No switch returns here.
}
PLAIN void on_fibers(int times) {
  enum { SIZE = 32768 };
  char local[4][SIZE];
  char *heap = static_cast<char *>(std::malloc(4 * SIZE));
  for (rounds = 10; times > 0; times -= 8 * rounds) {
    for (int i = 0; i < 8; ++i) {
      getcontext(&fibers[i]);
      fibers[i].uc_stack.ss_sp = i % 2 ? local[i / 2] : heap + i / 2 * SIZE;
      fibers[i].uc_stack.ss_size = SIZE;
      fibers[i].uc_link = nullptr;
      makecontext(&fibers[i], reinterpret_cast<void (*)()>(run_fiber), 1, i);
    }
    for (int round = 0; round < rounds; ++round)
      for (int i = 0; i < 8; ++i) {
        swapcontext(&back, &fibers[i]);
        once(round);
      }
  }
  std::free(heap);
}

// --- jumps out of handlers on a separate stack ---
static sigjmp_buf from_handler;
FN void handling(int depth) {
  COUNT(5);
  volatile char *room = static_cast<volatile char *>(alloca(16 + 16 * below(8)));
  room[0] = 1;
  if (depth == 0) siglongjmp(from_handler, 1);
  handling(depth - 1);
  room[0] = 2;
}
static void handler(int) { handling(below(10)); }
FN void raising() {
  COUNT(6);
  raise(SIGUSR1);
}
PLAIN void on(int number, void (*function)(int), int flags) {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = function;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}
PLAIN void out_of_handlers(int times) {
  static char room[65536];
  stack_t stack{};
  stack.ss_sp = room;
  stack.ss_size = sizeof room;
  sigaltstack(&stack, nullptr);
  on(SIGUSR1, handler, SA_ONSTACK);
  for (volatile int i = 0; i < times; i = i + 1)
    if (sigsetjmp(from_handler, 1) == 0) raising();
}

// --- measured handlers at any instruction, including those of the runtime ---
static volatile int alarms;
FN long inner(long x) { COUNT(7); return x * 3 + 1; }
FN long outer(long x) { COUNT(8); return inner(x) + inner(x + 1); }
FN void ticking(int n) { COUNT(9); alarms = alarms + (outer(n) == 6 * n + 5); }
static void on_alarm(int) { ticking(1); }
PLAIN void storm(int wanted) {
  on(SIGALRM, on_alarm, SA_RESTART);
  itimerval timer{{0, 60}, {0, 60}};
  setitimer(ITIMER_REAL, &timer, nullptr);
  long wrong = 0, n = 0;
  for (; alarms < wanted; ++n) wrong += outer(n) != 6 * n + 5;
  timer = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &timer, nullptr);
  std::printf("wrong %ld\n", wrong);
}

// --- a body that ends in a jump to an unmeasured function of another frame size ---
FN long last(long x) { COUNT(10); return x + 1; }
static volatile long sink;
PLAIN long unmeasured(long x) {
  volatile long room[40];
  room[x & 31] = x;
  sink = last(x);
  return sink + last(room[x & 31]);
}
FN long jumping(long x) {
  COUNT(11);
  sink = last(x);
  return unmeasured(x + sink);
}
PLAIN void tails() {
  long total = 0;
  for (int i = 0; i < 1000; ++i) total += jumping(i);
  std::printf("%ld\n", total);
}

// --- random programs of calls, jumps and exceptions ---
static jmp_buf places[64];
static int place_count, catcher_count, budget;
typedef void (*Wild)(int);
extern "C" { void wild0(int); void wild1(int); void wild2(int); void wild3(int); }
static const Wild wilds[4] = {wild0, wild1, wild2, wild3};
PLAIN void call_protected(int depth) {
  volatile int places_before = place_count, catchers_before = catcher_count;
  if (setjmp(places[place_count++]) == 0) wilds[below(4)](depth);
  place_count = places_before;
  catcher_count = catchers_before;
}
PLAIN void call_catching(int depth) {
  int places_before = place_count, catchers_before = catcher_count++;
  try {
    wilds[below(4)](depth);
  } catch (int) {
  }
  place_count = places_before;
  catcher_count = catchers_before;
}
PLAIN void anything(int depth) {
  for (int steps = below(5); steps > 0 && --budget > 0 && depth < 40; --steps) {
    int what = below(10);
    if (what < 5) wilds[below(4)](depth + 1);
    else if (what < 7 && place_count < 64) call_protected(depth + 1);
    else if (what < 8) call_catching(depth + 1);
    else if (what < 9 && place_count) longjmp(places[below(place_count)], 1);
    else if (catcher_count) throw depth;
  }
}
FN void wild0(int depth) { COUNT(12); anything(depth); }
FN void wild1(int depth) { COUNT(13); anything(depth); sink = depth; }
FN void wild2(int depth) {
  COUNT(14);
  volatile char *room = static_cast<volatile char *>(alloca(16 + 16 * below(16)));
  room[0] = 1;
  anything(depth);
}
FN void wild3(int depth) { COUNT(15); wilds[depth % 3](depth); }
PLAIN void random_programs(int times) {
  for (int i = 0; i < times; ++i) {
    random_state = static_cast<unsigned>(i);
    budget = 500;
    place_count = catcher_count = 0;
    while (budget > 0) call_protected(0), --budget;
  }
}

int main(int, char **argv) {
  std::string which = argv[1];
  int times = std::atoi(argv[2]);
  if (which == "once") for (volatile int i = 0; i < times; i = i + 1) once(i);
  if (which == "fibers") on_fibers(times);
  if (which == "handlers") out_of_handlers(times);
  if (which == "random") random_programs(times);
  if (which == "storm") storm(times);
  if (which == "tails") tails();
  for (int i = 0; i < 17; ++i)
    if (names[i] && (which != "storm")) std::printf("= %s %ld\n", names[i], visits[i]);
  if (which == "storm") std::printf("alarms %d\n", visits[9] >= alarms);
  return 3;
}
