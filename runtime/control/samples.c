// Reads the open visits of a thread while it runs. Nothing stops the thread: its frames are copied, and the copy counts only when no event has come
// meanwhile. Each event changes the thread's clock, and the end of a visit the number of events. Frames and nodes stay readable for ever, so that a walk
// through changing frames reads nonsense at worst, and ends at a limit.
#include "control.h"
#include "../libc.h"

struct moment {
  const struct kymo_frame *top;
  uint64_t events, clock;
};

static struct moment moment_of(const struct kymo_thread *t) {
  struct moment m = {__atomic_load_n(&t->top, __ATOMIC_ACQUIRE), __atomic_load_n(&t->events, __ATOMIC_ACQUIRE), __atomic_load_n(&t->clock, __ATOMIC_ACQUIRE)};
  return m;
}

static bool read_once(const struct kymo_thread *t, struct kymo_open_visits *visits) {
  enum { MOST_STEPS = 1 << 20 };
  struct moment before = moment_of(t);
  const struct kymo_frame *frame = before.top, *up;
  visits->count = visits->depth = 0;
  for (; frame && (up = __atomic_load_n(&frame->up, __ATOMIC_RELAXED)) && visits->depth < MOST_STEPS; frame = up) {
    if (visits->count < KYMO_MOST_FRAMES) {
      visits->nodes[visits->count] = __atomic_load_n(&frame->node, __ATOMIC_RELAXED);
      visits->starts[visits->count++] = __atomic_load_n(&frame->start, __ATOMIC_RELAXED);
    }
    ++visits->depth;
  }
  // What the thread has waited for a processor since its last event, its next one will take off its clock: open visits do not contain it.
  uint64_t timer = kymo_now(), now = timer - __atomic_load_n(&t->offset, __ATOMIC_RELAXED);
  bool looks = __atomic_load_n(&t->looking, __ATOMIC_RELAXED); // It does so at an event, and takes the time of that off its clock, too.
  visits->now = looks ? before.clock : now - kymo_queued_meanwhile(t, timer, now - before.clock);
  atomic_thread_fence(memory_order_acquire);
  struct moment after = moment_of(t);
  return before.top == after.top && before.events == after.events && before.clock == after.clock && visits->depth < MOST_STEPS;
}

bool kymo_read_open(const struct kymo_thread *t, struct kymo_open_visits *visits) {
  enum { ATTEMPTS = 16 };
  for (int i = 0; i < ATTEMPTS; ++i)
    if (read_once(t, visits)) return true;
  return false;
}

static struct kymo_open_visits visits; // Only the server's thread uses it.

void kymo_put_stacks(struct kymo_client *c) {
  uint32_t threads = 0, moving = 0;
  if (kymo_waiting_bytes(c) > KYMO_SAMPLE_QUEUE_BYTES) {
    ++c->lost;
    return;
  }
  kymo_put_new_threads(c);
  kymo_put_new_regions(c);
  kymo_begin_message(c, KYMO_STACKS, 0);
  kymo_put64(c, kymo_now());
  kymo_put64(c, c->lost);
  size_t counts = c->out_end;
  kymo_put64(c, 0);
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) {
    if (atomic_load(&t->state) != KYMO_THREAD_LIVE) continue;
    if (!kymo_read_open(t, &visits)) {
      ++moving;
      continue;
    }
    ++threads;
    kymo_put32(c, t->number);
    kymo_put32(c, visits.depth);
    kymo_put32(c, visits.count);
    for (uint32_t i = visits.count; i--;) kymo_put32(c, kymo_plain_slot(visits.nodes[i]->slot));
  }
  if (!c->overrun) {
    memcpy(c->out + counts, &moving, sizeof moving);
    memcpy(c->out + counts + sizeof moving, &threads, sizeof threads);
  }
  if (!kymo_finish_message(c)) ++c->lost;
}
