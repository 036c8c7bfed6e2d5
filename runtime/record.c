// The path of every event. The common case is inline in this file; rare cases are in stacks.c, tree.c and thread.c.
// Handlers of runs with a trace are compiled from this file as well (traced.c).
#include "runtime.h"
#include "trace.h"

#ifndef KYMO_TRACED
#define KYMO_TRACED 0
#endif

#if !KYMO_TRACED
struct kymo_thread kymo_nobody, kymo_gone;
__thread struct kymo_thread *kymo_self = &kymo_nobody;
#endif

// Reads the thread's clock at an event. The time since the last event belongs to the frame `top`. A signal handler that comes in between
// may find a gap and remove time from the clock; then the timer is read again.
static inline __attribute__((always_inline)) uint64_t tick(struct kymo_thread *t, struct kymo_frame *top) {
  for (;;) {
    uint64_t offset = t->offset;
    atomic_signal_fence(memory_order_seq_cst);
    uint64_t now = kymo_now() - offset, gap = now - t->clock;
    t->clock = now;
    atomic_signal_fence(memory_order_seq_cst);
    if (KYMO_UNLIKELY(gap > kymo.short_gap)) kymo_look(t, top, now, gap);
    if (KYMO_LIKELY(t->offset == offset)) return now;
  }
}

#if !KYMO_TRACED
KYMO_HANDLER uint64_t kymo_clock(struct kymo_thread *t) { return tick(t, t->top); }
#endif

// Takes a free frame. The list is only a hint: if this is interrupted, and other events take and free frames in any order, the list may
// contain frames that are not free and miss some that are. Then it is discarded and rebuilt from all frames (thread.c).
static inline __attribute__((always_inline)) struct kymo_frame *take(struct kymo_thread *t, uint32_t slot) {
  for (;;) {
    struct kymo_frame *frame = t->free;
    if (KYMO_UNLIKELY(!frame)) {
      if (!kymo_more_frames(t)) return 0;
      continue;
    }
    if (KYMO_LIKELY(kymo_claim(&frame->slot, KYMO_SLOT_FREE, slot))) {
      t->free = frame->up;
      return frame;
    }
    t->lost = 1;
    t->free = 0;
  }
}


// Takes a frame, fills it and makes it the top. If another visit has become the top meanwhile (a signal handler has switched to another
// user thread), kymo_push_late does the rest.
static inline __attribute__((always_inline)) struct kymo_frame *push(struct kymo_thread *t, struct kymo_frame *top, uint32_t slot, uintptr_t sp,
                                                                     uintptr_t ret, uintptr_t saved, uint32_t mark) {
  uintptr_t first = atomic_load_explicit(&top->node->first, memory_order_relaxed);
  struct kymo_node *node = (struct kymo_node *)first;
  if (KYMO_UNLIKELY(first & 63) || KYMO_UNLIKELY(node->slot != slot)) {
    node = kymo_child(t, top, slot);
    if (KYMO_UNLIKELY(!node)) return 0;
  }
  struct kymo_frame *frame = take(t, slot);
  if (KYMO_UNLIKELY(!frame)) return 0;
  frame->ret = ret;
  frame->saved = saved;
  frame->sp = sp;
  frame->up = top;
  frame->node = node;
  frame->mark = mark & t->mark_mask;
  uint64_t events = frame->events = t->events;
  kymo_add(&node->visits, 1);
  frame->start = t->clock;
  uint64_t *traced = KYMO_TRACED ? kymo_trace_enter(t, slot) : 0;
  if (KYMO_UNLIKELY(!kymo_swap(&t->top, top, frame))) kymo_push_late(t, frame);
  uint64_t now = tick(t, top);
  // A signal handler that came in between hangs below this frame, so the frame must begin before it: at the last event.
  if (KYMO_LIKELY(t->events == events)) {
    frame->start = now;
    if (KYMO_TRACED) kymo_trace_began(t, traced, slot, now);
  }
  return frame;
}

static inline __attribute__((always_inline)) void account(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now) {
  struct kymo_node *node = frame->node;
  uint64_t ticks = now - frame->start;
  kymo_add(&node->ticks, ticks);
  if (ticks < node->min) node->min = ticks;
  kymo_add(&node->events, t->events - frame->events);
  kymo_add(&t->events, 1);
  if (KYMO_UNLIKELY(ticks >= node->max)) kymo_longest(t, node, ticks, now);
}

// Whoever claims the frame owns the end of its visit. An open frame points to the frame below, and neither frame is reused meanwhile. So if
// the frame is still the top, the frame below becomes the top, whatever has happened in between.
static inline __attribute__((always_inline)) void pop(struct kymo_thread *t, struct kymo_frame *frame) {
  if (KYMO_UNLIKELY(!kymo_swap(&t->top, frame, frame->up))) kymo_pop_late(t, frame);
  kymo_free_frame(t, frame);
}

// Ends a visit of the slot whose frame is claimed and usually the top.
static inline __attribute__((always_inline)) void close(struct kymo_thread *t, struct kymo_frame *frame, uint32_t slot) {
  struct kymo_node *node = frame->node;
  uint64_t events = t->events, now = tick(t, frame);
  if (KYMO_TRACED) kymo_trace_leave(t, slot, now);
  else (void)slot;
  account(t, frame, now);
  pop(t, frame);
  // A signal handler that came in between hangs below this frame, so the frame must end after it.
  if (KYMO_UNLIKELY(t->events != events + 1)) kymo_add(&node->ticks, tick(t, t->top) - now);
}

#if !KYMO_TRACED
void kymo_account(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now) {
  if (!kymo_is_continued(frame)) {
    account(t, frame, now);
    return;
  }
  kymo_add(&frame->node->ticks, now - frame->start);
  kymo_add(&frame->node->events, t->events - frame->events);
}

#endif

// The frame gets the stack pointer of the visit around it, so that it stays alive as long: begin and end may be in separate functions
// (constructor and destructor).
struct kymo_frame *kymo_open(struct kymo_thread *t, uint32_t slot, uintptr_t where) {
  if (!KYMO_TRACED && kymo_tracing.on) return kymo_traced_open(t, slot, where);
  return push(t, t->top, slot, t->top->sp, 0, where, 0);
}

#if !KYMO_TRACED

bool kymo_continue(struct kymo_thread *t, uint32_t slot) {
  struct kymo_frame *top = t->top;
  struct kymo_node *node = kymo_step(t, top->node, slot);
  struct kymo_frame *frame = node ? take(t, slot) : 0;
  if (!frame) return false;
  frame->ret = 0;
  frame->saved = KYMO_CONTINUED;
  frame->sp = top->sp;
  frame->up = top;
  frame->node = node;
  frame->mark = 0;
  frame->events = t->events;
  frame->start = t->clock;
  if (KYMO_UNLIKELY(!kymo_swap(&t->top, top, frame))) kymo_push_late(t, frame);
  return true;
}

void kymo_close_at(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t timer) {
  uint32_t slot = top->slot;
  top->slot = KYMO_SLOT_LEFT;
  if (kymo_tracing.on && !kymo_is_continued(top)) kymo_trace_event(t, slot, KYMO_TRACE_LEAVE, timer);
  kymo_account(t, top, now);
  pop(t, top);
}

void kymo_close(struct kymo_thread *t, struct kymo_frame *top, uint64_t now) {
  kymo_close_at(t, top, now, ((int64_t)(now - t->clock) < 0 ? t->clock : now) + t->offset);
}

KYMO_HANDLER __attribute__((noinline)) struct kymo_thread *kymo_ready(struct kymo_thread *t, uintptr_t sp, uintptr_t site) {
  uint32_t recording = atomic_load_explicit(&kymo.recording, memory_order_relaxed);
  if (!recording || (recording == 2 && t != kymo.last_thread)) return 0;
  if (t == &kymo_nobody || t == &kymo_gone) t = kymo_new_thread();
  if (!t) return 0;
  kymo_settle(t, sp, site);
  return t;
}

#endif

// Returns the slot with which to claim the frame. If the frame is the top after the slot was read, then the slot is that of an open visit
// and not of a frame in limbo. Otherwise the claim must fail, which KYMO_SLOT_NONE ensures.
static inline __attribute__((always_inline)) uint32_t slot_of(const struct kymo_thread *t, const struct kymo_frame *frame) {
  uint32_t slot = frame->slot;
  atomic_signal_fence(memory_order_seq_cst);
  return KYMO_LIKELY(t->top == frame) ? slot : KYMO_SLOT_NONE;
}

// The function of the top frame ended in a jump to the one that is entered (a tail call). Its visit ends here, and the new visit takes over
// its frame and its return address. So loops of tail calls do not pile up frames.
static KYMO_HANDLER void replace(struct kymo_thread *t, struct kymo_frame *top, uint32_t before, struct kymo_node *node, uint32_t slot, uint32_t mark) {
  uint64_t now = tick(t, top);
  if (KYMO_TRACED) {
    kymo_trace_leave(t, before, now);
    kymo_trace_event(t, slot, KYMO_TRACE_ENTER, now + t->offset);
  } else {
    (void)before;
  }
  account(t, top, now);
  top->node = node;
  top->mark = mark & t->mark_mask;
  top->events = t->events;
  kymo_add(&node->visits, 1);
  top->start = now;
  atomic_signal_fence(memory_order_seq_cst);
  top->slot = slot;
}

static KYMO_HANDLER __attribute__((noinline)) struct kymo_frame *enter_slowly(uint32_t slot, uintptr_t sp, uintptr_t saved, uintptr_t return_point) {
  struct kymo_thread *t = kymo_ready(kymo_self, sp, 0);
  if (!t) return 0;
  struct kymo_frame *top = t->top;
  if (top->sp == sp && top->ret) {
    uint32_t before = slot_of(t, top);
    struct kymo_node *node = kymo_child(t, top->up, slot);
    if (!node) return 0; // Out of memory: the body returns through the old frame.
    if (kymo_claim(&top->slot, before, KYMO_SLOT_LEFT)) {
      replace(t, top, before, node, slot, (uint32_t)return_point);
      return top;
    }
    top = t->top; // The old frame was dropped meanwhile; this visit returns to its return point.
  }
  return push(t, top, slot, sp, *(const uintptr_t *)sp, saved, (uint32_t)return_point);
}

KYMO_HANDLER struct kymo_frame *kymo_enter(uint32_t slot, uintptr_t sp, uintptr_t saved, uintptr_t return_point) {
  struct kymo_thread *t = kymo_self;
  struct kymo_frame *top = t->top;
  if (KYMO_UNLIKELY(!kymo_nested(t, top, sp))) return enter_slowly(slot, sp, saved, return_point);
  return push(t, top, slot, sp, *(const uintptr_t *)sp, saved, (uint32_t)return_point);
}

static KYMO_HANDLER __attribute__((noinline)) void leave_slowly(struct kymo_thread *t, struct kymo_frame *frame) {
  if (t == &kymo_nobody || t == &kymo_gone) return;
  kymo_end_late(t, frame, tick(t, t->top));
}

KYMO_HANDLER void kymo_leave(struct kymo_frame *frame) {
  struct kymo_thread *t = kymo_self;
  uint32_t slot = slot_of(t, frame);
  if (KYMO_UNLIKELY(!kymo_claim(&frame->slot, slot, KYMO_SLOT_LEFT))) {
    leave_slowly(t, frame);
    return;
  }
  close(t, frame, slot);
}

static KYMO_HANDLER __attribute__((noinline)) void in_slowly(uint32_t slot, uintptr_t sp, uintptr_t site) {
  struct kymo_thread *t = kymo_ready(kymo_self, sp, site);
  if (t) push(t, t->top, slot, sp, 0, site, 0);
}

KYMO_HANDLER void kymo_in(uint32_t slot, uintptr_t sp, uintptr_t site) {
  struct kymo_thread *t = kymo_self;
  struct kymo_frame *top = t->top;
  if (KYMO_UNLIKELY(!kymo_nested(t, top, sp))) {
    in_slowly(slot, sp, site);
    return;
  }
  push(t, top, slot, sp, 0, site, 0);
}

static KYMO_HANDLER __attribute__((noinline)) void out_slowly(struct kymo_thread *t, uint32_t slot, uintptr_t sp) {
  if (t == &kymo_nobody || t == &kymo_gone) return;
  kymo_end_sled_late(t, slot, sp, tick(t, t->top));
}

KYMO_HANDLER void kymo_out(uint32_t slot, uintptr_t sp, uintptr_t site) {
  struct kymo_thread *t = kymo_self;
  struct kymo_frame *top = t->top;
  (void)site;
  if (KYMO_UNLIKELY(!top) || KYMO_UNLIKELY(top->ret) || KYMO_UNLIKELY(sp - t->low >= t->span) || KYMO_UNLIKELY(!kymo_claim(&top->slot, slot, KYMO_SLOT_LEFT))) {
    out_slowly(t, slot, sp);
    return;
  }
  close(t, top, slot);
}

#if !KYMO_TRACED
// Most visits of a sampled slot are not timed. The fast path has already filtered out those that surely were not.
KYMO_HANDLER void kymo_out_sampled(uint32_t slot, uintptr_t sp, uintptr_t site) {
  struct kymo_thread *t = kymo_self;
  struct kymo_frame *frame = t->top;
  (void)site;
  if (KYMO_UNLIKELY(!frame) || KYMO_UNLIKELY(frame->ret) || KYMO_UNLIKELY(sp - t->low >= t->span) || KYMO_UNLIKELY(!kymo_claim(&frame->slot, slot, KYMO_SLOT_LEFT))) {
    if (t == &kymo_nobody || t == &kymo_gone) return;
    kymo_end_sampled_late(t, slot, sp, tick(t, frame));
    return;
  }
  close(t, frame, slot);
}
#endif
