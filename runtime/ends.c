// The ways in which a process ends. exit() and return from main call the destructor (attach.c). _exit, _Exit and quick_exit do not run
// destructors, and abort raises a signal, so this file intercepts these four. After other fatal signals there is no result: catching them
// would change the program's dispositions.
#include "session.h"
#include "trace.h"
#include "libc.h"

enum { IDLE, WRITING };

static uint64_t progress(void) {
  uint64_t sum = 0;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) sum += kymo_progress(t);
  return sum;
}

bool kymo_something_new(void) { return progress() != kymo_session.progress_written; }

// An open visit of this thread, with the values that it had before it was accounted for a result. Where the process goes on, for example with
// what follows MPI_Finalize, the visit is one visit with its whole time in the next result.
struct open_visit {
  struct kymo_frame *frame;
  uint64_t start, frame_events;
  uint64_t ticks, min, max, events; // of its node
  uint64_t folded;                  // events of the node that has this one as a flat node
  bool is_phase;                    // Its maximum is elsewhere (phases.c), or comes from there when the node becomes an ordinary one.
};

static struct {
  struct open_visit *visits;
  size_t count;
  uint64_t events; // of the thread
} kept;

static void keep_open_visits(struct kymo_thread *t) {
  size_t count = 0;
  for (const struct kymo_stack *s = t->stacks; s; s = s->next)
    for (const struct kymo_frame *frame = s->top; frame && frame->up; frame = frame->up) ++count;
  kept.events = t->events;
  kept.count = count;
  kept.visits = count ? kymo_map(count * sizeof *kept.visits) : 0;
  if (!kept.visits) return; // Out of memory: the next result has what follows as the end of these visits.
  struct open_visit *visit = kept.visits;
  for (const struct kymo_stack *s = t->stacks; s; s = s->next)
    for (struct kymo_frame *frame = s->top; frame && frame->up; frame = frame->up) {
      const struct kymo_node *node = frame->node;
      *visit++ = (struct open_visit){frame, frame->start, frame->events, node->ticks, node->min, node->max, node->events,
                                    kymo_is_flat(node->slot) ? kymo_mark_of(node)->events : 0, kymo_is_phase(node->slot)};
    }
}

static void reopen_visits(struct kymo_thread *t) {
  if (!kept.visits) return;
  for (const struct open_visit *visit = kept.visits; visit < kept.visits + kept.count; ++visit) {
    struct kymo_node *node = visit->frame->node;
    visit->frame->start = visit->start;
    visit->frame->events = visit->frame_events;
    node->ticks = visit->ticks;
    node->min = visit->min;
    if (!visit->is_phase) node->max = visit->max;
    node->events = visit->events;
    if (kymo_is_flat(node->slot)) kymo_mark_of(node)->events = visit->folded;
  }
  t->events = kept.events;
  kymo_unmap(kept.visits, kept.count * sizeof *kept.visits);
  kept.visits = 0;
}

// From here on only this thread records. The open visits of the other threads end now.
static void close_open_visits(void) {
  struct kymo_thread *self = kymo_self;
  for (struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) {
    uint32_t state = atomic_load(&t->state);
    if (t != self) t->span = 0;
    if (t == self || state == KYMO_THREAD_ENDED) kymo_finish_moving(t); // A signal handler may have jumped out of a move.
    if (state != KYMO_THREAD_LIVE) continue;
    if (t == self) kymo_end_parked(t);
    uint64_t offset = t->offset, before = t->clock, now = kymo_stop_clock(t);
    const struct kymo_frame *parked = t->parked;
    bool waits = parked;
    uint64_t then = parked ? kymo_parked_until(t, offset, before, now) : now;
    if ((int64_t)(then - now) > 0) { // as in kymo_end_parked
      t->lifetime += then - now;
      now = t->clock = then;
    }
    t->stack->top = t->top;
    if (t == self) keep_open_visits(t);
    for (const struct kymo_stack *s = t->stacks; s; s = s->next)
      for (struct kymo_frame *frame = s->top; frame && frame->up; frame = frame->up) {
        uint64_t end = parked && s == t->stack ? then : now;
        if (frame == parked) {
          parked = 0;
          if ((int64_t)(now - then) > 0) kymo_add_amount(t, frame->up, KYMO_SLOT_WAITING, now - then);
        }
        // A visit that is just ending, or has just begun, is skipped. Those of a thread that waits may have taken no time.
        if (frame->slot != KYMO_SLOT_LEFT && (int64_t)(end - frame->start) >= !waits) kymo_account(t, frame, end);
        frame->start = now;
        frame->events = t->events;
        if (t != self) frame->node = &t->trash; // A later end must not change the result while it is written.
      }
  }
}

static _Atomic int state;

// Returns the signals to restore.
static uint64_t begin_writing(void) {
  uint64_t signals = kymo_block_signals();
  int idle = IDLE;
  while (!atomic_compare_exchange_weak(&state, &idle, WRITING)) { // Another thread ends the process at the same time.
    idle = IDLE;
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, 0);
  }
  return signals;
}

// Ends all visits and returns the time.
static uint64_t end_recording(void) {
  struct kymo_instant end = kymo_instant_now();
  kymo_session.end_monotonic = end.monotonic;
  kymo_session.cpu_time = kymo_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - kymo_control_cpu_time();
  kymo.last_thread = kymo_self;
  if (atomic_load(&kymo.recording)) atomic_store(&kymo.recording, 2);
  close_open_visits();
  kymo_flush_iterations();
  return end.tick;
}

static void end_writing(uint64_t signals) {
  reopen_visits(kymo_self);
  kymo_session.progress_written = progress();
  kymo_session.finished = true;
  atomic_store(&state, IDLE);
  kymo_restore_signals(signals);
}

static bool measures(void) {
  return kymo_session.measuring && !kymo.quiet && getpid() == kymo.pid; // Another pid: a child of vfork ends, not this process.
}

// Whether a file has the result so far, but for what is not worth writing.
static bool is_written(uint32_t flags) {
  if (kymo_session.finished && !kymo_something_new()) return true;
  return !flags && kymo_session.keeper == kymo_self && kymo_self->clock < kymo_session.kept_until;
}

void kymo_finish(uint32_t flags) {
  if (!measures()) return;
  uint64_t signals = begin_writing(), now = end_recording();
  if (kymo_session.results[0] && !is_written(flags)) {
    kymo_write_result(now, flags);
    kymo_write_trace(kymo_ticks_per_second(now));
  }
  end_writing(signals);
}

int kymo_finish_in_memory(void) {
  if (!measures() || !kymo_session.results[0]) return -1;
  uint64_t signals = begin_writing(), now = end_recording();
  int file = kymo_result_in_memory(now);
  kymo_write_trace(kymo_ticks_per_second(now));
  end_writing(signals);
  return file;
}

#ifdef __GLIBC__
static void at_quick_exit_time(void *unused) {
  (void)unused;
  kymo_finish(0);
  kymo_control_end(0, false);
}

void kymo_watch_ends(void) { kymo_libc.__cxa_at_quick_exit(at_quick_exit_time, 0); }
#else
static void at_quick_exit_time(void) {
  kymo_finish(0);
  kymo_control_end(0, false);
}

void kymo_watch_ends(void) { kymo_libc.at_quick_exit(at_quick_exit_time); }
#endif

// Definitions in the executable take precedence over libc's. They are weak because a static link may also pull in libc's own.
__attribute__((visibility("default"), weak, noreturn)) void _exit(int status) {
  kymo_finish(0);
  kymo_control_end(0, false);
  for (;;) kymo_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

__attribute__((visibility("default"), weak, noreturn)) void _Exit(int status) { _exit(status); }

// POSIX demands that abort raises the signal even if it is blocked, and takes the default action if a handler returns.
__attribute__((visibility("default"), weak, noreturn)) void abort(void) {
  sigset_t set;
  kymo_finish(KYMO_INCOMPLETE);
  kymo_control_end(KYMO_INCOMPLETE, false);
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  raise(SIGABRT);
  signal(SIGABRT, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  raise(SIGABRT);
  for (;;) kymo_syscall(SYS_exit_group, 127, 0, 0, 0, 0, 0);
}
