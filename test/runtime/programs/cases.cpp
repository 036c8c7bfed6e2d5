// Ways in which measured programs change stacks and end processes, one case per command-line word. Every measured function counts its own
// visits, and the program prints the counts, so that tests can compare the recorded profile with the output.
#include "probes.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

namespace {
struct Counter {
  const char *name;
  std::atomic<long> visits;
};
Counter counters[64];
} // namespace

#ifdef PROBES_OFF
#define FN extern "C" __attribute__((noinline, used))
#else
#define FN extern "C" __attribute__((used)) // sleds survive inlining
#endif
#define COUNT(n)                                                                                                   \
  PROBE(n);                                                                                                        \
  counters[n].name = __func__;                                                                                     \
  ++counters[n].visits
#define PLAIN __attribute__((noinline, no_instrument_function, patchable_function_entry(0, 0)))

PLAIN static void report() {
  for (auto &c : counters)
    if (c.name && c.visits) std::printf("= %s %ld\n", c.name, c.visits.load());
  std::fflush(stdout);
}

// --- exceptions ---
struct Noisy {
  int id;
  ~Noisy();
};
FN void destroyed(int id) { COUNT(1); std::printf("~%d\n", id); }
Noisy::~Noisy() { destroyed(id); }
FN int thrower(int depth) {
  COUNT(2);
  Noisy noisy{depth};
  if (depth == 0) throw std::runtime_error("deep");
  return thrower(depth - 1) + 1;
}
FN int catcher(int depth) {
  COUNT(3);
  try {
    return thrower(depth);
  } catch (const std::exception &e) {
    std::printf("caught %s\n", e.what());
    return -depth;
  }
}
FN int rethrower(int depth) {
  COUNT(4);
  try {
    return catcher(2) + thrower(depth);
  } catch (...) {
    destroyed(99);
    throw;
  }
}
PLAIN static void exceptions() {
  for (int i = 0; i < 50; ++i) std::printf("%d\n", catcher(i % 5));
  try {
    rethrower(3);
  } catch (const std::exception &) {
    std::puts("outer");
  }
}

// --- backtrace ---
struct Trace {
  void *wanted[4];
  int next;
};
FN void level3();
FN void level2();
FN void level1();
PLAIN static _Unwind_Reason_Code step(_Unwind_Context *context, void *data) {
  auto *trace = static_cast<Trace *>(data);
  void *function = _Unwind_FindEnclosingFunction(reinterpret_cast<void *>(_Unwind_GetIP(context) - 1));
  if (trace->next < 4 && function == trace->wanted[trace->next]) ++trace->next;
  return _URC_NO_REASON;
}
int main(int, char **);
PLAIN static void unwind() {
  Trace trace{{reinterpret_cast<void *>(&level3), reinterpret_cast<void *>(&level2), reinterpret_cast<void *>(&level1), reinterpret_cast<void *>(&main)}, 0};
  _Unwind_Backtrace(step, &trace);
#ifdef PROBES_OFF
  std::printf("unwound %d\n", trace.next);
#endif
}
FN void level3() { COUNT(5); unwind(); std::puts("3"); }
FN void level2() { COUNT(6); level3(); std::puts("2"); }
FN void level1() { COUNT(7); level2(); std::puts("1"); }

// --- longjmp ---
static jmp_buf jump;
FN void jumper(int depth) {
  COUNT(8);
  if (depth == 0) longjmp(jump, 1);
  jumper(depth - 1);
  std::puts("never");
}
FN int after_jump(int a, int b, int c, int d, int e, int f, int g, int h, int i) { COUNT(9); return a + b + c + d + e + f + g + h + i; }
FN int jumping(int n) {
  COUNT(10);
  if (setjmp(jump) == 0) jumper(n);
  return after_jump(1, 2, 3, 4, 5, 6, 7, 8, n);
}
PLAIN static void longjmps() {
  for (int i = 0; i < 100; ++i) std::printf("%d\n", jumping(i % 7));
}

// --- calling conventions ---
struct Big { long a[9]; };
struct Pair { double x; long n; };
typedef float Wide __attribute__((vector_size(16)));
FN int sum(int n, ...) {
  COUNT(11);
  va_list list;
  va_start(list, n);
  double total = 0;
  for (int i = 0; i < n; ++i) total += i % 2 ? va_arg(list, double) : va_arg(list, int);
  va_end(list);
  return static_cast<int>(total);
}
FN Big big(long a, long b, Big c, long d, long e, long f, long g, long h) { COUNT(12); c.a[0] = a + b; c.a[8] = d + e + f + g + h; return c; }
FN long double extended(long double x, int n) { COUNT(13); return n ? x + extended(x, n - 1) : 0.5L; }
FN Pair pair(double x, long n) { COUNT(14); return {x * 2, n * 3}; }
FN Wide wide(Wide a, Wide b) { COUNT(15); return a * b + a; }
FN double many(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j) { COUNT(16); return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j; }
FN __int128 huge(__int128 a) { COUNT(17); return a * a; }
PLAIN static void conventions() {
  Big b{{1, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (int i = 0; i < 20; ++i) {
    Big r = big(i, 1, b, 2, 3, 4, 5, 6);
    Pair p = pair(i + 0.25, i);
    Wide w = wide(Wide{1, 2, 3, static_cast<float>(i)}, Wide{4, 5, 6, 7});
    __int128 h = huge(static_cast<__int128>(i) << 40);
    std::printf("%d %ld %ld %.3Lf %.3f %ld %.1f %.1f %ld\n", sum(6, 1, 2.5, 3, 4.5, 5, 6.5), r.a[0], r.a[8], extended(1.5L, i % 4), p.x, p.n,
                static_cast<double>(w[3]), many(1, 2, 3, 4, 5, 6, 7, 8, 9, i), static_cast<long>(h >> 64));
  }
}

// --- tail calls and recursion ---
FN long odd(long n, long steps);
FN long even(long n, long steps) { COUNT(18); return n == 0 ? steps : odd(n - 1, steps + 1); }
FN long odd(long n, long steps) { COUNT(19); return n == 0 ? -steps : even(n - 1, steps + 1); }
FN long recursive(long n) { COUNT(20); volatile long below = n ? recursive(n - 1) + 1 : 0; return below; }
PLAIN static void tails() {
  std::printf("%ld %ld %ld\n", even(1000, 0), even(2001, 0), recursive(2000));
}

// --- threads ---
FN long leaf(long x) { COUNT(21); return x * 3 + 1; }
FN long branch(long x) {
  COUNT(22);
  long total = 0;
  for (int i = 0; i < 5; ++i) total += leaf(x + i);
  return total;
}
static void *work(void *argument) {
  long total = 0;
  for (int i = 0; i < 1000; ++i) total += branch(i);
  *static_cast<long *>(argument) = total;
  return nullptr;
}
FN void leaving(int n) {
  COUNT(23);
  Noisy noisy{n + 1000};
  if (n == 0) pthread_exit(nullptr);
  leaving(n - 1);
  std::puts("never");
}
static void *leaves(void *) {
  leaving(3);
  return nullptr;
}
FN void waiting() {
  COUNT(24);
  for (;;) pause();
}
static std::atomic<bool> ready;
static void *waits(void *) {
  branch(1);
  ready = true;
  waiting();
  return nullptr;
}
PLAIN static void threads() {
  pthread_t ids[8];
  long totals[8];
  for (int i = 0; i < 8; ++i) pthread_create(&ids[i], nullptr, work, &totals[i]);
  long total = 0;
  for (int i = 0; i < 8; ++i) pthread_join(ids[i], nullptr), total += totals[i];
  std::printf("%ld\n", total);
  pthread_create(&ids[0], nullptr, leaves, nullptr);
  pthread_join(ids[0], nullptr);
  pthread_create(&ids[0], nullptr, waits, nullptr);
  while (!ready) usleep(100);
  pthread_cancel(ids[0]);
  void *how;
  pthread_join(ids[0], &how);
  std::puts(how == PTHREAD_CANCELED ? "cancelled" : "?");
}

// --- signals ---
static sigjmp_buf signal_jump;
FN void handling(int n) { COUNT(25); leaf(n); }
static void handler(int number) { handling(number); }
static void jumping_handler(int number) {
  handling(number);
  siglongjmp(signal_jump, 1);
}
FN void raising(int number) {
  COUNT(26);
  raise(number);
  leaf(1);
}
PLAIN static void on(int number, void (*function)(int), int flags) {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = function;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}
PLAIN static void signals() {
  static char room[65536];
  stack_t stack{};
  stack.ss_sp = room;
  stack.ss_size = sizeof room;
  sigaltstack(&stack, nullptr);
  on(SIGUSR1, handler, 0);
  on(SIGUSR2, handler, SA_ONSTACK);
  on(SIGWINCH, jumping_handler, SA_ONSTACK);
  for (int i = 0; i < 100; ++i) {
    raising(SIGUSR1);
    raising(SIGUSR2);
    if (sigsetjmp(signal_jump, 1) == 0) raising(SIGWINCH);
    branch(i);
  }
}

// --- other stacks ---
static ucontext_t main_context, fibers[2];
FN void yielding(int self) {
  COUNT(27);
  leaf(self);
  swapcontext(&fibers[self], &fibers[1 - self]);
  leaf(self);
}
FN void fiber(int self) {
  COUNT(28);
  for (int i = 0; i < 50; ++i) yielding(self);
  std::printf("fiber %d\n", self);
}
PLAIN static void on_fibers(char *first, char *second, size_t size) {
  char *rooms[2] = {first, second};
  for (int i = 0; i < 2; ++i) {
    getcontext(&fibers[i]);
    fibers[i].uc_stack.ss_sp = rooms[i];
    fibers[i].uc_stack.ss_size = size;
    fibers[i].uc_link = i ? &main_context : &fibers[1];
    makecontext(&fibers[i], reinterpret_cast<void (*)()>(fiber), 1, i);
  }
  swapcontext(&main_context, &fibers[0]);
  branch(0);
}
PLAIN static void contexts() {
  char local[2][65536];
  char *heap = static_cast<char *>(std::malloc(2 * 65536));
  on_fibers(heap, heap + 65536, 65536);
  on_fibers(heap + 65536, heap, 65536);
  on_fibers(local[0], local[1], 65536);
  on_fibers(local[1], local[0], 65536);
  std::free(heap);
}

// --- ends ---
FN __attribute__((noreturn)) void ending(const char *how) {
  COUNT(29);
  branch(3);
  report();
  if (!std::strcmp(how, "_exit")) _exit(41);
  if (!std::strcmp(how, "_Exit")) _Exit(42);
  if (!std::strcmp(how, "quick_exit")) quick_exit(43);
  if (!std::strcmp(how, "abort")) std::abort();
  if (!std::strcmp(how, "terminate")) throw 1;
  if (!std::strcmp(how, "segv")) raise(SIGSEGV);
  if (!std::strcmp(how, "kill")) raise(SIGKILL);
  std::exit(44);
}
PLAIN static void *last_thread(void *) {
  usleep(1000);
  branch(2);
  report();
  return nullptr;
}
FN void forking() {
  COUNT(30);
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    for (auto &c : counters) c.visits = 0;
    branch(7);
    report();
    _exit(5);
  }
  int status;
  waitpid(child, &status, 0);
  std::printf("child %d\n", WEXITSTATUS(status));
  branch(8);
}
PLAIN static void vforking() {
  branch(1);
  pid_t child = vfork();
  if (child == 0) _exit(6);
  int status;
  waitpid(child, &status, 0);
  std::printf("child %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  std::string which = argc > 1 ? argv[1] : "all";
  bool all = which == "all";
  if (all || which == "exceptions") exceptions();
  if (all || which == "backtrace") level1();
  if (all || which == "longjmp") longjmps();
  if (all || which == "conventions") conventions();
  if (all || which == "tails") tails();
  if (all || which == "threads") threads();
  if (all || which == "signals") signals();
  if (all || which == "contexts") contexts();
  if (which == "fork") forking();
  if (which == "vfork") vforking();
  if (which == "main-leaves") {
    pthread_t id;
    branch(1);
    pthread_create(&id, nullptr, last_thread, nullptr);
    pthread_exit(nullptr);
  }
  if (which == "end") ending(argv[2]);
  report();
  return 7;
}
