// The runtime's side of the layers (layers.h): their calls are regions like those that the source names (regions.c), with the stack
// pointer of the layer's own function, as if that had probes.
#include "layers.h"
#include "session.h"
#include "trace.h"
#include "libc.h"

// What a process does after its result is part of another file is worth a file of its own when it takes this long.
#define LONG_SECONDS 0.01
enum { LONG_PART = 1000 /* of the run */ };

static uint32_t region(const char *name, const char *file, uint32_t line, uint32_t kind) {
  return atomic_load_explicit(&kymo.recording, memory_order_relaxed) ? kymo_region_slot(name, file, line, kind) : 0;
}

static int begin(uint32_t region, uintptr_t frame) {
  if (!region || !atomic_load_explicit(&kymo.recording, memory_order_relaxed)) return 0;
  if (frame) {
    (kymo_tracing.on ? kymo_traced_in : kymo_in)(region - 1, frame, 0);
    return 1;
  }
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  struct kymo_thread *t = kymo_ready(kymo_self, here, 0);
  return t && kymo_open(t, region - 1, here);
}

// --- threads that work for another one ---

static uint32_t path(uint32_t *regions, uint32_t room) {
  const struct kymo_thread *t = kymo_self;
  uint32_t length = 0;
  if (t == &kymo_nobody || t == &kymo_gone) return 0;
  const struct kymo_frame *frame = t->top;
  for (; frame->up; frame = frame->up, ++length)
    if (frame->node->slot == KYMO_SLOT_DEPTH || kymo_is_flat(frame->node->slot)) return 0;
  if (frame->node != t->root) return 0; // The calls of a fiber.
  uint32_t at = length;
  for (frame = t->top; frame->up && at; frame = frame->up)
    if (--at < room) regions[at] = kymo_plain_slot(frame->node->slot) + 1;
  return length;
}

// Ends the path that a thread continues for a visit that cannot begin, because memory is at its end.
static int stop_continuing(struct kymo_thread *t) {
  uint64_t signals = kymo_block_signals();
  while (kymo_is_continued(t->top)) kymo_close(t, t->top, t->top->start);
  kymo_restore_signals(signals);
  return 0;
}

static int begin_below(const uint32_t *path, uint32_t length, uint32_t region) {
  if (!region || !atomic_load_explicit(&kymo.recording, memory_order_relaxed)) return 0;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  struct kymo_thread *t = kymo_ready(kymo_self, here, 0);
  if (!t) return 0;
  bool is_idle = !t->top->up && t->top->node == t->root;
  for (uint32_t i = 0; is_idle && i < length; ++i)
    if (!kymo_continue(t, path[i] - 1)) break;
  const struct kymo_frame *visit = kymo_open(t, region - 1, here);
  if (!visit) return is_idle ? stop_continuing(t) : 0;
  for (struct kymo_frame *frame = visit->up; kymo_is_continued(frame); frame = frame->up) frame->start = visit->start;
  return 1;
}

static void end(uint32_t region, uintptr_t frame) {
  (kymo_tracing.on ? kymo_traced_out : kymo_out)(region - 1, frame ? frame : (uintptr_t)__builtin_frame_address(0), 0);
}

static void *place(void) {
  const struct kymo_thread *t = kymo_self;
  return t == &kymo_nobody || t == &kymo_gone || !t->top ? 0 : t->top->node;
}

// A counter is found below its node alone, so the rest of the frame does not matter.
static struct kymo_node *counter_of(void *place, uint32_t counter) {
  struct kymo_thread *t = kymo_self;
  struct kymo_frame above = {.node = place};
  return !place || t == &kymo_nobody || t == &kymo_gone ? 0 : kymo_child(t, &above, KYMO_SLOT_COUNTER + counter);
}

_Static_assert(offsetof(struct kymo_node, visits) == offsetof(struct kymo_count, times) && offsetof(struct kymo_node, ticks) == offsetof(struct kymo_count, amount), "layers.h");
static struct kymo_count *counter(void *place, uint32_t counter) { return (struct kymo_count *)counter_of(place, counter); }

static void count_at(void *place, uint32_t counter, uint64_t amount) {
  struct kymo_node *node = counter_of(place, counter);
  if (!node) return;
  kymo_add(&node->visits, 1);
  kymo_add(&node->ticks, amount);
}

static void count(uint32_t counter, uint64_t amount) { count_at(place(), counter, amount); }

static void set_rank(uint32_t rank, uint32_t ranks) {
  kymo_session.rank = rank;
  kymo_session.ranks = ranks;
}

static uint64_t ticks(void) { return kymo_now(); }

static double ticks_per_second(void) {
  struct kymo_instant now = kymo_instant_now();
  uint64_t nanoseconds = now.monotonic - kymo_session.begin_monotonic;
  return kymo_fast_timer && nanoseconds ? (double)(now.tick - kymo_session.begin_tick) * 1e9 / (double)nanoseconds : 1e9;
}

// --- threads that wait for work ---

// The tick `until` on the clock of a thread that had the offset and the time `before` when it was last read; `now` for a tick of 0.
static uint64_t on_clock(uint64_t until, uint64_t offset, uint64_t before, uint64_t now) {
  uint64_t then = until - offset;
  if (!until) return now;
  return (int64_t)(then - before) < 0 ? before : then;
}

static void park(uint32_t region, const volatile uint64_t *until) {
  struct kymo_thread *t = kymo_self;
  if (!region || t == &kymo_nobody || t == &kymo_gone) return;
  struct kymo_frame *frame = t->top;
  while (frame->up && !frame->ret && frame->slot != region - 1) frame = frame->up;
  if (!frame->up || frame->ret) return;
  while (kymo_is_continued(frame->up)) frame = frame->up;
  if (t->perf) kymo_count_perf(t, t->top, false);
  t->until = until;
  t->parked = frame;
}

uint64_t kymo_parked_until(const struct kymo_thread *t, uint64_t offset, uint64_t before, uint64_t now) {
  return on_clock(*t->until, offset, before, now);
}

void kymo_end_parked(struct kymo_thread *t) {
  if (!t->parked) return;
  if (t->perf) kymo_count_perf(t, t->parked->up, false);
  uint64_t signals = kymo_block_signals(), offset = t->offset, before = t->clock, now = kymo_clock(t);
  const struct kymo_frame *last = t->parked, *frame = t->top;
  while (frame->up && !frame->ret && frame != last) frame = frame->up;
  uint64_t then = kymo_parked_until(t, offset, before, now);
  if ((int64_t)(then - now) > 0) { // It was pre-empted while it waited, which makes no difference to a thread that waits.
    t->offset -= then - now;
    t->clock = then;
  }
  t->parked = 0;
  uint64_t timer = *t->until && (int64_t)(*t->until - before - offset) > 0 ? *t->until : then + t->offset;
  if (frame == last) // Otherwise something else has ended the visits.
    for (const struct kymo_frame *rest = last->up; t->top != rest;) kymo_close_at(t, t->top, then, timer);
  if ((int64_t)(now - then) > 0) kymo_add_amount(t, t->top, KYMO_SLOT_WAITING, now - then); // Nothing to do, whether it spun or slept.
  kymo_restore_signals(signals);
}

// Late is what continues later than the shortest time that gaps.c looks at. Then the rest is waiting of the visit around, as of a parked
// thread.
static void end_waiting(uint32_t region, uintptr_t frame, uint64_t until) {
  struct kymo_thread *t = kymo_self;
  if (t == &kymo_nobody || t == &kymo_gone) return;
  bool late = until && (int64_t)(kymo_now() - until - kymo.gap) > 0;
  if (late && !frame && !t->parked) park(region, &until);
  if (t->parked && t->until == &until) {
    kymo_end_parked(t);
    return;
  }
  uint64_t offset = t->offset, before = t->clock, now = kymo_clock(t), then = on_clock(until, offset, before, now);
  if ((int64_t)(then - now) > 0) {
    uint64_t signals = kymo_block_signals();
    t->offset -= then - now;
    t->clock += then - now;
    kymo_restore_signals(signals);
  }
  end(region, frame);
}

static void unpark(void) {
  if (kymo_self->parked) kymo_end_parked(kymo_self);
}

static int measured(const void *address) {
  struct kymo_image of_code, image;
  if (!kymo_find_image(address, &of_code)) return 0;
  for (const struct kymo_object *object = atomic_load(&kymo.objects); object; object = object->next)
    if (kymo_find_image(object, &image) && image.base == of_code.base) return 1;
  return 0;
}

// --- the result of a job ---

static void *last_event(uint64_t *timer, uint64_t *clock) {
  const struct kymo_thread *t = kymo_self;
  *clock = t->clock;
  *timer = t->clock + t->offset;
  return place();
}

static int result(void) { return kymo_finish_in_memory(); }

static void save(void) { kymo_finish(0); }

static void kept(void) {
  struct kymo_thread *t = kymo_self;
  uint64_t part = (kymo_now() - kymo_session.begin_tick) / LONG_PART, least = (uint64_t)(ticks_per_second() * LONG_SECONDS);
  if (t == &kymo_nobody || t == &kymo_gone) return;
  kymo_session.kept_until = kymo_clock(t) + (part > least ? part : least);
  kymo_session.keeper = t;
  kymo_remove_result();
}

static const char *folder(void) { return kymo_session.results; }

static const char *iterations(void) { return kymo_session.iterations; }

static uint32_t iteration(void) { return kymo_iteration_of(kymo_self); }

static uint32_t iteration_node(const void *place) { return place ? ((const struct kymo_node *)place)->number : 0; }

// --- traces ---

static int traces(int events) { return kymo_tracing.on && !(events && atomic_load(&kymo_tracing.off)); }

static void trace(uint32_t event, const uint64_t *words, uint32_t count) {
  struct kymo_thread *t = kymo_self;
  if (kymo_tracing.on && t != &kymo_nobody && t != &kymo_gone) kymo_trace_other(t, event, words, count);
}

// --- those who watch ---

static int watched(void) { return kymo.watchable; }

static void define(const void *bytes, uint32_t size) {
  if (kymo_tracing.on) kymo_trace_define(bytes, size);
  kymo_control_communicator(bytes, size);
}

const struct kymo_layers *kymo_layers(void) {
  static const struct kymo_layers layers = {
      6,    region,      begin,    end,        count,   place,  count_at, set_rank, ticks,  ticks_per_second,
      park, unpark, end_waiting, measured, last_event, counter, result, save,     kept,     folder, iterations,
      path, begin_below, iteration, iteration_node, traces, trace, define, kymo_trace_clock, watched};
  return kymo_session.measuring ? &layers : 0;
}
