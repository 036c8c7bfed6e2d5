// Whether the process can be watched, and the begin and the end of the server's thread.
//
// The thread is made by the kernel alone: libc does not count it, so a program with one thread stays one for libc (its locks stay cheap, and the process ends
// with its last thread). It has descriptors, a folder and a mask of its own, so that the program sees no descriptor that it did not open, and a child of
// fork has none of it.
#include "control.h"
#include "live.h"
#include "../libc.h"

#include <sched.h>

struct kymo_control kymo_control = {.no_switching = "nobody asked to watch this process (KYMO_CONTROL)"};

enum { STACK_BYTES = 1 << 17, FUTEX_WAIT = 0 };

static void cannot(const char *why, const char *what) { kymo_say("this process cannot be watched: ", why, what, 0); }

static bool take_token(const char *text, size_t length) {
  while (length && (text[length - 1] == '\n' || text[length - 1] == '\r')) --length;
  if (!length || length > KYMO_MOST_TOKEN) return false;
  memcpy(kymo_control.token, text, length);
  kymo_control.token[length] = 0;
  return true;
}

// Reads the file `token` of the folder, which nobody but its owner may read.
static bool read_token_file(void) {
  char path[PATH_MAX + 8], text[KYMO_MOST_TOKEN + 3];
  struct stat status;
  path[0] = 0;
  strncat(path, kymo_control.folder, PATH_MAX);
  strcat(path, "/token");
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  bool good = !fstat(file, &status) && S_ISREG(status.st_mode) && !(status.st_mode & 077) &&
              status.st_uid == (uid_t)kymo_syscall(SYS_geteuid, 0, 0, 0, 0, 0, 0);
  ssize_t got = good ? read(file, text, sizeof text) : 0;
  close(file);
  return got > 0 && take_token(text, (size_t)got);
}

static void name_program(void) {
  const char *slash = strrchr(program_invocation_name, '/');
  strncpy(kymo_control.program, slash ? slash + 1 : program_invocation_name, sizeof kymo_control.program - 1);
}

static void name_socket(void) {
  char host[48], number[24];
  kymo_host_name(host);
  strcpy(kymo_control.name, host);
  strcat(kymo_control.name, ".");
  strcat(kymo_control.name, kymo_decimal((uint64_t)getpid(), number));
  strcat(kymo_control.name, ".control");
}

void kymo_control_prepare(void) {
  const char *folder = getenv("KYMO_CONTROL"), *token = getenv("KYMO_CONTROL_TOKEN");
  if (!folder || !*folder) return;
  if (!kymo_absolute(folder, kymo_control.folder) || access(kymo_control.folder, W_OK | X_OK)) {
    kymo_control.folder[0] = 0;
    cannot("cannot write to the folder in KYMO_CONTROL: ", folder);
    return;
  }
  if (token && *token ? !take_token(token, strlen(token)) : !read_token_file()) {
    kymo_control.folder[0] = 0;
    cannot("neither KYMO_CONTROL_TOKEN nor a file 'token' that only its owner can read gives a token of 1 to 128 bytes, in ", folder);
    return;
  }
  name_program();
  name_socket();
  kymo_control.no_switching = kymo_prepare_switching();
  kymo.watchable = true;
}

void kymo_control_start(void) {
  struct kymo_control *c = &kymo_control;
  if (!c->folder[0] || kymo.quiet || atomic_load(&c->state) != KYMO_CONTROL_OFF) return;
  char *stack = kymo_map(STACK_BYTES);
  c->pid = getpid();
  atomic_store(&c->state, KYMO_CONTROL_STARTS);
  uint64_t signals = kymo_block_signals(); // The thread inherits the mask: it never takes a signal of the program.
  unsigned long flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  long result = stack ? kymo_clone(flags, stack + STACK_BYTES, &c->tid, kymo_serve) : -ENOMEM;
  kymo_restore_signals(signals);
  if (kymo_failed(result)) c->error = (int)-result, atomic_store(&c->state, KYMO_CONTROL_FAILED);
  while (atomic_load(&c->state) == KYMO_CONTROL_STARTS) kymo_syscall(SYS_futex, (long)&c->state, FUTEX_WAIT, KYMO_CONTROL_STARTS, 0, 0, 0);
  if (atomic_load(&c->state) == KYMO_CONTROL_FAILED) cannot(strerror(c->error), 0);
}

static void wait_while(_Atomic uint32_t *word, uint32_t value, uint64_t until) {
  while (atomic_load(word) == value) {
    uint64_t now = kymo_nanoseconds(CLOCK_MONOTONIC);
    if (now >= until) return;
    struct timespec left = {(time_t)((until - now) / 1000000000), (long)((until - now) % 1000000000)};
    kymo_syscall(SYS_futex, (long)word, FUTEX_WAIT, (long)value, (long)&left, 0, 0);
  }
}

static void remove_socket(void) {
  char path[PATH_MAX + 128];
  path[0] = 0;
  strncat(path, kymo_control.folder, PATH_MAX);
  strcat(path, "/");
  strcat(path, kymo_control.name);
  int before = errno;
  unlink(path);
  errno = before;
}

// Gives the server some time to send what there is. Clients that do not read cannot hold the process; those that are slow hold it for two seconds.
void kymo_control_end(uint32_t flags, bool stop) {
  enum { PATIENCE = 2000000000 /* ns */ };
  struct kymo_control *c = &kymo_control;
  if (atomic_load(&c->state) != KYMO_CONTROL_RUNS || c->pid != getpid()) return;
  uint32_t none = 0;
  if (!atomic_compare_exchange_strong(&c->ending, &none, flags | atomic_load(&kymo.flags) | KYMO_ENDING)) return;
  remove_socket();
  atomic_store(&kymo.watch, 0);
  kymo_release_border();
  if (!stop && !atomic_load(&c->clients)) return;
  kymo_wake_server();
  uint64_t until = kymo_nanoseconds(CLOCK_MONOTONIC) + PATIENCE;
  wait_while(&c->state, KYMO_CONTROL_RUNS, until);
  for (uint32_t tid; stop && (tid = atomic_load(&c->tid)) && kymo_nanoseconds(CLOCK_MONOTONIC) < until;) wait_while(&c->tid, tid, until);
}

void kymo_control_forget(void) {
  atomic_store(&kymo_control.state, KYMO_CONTROL_OFF);
  atomic_store(&kymo_control.clients, 0);
  atomic_store(&kymo_control.tid, 0);
  atomic_store(&kymo_stream.keeping, 0);
  kymo_control.folder[0] = 0;
  atomic_store(&kymo.watch, 0);
  kymo.watchable = false;
  kymo_release_switching();
}

// The clock of another thread, as in gaps.c.
uint64_t kymo_control_cpu_time(void) {
  enum { PER_THREAD = 4, SCHEDULED = 2 };
  uint32_t tid = atomic_load(&kymo_control.tid);
  struct timespec time = {0, 0};
  if (!tid || kymo_syscall(SYS_clock_gettime, (long)(int)(~tid << 3 | PER_THREAD | SCHEDULED), (long)&time, 0, 0, 0, 0)) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
