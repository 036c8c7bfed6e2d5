// A child of fork that does not call exec measures itself from the fork on: it starts with the open call paths and without its parent's
// counts and times.
#include "session.h"
#include "trace.h"
#include "libc.h"

static struct kymo_frame *reversed(struct kymo_frame *frame) {
  struct kymo_frame *result = 0;
  while (frame) {
    struct kymo_frame *next = frame->up;
    frame->up = result;
    result = frame;
    frame = next;
  }
  return result;
}

static void reopen(struct kymo_thread *t, struct kymo_stack *stack, uint64_t now) {
  struct kymo_frame *frame = reversed(stack->top), *up = frame;
  frame->node = t->root;
  frame = frame->up;
  up->up = 0;
  while (frame) {
    struct kymo_frame *next = frame->up;
    frame->up = up;
    struct kymo_node *node = frame->slot == KYMO_SLOT_LEFT ? 0 : kymo_child(t, up, frame->slot);
    frame->node = node ? node : &t->trash;
    frame->start = now;
    frame->events = 0;
    up = frame;
    frame = next;
  }
}

static void start_again(struct kymo_thread *t, uint64_t now) {
  struct kymo_chunk *old = atomic_load(&t->chunk);
  atomic_store(&t->chunk, 0);
  t->root = kymo_new_node(t, KYMO_SLOT_ROOT);
  if (!t->root) { // Not even one page is free, so this child is not measured.
    kymo_divert_all();
    atomic_store(&t->chunk, old);
    return;
  }
  kymo_forget_counters(t);
  t->stack->top = t->top;
  t->events = 0;
  t->sampled = 0;
  kymo_finish_moving(t);
  t->flat_since = now;
  t->next = 0;
  t->begin = now;
  t->offset = t->preempted = t->cpu = 0;
  kymo_start_clock(t);
  t->number = 0;
  for (struct kymo_stack *s = t->stacks; s; s = s->next) reopen(t, s, now);
}

static void in_child(void) {
  if (kymo.quiet) return;
  uint64_t signals = kymo_block_signals();
  struct kymo_instant begin = kymo_instant_now();
  uint64_t now = begin.tick;
  struct kymo_thread *t = kymo_self;
  kymo.pid = getpid();
  kymo_session.begin_real = kymo_nanoseconds(CLOCK_REALTIME);
  kymo_session.begin_monotonic = begin.monotonic;
  kymo_session.begin_tick = now;
  atomic_store(&kymo.node_bytes, 0);
  atomic_fetch_and(&kymo.flags, (uint32_t)KYMO_CLOCK | KYMO_NO_MEMORY | KYMO_UNBALANCED);
  kymo_forget_perf();
  bool alive = t != &kymo_nobody && t != &kymo_gone;
  atomic_store(&kymo.threads, alive ? t : 0);
  atomic_store(&kymo.thread_count, alive ? 1 : 0);
  kymo_session.keeper = 0;
  kymo_name_iterations();
  kymo_release_regions();
  kymo_control_forget();
  kymo_forget_iterations(alive ? t : 0);
  if (alive) start_again(t, now);
  kymo_trace_again(alive ? t : 0);
  kymo_restore_signals(signals);
}

#ifdef __GLIBC__
void kymo_watch_forks(void) { kymo_libc.__register_atfork(0, 0, in_child, 0); }
#else
void kymo_watch_forks(void) { kymo_libc.pthread_atfork(0, 0, in_child); }
#endif
