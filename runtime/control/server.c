// The server's thread: it waits in poll, accepts clients, reads their requests and writes what waits for them. Sockets never block. It makes system calls
// only, because libc's thread-local variables (errno) are not its own.
#include "control.h"
#include "live.h"
#include "../libc.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

enum {
  COALESCE = 10,                    // ms: while iterations come, they are fetched this often, and nobody is woken
  HELLO_PATIENCE = 5000,            // ms until a client has said the token
  IN_BYTES = KYMO_FRAME_HEAD + KYMO_MOST_REQUEST,
  FUTEX_WAKE = 1,
  CLOSE_RANGE = 436,                // the system call; not in old headers
};

static struct kymo_client clients[KYMO_MOST_CLIENTS];
static int listener = -1, wake[2] = {-1, -1};
static bool can_be_woken;

static long call(long number, long a, long b, long c, long d, long e, long f) { return kymo_syscall(number, a, b, c, d, e, f); }
static void close_file(int file) { call(SYS_close, file, 0, 0, 0, 0, 0); }
static uint64_t now(void) { return kymo_nanoseconds(CLOCK_MONOTONIC); }

static void become(enum kymo_control_state state) {
  atomic_store(&kymo_control.state, (uint32_t)state);
  call(SYS_futex, (long)&kymo_control.state, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}

// --- setting up ---

// The descriptors are a copy of the program's. None may stay, or a pipe that the program closes would stay open.
static void close_inherited(void) {
  if (!kymo_failed(call(CLOSE_RANGE, 0, ~0u, 0, 0, 0, 0))) return;
  enum { MOST = 65536 };
  for (int i = 0; i < MOST; ++i) close_file(i);
}

// The socket gets its name when clients can connect to it.
static long make_socket(void) {
  static const char unnamed[] = ".new";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  call(SYS_umask, 0177, 0, 0, 0, 0, 0);
  long error = call(SYS_chdir, (long)kymo_control.folder, 0, 0, 0, 0, 0); // so that the address is short
  if (kymo_failed(error)) return error;
  strcpy(address.sun_path, kymo_control.name);
  strcat(address.sun_path, unnamed);
  call(SYS_unlinkat, AT_FDCWD, (long)address.sun_path, 0, 0, 0, 0); // of a process that had this number before
  long file = call(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, 0, 0, 0);
  if (kymo_failed(file)) return file;
  listener = (int)file;
  error = call(SYS_bind, listener, (long)&address, sizeof address, 0, 0, 0);
  if (!kymo_failed(error)) error = call(SYS_listen, listener, KYMO_MOST_CLIENTS, 0, 0, 0, 0);
  return kymo_failed(error) ? error : call(SYS_renameat2, AT_FDCWD, (long)address.sun_path, AT_FDCWD, (long)kymo_control.name, 0, 0);
}

static char *append(char *at, const char *text) {
  while (*text) *at++ = *text++;
  *at = 0;
  return at;
}

// Makes the pipe by which threads of the program wake this one, and tries its name in /proc.
static void make_wake(void) {
  char number[24];
  if (kymo_failed(call(SYS_pipe2, (long)wake, O_NONBLOCK | O_CLOEXEC, 0, 0, 0, 0))) return;
  char *end = append(kymo_stream.wake_path, "/proc/self/task/");
  end = append(end, kymo_decimal((uint64_t)call(SYS_gettid, 0, 0, 0, 0, 0, 0), number));
  end = append(end, "/fd/");
  append(end, kymo_decimal((uint64_t)wake[1], number));
  long trial = call(SYS_openat, AT_FDCWD, (long)kymo_stream.wake_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0, 0, 0);
  can_be_woken = !kymo_failed(trial);
  if (can_be_woken) close_file((int)trial);
}

static long set_up(void) {
  close_inherited();
  long error = make_socket();
  if (kymo_failed(error)) return error;
  make_wake();
  kymo_keep_iterations();
  if (!kymo_control.no_switching) kymo_control.no_switching = kymo_open_switching();
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i) clients[i].file = -1;
  return 0;
}

// --- clients ---

static void update_watch(void) {
  bool keeping = atomic_load(&kymo_stream.keeping);
  uint32_t watch = keeping ? KYMO_WATCH_ITERATIONS : 0, count = 0;
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i) {
    const struct kymo_client *c = &clients[i];
    if (c->file < 0 || !c->welcome) continue;
    ++count;
    watch |= (c->iterations ? KYMO_WATCH_ITERATIONS : 0) | (c->suspends ? KYMO_WATCH_BORDER : 0);
  }
  atomic_store(&kymo_control.clients, count);
  if (atomic_load(&kymo_control.ending)) watch = 0;
  if (atomic_exchange(&kymo.watch, watch) & ~watch & KYMO_WATCH_BORDER) kymo_release_border();
  if (keeping && !atomic_load(&kymo_stream.keeping)) update_watch(); // It ended meanwhile.
}

static void drop(struct kymo_client *c) {
  close_file(c->file);
  if (c->in) kymo_unmap(c->in, IN_BYTES);
  if (c->out) kymo_unmap(c->out, KYMO_QUEUE_BYTES);
  kymo_forget_seen(c);
  memset(c, 0, sizeof *c);
  c->file = -1;
}

static bool is_same_user(int file) {
  struct { int32_t pid; uint32_t uid, gid; } peer = {0, ~0u, ~0u};
  uint32_t size = sizeof peer;
  if (kymo_failed(call(SYS_getsockopt, file, SOL_SOCKET, SO_PEERCRED, (long)&peer, (long)&size, 0))) return false;
  return peer.uid == 0 || peer.uid == (uint32_t)call(SYS_geteuid, 0, 0, 0, 0, 0, 0);
}

static void accept_client(void) {
  long file = call(SYS_accept4, listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC, 0, 0);
  if (kymo_failed(file)) return;
  struct kymo_client *c = clients;
  while (c < clients + KYMO_MOST_CLIENTS && c->file >= 0) ++c;
  bool free = c < clients + KYMO_MOST_CLIENTS && is_same_user((int)file);
  unsigned char *in = free ? kymo_map(IN_BYTES) : 0, *out = in ? kymo_map(KYMO_QUEUE_BYTES) : 0;
  if (!out) {
    if (in) kymo_unmap(in, IN_BYTES);
    close_file((int)file);
    return;
  }
  *c = (struct kymo_client){.file = (int)file, .since = now(), .in = in, .out = out};
}

static bool says_token(const unsigned char *body, size_t size) {
  enum { MAGIC = 8 };
  size_t length = strlen(kymo_control.token);
  unsigned difference = 0;
  if (size != MAGIC + length || memcmp(body, "KYMOCTL1", MAGIC)) return false;
  for (size_t i = 0; i < length; ++i) difference |= body[MAGIC + i] ^ (unsigned char)kymo_control.token[i]; // takes the same time for each wrong one
  return !difference;
}

// Returns false when the client is to be closed without a word.
static bool take_request(struct kymo_client *c, uint32_t bytes) {
  uint32_t type = kymo_get32(c->in + 4);
  const unsigned char *body = c->in + KYMO_FRAME_HEAD;
  c->serial = kymo_get32(c->in + 8);
  if (type >> 16 != KYMO_CONTROL_VERSION) return false;
  type &= 0xffff;
  if (!c->welcome) {
    if (type != KYMO_HELLO || !says_token(body, bytes)) return false;
    c->welcome = true;
  }
  kymo_answer(c, type, body, bytes);
  update_watch();
  return !c->gone;
}

// Takes the requests that are complete, unless too much waits for the client already.
static bool take_requests(struct kymo_client *c) {
  while (c->in_used >= KYMO_FRAME_HEAD && kymo_waiting_bytes(c) < KYMO_QUEUE_BYTES / 2) {
    uint32_t bytes = kymo_get32(c->in);
    if (bytes > (c->welcome ? KYMO_MOST_REQUEST : 8 + KYMO_MOST_TOKEN)) return false;
    size_t all = KYMO_FRAME_HEAD + bytes;
    if (c->in_used < all) break;
    if (!take_request(c, bytes)) return false;
    memmove(c->in, c->in + all, c->in_used - all);
    c->in_used -= all;
  }
  return true;
}

static bool receive(struct kymo_client *c) {
  if (c->in_used < IN_BYTES) {
    long got = call(SYS_read, c->file, (long)(c->in + c->in_used), (long)(IN_BYTES - c->in_used), 0, 0, 0);
    if (got == 0) return false;
    if (kymo_failed(got)) return got == -EAGAIN || got == -EINTR;
    c->in_used += (size_t)got;
  }
  return take_requests(c);
}

static bool send_waiting(struct kymo_client *c) {
  while (kymo_waiting_bytes(c)) {
    long sent = call(SYS_sendto, c->file, (long)(c->out + c->out_begin), (long)kymo_waiting_bytes(c), MSG_NOSIGNAL | MSG_DONTWAIT, 0, 0);
    if (kymo_failed(sent)) return sent == -EAGAIN || sent == -EINTR;
    c->out_begin += (size_t)sent;
  }
  c->out_begin = c->out_end = 0;
  return true;
}

// --- what clients get without asking each time ---

static uint64_t told; // the border that clients know of

static void tell_border(void) {
  uint64_t border = atomic_load(&kymo_stream.border);
  if (border == told) return;
  told = border;
  for (int i = 0; border && i < KYMO_MOST_CLIENTS; ++i) {
    struct kymo_client *c = &clients[i];
    if (c->file < 0 || !c->suspends) continue;
    kymo_begin_message(c, KYMO_SUSPENDED, 0);
    kymo_put64(c, border);
    c->gone |= !kymo_finish_message(c);
  }
}

static void sample_stacks(uint64_t time) {
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i) {
    struct kymo_client *c = &clients[i];
    if (c->file < 0 || !c->stack_interval || time < c->next_stack) continue;
    kymo_put_stacks(c);
    uint64_t interval = c->stack_interval * 1000ull;
    c->next_stack += interval;
    if (c->next_stack <= time) c->next_stack = time + interval;
  }
}

// Returns how long the thread may sleep, in ms; -1: until it is woken.
static int patience(uint64_t time, bool busy) {
  uint64_t until = UINT64_MAX;
  bool listens = false;
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i) {
    const struct kymo_client *c = &clients[i];
    if (c->file < 0) continue;
    if (!c->welcome && c->since + HELLO_PATIENCE * 1000000ull < until) until = c->since + HELLO_PATIENCE * 1000000ull;
    if (c->stack_interval && c->next_stack < until) until = c->next_stack;
    if (kymo_calls_due(c) < until) until = kymo_calls_due(c);
    listens |= c->welcome;
  }
  if (listens && (busy || !can_be_woken) && time + COALESCE * 1000000ull < until) until = time + COALESCE * 1000000ull;
  if (until == UINT64_MAX) return -1;
  return until <= time ? 0 : (int)((until - time + 999999) / 1000000);
}

static void sleep_until_something(bool busy) {
  struct pollfd files[KYMO_MOST_CLIENTS + 2] = {{listener, POLLIN, 0}, {wake[0], POLLIN, 0}};
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i) {
    const struct kymo_client *c = &clients[i];
    bool reads = kymo_waiting_bytes(c) < KYMO_QUEUE_BYTES / 2;
    files[i + 2] = (struct pollfd){c->file, (short)((reads ? POLLIN : 0) | (kymo_waiting_bytes(c) ? POLLOUT : 0)), 0};
  }
  int wait = patience(now(), busy);
  if (wait < 0 || wait > COALESCE) {
    atomic_store(&kymo_stream.sleeping, 1);
    bool missed = atomic_load(&kymo_stream.border) != told || atomic_load(&kymo_control.ending) ||
                  (!atomic_load(&kymo_stream.keeping) && atomic_load(&kymo_stream.written) != atomic_load(&kymo_stream.read));
    if (missed) wait = 0;
  }
  struct timespec time = {wait / 1000, wait % 1000 * 1000000L};
  call(SYS_ppoll, (long)files, KYMO_MOST_CLIENTS + 2, wait < 0 ? 0 : (long)&time, 0, 8, 0);
  atomic_store(&kymo_stream.sleeping, 0);
  if (files[1].revents) {
    char bytes[64];
    call(SYS_read, wake[0], (long)bytes, sizeof bytes, 0, 0, 0);
  }
  uint64_t late = now();
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i) {
    struct kymo_client *c = &clients[i];
    if (c->file < 0 || files[i + 2].fd != c->file) continue;
    bool good = !(files[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) || receive(c);
    if (!c->welcome && late - c->since > HELLO_PATIENCE * 1000000ull) good = false;
    if (!good) drop(c);
  }
  if (files[0].revents) accept_client(); // in the place of one that is gone
}

static void send_all(void) {
  bool dropped = false;
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i) {
    struct kymo_client *c = &clients[i];
    if (c->file < 0) continue;
    if (!c->gone && send_waiting(c) && take_requests(c) && send_waiting(c)) continue;
    drop(c);
    dropped = true;
  }
  if (dropped) update_watch();
}

static size_t all_waiting(void) {
  size_t bytes = 0;
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i)
    if (clients[i].file >= 0 && clients[i].welcome) bytes += kymo_waiting_bytes(&clients[i]);
  return bytes;
}

// Sends the final counters and the end, waits for clients that still read, and closes everything.
static void finish(void) {
  enum { LAST_PATIENCE = 200 }; // ms without anything being read
  uint32_t flags = atomic_load(&kymo_control.ending) & ~KYMO_ENDING;
  kymo_forward_iterations(clients, KYMO_MOST_CLIENTS);
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i)
    if (clients[i].file >= 0 && clients[i].welcome) kymo_put_end(&clients[i], flags);
  size_t left = SIZE_MAX;
  for (uint64_t until = 0; left;) {
    for (int i = 0; i < KYMO_MOST_CLIENTS; ++i)
      if (clients[i].file >= 0 && !send_waiting(&clients[i])) drop(&clients[i]);
    size_t before = left;
    left = all_waiting();
    if (left < before) until = now() + LAST_PATIENCE * 1000000ull;
    if (now() >= until) break;
    struct timespec little = {0, 2000000};
    call(SYS_nanosleep, (long)&little, 0, 0, 0, 0, 0);
  }
  for (int i = 0; i < KYMO_MOST_CLIENTS; ++i)
    if (clients[i].file >= 0) drop(&clients[i]);
  close_file(listener);
  update_watch();
}

void kymo_serve(void) {
  long error = set_up();
  if (kymo_failed(error)) {
    kymo_control.error = (int)-error;
    become(KYMO_CONTROL_FAILED);
    return;
  }
  update_watch();
  become(KYMO_CONTROL_RUNS);
  bool busy = false;
  while (!atomic_load(&kymo_control.ending)) {
    sleep_until_something(busy);
    update_watch();
    uint64_t before = atomic_load(&kymo_stream.read);
    kymo_forward_iterations(clients, KYMO_MOST_CLIENTS);
    busy = atomic_load(&kymo_stream.read) != before;
    tell_border();
    sample_stacks(now());
    kymo_sample_calls(clients, KYMO_MOST_CLIENTS, now());
    send_all();
  }
  finish();
  become(KYMO_CONTROL_ENDED);
}
