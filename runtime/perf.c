// The processor's counters (KYMO_COUNTERS): instructions and cache misses of each call path on each thread.
//
// They are read at each event, and what they have grown since the last one belongs to the frame that was on top: as quantities of its call path, like those of
// layers. A run with them looks at each gap between two events (gaps.c), however short; other runs execute the same instructions as without this file.
//
// The kernel shows each counter in a page, with which an instruction reads it (rdpmc). Where that is not allowed, a system call reads both. Its descriptors lie
// high, where no program that closes all descriptors gets the same numbers again for files of its own. The pages are none of a forked child's: the state that
// refers to them is on a page that the kernel clears there.
#include "runtime.h"
#include "perf.h"
#include "layers.h"
#include "libc.h"

struct kymo_perf {
  bool on;
  uint32_t tid; // of the thread that is counted
  const struct perf_event_mmap_page *pages[KYMO_PERF_EVENTS]; // NULL: system calls read them
  uint64_t seen[KYMO_PERF_EVENTS];
  uint64_t enabled, running; // times in ns, at the last system call that has read them
};

enum { PAGE_BYTES = 4096, HIGHEST_FILE = 4096 };

static struct kymo_perf_use use;
static long lowest_file; // for descriptors
static _Atomic uint64_t ended[2]; // times of threads that have ended

// As the kernel describes it (linux/perf_event.h). False: the counter does not run now, or the instruction is not allowed.
static bool read_page(const volatile struct perf_event_mmap_page *page, uint64_t *value) {
  uint32_t sequence;
  do {
    sequence = page->lock;
    atomic_signal_fence(memory_order_seq_cst);
    uint32_t index = page->index, unused = 64u - page->pmc_width;
    if (!index || !page->cap_user_rdpmc || unused > 63) return false;
    *value = (uint64_t)page->offset + (uint64_t)((int64_t)(kymo_read_pmc(index - 1) << unused) >> unused);
    atomic_signal_fence(memory_order_seq_cst);
  } while (page->lock != sequence);
  return true;
}

static bool read_pages(const struct kymo_perf *perf, uint64_t now[KYMO_PERF_EVENTS]) {
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i)
    if (!perf->pages[i] || !read_page(perf->pages[i], &now[i])) return false;
  return true;
}

static bool read_files(struct kymo_thread *t, uint64_t now[KYMO_PERF_EVENTS]) {
  struct {
    uint64_t count, enabled, running, values[KYMO_PERF_EVENTS];
  } group;
  long got = kymo_syscall(SYS_read, t->perf_files[0], (long)&group, sizeof group, 0, 0, 0);
  if (got != sizeof group || group.count != KYMO_PERF_EVENTS) { // The program has closed the descriptor.
    t->perf->on = false;
    t->perf_files[0] = t->perf_files[1] = 0;
    use.lost = 1;
    return false;
  }
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) now[i] = group.values[i];
  t->perf->enabled = group.enabled;
  t->perf->running = group.running;
  return true;
}

// A signal handler that comes in between has its events before this one: whoever replaces what was seen adds the difference.
KYMO_HANDLER void kymo_count_perf(struct kymo_thread *t, struct kymo_frame *top, bool exactly) {
  uint64_t now[KYMO_PERF_EVENTS];
  struct kymo_perf *perf = t->perf;
  if (!perf->on || kymo.quiet) return;
  if (!(t == kymo_self && !exactly && read_pages(perf, now)) && !read_files(t, now)) return;
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) {
    uint64_t before = perf->seen[i], more = now[i] - before;
    if ((int64_t)more <= 0 || !kymo_swap(&perf->seen[i], (const void *)before, (const void *)now[i])) continue;
    kymo_add_amount(t, top, KYMO_SLOT_COUNTER + KYMO_INSTRUCTIONS + (uint32_t)i, more);
  }
}

static const struct perf_event_mmap_page *page_of(int file) {
  long page = kymo_syscall(SYS_mmap, 0, PAGE_BYTES, PROT_READ, MAP_SHARED, file, 0);
  return (unsigned long)page > -4096ul ? 0 : (const struct perf_event_mmap_page *)page;
}

static bool open_thread(struct kymo_thread *t) {
  if (kymo_open_perf(t->perf_files, lowest_file)) {
    use.lost = 1;
    return false;
  }
  struct kymo_perf *perf = t->perf;
  bool cleared = KYMO_READS_PMC && !kymo_syscall(SYS_madvise, (long)perf, PAGE_BYTES, MADV_WIPEONFORK, 0, 0, 0);
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) {
    perf->pages[i] = cleared ? page_of(t->perf_files[i]) : 0;
    perf->seen[i] = 0;
  }
  perf->tid = t->tid;
  return perf->on = true;
}

void kymo_start_perf(struct kymo_thread *t) {
  if (kymo.short_gap || atomic_load(&t->state) == KYMO_THREAD_LATE) return;
  if (!t->perf) t->perf = kymo_map(PAGE_BYTES);
  if (!t->perf) return;
  if (t->perf->tid != t->tid || !t->perf->on) {
    kymo_stop_perf(t);
    if (!open_thread(t)) return;
  }
  read_files(t, t->perf->seen);
}

void kymo_stop_perf(struct kymo_thread *t) {
  struct kymo_perf *perf = t->perf;
  if (!perf || kymo.quiet) return;
  perf->on = false;
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) {
    if (perf->pages[i]) kymo_syscall(SYS_munmap, (long)perf->pages[i], PAGE_BYTES, 0, 0, 0, 0);
    perf->pages[i] = 0;
  }
  atomic_fetch_add(&ended[0], perf->enabled);
  atomic_fetch_add(&ended[1], perf->running);
  perf->enabled = perf->running = 0;
  kymo_close_perf(t->perf_files);
}

void kymo_forget_perf(void) {
  for (struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) kymo_stop_perf(t);
  for (int i = 0; i < 2; ++i) atomic_store(&ended[i], 0);
}

struct kymo_perf_use kymo_perf_used(void) {
  use.enabled = atomic_load(&ended[0]);
  use.running = atomic_load(&ended[1]);
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next)
    if (t->perf) {
      use.enabled += t->perf->enabled;
      use.running += t->perf->running;
    }
  return use;
}

// Events of the kernel for tests on machines without counters: page faults, all and minor, in place of instructions and cache misses.
static void use_test_events(void) {
  static const uint64_t faults[KYMO_PERF_EVENTS] = {PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_PAGE_FAULTS_MIN};
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) {
    kymo_perf_events[i].type = PERF_TYPE_SOFTWARE;
    kymo_perf_events[i].config = faults[i];
  }
}

void kymo_choose_perf(void) {
  const char *wanted = getenv("KYMO_COUNTERS"), *test = getenv("KYMO_TEST_COUNTERS");
  if (!wanted || strlen(wanted) != 1 || *wanted != '1') return;
  if (test && strlen(test) == 11 && !memcmp(test, "page-faults", 11)) use_test_events();
  struct { uint64_t soft, hard; } limit = {0, 0};
  kymo_syscall(SYS_prlimit64, 0, 7 /* RLIMIT_NOFILE */, 0, (long)&limit, 0, 0);
  uint64_t high = limit.soft / 4 * 3;
  lowest_file = high < 3 ? 3 : high < HIGHEST_FILE ? (long)high : HIGHEST_FILE;
  int files[KYMO_PERF_EVENTS];
  use.asked = 1;
  use.error = (uint16_t)kymo_open_perf(files, lowest_file);
  if (use.error) use.paranoid = kymo_perf_paranoid();
  else kymo.short_gap = 0;
  kymo_close_perf(files);
}
