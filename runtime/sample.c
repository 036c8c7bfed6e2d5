// Slots that are sampled: each visit is counted in a node of its own beside the one with the times (slot | KYMO_UNTIMED), and about one in
// 2^shift is timed like any other. The usual visit ends in the fast path (<arch>/sampled.S): nothing is pushed, so there is nothing that an exception or a
// jump could leave behind. What comes here is what that path does not know: another caller, a stack it cannot judge, or a visit that is due.
#include "runtime.h"

static inline struct kymo_sampler *sampler_at(const struct kymo_thread *t, uint32_t offset) {
  return (struct kymo_sampler *)((char *)t->samplers + offset);
}

// Several visits in a row are timed: the first one comes as a surprise to the processor (its branches go the other way, its pipeline runs empty)
// and takes longer or shorter than usual; the others run as they do when all are timed.
enum { BURST = 8 };
// What is merely counted (one in 1024) is timed more often at first, from one in 8 on and half as often after each burst: a function that takes
// nearly all of the run may have few visits.
enum { COUNTING_SHIFT = 10, FIRST_SHIFT = 3 };

static uint32_t random_bits(struct kymo_sampler *s, uint32_t bits) {
  s->random = s->random * 1664525u + 1013904223u;
  return s->random >> (32 - bits);
}

// Visits from one burst to the next, of which the last is the next burst's first: on average so many that one in 2^shift is timed, half of
// that to one and a half, so that the samples do not keep step with the program.
static int32_t next_interval(struct kymo_sampler *s) {
  if (s->shift < kymo.samples[s - kymo_self->samplers].shift) ++s->shift;
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
    s->shift = kymo.samples[i].shift < COUNTING_SHIFT ? kymo.samples[i].shift : FIRST_SHIFT;
    s->random = (s->slot + 1) * 2654435769u + thread * 40503u;
    s->left = 1 + (int32_t)random_bits(s, s->shift + 3); // 2^3 is a burst
  }
  return true;
}

// After a fork: the nodes belong to the parent's tree.
void kymo_forget_counters(struct kymo_thread *t) {
  for (uint32_t i = 0; i < kymo.sample_count; ++i) atomic_store(&t->samplers[i].parent, 0);
}

// Changes with every visit, timed or not.
uint64_t kymo_progress(const struct kymo_thread *t) {
  uint64_t progress = t->events;
  for (uint32_t i = 0; i < kymo.sample_count; ++i) progress = progress * 31 + (uint32_t)t->samplers[i].left + t->samplers[i].random;
  return progress;
}

// Under a sled at the same stack pointer a function is inlined; is_stale (stacks.c) has the other cases.
static inline bool surely_nested(const struct kymo_thread *t, const struct kymo_frame *top, uintptr_t sp, uintptr_t site) {
  return kymo_nested(t, top, sp) || (site && sp - t->low < t->span && top->sp == sp && !top->ret);
}

KYMO_HANDLER bool kymo_due(uint32_t sampler, uintptr_t sp, uintptr_t site) {
  struct kymo_thread *t = kymo_self;
  if (!surely_nested(t, t->top, sp, site)) t = kymo_ready(t, sp, site);
  if (!t) return false;
  struct kymo_sampler *s = sampler_at(t, sampler);
  struct kymo_frame *top = t->top;
  // Recursion is always timed, so that the exits can be told apart; so is a tail call, which ends the visit below it.
  if (top->slot == s->slot || (!site && top->ret && top->sp == sp)) return true;
  if (--s->left <= 0) {
    if (s->left <= 1 - BURST) s->left = next_interval(s);
    return true;
  }
  struct kymo_node *counter = kymo_child(t, top, s->slot | KYMO_UNTIMED);
  if (!counter) return false;
  kymo_add(&counter->visits, 1);
  // The fast path reads the counter first: a signal that comes in between never makes a pair that does not belong together.
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
