// Measures the cost of one enter+exit pair for each kind of site, by calling private functions that look like patched ones.
#include "session.h"
#include "trace.h"
#include "libc.h"

enum { BATCH = 16, BATCHES = 64, WARM = 8, SAMPLED_BATCH = 16 << KYMO_CALIBRATION_SHIFT };

static void sort(double *values) {
  for (int i = 1; i < BATCHES; ++i)
    for (int j = i; j && values[j - 1] > values[j]; --j) {
      double swap = values[j];
      values[j] = values[j - 1];
      values[j - 1] = swap;
    }
}

static double mean(double *values, int from, int to) {
  sort(values);
  double sum = 0;
  for (int i = from; i < to; ++i) sum += values[i];
  return sum / (to - from);
}

// Returns a low quantile, because other work on the machine only adds time. It is the mean of several values, which resolves less than one
// tick of the timer (10 ns on some machines), and it excludes the lowest values, which the ticks make low by chance.
static double low(double *values) { return mean(values, BATCHES / 16, BATCHES / 4); }

static double ticks_of(int calls, void (*function)(void)) {
  uint64_t begin = kymo_now();
  for (int i = 0; i < calls; ++i) {
    function();
    __asm__ volatile("");
  }
  return (double)(kymo_now() - begin);
}

static double run(void (*function)(void)) { return ticks_of(BATCH, function) / BATCH; }

// Returns the mean distance from `centre` of the middle half of the values.
static double spread(double *values, double centre) {
  for (int i = 0; i < BATCHES; ++i) values[i] = values[i] > centre ? values[i] - centre : centre - values[i];
  return mean(values, BATCHES / 4, BATCHES - BATCHES / 4);
}

static struct kymo_calibration calibrate(const struct kymo_object *object, void (*function)(void), const struct kymo_node *node) {
  double pair[BATCHES], inside[BATCHES], empty[BATCHES];
  for (int i = -WARM; i < BATCHES; ++i) {
    int at = i < 0 ? 0 : i;
    uint64_t ticks = node->ticks;
    pair[at] = run(function);
    inside[at] = (double)(node->ticks - ticks) / BATCH;
    empty[at] = run(object->calibrate[0]);
  }
  double base = low(empty);
  struct kymo_calibration result = {.pair = low(pair) - base, .inside = low(inside)};
  result.outside = result.pair > result.inside ? result.pair - result.inside : 0;
  result.spread = spread(pair, base + result.pair);
  return result;
}

// Calibrates timed visits among counted ones, as they occur in a run: a timed visit costs more where the branch predictor expects a counted
// one.
static struct kymo_sampled_calibration calibrate_sampled(struct kymo_object *object, int kind, const struct kymo_node *node, struct kymo_sampler *sampler) {
  void (*function)(void) = object->calibrate_sampled[kind];
  double counted[BATCHES], empty[BATCHES], pair[BATCHES], inside[BATCHES];
  atomic_store(&sampler->parent, 0);
  sampler->left = INT32_MAX;
  for (int i = -WARM; i < BATCHES; ++i) {
    int at = i < 0 ? 0 : i;
    counted[at] = ticks_of(SAMPLED_BATCH, function) / SAMPLED_BATCH; // A coarse timer cannot resolve fewer calls.
    empty[at] = ticks_of(SAMPLED_BATCH, object->calibrate[0]) / SAMPLED_BATCH;
  }
  double base = low(empty), cost = low(counted);
  struct kymo_sampled_calibration result = {.counted = cost > base ? cost - base : 0};
  result.spread = spread(counted, cost);
  sampler->left = 1;
  for (int i = -WARM; i < BATCHES; ++i) {
    int at = i < 0 ? 0 : i;
    uint64_t visits = node->visits, before = node->ticks;
    double ticks = ticks_of(SAMPLED_BATCH, function), timed = (double)(node->visits - visits);
    if (timed == 0) return (struct kymo_sampled_calibration){0, 0, 0, 0}; // Only without memory: each batch contains a burst.
    inside[at] = (double)(node->ticks - before) / timed;
    pair[at] = (ticks - base * SAMPLED_BATCH - result.counted * (SAMPLED_BATCH - timed)) / timed;
  }
  result.inside = low(inside);
  result.pair = low(pair);
  if (result.pair < result.inside) result.pair = result.inside;
  return result;
}

// Where a visit that is timed passes the sampler, too, this is part of its cost.
static void calibrate_timed(struct kymo_object *object, const struct kymo_node *node, struct kymo_sampler *sampler, bool sampled) {
  void (*const *functions)(void) = sampled ? object->calibrate_sampled : object->calibrate + 1;
  atomic_store(&kymo.samples[KYMO_CALIBRATION_SAMPLE].shift, 0);
  sampler->shift = 0;
  sampler->left = 1;
  kymo_session.sled = calibrate(object, functions[0], node);
  kymo_session.entry = calibrate(object, functions[1], node);
  atomic_store(&kymo.samples[KYMO_CALIBRATION_SAMPLE].shift, KYMO_CALIBRATION_SHIFT);
  sampler->shift = KYMO_CALIBRATION_SHIFT;
}

// The calls are recorded below a separate node that does not appear in the result.
void kymo_calibrate(struct kymo_object *object) {
  static _Alignas(64) struct kymo_node above, node, counter; // aligned because the low bits of a pointer to a node are flags
  struct kymo_thread *t = kymo_self;
  uint64_t signals = kymo_block_signals(), ticks = kymo_now(), nanoseconds = kymo_nanoseconds(CLOCK_MONOTONIC);
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
    atomic_store(&kymo_tracing.off, 0);
    bool can_sample = KYMO_CAN_SAMPLE && object->version >= 2;
    struct kymo_sampler *sampler = &t->samplers[KYMO_CALIBRATION_SAMPLE];
    calibrate_timed(object, &node, sampler, can_sample && kymo_session.all_sampled);
    if (can_sample) {
      counter.slot = KYMO_UNTIMED;
      atomic_store(&counter.first, KYMO_NO_CHILD);
      atomic_store(&node.next, &counter);
      kymo_session.sampled_sled = calibrate_sampled(object, 0, &node, sampler);
      kymo_session.sampled_entry = calibrate_sampled(object, 1, &node, sampler);
      kymo_forget_counters(t);
    }
    top->node = before;
    t->events = events;
    t->offset = t->preempted = t->cpu = 0;
    kymo_start_clock(t); // The thread's time begins after the calibration.
    t->begin = t->clock;
    kymo_trace_again(t);
  }
  ticks = kymo_now() - ticks;
  nanoseconds = kymo_nanoseconds(CLOCK_MONOTONIC) - nanoseconds;
  if (nanoseconds) kymo.gap = ticks * KYMO_GAP_NANOSECONDS / nanoseconds;
  if (kymo.short_gap) kymo.short_gap = kymo.gap;
  kymo_restore_signals(signals);
}
