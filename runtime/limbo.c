// Limbo holds frames that were dropped, but whose return address may still be needed. All functions here run with signals blocked.
//
// A frame in limbo is freed when one of three things is certain: its function has returned after all (`ret` is 0); its address on the stack
// holds another value; a later call had its return address at the same address. So at most one frame stays for each stack address at which
// calls were made. A sweep that frees few frames is the most expensive one, so the next sweep waits until limbo has doubled: a drop costs
// O(log n) amortised, and needs no memory besides the frames.
#include "runtime.h"

// Orders frames by stack address, the latest call first. Of calls within one tick of the timer, the one that was dropped later comes first.
static bool comes_first(const struct kymo_frame *a, const struct kymo_frame *b) { return a->sp != b->sp ? a->sp < b->sp : a->start >= b->start; }

static struct kymo_frame *merge(struct kymo_frame *a, struct kymo_frame *b) {
  struct kymo_frame *list = 0, **end = &list;
  while (a && b) {
    struct kymo_frame **from = comes_first(a, b) ? &a : &b;
    *end = *from;
    end = &(*from)->up;
    *from = (*from)->up;
  }
  *end = a ? a : b;
  return list;
}

// Sorts a list in place by merging: run i has 2^i frames and exists when bit i of `count` is set.
static struct kymo_frame *sorted(struct kymo_frame *list) {
  struct kymo_frame *runs[32];
  uint32_t count = 0;
  for (struct kymo_frame *next; list; list = next, ++count) {
    next = list->up;
    list->up = 0;
    unsigned i = 0;
    for (; count >> i & 1; ++i) list = merge(runs[i], list);
    runs[i] = list;
  }
  for (unsigned i = 0; i < 32; ++i)
    if (count >> i & 1) list = merge(runs[i], list);
  return list;
}

static bool is_overwritten(const struct kymo_frame *frame) {
  return KYMO_MARK_PROVES && frame->mark && kymo_mark_lost(frame->sp, frame->mark, frame->ret);
}

// Two calls at the same stack address are both alive only if the later one was a tail call that returns to the return point of the earlier
// one.
static bool is_dead(const struct kymo_frame *frame, const struct kymo_frame *later) {
  if (!frame->ret || is_overwritten(frame)) return true;
  if (!later || later->sp != frame->sp) return false;
  return later->saved != (uintptr_t)frame || !kymo_is_return_point(later->ret);
}

static void sweep_limbo(struct kymo_thread *t) {
  enum { LEAST = 64 };
  struct kymo_frame *frame = sorted(t->limbo), *list = 0, **end = &list;
  const struct kymo_frame *kept = 0;
  t->limbo_count = 0;
  for (struct kymo_frame *next; frame; frame = next) {
    next = frame->up;
    if (is_dead(frame, kept)) {
      kymo_free_frame(t, frame);
      continue;
    }
    kept = *end = frame;
    end = &frame->up;
    ++t->limbo_count;
  }
  *end = 0;
  t->limbo = list;
  t->limbo_room = t->limbo_count < LEAST / 2 ? LEAST : 2 * t->limbo_count;
}

static void keep(struct kymo_thread *t, struct kymo_frame *frame) {
  frame->slot = KYMO_SLOT_LIMBO;
  frame->up = t->limbo;
  t->limbo = frame;
  if (++t->limbo_count > t->limbo_room) sweep_limbo(t);
}

void kymo_discard(struct kymo_thread *t, struct kymo_frame *frame) {
  if (!frame->ret || is_overwritten(frame)) kymo_free_frame(t, frame);
  else keep(t, frame);
}

void kymo_forget_own_stack(struct kymo_thread *t) {
  for (struct kymo_frame *frame = t->limbo; frame; frame = frame->up)
    if (frame->mark) frame->ret = 0;
  sweep_limbo(t);
}
