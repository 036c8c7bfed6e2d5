// Finds out what a thread did between two events that lie far apart: it computed, waited, or had no processor.
//
// The clock of a thread is the timer minus the time during which the thread was pre-empted, and minus the cost of these looks. An event
// that comes long after the previous one compares how far the timer and the thread's CPU time have advanced. The difference is time in the
// queue of the scheduler or time blocked. Time in the queue is removed from the clock; time blocked goes to a separate node below that of
// the frame on top, which holds the exclusive waiting time of this call path. Events that follow each other closely only pay one
// comparison. Shorter waits cannot be distinguished from the cost of a look. Inside an MPI call all time without a processor is time blocked:
// libraries poll, and those that share a processor hand it on.
//
// A thread that was switched out has one more context switch in its resource usage, so the look reads that first. Reading the CPU time
// makes the scheduler update it and notice the end of the time slice earlier than at its next tick: threads that read it 4,000 times a
// second share a processor in slices of half the length and lose their cached data with each. So the look reads the CPU time only after a
// switch, and now and then to find time that a hypervisor took.
//
// A look is where a thread loses its processor most of all, for the kernel ends a time slice when a system call returns. The look removes its own
// time from the clock as a whole; so what is missing of that time is missing in no gap, neither in the one before, of which the clocks are read
// late then, nor in the next one.
//
// No file stays open between two looks, because a program may close every descriptor. A signal handler that interrupts a look does not look
// itself.
#include "runtime.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

enum {
  NOTICED = 3000,          // in ns; reading several clocks one after the other is inaccurate by less than this
  INTERRUPTED = KYMO_GAP_NANOSECONDS, // a look that takes longer had no processor for most of the time
  LONGEST_LOOK = 20,       // in gaps; a longer look was left by a jump, or continues elsewhere, and does not prevent others
  WORTH_A_FILE = 1000000,  // in ns; beside a gap of this length, reading the scheduler's statistics (some µs) is negligible
  OVERDUE = 200,           // in gaps; after this time the look reads the CPU time even without a switch
  PATH_BYTES = 64,
};

static uint64_t read_clock(long clock) {
  struct timespec time = {0, 0};
  kymo_syscall(SYS_clock_gettime, clock, (long)&time, 0, 0, 0, 0);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Encodes the clock of another thread as pthread_getcpuclockid does (Linux: include/linux/posix-timers.h).
static uint64_t cpu_time(const struct kymo_thread *t) {
  enum { PER_THREAD = 4, SCHEDULED = 2 };
  return read_clock(t == kymo_self ? CLOCK_THREAD_CPUTIME_ID : (long)(int)(~(uint32_t)t->tid << 3 | PER_THREAD | SCHEDULED));
}

static char *append(char *at, const char *text) {
  while (*text) *at++ = *text++;
  return at;
}

// Reads how many nanoseconds the thread has spent ready to run in the scheduler's queue. False: this kernel does not count them.
static bool read_queued(const struct kymo_thread *t, uint64_t *nanoseconds) {
  char path[PATH_BYTES], text[PATH_BYTES], number[24];
  char *end = append(path, t == kymo_self ? "/proc/thread-self" : "/proc/self/task/");
  if (t != kymo_self) end = append(end, kymo_decimal(t->tid, number));
  *append(end, "/schedstat") = 0;
  long file = kymo_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (file < 0) return false;
  long got = kymo_syscall(SYS_read, file, (long)text, sizeof text, 0, 0, 0), i = 0;
  kymo_syscall(SYS_close, file, 0, 0, 0, 0, 0);
  while (i < got && text[i] != ' ') ++i;
  uint64_t value = 0;
  for (++i; i < got && text[i] >= '0' && text[i] <= '9'; ++i) value = value * 10 + (uint64_t)(text[i] - '0');
  *nanoseconds = value;
  return i < got;
}

// How the thread has given up the processor since the last look: voluntarily (`yielded`) or not (`displaced`).
struct switches {
  bool known, yielded, displaced;
};

static struct switches switches_of(struct kymo_thread *t) {
  struct rusage use;
  if (t != kymo_self || kymo_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&use, 0, 0, 0, 0)) return (struct switches){false, true, true};
  struct switches since = {true, (uint64_t)use.ru_nvcsw != t->seen.voluntary, (uint64_t)use.ru_nivcsw != t->seen.involuntary};
  t->seen.voluntary = (uint64_t)use.ru_nvcsw;
  t->seen.involuntary = (uint64_t)use.ru_nivcsw;
  return since;
}

// Of ticks of the timer.
static uint64_t in_nanoseconds(uint64_t ticks) { return kymo.gap ? ticks * KYMO_GAP_NANOSECONDS / kymo.gap : 0; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Returns the part of the missing CPU time that the thread spent in the queue.
static uint64_t queued_of(struct kymo_thread *t, uint64_t missing, struct switches since, bool exactly) {
  uint64_t queued, before = t->seen.queued;
  if (!since.yielded) { // A thread that waits yields. This also covers the time that a hypervisor took.
    t->seen.queued += missing;
    return missing;
  }
  if (!(exactly || since.displaced || missing >= WORTH_A_FILE) || !read_queued(t, &queued)) return 0;
  t->seen.queued = queued;
  return queued > before ? least(missing, queued - before) : 0;
}

// Converts `part` from nanoseconds to ticks; `ticks` and `nanoseconds` measure the same interval. 20 bits are precise enough and avoid an
// overflow.
static uint64_t in_ticks(uint64_t part, uint64_t ticks, uint64_t nanoseconds) {
  while (ticks >> 20) ticks >>= 1, nanoseconds >>= 1;
  return nanoseconds ? part * ticks / nanoseconds : 0;
}

KYMO_HANDLER void kymo_add_amount(struct kymo_thread *t, struct kymo_frame *top, uint32_t slot, uint64_t amount) {
  while (kymo_is_continued(top)) top = top->up; // They begin with the visit below them, so that it was before them.
  struct kymo_node *node = kymo_child(t, top, slot);
  if (!node) return;
  kymo_add(&node->visits, 1);
  kymo_add(&node->ticks, amount);
}

// Of a thread that waited for work (layers.c), the part of the blocked time until its visits ended; all time from then on is waiting. A
// thread that waits spins first and sleeps then.
static uint64_t blocked_inside(const struct kymo_thread *t, uint64_t begin, uint64_t ticks, uint64_t blocked) {
  uint64_t until = *t->until;
  if (!until) return blocked;
  uint64_t inside = until > begin ? least(until - begin, ticks) : 0, awake = ticks - blocked;
  return inside > awake ? inside - awake : 0;
}

// Returns the ticks to remove from the clock. `now` is a time of the timer.
static KYMO_HANDLER uint64_t look(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t gap, bool exactly) {
  struct switches since = switches_of(t);
  if (since.known && !since.yielded && !since.displaced && !exactly && now - t->seen.tick < OVERDUE * kymo.gap) return 0;
  uint64_t cpu = cpu_time(t), tick = kymo_now(), wall = read_clock(CLOCK_MONOTONIC);
  uint64_t ticks = tick - t->seen.tick, late = in_nanoseconds(tick - now);
  uint64_t elapsed = wall - t->seen.wall, used = cpu - t->seen.cpu;
  uint64_t missing = (int64_t)elapsed > (int64_t)used ? elapsed - used : 0;
  if ((int64_t)elapsed < 0) missing = 0; // Another look has come meanwhile.
  t->seen.tick = tick;
  t->seen.wall = wall;
  t->seen.cpu = cpu;
  t->cpu += used;
  if (late > INTERRUPTED) missing -= least(missing, late);
  if (missing < NOTICED) return 0;
  uint64_t queued = queued_of(t, missing, since, exactly);
  if (kymo_is_mpi(kymo_plain_slot(top->node->slot))) queued = 0; // A process that has no processor while it waits for others still waits.
  uint64_t out = least(gap, in_ticks(queued, ticks, elapsed));
  t->preempted += queued;
  uint64_t waited = least(gap - out, in_ticks(missing - queued, ticks, elapsed));
  if (missing - queued < NOTICED) return out;
  uint64_t inside = t->parked ? blocked_inside(t, now - gap, gap - out, waited) : waited;
  if (inside) kymo_add_amount(t, top, KYMO_SLOT_WAITING, inside);
  return out;
}

// `gap` is the time between the event at `now` and the one before it. If a measured signal handler has events meanwhile, its times do not
// consider the result of this look; then the cost of the look, which also contains the handler's time, stays in the clock.
KYMO_HANDLER __attribute__((noinline)) void kymo_look(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t gap) {
  uint64_t begin = now + t->offset, other = t->looking;
  if (kymo.quiet || t->clock != now || (int64_t)gap < 0) return;
  if (t->perf) kymo_count_perf(t, top, false);
  if (gap <= kymo.gap) return;
  if (other && begin - other < LONGEST_LOOK * kymo.gap) return;
  t->looking = begin;
  atomic_signal_fence(memory_order_seq_cst);
  uint64_t out = look(t, top, begin, gap, false), end = kymo_now(), own = end - begin;
  uint64_t since = least(end - t->seen.tick, own), unseen = in_nanoseconds(since);
  if (unseen > INTERRUPTED) {
    t->seen.tick += since;
    t->seen.wall += unseen;
  }
  if (t->clock == now) {
    t->clock = now - out;
    t->offset += out + own;
  }
  atomic_signal_fence(memory_order_seq_cst);
  if (t->looking == begin) t->looking = 0;
}

// Whether another thread is ready to run or runs. What it has waited since it was ready is in the scheduler's statistics only when it runs again.
static bool is_ready(const struct kymo_thread *t) {
  char path[PATH_BYTES], text[PATH_BYTES], number[24];
  char *end = append(append(path, "/proc/self/task/"), kymo_decimal(t->tid, number));
  *append(end, "/stat") = 0;
  long file = kymo_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (file < 0) return false;
  long got = kymo_syscall(SYS_read, file, (long)text, sizeof text, 0, 0, 0), state = got - 1;
  kymo_syscall(SYS_close, file, 0, 0, 0, 0, 0);
  while (state > 0 && text[state] != ')') --state; // The name of the program may contain anything, and is not long.
  return state > 0 && state + 2 < got && text[state + 2] == 'R';
}

uint64_t kymo_queued_meanwhile(const struct kymo_thread *t, uint64_t timer, uint64_t gap) {
  if (kymo.quiet || (int64_t)gap <= (int64_t)kymo.gap || kymo_is_mpi(kymo_plain_slot(t->top->node->slot))) return 0;
  uint64_t queued, before = t->seen.queued;
  uint64_t elapsed = read_clock(CLOCK_MONOTONIC) - t->seen.wall, used = cpu_time(t) - t->seen.cpu;
  uint64_t missing = (int64_t)elapsed > (int64_t)used ? elapsed - used : 0;
  if (missing < NOTICED) return 0;
  if (!is_ready(t)) missing = read_queued(t, &queued) && queued > before ? least(missing, queued - before) : 0;
  return least(gap, in_ticks(missing, timer - t->seen.tick, elapsed));
}

void kymo_start_clock(struct kymo_thread *t) {
  struct rusage use;
  t->tid = (uint32_t)kymo_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  t->looking = 0;
  kymo_start_perf(t);
  t->seen.tick = kymo_now();
  t->clock = t->seen.tick - t->offset;
  t->seen.wall = read_clock(CLOCK_MONOTONIC);
  t->seen.cpu = cpu_time(t);
  if (!read_queued(t, &t->seen.queued)) t->seen.queued = 0;
  if (kymo_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&use, 0, 0, 0, 0)) return;
  t->seen.voluntary = (uint64_t)use.ru_nvcsw;
  t->seen.involuntary = (uint64_t)use.ru_nivcsw;
}

// Called with signals blocked when the thread or the process ends. Looks at the gap since the thread's last event and returns the thread's
// clock.
uint64_t kymo_stop_clock(struct kymo_thread *t) {
  uint64_t now = kymo_now(), gap = now - t->offset - t->clock;
  if (t != kymo_self) kymo_claim_lists(t, t->root); // The thread may be changing its lists at the same time.
  if ((int64_t)gap < 0) gap = 0;
  const struct kymo_frame *parked = t->parked;
  if (t->perf) kymo_count_perf(t, parked ? parked->up : t->top, true);
  t->offset += look(t, t->top, now, gap, true);
  t->end = now;
  t->clock = now - t->offset;
  t->lifetime = t->clock - t->begin;
  return t->clock;
}
