// Traces: every event of a thread in a buffer of its own, from which the tool makes an OTF2 archive (docs/formats.md, "Trace of a process").
//
// A record is one word, and a place for it is taken in one instruction, so that a signal handler with events of its own comes before or after it. A
// place that a jump leaves unfilled stays 0, which readers skip. Runs without a trace have other handlers (record.c) and pay nothing.
#ifndef KYMO_TRACE_H
#define KYMO_TRACE_H

#include "runtime.h"

#pragma GCC visibility push(hidden)

enum kymo_trace_kind { KYMO_TRACE_NOTHING, KYMO_TRACE_ENTER, KYMO_TRACE_LEAVE, KYMO_TRACE_OTHER };
// Records of kind OTHER have a code and a number of words behind the first one in place of the slot. Layers use the codes from
// KYMO_TRACE_LAYERS on (layers.h).
enum kymo_trace_code {
  KYMO_TRACE_TIME = 1,    // The next word is a whole time, whose high bits are those of the events from here on.
  KYMO_TRACE_RESUME = 2,  // of the slot in the next word: the visit goes on, for its fiber has the thread again,
  KYMO_TRACE_SUSPEND = 3, // and stops for the time in which another one has it
  KYMO_TRACE_LAYERS = 8,
};
enum {
  KYMO_TRACE_TIME_BITS = 40, // of a record: the low bits of the timer
  KYMO_TRACE_SLOT_BITS = 22,
  KYMO_TRACE_CODE_BITS = 8, // of the slot's bits; the others are the number of words
  KYMO_TRACE_PAGE = 1 << 15,
};

struct kymo_trace_page {
  uint32_t next;    // number of the thread's next page, from 1; 0: this one is the last
  uint32_t skipped; // words that are not the first of a record
  uint64_t time;    // of the timer, when the page was taken
  uint64_t words[(KYMO_TRACE_PAGE - 16) / 8];
};
_Static_assert(sizeof(struct kymo_trace_page) == KYMO_TRACE_PAGE, "docs/formats.md");

struct kymo_tracing {
  bool on;               // fixed before the first thread
  bool last;             // A full buffer loses its oldest events, and not the new ones.
  _Atomic uint32_t off;  // Events are not recorded now: the iteration is not one of those that are wanted.
  struct kymo_trace_page *pages;
  uint32_t page_count;
  _Atomic uint32_t used; // pages
  uint64_t first, latest; // the iterations to record, from 1; 0: the whole run
  uint64_t begin, end;   // of these iterations, on the timer; 0: not yet
};
extern struct kymo_tracing kymo_tracing;

static inline uint64_t kymo_trace_word(uint64_t time, uint32_t slot, uint32_t kind) {
  return time << (64 - KYMO_TRACE_TIME_BITS) | (uint64_t)slot << 2 | kind;
}
// Whether a word at the place, with the high bits that the thread's latest page or time has, says the time.
static inline bool kymo_trace_fits(const struct kymo_thread *t, uint64_t at, uint64_t bytes, uint64_t time) {
  return KYMO_LIKELY(at + bytes <= t->trace.end) && KYMO_LIKELY(time >> KYMO_TRACE_TIME_BITS == t->trace.high);
}

// trace.c: for what does not fit. `at` is the place that was taken. They return the place of the record; NULL: it is lost.
KYMO_HANDLER uint64_t *kymo_trace_slowly(struct kymo_thread *t, uint64_t at, uint64_t word, uint64_t time);
void kymo_trace_other(struct kymo_thread *t, uint32_t code, const uint64_t *words, uint32_t count);
void kymo_trace_switch(struct kymo_thread *t, struct kymo_stack *to); // The thread goes to another stack.
void kymo_trace_again(struct kymo_thread *t); // Forgets all events: of the calibration, or of the parent of a fork (NULL: no thread).
void kymo_trace_iteration(uint64_t number, bool ends);

static inline uint64_t *kymo_trace_event(struct kymo_thread *t, uint32_t slot, uint32_t kind, uint64_t time) {
  if (KYMO_UNLIKELY(atomic_load_explicit(&kymo_tracing.off, memory_order_relaxed))) return 0;
  uint64_t at = kymo_fetch_add(&t->trace.at, 8), word = kymo_trace_word(time, slot, kind);
  if (KYMO_UNLIKELY(!kymo_trace_fits(t, at, 8, time))) return kymo_trace_slowly(t, at, word, time);
  *(uint64_t *)at = word;
  return (uint64_t *)at;
}

// An enter takes its place before its frame becomes the top, so that the events of a signal handler above it come behind it. Its time is that of the event
// before, until the timer has been read.
static inline uint64_t *kymo_trace_enter(struct kymo_thread *t, uint32_t slot) {
  return kymo_trace_event(t, slot, KYMO_TRACE_ENTER, t->clock + t->offset);
}
static inline void kymo_trace_began(struct kymo_thread *t, uint64_t *place, uint32_t slot, uint64_t now) {
  uint64_t time = now + t->offset;
  if (KYMO_UNLIKELY(!place)) return;
  if (KYMO_LIKELY(time >> KYMO_TRACE_TIME_BITS == t->trace.high)) {
    *place = kymo_trace_word(time, slot, KYMO_TRACE_ENTER);
    return;
  }
  *place = KYMO_TRACE_NOTHING;
  kymo_trace_event(t, slot, KYMO_TRACE_ENTER, time);
}
static inline void kymo_trace_leave(struct kymo_thread *t, uint32_t slot, uint64_t now) { kymo_trace_event(t, slot, KYMO_TRACE_LEAVE, now + t->offset); }

// For visits that end on slow paths: `now` may lie before events that came after it on another stack.
static inline void kymo_trace_left(struct kymo_thread *t, uint32_t slot, uint64_t now) {
  if (kymo_tracing.on) kymo_trace_leave(t, slot, (int64_t)(now - t->clock) < 0 ? t->clock : now);
}

// traced.c: as those of record.c, with a trace
KYMO_HANDLER void kymo_traced_in(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER void kymo_traced_out(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER struct kymo_frame *kymo_traced_enter(uint32_t slot, uintptr_t sp, uintptr_t saved, uintptr_t return_point);
KYMO_HANDLER void kymo_traced_leave(struct kymo_frame *frame);
struct kymo_frame *kymo_traced_open(struct kymo_thread *t, uint32_t slot, uintptr_t where);

// trace_file.c
void kymo_start_tracing(void);
void kymo_write_trace(double ticks_per_second);
void kymo_trace_define(const void *bytes, uint32_t size); // what records of layers refer to
void kymo_trace_clock(uint64_t own, uint64_t other);

#pragma GCC visibility pop

#endif
