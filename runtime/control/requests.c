// Answers the requests of clients. Whatever a request contains, its length was checked; what is not understood is refused.
#include "control.h"
#include "live.h"
#include "../libc.h"

enum { SHORTEST_STACK_INTERVAL = 1000 /* µs */ };
enum state_flag { CAN_SWITCH = 1, WRITES_ITERATIONS = 2, SUSPENDED = 4, TIMER_IS_MONOTONIC = 8 };

static double ticks_per_second(struct kymo_instant now) {
  uint64_t nanoseconds = now.monotonic - kymo_session.begin_monotonic;
  return kymo_fast_timer && nanoseconds ? (double)(now.tick - kymo_session.begin_tick) * 1e9 / (double)nanoseconds : 1e9;
}

static void put_text(struct kymo_client *c, const char *text) {
  uint32_t length = (uint32_t)strlen(text);
  kymo_put32(c, length);
  kymo_put(c, text, length);
}

static void put_state(struct kymo_client *c, enum kymo_message type) {
  char host[48];
  const char *why = kymo_control.no_switching;
  uint64_t border = atomic_load(&kymo_stream.border);
  struct kymo_instant now = kymo_instant_now();
  double rate = ticks_per_second(now), costs[16];
  kymo_host_name(host);
  kymo_begin_message(c, type, c->serial);
  kymo_put32(c, (uint32_t)kymo_control.pid);
  kymo_put32(c, kymo_session.rank);
  kymo_put32(c, kymo_session.ranks);
  kymo_put32(c, (why ? 0u : CAN_SWITCH) | (kymo_session.iterations[0] ? WRITES_ITERATIONS : 0u) | (border ? SUSPENDED : 0u) |
                    (kymo_fast_timer ? 0u : TIMER_IS_MONOTONIC));
  kymo_put32(c, kymo_generation());
  kymo_put32(c, kymo_session.slots);
  kymo_put32(c, atomic_load(&kymo.thread_count));
  kymo_put32(c, kymo.phase_count ? kymo.phases[0] : KYMO_SLOT_NONE);
  kymo_put64(c, kymo_session.selection_id);
  kymo_put64(c, kymo_iteration_count());
  kymo_put64(c, now.tick);
  kymo_put(c, &rate, sizeof rate);
  kymo_put64(c, kymo_nanoseconds(CLOCK_REALTIME));
  kymo_put64(c, kymo_session.begin_tick);
  kymo_put64(c, kymo_session.begin_real);
  kymo_put64(c, kymo_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - kymo_control_cpu_time());
  kymo_costs(costs, rate);
  kymo_put(c, costs, sizeof costs);
  put_text(c, host);
  put_text(c, kymo_control.program);
  put_text(c, why ? why : "");
  c->gone |= !kymo_finish_message(c);
}

// --- definitions ---

// Threads appear in the list in any order, so those with the next numbers are sent only when all of them are there.
void kymo_put_new_threads(struct kymo_client *c) {
  uint32_t count = 0, most = 0;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next, ++count)
    if (t->number >= most) most = t->number + 1;
  if (most != count || c->threads == count) return;
  kymo_begin_message(c, KYMO_THREADS, 0);
  kymo_put32(c, count - c->threads);
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) {
    if (t->number < c->threads || t->number >= count) continue;
    kymo_put32(c, t->number);
    kymo_put32(c, t->tid);
  }
  if (kymo_finish_message(c)) c->threads = count;
}

static void put_bytes(void *c, const void *bytes, size_t size) { kymo_put(c, bytes, size); }

void kymo_put_new_regions(struct kymo_client *c) {
  uint32_t count = kymo_region_count();
  if (c->regions == count) return;
  kymo_begin_message(c, KYMO_REGIONS, 0);
  kymo_put32(c, 0);
  uint32_t first = c->regions, at = first;
  for (; at < count && kymo_message_bytes(c) < KYMO_MOST_MESSAGE / 2; ++at) kymo_put_region(at, put_bytes, c);
  at -= first;
  if (!c->overrun) memcpy(c->out + c->frame + KYMO_FRAME_HEAD, &at, sizeof at);
  if (kymo_finish_message(c)) c->regions += at;
}

// --- requests ---

static void done(struct kymo_client *c) {
  kymo_begin_message(c, KYMO_DONE, c->serial);
  c->gone |= !kymo_finish_message(c);
}

static bool answer_switch(struct kymo_client *c, const unsigned char *body, size_t size) {
  if (size < 4 || size != 4 + 4 * (size_t)kymo_get32(body)) return false;
  if (kymo_control.no_switching) {
    kymo_refuse(c, KYMO_CANNOT_SWITCH, kymo_control.no_switching);
    return true;
  }
  struct kymo_switched switched = kymo_switch_slots(body + 4, kymo_get32(body));
  kymo_begin_message(c, KYMO_SWITCHED, c->serial);
  kymo_put32(c, switched.generation);
  kymo_put32(c, switched.sites);
  kymo_put32(c, switched.unknown);
  kymo_put32(c, switched.failed);
  kymo_put64(c, switched.tick);
  c->gone |= !kymo_finish_message(c);
  return true;
}

// Slots that are not sampled are counted as unknown.
static bool answer_intervals(struct kymo_client *c, const unsigned char *body, size_t size) {
  if (size < 4 || size != 4 + 8 * (size_t)kymo_get32(body)) return false;
  uint32_t count = kymo_get32(body), unknown = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (kymo_get32(body + 8 + 8 * i) > KYMO_MOST_SHIFT) return false;
  for (uint32_t i = 0; i < count; ++i) unknown += !kymo_sample_at(kymo_get32(body + 4 + 8 * i), kymo_get32(body + 8 + 8 * i));
  kymo_begin_message(c, KYMO_SAMPLED, c->serial);
  kymo_put32(c, unknown);
  c->gone |= !kymo_finish_message(c);
  return true;
}

static bool answer_counters(struct kymo_client *c, const unsigned char *body, size_t size) {
  if (size != 4 || body[0] > 1 || body[1] > 1 || body[2] > 1 || body[3]) return false;
  c->query = (struct kymo_counters_query){body[0], body[1], body[2]};
  c->has_asked = true;
  kymo_put_counters(c, c->query, false);
  return true;
}

static bool answer_iterations(struct kymo_client *c, const unsigned char *body, size_t size) {
  if (size != 1 || body[0] > 1) return false;
  if (body[0] && !(atomic_load(&kymo.watch) & KYMO_WATCH_ITERATIONS) && !kymo_listen_to_iterations()) {
    kymo_refuse(c, KYMO_NO_ROOM, "out of memory");
    return true;
  }
  if (body[0] && !c->iterations) {
    c->lost_in_stream = atomic_load(&kymo_stream.lost);
    // Whoever asks first gets the iterations from the first one on.
    c->stream_begin = atomic_exchange(&kymo_stream.keeping, 0) ? 0 : atomic_load(&kymo_stream.written);
  }
  if (!body[0] && c->iterations) c->lost += atomic_load(&kymo_stream.lost) - c->lost_in_stream;
  c->iterations = body[0];
  done(c);
  return true;
}

static bool answer_border(struct kymo_client *c, const unsigned char *body, size_t size) {
  if (size != 1 || body[0] > 1) return false;
  uint64_t border = atomic_load(&kymo_stream.border);
  bool late = body[0] && !c->suspends && border; // Another client suspended it.
  c->suspends = body[0];
  done(c);
  if (!late) return true;
  kymo_begin_message(c, KYMO_SUSPENDED, 0);
  kymo_put64(c, border);
  c->gone |= !kymo_finish_message(c);
  return true;
}

static bool answer_stacks(struct kymo_client *c, const unsigned char *body, size_t size) {
  if (size != 4) return false;
  uint32_t interval = kymo_get32(body);
  if (interval && interval < SHORTEST_STACK_INTERVAL) interval = SHORTEST_STACK_INTERVAL;
  c->stack_interval = interval;
  c->next_stack = kymo_nanoseconds(CLOCK_MONOTONIC) + interval * 1000ull;
  done(c);
  return true;
}

static bool answer_calls(struct kymo_client *c, const unsigned char *body, size_t size) {
  if (size != 4) return false;
  uint32_t interval = kymo_get32(body);
  if (interval && interval < SHORTEST_STACK_INTERVAL) interval = SHORTEST_STACK_INTERVAL;
  const char *why = interval ? kymo_cannot_sample_calls() : 0;
  c->calls_interval = why ? 0 : interval;
  c->next_calls = kymo_nanoseconds(CLOCK_MONOTONIC);
  if (why) kymo_refuse(c, KYMO_OTHER, why);
  else done(c);
  return true;
}

static bool answer_calls_now(struct kymo_client *c, size_t size) {
  if (size) return false;
  if (c->calls_serial) kymo_refuse(c, KYMO_OTHER, "the answer to such a request is on its way");
  else c->calls_serial = c->serial;
  return true;
}

void kymo_answer(struct kymo_client *c, uint32_t type, const unsigned char *body, size_t size) {
  bool understood = false;
  switch (type) {
    case KYMO_HELLO: put_state(c, KYMO_WELCOME), understood = true; break;
    case KYMO_ASK_STATE:
      understood = size == 0;
      if (understood) put_state(c, KYMO_STATE);
      break;
    case KYMO_SWITCH: understood = answer_switch(c, body, size); break;
    case KYMO_ASK_COUNTERS: understood = answer_counters(c, body, size); break;
    case KYMO_ASK_ITERATIONS: understood = answer_iterations(c, body, size); break;
    case KYMO_ASK_BORDER: understood = answer_border(c, body, size); break;
    case KYMO_SET_INTERVALS: understood = answer_intervals(c, body, size); break;
    case KYMO_ASK_STACKS: understood = answer_stacks(c, body, size); break;
    case KYMO_ASK_CALLS: understood = answer_calls(c, body, size); break;
    case KYMO_ASK_CALLS_NOW: understood = answer_calls_now(c, size); break;
    case KYMO_ASK_CODE:
      understood = size == 0;
      if (understood) kymo_put_code(c);
      break;
  }
  if (!understood) kymo_refuse(c, KYMO_NOT_UNDERSTOOD, "the request is not understood");
}

// The last messages: counters as the client asked for them last, and the end.
void kymo_put_end(struct kymo_client *c, uint32_t flags) {
  c->serial = 0;
  if (c->has_asked) kymo_put_counters(c, c->query, true);
  kymo_begin_message(c, KYMO_END, 0);
  kymo_put32(c, flags);
  kymo_put32(c, 0);
  kymo_put64(c, kymo_iteration_count());
  kymo_finish_message(c);
}
