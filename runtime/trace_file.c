// The beginning of a trace, and its file at the end of the process (docs/formats.md, "Trace of a process").
#include "session.h"
#include "trace.h"
#include "libc.h"

struct header {
  char magic[8];
  uint64_t selection;
  uint32_t pid, threads;
  uint64_t begin_tick, begin_real;
  double ticks_per_second;
  uint64_t from, until; // of the iterations that were wanted
  uint64_t first, latest;
  uint64_t clocks[4];   // this process's timer and that of rank 0, twice; 0: not compared
  uint32_t page_bytes, last, definition_bytes, pages;
  char host[48];
  uint64_t reserved[10];
};
_Static_assert(sizeof(struct header) == 256, "docs/formats.md");

struct thread_record {
  uint32_t number, pages;
  uint64_t begin, end;
  uint64_t lost, lost_time;
  uint64_t removed;      // ticks that the thread's clock lacks
  uint64_t parked_until;
  uint32_t parked, full; // visits that the thread has ended by waiting for work
};
_Static_assert(sizeof(struct thread_record) == 64, "docs/formats.md");

struct definitions {
  struct definitions *next;
  uint32_t used, room;
  char bytes[];
};
static struct definitions *definitions; // the latest first
static _Atomic uint32_t busy;
static uint64_t clocks[4];

// --- beginning ---

static bool number(const char **text, uint64_t *value) {
  const char *at = *text;
  for (*value = 0; *at >= '0' && *at <= '9' && *value < 1ull << 40; ++at) *value = *value * 10 + (uint64_t)(*at - '0');
  bool some = at > *text;
  *text = at;
  return some;
}

static bool read_iterations(const char *text) {
  if (!text || !*text) return true;
  if (!number(&text, &kymo_tracing.first) || *text++ != '-' || !number(&text, &kymo_tracing.latest) || *text) return false;
  return kymo_tracing.first && kymo_tracing.first <= kymo_tracing.latest;
}

// The thunks of the executable call the handlers directly. Those of libraries call them through pointers (attach.c).
extern unsigned char kymo_call_in[], kymo_call_out[], kymo_call_enter[], kymo_call_leave[];
static bool redirect_calls(void) {
  const struct { unsigned char *call; uintptr_t to; } calls[] = {
      {kymo_call_in, (uintptr_t)kymo_traced_in}, {kymo_call_out, (uintptr_t)kymo_traced_out}, {kymo_call_enter, (uintptr_t)kymo_traced_enter}, {kymo_call_leave, (uintptr_t)kymo_traced_leave}};
  enum { CALLS = sizeof calls / sizeof *calls, CALL_BYTES = 8 };
  uintptr_t page = getauxval(AT_PAGESZ), low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < CALLS; ++i) {
    if ((uintptr_t)calls[i].call < low) low = (uintptr_t)calls[i].call;
    if ((uintptr_t)calls[i].call > high) high = (uintptr_t)calls[i].call;
  }
  low &= ~(page - 1);
  struct kymo_code code = {low, ((high + CALL_BYTES + page - 1) & ~(page - 1)) - low, 0};
  if (!kymo_copy_code(&code)) return false;
  bool good = true;
  for (int i = 0; i < CALLS; ++i) good = good && kymo_encode_call(code.copy + ((uintptr_t)calls[i].call - low), (uintptr_t)calls[i].call, calls[i].to);
  good = good && kymo_replace_code(&code, PROT_READ | PROT_EXEC);
  kymo_drop_copy(&code);
  return good;
}

static void refuse(const char *why, const char *detail) { kymo_say("no trace is recorded: ", why, detail, 0); }

void kymo_start_tracing(void) {
  const char *memory = getenv("KYMO_TRACE"), *full = getenv("KYMO_TRACE_FULL"), *text = memory;
  uint64_t megabytes;
  if (!memory || !*memory || !kymo_session.results[0]) return;
  if (!number(&text, &megabytes) || *text || !megabytes || megabytes > 1 << 20) {
    refuse("KYMO_TRACE is not a number of megabytes: ", memory);
    return;
  }
  if (!read_iterations(getenv("KYMO_TRACE_ITERATIONS"))) {
    refuse("KYMO_TRACE_ITERATIONS is not a range such as 10-12: ", getenv("KYMO_TRACE_ITERATIONS"));
    return;
  }
  if (kymo_session.slots + KYMO_USER_REGIONS > 1u << KYMO_TRACE_SLOT_BITS) {
    refuse("too many functions are selected", 0);
    return;
  }
  size_t bytes = (size_t)megabytes << 20;
  void *pages = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED || !redirect_calls()) {
    refuse(pages == MAP_FAILED ? "no memory for it: " : "the runtime's code may not be changed here: ", strerror(errno));
    if (pages != MAP_FAILED) munmap(pages, bytes);
    return;
  }
  kymo_tracing.pages = pages;
  kymo_tracing.page_count = (uint32_t)(bytes / KYMO_TRACE_PAGE);
  kymo_tracing.last = full && strlen(full) == 4 && !memcmp(full, "last", 4);
  atomic_store(&kymo_tracing.off, kymo_tracing.first != 0);
  kymo_tracing.on = true;
}

void kymo_trace_define(const void *bytes, uint32_t size) {
  enum { ROOM = 1 << 14 };
  uint64_t signals = kymo_block_signals();
  while (atomic_exchange(&busy, 1)) kymo_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  struct definitions *into = definitions;
  if (!into || into->room - into->used < size) {
    uint32_t room = size > ROOM - sizeof *into ? (size + ROOM) & ~(uint32_t)(ROOM - 1) : ROOM - (uint32_t)sizeof *into;
    into = kymo_map(sizeof *into + room);
    if (into) {
      *into = (struct definitions){definitions, 0, room};
      definitions = into;
    }
  }
  if (into) {
    memcpy(into->bytes + into->used, bytes, size);
    into->used += size;
  }
  atomic_store(&busy, 0);
  kymo_restore_signals(signals);
}

// The first comparison, and the latest one.
void kymo_trace_clock(uint64_t own, uint64_t other) {
  int at = clocks[0] && clocks[0] != own ? 2 : 0;
  clocks[at] = own;
  clocks[at + 1] = other;
}

// --- the file ---

static bool put(int file, const void *data, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t written = write(file, (const char *)data + done, bytes - done);
    if (written > 0) done += (size_t)written;
    else if (written == 0) errno = EIO;
    if (written == 0 || (written < 0 && errno != EINTR)) return false;
  }
  return true;
}

// The tick at which the visits of a thread that waits for work have ended, and their number (layers.c).
static void put_parked(const struct kymo_thread *t, struct thread_record *record) {
  const struct kymo_frame *last = t->parked;
  if (!last || !*t->until) return;
  record->parked_until = *t->until;
  for (const struct kymo_frame *frame = t->stack->top; frame->up; frame = frame->up) {
    record->parked += !kymo_is_continued(frame);
    if (frame == last) break;
  }
}

static bool put_thread(int file, const struct kymo_thread *t) {
  struct thread_record record = {t->number, t->trace.pages, t->begin, t->end, t->trace.lost, t->trace.lost_time, t->offset, 0, 0, t->trace.full};
  put_parked(t, &record);
  if (!put(file, &record, sizeof record)) return false;
  uint32_t page = t->trace.first;
  for (uint32_t left = record.pages; left; --left) {
    const struct kymo_trace_page *at = &kymo_tracing.pages[page - 1];
    if (!put(file, at, sizeof *at)) return false;
    page = at->next;
  }
  return true;
}

static bool write_all(int file, double ticks_per_second) {
  struct header h = {.magic = "KYMOTRC1", .selection = kymo_session.selection_id, .pid = (uint32_t)getpid(), .ticks_per_second = ticks_per_second};
  h.begin_tick = kymo_session.begin_tick;
  h.begin_real = kymo_session.begin_real;
  h.from = kymo_tracing.begin;
  h.until = kymo_tracing.end;
  h.first = kymo_tracing.first;
  h.latest = kymo_tracing.latest;
  memcpy(h.clocks, clocks, sizeof clocks);
  h.page_bytes = KYMO_TRACE_PAGE;
  h.last = kymo_tracing.last;
  h.pages = kymo_tracing.page_count;
  kymo_host_name(h.host);
  for (const struct definitions *d = definitions; d; d = d->next) h.definition_bytes += d->used;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) ++h.threads;
  if (!put(file, &h, sizeof h)) return false;
  for (const struct definitions *d = definitions; d; d = d->next)
    if (!put(file, d->bytes, d->used)) return false;
  uint32_t left = h.threads;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t && left; t = t->next, --left)
    if (!put_thread(file, t)) return false;
  return true;
}

void kymo_write_trace(double ticks_per_second) {
  static char name[PATH_MAX + 128];
  if (!kymo_tracing.on) return;
  int before = errno;
  bool pending = kymo_size_signal_pending();
  kymo_result_name(name, sizeof name, ".trace");
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666), error = 0;
  if (file < 0 || !write_all(file, ticks_per_second)) error = errno;
  if (file >= 0 && close(file) && !error) error = errno;
  if (error == EFBIG && !pending) kymo_swallow_size_signal();
  if (error) {
    kymo_say("the trace could not be written: ", name, ": ", strerror(error));
    unlink(name);
  }
  errno = before;
}
