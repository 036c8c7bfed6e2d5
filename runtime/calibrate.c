// What one enter+exit pair costs, per kind of site: calls of a private function that looks as a patched one does (measurement-runtime.md §3.4).
#include "session.h"

enum { BATCH = 16, BATCHES = 128, WARM = 8 };

static void sort(double *values) {
  for (int i = 1; i < BATCHES; ++i)
    for (int j = i; j && values[j - 1] > values[j]; --j) {
      double swap = values[j];
      values[j] = values[j - 1];
      values[j - 1] = swap;
    }
}

// Mean of the middle half: free of interruptions like a median, and finer than the steps of the timer (10 ns on some machines).
static double middle(double *values) {
  sort(values);
  double sum = 0;
  for (int i = BATCHES / 4; i < BATCHES - BATCHES / 4; ++i) sum += values[i];
  return sum / (BATCHES / 2);
}

static double run(void (*function)(void)) {
  uint64_t begin = kymo_now();
  for (int i = 0; i < BATCH; ++i) {
    function();
    __asm__ volatile("");
  }
  return (double)(kymo_now() - begin) / BATCH;
}

static struct kymo_calibration calibrate(struct kymo_object *object, int kind, const struct kymo_node *node) {
  double pair[BATCHES], inside[BATCHES], empty[BATCHES];
  for (int i = -WARM; i < BATCHES; ++i) {
    int at = i < 0 ? 0 : i;
    uint64_t ticks = node->ticks;
    pair[at] = run(object->calibrate[kind]);
    inside[at] = (double)(node->ticks - ticks) / BATCH;
    empty[at] = run(object->calibrate[0]);
  }
  double base = middle(empty);
  struct kymo_calibration result = {.pair = middle(pair) - base, .inside = middle(inside)};
  result.outside = result.pair > result.inside ? result.pair - result.inside : 0;
  for (int i = 0; i < BATCHES; ++i) {
    double off = pair[i] - base - result.pair;
    pair[i] = off < 0 ? -off : off;
  }
  result.spread = middle(pair);
  return result;
}

// The calls hang under a node of their own that no result has.
void kymo_calibrate(struct kymo_object *object) {
  static _Alignas(64) struct kymo_node above, node; // the low bits of a pointer to a node say what it is
  struct kymo_thread *t = kymo_self;
  uint64_t signals = kymo_block_signals();
  if (t == &kymo_nobody) t = kymo_new_thread();
  if (t) {
    node.slot = 0;
    node.min = UINT64_MAX;
    atomic_store(&node.first, KYMO_NO_CHILD);
    atomic_store(&above.first, (uintptr_t)&node);
    struct kymo_frame *top = t->top;
    struct kymo_node *before = top->node;
    uint64_t events = t->events;
    top->node = &above;
    kymo_session.sled = calibrate(object, 1, &node);
    kymo_session.entry = calibrate(object, 2, &node);
    top->node = before;
    t->events = events;
  }
  kymo_restore_signals(signals);
}
