// Threads that wait or compute between events: nap <ms>: blocks · spin <ms> <n> <ms>: computes while <n> threads compute on the same
// processor, then blocks for the second <ms> · pool <n>: a pool whose workers wait for work · loop <ms>: an OpenMP loop · serial <ms>: one
// thread computes, and a pool is idle · again <n>: threads one after the other, with pauses between them · early <n>, late <n>: tasks,
// while each look of the runtime loses the processor before it reads the clocks, or after it.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define BARE __attribute__((noinline, patchable_function_entry(0, 0)))
#define SEEN __attribute__((noinline))

BARE static long cpu_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}
BARE static void pause_for(long milliseconds) {
  struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  while (nanosleep(&left, &left)) {}
}
BARE static void compute_for(long milliseconds) {
  for (long end = cpu_nanoseconds() + milliseconds * 1000000L; cpu_nanoseconds() < end;) {}
}

SEEN void nap(long milliseconds) { pause_for(milliseconds); }
SEEN void spin(long milliseconds) { compute_for(milliseconds); }

static atomic_int stop;
BARE static void *compete(void *unused) {
  (void)unused;
  while (!stop) {}
  return 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tasks, done, closed, idle;
SEEN int take(void) {
  pthread_mutex_lock(&lock);
  ++idle;
  while (!tasks && !closed) pthread_cond_wait(&changed, &lock);
  int task = tasks ? tasks-- : 0;
  pthread_mutex_unlock(&lock);
  return task;
}
SEEN void task(void) { compute_for(2); }
SEEN void *worker(void *unused) {
  (void)unused;
  while (take()) {
    task();
    pthread_mutex_lock(&lock);
    ++done;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
SEEN void finish(int all) {
  pthread_mutex_lock(&lock);
  while (done < all) pthread_cond_wait(&changed, &lock);
  closed = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
SEEN void loop(long milliseconds) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 4; ++i) compute_for(milliseconds);
}
SEEN void *short_lived(void *unused) {
  spin(0);
  return unused;
}

// In place of a system call of a look: sleeps, as a thread does whose time slice ends when a system call returns.
BARE static void interrupt_look(int signal, siginfo_t *info, void *context) {
  ucontext_t *at = context;
  long result = -ENOSYS;
  (void)signal;
#ifdef __aarch64__
  struct timespec *time = (struct timespec *)at->uc_mcontext.regs[1];
#else
  struct timespec *time = (struct timespec *)at->uc_mcontext.gregs[REG_RSI];
#endif
  if (info->si_syscall == SYS_clock_gettime) result = syscall(SYS_clock_gettime, CLOCK_BOOTTIME, time);
  pause_for(5);
#ifdef __aarch64__
  at->uc_mcontext.regs[0] = (unsigned long)result;
#else
  at->uc_mcontext.gregs[REG_RAX] = result;
#endif
}
// By itself, for the runtime ends when it sees a program do this.
BARE static long set_filter(const struct sock_fprog *filter) {
#ifdef __aarch64__
  register long number __asm__("x8") = SYS_seccomp, result __asm__("x0") = SECCOMP_SET_MODE_FILTER, flags __asm__("x1") = 0;
  register const void *program __asm__("x2") = filter;
  __asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(flags), "r"(program) : "memory");
#else
  long result = SYS_seccomp;
  __asm__ volatile("syscall" : "+a"(result) : "D"((long)SECCOMP_SET_MODE_FILTER), "S"(0L), "d"(filter) : "rcx", "r11", "memory");
#endif
  return result;
}
// Only the runtime asks the kernel for these: the C library knows CLOCK_MONOTONIC by itself.
BARE static int interrupt_looks(unsigned call, unsigned first) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  struct sigaction action = {.sa_sigaction = interrupt_look, .sa_flags = SA_SIGINFO};
  return sigaction(SIGSYS, &action, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || set_filter(&filter);
}

struct interrupted {
  int is_early;
  long count;
};
// The runtime looks with signals blocked when a thread begins and when it ends, which would kill the process: the filter comes after its first
// event, and the thread does not end.
BARE static void *interrupted(void *given) {
  struct interrupted *all = given;
  spin(0);
  int failed = all->is_early ? interrupt_looks(SYS_getrusage, RUSAGE_THREAD) : interrupt_looks(SYS_clock_gettime, CLOCK_MONOTONIC);
  for (long i = 0; i < all->count && !failed; ++i) task();
  stop = failed ? 2 : 1;
  for (;;) pause_for(1000);
  return 0;
}

BARE int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  long count = argc > 2 ? atol(argv[2]) : 0;
  pthread_t threads[16];
  if (!strcmp(what, "nap")) {
    nap(count);
    spin(1);
  }
  if (!strcmp(what, "spin")) {
    cpu_set_t allowed;
    int more = atoi(argv[3]), first = 0;
    sched_getaffinity(0, sizeof allowed, &allowed);
    while (!CPU_ISSET(first, &allowed)) ++first;
    CPU_ZERO(&allowed);
    CPU_SET(first, &allowed);
    sched_setaffinity(0, sizeof allowed, &allowed);
    for (int i = 0; i < more; ++i) pthread_create(&threads[i], 0, compete, 0);
    spin(count);
    if (argc > 4) nap(atol(argv[4]));
    stop = 1;
    for (int i = 0; i < more; ++i) pthread_join(threads[i], 0);
  }
  if (!strcmp(what, "pool")) {
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, worker, 0);
    do {
      pause_for(20); // Repeats this until all workers are idle at the same time.
      pthread_mutex_lock(&lock);
      if (idle == 4) break;
      pthread_mutex_unlock(&lock);
    } while (1);
    pthread_mutex_unlock(&lock);
    pause_for(20);
    pthread_mutex_lock(&lock);
    tasks = (int)count;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    finish((int)count);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  }
  if (!strcmp(what, "early") || !strcmp(what, "late")) {
    struct interrupted all = {*what == 'e', count};
    pthread_create(&threads[0], 0, interrupted, &all);
    while (!stop) pause_for(5);
    return stop == 1 ? 0 : 77;
  }
  if (!strcmp(what, "loop")) loop(count);
  if (!strcmp(what, "serial")) {
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, worker, 0);
    spin(count);
    finish(0);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  }
  if (!strcmp(what, "again"))
    for (long i = 0; i < count; ++i) {
      pthread_create(&threads[0], 0, short_lived, 0);
      pthread_join(threads[0], 0);
      if (i >= count - 5) pause_for(40);
    }
  return 0;
}
