// Buffers of a trace. Threads take pages of the memory that the process may use. When none is left, a thread stops recording events, or records
// into the oldest of its own pages.
#include "trace.h"

struct kymo_tracing kymo_tracing;

enum {
  RESERVE = 8,         // With `last`, this part of all pages is for threads that have fewer than LEAST.
  LEAST = 2,
  POPULATE_WRITE = 23, // MADV_POPULATE_WRITE: Linux 5.14; older ones refuse it, and give memory page by page
  WORDS = sizeof((struct kymo_trace_page *)0)->words / 8,
};

static struct kymo_trace_page *page_at(uint32_t number) { return &kymo_tracing.pages[number - 1]; }

static void clear(uint64_t *words, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    words[i] = 0;
    __asm__ volatile(""); // Compilers call memset for such a loop, which uses vector registers.
  }
}

// Returns the number of a page that nobody has used, or 0.
static uint32_t fresh_page(const struct kymo_trace *trace) {
  uint32_t limit = kymo_tracing.page_count, used = atomic_load(&kymo_tracing.used);
  if (kymo_tracing.last && trace->pages >= LEAST) limit -= limit / RESERVE;
  do
    if (used >= limit) return 0;
  while (!atomic_compare_exchange_weak(&kymo_tracing.used, &used, used + 1));
  struct kymo_trace_page *page = page_at(used + 1);
  kymo_syscall(SYS_madvise, (long)page, sizeof *page, POPULATE_WRITE, 0, 0, 0);
  return used + 1;
}

// Takes the oldest page of the thread from it; its events are lost, up to the begin of the next page.
static uint32_t oldest_page(struct kymo_trace *trace, uint64_t time) {
  uint32_t number = trace->first;
  struct kymo_trace_page *page = page_at(number);
  trace->lost += WORDS - page->skipped;
  trace->first = page->next;
  trace->lost_time = page->next ? page_at(page->next)->time : time;
  if (trace->current == number) trace->current = 0;
  --trace->pages;
  clear(page->words, WORDS);
  page->skipped = 0;
  page->next = 0;
  return number;
}

static bool next_page(struct kymo_trace *trace, uint64_t time) {
  if (trace->current && trace->at < trace->end) page_at(trace->current)->skipped += (uint32_t)((trace->end - trace->at) / 8);
  uint32_t number = fresh_page(trace);
  if (!number && kymo_tracing.last && trace->first) number = oldest_page(trace, time);
  if (!number) {
    trace->full = true;
    trace->at = trace->end = 0;
    return false;
  }
  struct kymo_trace_page *page = page_at(number);
  page->time = time;
  if (trace->current) page_at(trace->current)->next = number;
  else trace->first = number;
  trace->current = number;
  ++trace->pages;
  trace->high = time >> KYMO_TRACE_TIME_BITS;
  trace->at = (uint64_t)(uintptr_t)page->words;
  trace->end = (uint64_t)(uintptr_t)(page->words + WORDS);
  return true;
}

static void lose(struct kymo_trace *trace, uint64_t time) {
  if (!trace->lost++) trace->lost_time = time;
}

static uint64_t other_word(uint64_t time, uint32_t code, uint32_t count) {
  return kymo_trace_word(time, code | count << KYMO_TRACE_CODE_BITS, KYMO_TRACE_OTHER);
}

// Takes a place with signals blocked, on a page and behind a time that fit.
static uint64_t *place(struct kymo_trace *trace, uint32_t words, uint64_t time) {
  if (trace->at + 8 * (words + 2) > trace->end) {
    if (!next_page(trace, time)) return 0;
  } else if (time >> KYMO_TRACE_TIME_BITS != trace->high) {
    uint64_t *at = (uint64_t *)(uintptr_t)trace->at;
    at[0] = other_word(time, KYMO_TRACE_TIME, 1);
    at[1] = time;
    page_at(trace->current)->skipped += 2;
    trace->high = time >> KYMO_TRACE_TIME_BITS;
    trace->at += 16;
  }
  uint64_t *at = (uint64_t *)(uintptr_t)trace->at;
  trace->at += 8 * words;
  page_at(trace->current)->skipped += words - 1;
  return at;
}

// The cost is no time of the program, so it is removed from the clock.
static uint64_t *place_slowly(struct kymo_thread *t, uint32_t words, uint64_t at, uint64_t time) {
  struct kymo_trace *trace = &t->trace;
  if (trace->full) {
    lose(trace, time);
    return 0;
  }
  uint64_t begin = kymo_now(), signals = kymo_block_signals();
  if (at < trace->end && trace->current) page_at(trace->current)->skipped += at + 8 * words <= trace->end ? words : (uint32_t)((trace->end - at) / 8);
  uint64_t *found = place(trace, words, time);
  if (!found) lose(trace, time);
  t->offset += kymo_now() - begin;
  kymo_restore_signals(signals);
  return found;
}

KYMO_HANDLER __attribute__((noinline)) uint64_t *kymo_trace_slowly(struct kymo_thread *t, uint64_t at, uint64_t word, uint64_t time) {
  uint64_t *found = place_slowly(t, 1, at, time);
  if (found) *found = word;
  return found;
}

static void put_other(struct kymo_thread *t, uint32_t code, const uint64_t *words, uint32_t count, uint64_t time) {
  if (atomic_load_explicit(&kymo_tracing.off, memory_order_relaxed)) return;
  uint64_t bytes = 8 * (count + 1), at = kymo_fetch_add(&t->trace.at, bytes), *found = (uint64_t *)(uintptr_t)at;
  if (kymo_trace_fits(t, at, bytes, time)) page_at(t->trace.current)->skipped += count;
  else found = place_slowly(t, count + 1, at, time);
  if (!found) return;
  found[0] = other_word(time, code, count);
  for (uint32_t i = 0; i < count; ++i) found[i + 1] = words[i];
}

void kymo_trace_other(struct kymo_thread *t, uint32_t code, const uint64_t *words, uint32_t count) { put_other(t, code, words, count, kymo_now()); }

// --- fibers: the events of a thread are nested, so the visits of a fiber end while another one has the thread ---

static void put_frame(struct kymo_thread *t, uint32_t code, const struct kymo_frame *frame) {
  uint64_t slot = frame->slot;
  if (slot != KYMO_SLOT_LEFT && !kymo_is_continued(frame)) put_other(t, code, &slot, 1, t->clock + t->offset);
}

static void suspend(struct kymo_thread *t, struct kymo_stack *s) {
  for (const struct kymo_frame *frame = s->top; frame->up; frame = frame->up) put_frame(t, KYMO_TRACE_SUSPEND, frame);
  s->traced = false;
}

static void resume(struct kymo_thread *t, struct kymo_stack *s) {
  size_t depth = 0;
  for (const struct kymo_frame *frame = s->top; frame->up; frame = frame->up) ++depth;
  for (; depth; --depth) { // There is no memory for a list.
    const struct kymo_frame *frame = s->top;
    for (size_t i = 1; i < depth; ++i) frame = frame->up;
    put_frame(t, KYMO_TRACE_RESUME, frame);
  }
  s->traced = true;
}

// A signal handler stays above what it has interrupted (stacks.c begins it).
void kymo_trace_switch(struct kymo_thread *t, struct kymo_stack *to) {
  if (!kymo_tracing.on || to->kind == KYMO_STACK_SIGNAL) return;
  for (int handlers = 1; handlers >= 0; --handlers)
    for (struct kymo_stack *s = t->stacks; s; s = s->next)
      if (s != to && s->traced && (s->kind == KYMO_STACK_SIGNAL) == handlers) suspend(t, s);
  if (!to->traced) resume(t, to);
}

void kymo_trace_again(struct kymo_thread *t) {
  if (!kymo_tracing.on) return;
  kymo_syscall(SYS_madvise, (long)kymo_tracing.pages, (long)atomic_load(&kymo_tracing.used) * KYMO_TRACE_PAGE, 4 /* MADV_DONTNEED */, 0, 0, 0);
  atomic_store(&kymo_tracing.used, 0);
  kymo_tracing.begin = kymo_tracing.end = 0;
  atomic_store(&kymo_tracing.off, kymo_tracing.first != 0);
  if (!t) return;
  t->trace = (struct kymo_trace){0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (struct kymo_stack *s = t->stacks; s; s = s->next) s->traced = false;
  resume(t, t->stack);
}

// --- iterations ---

void kymo_trace_iteration(uint64_t number, bool ends) {
  if (!kymo_tracing.first) return;
  if (!ends && number == kymo_tracing.first) {
    kymo_tracing.begin = kymo_now();
    atomic_store(&kymo_tracing.off, 0);
  }
  if (ends && number == kymo_tracing.latest) {
    atomic_store(&kymo_tracing.off, 1);
    kymo_tracing.end = kymo_now();
  }
}
