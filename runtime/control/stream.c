// What a thread of the program does for those who watch: it hands iterations to the server, and waits at the end of one when it was asked to. All of this
// runs inside handlers.
#include "control.h"

#include <fcntl.h>
#include <time.h>

struct kymo_stream kymo_stream;

// Writes one byte to the server's pipe. The descriptors of the server's thread are not those of the program, so the pipe is opened by its name in /proc.
void kymo_wake_server(void) {
  struct kymo_stream *s = &kymo_stream;
  if (!atomic_exchange(&s->sleeping, 0)) return;
  long pipe = kymo_syscall(SYS_openat, AT_FDCWD, (long)s->wake_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0, 0, 0);
  if (kymo_failed(pipe)) return;
  kymo_syscall(SYS_write, pipe, (long)"", 1, 0, 0, 0);
  kymo_syscall(SYS_close, pipe, 0, 0, 0, 0, 0);
}

static void store(struct kymo_stream *s, const unsigned char *bytes, uint64_t count) {
  uint64_t room = atomic_load(&s->keeping) ? KYMO_KEPT_BYTES : KYMO_RING_BYTES;
  if (s->overrun || s->at + count - atomic_load(&s->read) > room) {
    s->overrun = true;
    return;
  }
  for (uint64_t i = 0; i < count; ++i) s->ring[(s->at + i) % KYMO_RING_BYTES] = bytes[i];
  s->at += count;
}

bool kymo_stream_begin(uint32_t numbers, uint64_t iteration) {
  struct kymo_stream *s = &kymo_stream;
  struct kymo_stream_head head = {0, iteration, atomic_load(&s->lost), numbers};
  if (!(atomic_load(&kymo.watch) & KYMO_WATCH_ITERATIONS)) return false;
  s->at = s->begin = atomic_load_explicit(&s->written, memory_order_relaxed);
  s->overrun = false;
  store(s, (const unsigned char *)&head, sizeof head);
  return true;
}

void kymo_stream_bytes(const char *bytes, uint64_t count) { store(&kymo_stream, (const unsigned char *)bytes, count); }

// Too many to be kept: who asks for iterations now gets those from then on.
static void forget_kept(struct kymo_stream *s) {
  if (atomic_exchange(&s->keeping, 0)) atomic_fetch_and(&kymo.watch, ~KYMO_WATCH_ITERATIONS);
}

void kymo_stream_end(void) {
  struct kymo_stream *s = &kymo_stream;
  if (s->overrun) {
    atomic_fetch_add(&s->lost, 1);
    forget_kept(s);
    return;
  }
  uint64_t bytes = s->at - s->begin;
  for (uint64_t i = 0; i < sizeof bytes; ++i) s->ring[(s->begin + i) % KYMO_RING_BYTES] = (unsigned char)(bytes >> 8 * i);
  atomic_store(&s->written, s->at);
  if (!atomic_load(&s->keeping)) kymo_wake_server();
}

void kymo_release_border(void) {
  atomic_store(&kymo_stream.border, 0);
  kymo_syscall(SYS_futex, (long)&kymo_stream.border, 1 /* FUTEX_WAKE */, INT32_MAX, 0, 0, 0);
}

static uint64_t nanoseconds(void) {
  struct timespec time = {0, 0};
  kymo_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static bool signals_blocked(void) {
  uint64_t mask = 0, always = 1ull << 8 | 1ull << 18 | 3ull << 31; // SIGKILL, SIGSTOP, and what libc may keep for itself
  kymo_syscall(SYS_rt_sigprocmask, 0, 0, (long)&mask, sizeof mask, 0, 0);
  return (mask | always) == ~0ull;
}

// The time of the wait is removed from the thread's clock: it is none of the program's. Where the runtime has blocked signals, the thread goes on, because
// the user could not end it; the caller comes back when they are restored (regions.c).
void kymo_wait_at_border(struct kymo_thread *t, uint64_t iteration) {
  enum { FUTEX_WAIT = 0 };
  struct kymo_stream *s = &kymo_stream;
  if (!(atomic_load(&kymo.watch) & KYMO_WATCH_BORDER) || kymo.quiet || t != kymo_self || atomic_load(&kymo.recording) != 1 || signals_blocked()) return;
  uint64_t begin = kymo_now(), wall = nanoseconds();
  atomic_store(&s->border, iteration);
  kymo_wake_server();
  // Who lets the program go on takes the request back first, and then sets `border` to 0.
  if (!(atomic_load(&kymo.watch) & KYMO_WATCH_BORDER)) atomic_store(&s->border, 0);
  while (atomic_load(&s->border) == iteration) kymo_syscall(SYS_futex, (long)&s->border, FUTEX_WAIT, (long)(uint32_t)iteration, 0, 0, 0);
  uint64_t waited = kymo_now() - begin;
  t->seen.tick += waited;
  t->seen.wall += nanoseconds() - wall;
  t->offset += waited;
}
