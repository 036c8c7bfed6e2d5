// What a thread did between two events that lie far apart: it computed, it waited, or it had no processor.
//
// The clock of a thread is the timer without the time that the thread was pre-empted (and without what looking took). An event that comes long after the
// one before it compares how far the timer went on with how far the thread's CPU time did. What is missing was spent in the queue of the scheduler, which
// is taken out of the clock, or blocked, which is counted in a node of its own below that of the frame that was the top: the exclusive waiting of this call path.
// Programs that no event interrupts for less than that pay one comparison and nothing else. Shorter waits are too short to be told from the cost of looking.
//
// A thread that was switched out has one more switch in its resource usage, which is asked first. To ask for its CPU time makes the scheduler bring that up to
// date, and find that the time slice is over when it would have found so at the next tick: threads that ask 4,000 times a second share a processor in slices
// half as long, and lose with each the caches. So it is asked after a switch, and now and then for what a hypervisor took.
//
// Nothing here is open between two looks: a program may close every descriptor. A signal that comes meanwhile does not look.
#include "runtime.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

enum {
  NOTICED = 3000,          // ns; less is the inaccuracy of reading several clocks one after the other
  LONGEST_LOOK = 20,       // gaps: whoever has been looking for longer was left by a jump, or goes on elsewhere, and is not waited for
  WORTH_A_FILE = 1000000,  // ns of a gap, from which reading the scheduler's statistics (some µs) costs nothing that matters
  OVERDUE = 200,           // gaps: after so much time the CPU time is asked without a switch, too
  PATH_BYTES = 64,
};

static uint64_t read_clock(long clock) {
  struct timespec time = {0, 0};
  kymo_syscall(SYS_clock_gettime, clock, (long)&time, 0, 0, 0, 0);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// As clock_getcpuclockid and pthread_getcpuclockid make it (Linux: include/linux/posix-timers.h).
static uint64_t cpu_time(const struct kymo_thread *t) {
  enum { PER_THREAD = 4, SCHEDULED = 2 };
  return read_clock(t == kymo_self ? CLOCK_THREAD_CPUTIME_ID : (long)(int)(~(uint32_t)t->tid << 3 | PER_THREAD | SCHEDULED));
}

static char *append(char *at, const char *text) {
  while (*text) *at++ = *text++;
  return at;
}

// Nanoseconds that the thread was ready to run and did not. False: this kernel does not count them.
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

// How the thread has given up the processor since the last time.
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

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Of what the CPU time misses, the part that was spent in the queue.
static uint64_t queued_of(struct kymo_thread *t, uint64_t missing, struct switches since, bool exactly) {
  uint64_t queued, before = t->seen.queued;
  if (!since.yielded) { // nobody waits without that; also what a hypervisor took
    t->seen.queued += missing;
    return missing;
  }
  if (!(exactly || since.displaced || missing >= WORTH_A_FILE) || !read_queued(t, &queued)) return 0;
  t->seen.queued = queued;
  return queued > before ? least(missing, queued - before) : 0;
}

// Both since the last look, of which `nanoseconds` has the wall clock's. 20 bits of the quotient are enough, and the product fits.
static uint64_t in_ticks(uint64_t part, uint64_t ticks, uint64_t nanoseconds) {
  while (ticks >> 20) ticks >>= 1, nanoseconds >>= 1;
  return nanoseconds ? part * ticks / nanoseconds : 0;
}

// Ticks to take out of the clock. `now` is on the timer.
static KYMO_HANDLER uint64_t look(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t gap, bool exactly) {
  uint64_t ticks = now - t->seen.tick;
  struct switches since = switches_of(t);
  if (since.known && !since.yielded && !since.displaced && !exactly && ticks < OVERDUE * kymo.gap) return 0;
  uint64_t wall = read_clock(CLOCK_MONOTONIC), cpu = cpu_time(t);
  uint64_t elapsed = wall - t->seen.wall, used = cpu - t->seen.cpu;
  uint64_t missing = (int64_t)elapsed > (int64_t)used ? elapsed - used : 0;
  if ((int64_t)elapsed < 0) missing = 0; // others have looked since then
  t->seen.tick = now;
  t->seen.wall = wall;
  t->seen.cpu = cpu;
  t->cpu += used;
  if (missing < NOTICED) return 0;
  uint64_t queued = queued_of(t, missing, since, exactly), out = least(gap, in_ticks(queued, ticks, elapsed));
  t->preempted += queued;
  uint64_t waited = least(gap - out, in_ticks(missing - queued, ticks, elapsed));
  struct kymo_node *node = missing - queued >= NOTICED ? kymo_child(t, top, KYMO_SLOT_WAITING) : 0;
  if (node) {
    kymo_add(&node->visits, 1);
    kymo_add(&node->ticks, waited);
  }
  return out;
}

// `gap`: since the event before the one at `now`. A handler that has events of its own meanwhile knows nothing of what is found here: then what looking took,
// which is the handler's time as well, stays in the clock.
KYMO_HANDLER __attribute__((noinline)) void kymo_look(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t gap) {
  uint64_t begin = now + t->offset, other = t->looking;
  if (kymo.quiet || t->clock != now || (int64_t)gap < 0) return;
  if (other && begin - other < LONGEST_LOOK * kymo.gap) return;
  t->looking = begin;
  atomic_signal_fence(memory_order_seq_cst);
  uint64_t out = look(t, top, begin, gap, false), own = kymo_now() - begin;
  if (t->clock == now) {
    t->clock = now - out;
    t->offset += out + own;
  }
  atomic_signal_fence(memory_order_seq_cst);
  if (t->looking == begin) t->looking = 0;
}

void kymo_start_clock(struct kymo_thread *t) {
  struct rusage use;
  t->tid = (uint32_t)kymo_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  t->looking = 0;
  t->seen.tick = kymo_now();
  t->clock = t->seen.tick - t->offset;
  t->seen.wall = read_clock(CLOCK_MONOTONIC);
  t->seen.cpu = cpu_time(t);
  if (!read_queued(t, &t->seen.queued)) t->seen.queued = 0;
  if (kymo_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&use, 0, 0, 0, 0)) return;
  t->seen.voluntary = (uint64_t)use.ru_nvcsw;
  t->seen.involuntary = (uint64_t)use.ru_nivcsw;
}

// The thread ends, or the process does, and what it has been doing since its last event is not known yet. Returns the thread's clock; signals are blocked.
uint64_t kymo_stop_clock(struct kymo_thread *t) {
  uint64_t now = kymo_now(), gap = now - t->offset - t->clock;
  if (t != kymo_self) kymo_claim_lists(t, t->root); // it may be changing its lists itself
  if ((int64_t)gap < 0) gap = 0;
  t->offset += look(t, t->top, now, gap, true);
  t->end = now;
  t->clock = now - t->offset;
  t->lifetime = t->clock - t->begin;
  return t->clock;
}
