// The processor's counters by perf_event_open: which events, and how they are opened. For the runtime and for the program that tries them (perf/), each with
// its kymo_syscall.
#ifndef KYMO_PERF_H
#define KYMO_PERF_H

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

enum { KYMO_PERF_EVENTS = 2 };

// Of the program and not of the kernel, which users may count up to kernel.perf_event_paranoid = 2.
#define KYMO_PERF_EVENT(event)                                                                                                                \
  {                                                                                                                                           \
    .type = PERF_TYPE_HARDWARE, .size = sizeof(struct perf_event_attr), .config = event, .exclude_kernel = 1, .exclude_hv = 1,                 \
    .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING                                        \
  }
// In the order of their numbers in layers.h. The kernel counts cache misses in the last cache before memory.
static struct perf_event_attr kymo_perf_events[KYMO_PERF_EVENTS] = {KYMO_PERF_EVENT(PERF_COUNT_HW_INSTRUCTIONS), KYMO_PERF_EVENT(PERF_COUNT_HW_CACHE_MISSES)};

static inline void kymo_close_perf(int files[KYMO_PERF_EVENTS]) {
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) {
    if (files[i]) kymo_syscall(SYS_close, files[i], 0, 0, 0, 0, 0);
    files[i] = 0;
  }
}

// Opens the events for the calling thread, as a group: they count at the same times. Their descriptors are the first free ones from `lowest` (not 0) on; 0: there is
// none. Returns 0, or the number of the error.
static inline int kymo_open_perf(int files[KYMO_PERF_EVENTS], long lowest) {
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) files[i] = 0;
  for (int i = 0; i < KYMO_PERF_EVENTS; ++i) {
    long first = kymo_syscall(SYS_perf_event_open, (long)&kymo_perf_events[i], 0, -1, i ? files[0] : -1, PERF_FLAG_FD_CLOEXEC, 0);
    long file = first < 0 ? first : kymo_syscall(SYS_fcntl, first, F_DUPFD_CLOEXEC, lowest, 0, 0, 0);
    if (first >= 0) kymo_syscall(SYS_close, first, 0, 0, 0, 0, 0);
    if (file < 0) {
      kymo_close_perf(files);
      return (int)-file;
    }
    files[i] = (int)file;
  }
  return 0;
}

// The setting kernel.perf_event_paranoid; -9: it cannot be read.
static inline int kymo_perf_paranoid(void) {
  enum { UNKNOWN = -9 };
  char text[16] = {0};
  long file = kymo_syscall(SYS_openat, AT_FDCWD, (long)"/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (file < 0) return UNKNOWN;
  long got = kymo_syscall(SYS_read, file, (long)text, sizeof text - 1, 0, 0, 0);
  kymo_syscall(SYS_close, file, 0, 0, 0, 0, 0);
  int value = 0, negative = text[0] == '-';
  if (got <= 0) return UNKNOWN;
  for (const char *c = text + negative; *c >= '0' && *c <= '9' && value < 1000; ++c) value = value * 10 + (*c - '0');
  return negative ? -value : value;
}

#endif
