// Sampled slots: about one visit in 2^shift is timed like any other, and the others are counted in a separate node beside the timed one
// (slot | KYMO_UNTIMED). The fast path (<arch>/sampled.S) handles the usual visit. It pushes no frame, so exceptions and jumps leave
// nothing behind. This file handles the other visits: from another caller, on a stack that the fast path cannot judge, or due for timing.
#include "runtime.h"

static inline struct kymo_sampler *sampler_at(const struct kymo_thread *t, uint32_t offset) {
  return (struct kymo_sampler *)((char *)t->samplers + offset);
}

// Several visits in a row are timed: the processor mispredicts the first one (its branches go the other way, its pipeline runs empty),
// which takes longer or shorter than usual; the others run as they do when all visits are timed.
enum { BURST = 8 };
// Slots that are merely counted (one visit in 1024 is timed) are timed more often at first: one visit in 8, and half as many after each
// burst. A function that takes nearly all of the run may have few visits.
enum { COUNTING_SHIFT = 10, FIRST_SHIFT = 3 };

static uint32_t shift_of(uint32_t sample) { return atomic_load_explicit(&kymo.samples[sample].shift, memory_order_relaxed); }

static uint32_t random_bits(struct kymo_sampler *s, uint32_t bits) {
  s->random = s->random * 1664525u + 1013904223u;
  return s->random >> (32 - bits);
}

// Returns the number of visits from one burst up to and including the first visit of the next burst. On average one visit in 2^shift is
// timed. The number varies at random between half and one and a half times the mean, so that the samples do not synchronise with the
// program.
static int32_t next_interval(struct kymo_sampler *s) {
  uint32_t wanted = shift_of((uint32_t)(s - kymo_self->samplers));
  s->shift = s->shift < wanted ? s->shift + 1 : wanted;
  uint32_t mean = (BURST << s->shift) - BURST + 1;
  return (int32_t)(mean / 2 + ((uint64_t)mean * random_bits(s, 16) >> 16));
}

bool kymo_make_samplers(struct kymo_thread *t) {
  size_t bytes = kymo.sample_count * sizeof *t->samplers;
  t->samplers = kymo_take(t, (bytes + 63) & ~(size_t)63);
  if (!t->samplers) return false;
  uint32_t thread = atomic_load(&kymo.thread_count);
  for (uint32_t i = 0; i < kymo.sample_count; ++i) {
    struct kymo_sampler *s = &t->samplers[i];
    s->slot = kymo.samples[i].slot;
    s->random = (s->slot + 1) * 2654435769u + thread * 40503u;
    uint32_t shift = shift_of(i);
    s->shift = shift < COUNTING_SHIFT ? shift : FIRST_SHIFT;
    s->left = shift ? 1 + (int32_t)random_bits(s, s->shift + 3) : 1; // 2^3 is the length of a burst.
  }
  return true;
}

// Called by the server's thread, while the threads of the program count. Of their samplers it only sets `left`, as at the end of a burst: the next visit is
// timed, and begins an interval of the new length. A thread that counts a visit at this moment may overwrite that; then its interval ends when it would have.
bool kymo_sample_at(uint32_t slot, uint32_t shift) {
  uint32_t i = KYMO_CALIBRATION_SAMPLE + 1;
  while (i < kymo.sample_count && kymo.samples[i].slot != slot) ++i;
  if (i == kymo.sample_count) return false;
  if (atomic_exchange(&kymo.samples[i].shift, shift) == shift) return true;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) __atomic_store_n(&t->samplers[i].left, 1 - BURST, __ATOMIC_RELAXED);
  return true;
}

// Called after a fork, when the nodes belong to the parent's tree, and after each iteration (phases.c).
void kymo_forget_counters(struct kymo_thread *t) {
  for (uint32_t i = 0; i < kymo.sample_count; ++i) atomic_store(&t->samplers[i].parent, 0);
}

// Returns a value that changes with every visit, timed or not.
uint64_t kymo_progress(const struct kymo_thread *t) {
  uint64_t progress = t->events;
  for (uint32_t i = 0; i < kymo.sample_count; ++i) progress = progress * 31 + (uint32_t)t->samplers[i].left + t->samplers[i].random;
  return progress;
}

// A sled at the stack pointer of another sled is in an inlined function; is_stale (stacks.c) covers the other cases.
static inline bool surely_nested(const struct kymo_thread *t, const struct kymo_frame *top, uintptr_t sp, uintptr_t site) {
  return kymo_nested(t, top, sp) || (site && sp - t->low < t->span && top->sp == sp && !top->ret);
}

KYMO_HANDLER bool kymo_due(uint32_t sampler, uintptr_t sp, uintptr_t site) {
  struct kymo_thread *t = kymo_self;
  if (!surely_nested(t, t->top, sp, site)) t = kymo_ready(t, sp, site);
  if (!t) return false;
  struct kymo_sampler *s = sampler_at(t, sampler);
  struct kymo_frame *top = t->top;
  // Recursive visits are always timed, so that the exits can be matched to them. So are tail calls, which end the visit of the caller.
  if (top->slot == s->slot || (!site && top->ret && top->sp == sp)) return true;
  if (--s->left <= 0) {
    if (s->left <= 1 - BURST) s->left = next_interval(s);
    return true;
  }
  struct kymo_node *counter = kymo_child(t, top, s->slot | KYMO_UNTIMED);
  if (!counter) return false;
  kymo_add(&counter->visits, 1);
  // The fast path reads `counter` before `parent`, and these stores reset `parent` first. So a signal in between never produces a
  // mismatched pair.
  atomic_store_explicit(&s->parent, 0, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&s->counter, counter, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&s->parent, top->node, memory_order_relaxed);
  return false;
}

KYMO_HANDLER void kymo_in_sampled(uint32_t sampler, uintptr_t sp, uintptr_t site) {
  if (kymo_due(sampler, sp, site)) kymo_in(sampler_at(kymo_self, sampler)->slot, sp, site);
}
