// The call stacks of threads that compute, with all functions of the program: what Deep Start of a diagnosis begins with, and whether a function runs at this
// moment. Each thread is asked by a signal that the program does not use and that is ignored by default; its handler copies the registers, the innermost part of the stack, and what the
// runtime keeps of open visits, because their return addresses are not on the stack. The watcher finds the callers in that (src/formats/elf/frames).
//
// Threads that wait are left alone, so that no call of theirs ends early. A thread may begin to wait before the signal reaches it (kymo_repeat_call).
#include "control.h"
#include "../libc.h"

#if defined(__x86_64__)
#include "../x86-64/registers.h"
#else
#include "../aarch64/registers.h"
#endif

#include <sys/uio.h>

enum {
  MOST_THREADS = 256,     // in a sample
  MOST_STACK = 1 << 15,   // bytes of a thread's stack
  MOST_FRAMES = 128,      // open visits of a thread with their return addresses
  PIECE = 4096,           // The kernel copies whole pieces; a page is not smaller.
  ANSWER_PATIENCE = 50,   // ms
  FIRST_LOOK = 1,         // ms after they were asked; then after twice that time, and so on, because those that wait for a processor wait for long
};

// Signals that a process ignores by default: one that is still on its way when the thread executes another program does nothing to that one.
static const unsigned char harmless[] = {SIGURG, SIGWINCH};

// Who owns a place: FREE and DONE the server, COPYING the handler. ASKED and LATE are left by whoever comes first.
enum place_state { FREE, ASKED, COPYING, DONE, LATE };

struct kept_frame {
  uint64_t at, ret, saved; // the first two words of a frame, and their address
};

struct place {
  _Atomic uint32_t state;
  uint32_t tid;
  bool wanted; // in the sample that is under way
  uint32_t frame_count, stack_bytes;
  uint64_t registers[KYMO_REGISTERS];
  struct kept_frame frames[MOST_FRAMES];
  unsigned char stack[MOST_STACK];
};

static struct place *places; // MOST_THREADS of them,
static uint32_t used;        // of which only so many have been used so far: looking at all of them takes long
static int chosen;           // the signal; 0: none yet

static struct {
  bool is_under_way;
  uint64_t begin, look, tick; // `look`: when the server sees next who has answered; begin and look in ns
  uint32_t missing; // threads that run and cannot be asked
} sample;

static long call(long number, long a, long b, long c, long d, long e, long f) { return kymo_syscall(number, a, b, c, d, e, f); }

// --- the handler: registers and system calls only ---

static size_t copy(void *to, uintptr_t from, size_t most) {
  struct iovec local = {to, most}, pieces[MOST_STACK / PIECE];
  size_t count = 0;
  for (uintptr_t at = from; count < MOST_STACK / PIECE && most; ++count) {
    size_t bytes = PIECE - at % PIECE;
    if (bytes > most) bytes = most;
    pieces[count] = (struct iovec){(void *)at, bytes};
    at += bytes, most -= bytes;
  }
  long copied = call(SYS_process_vm_readv, kymo.pid, (long)&local, 1, (long)pieces, (long)count, 0);
  return kymo_failed(copied) ? 0 : (size_t)copied;
}

// Frames stay readable for ever. The thread itself is here, so its list does not change meanwhile.
static uint32_t copy_frames(struct kept_frame *to) {
  enum { MOST_STEPS = 1 << 14 };
  const struct kymo_thread *t = kymo_self;
  uint32_t count = 0, steps = 0;
  if (!t) return 0;
  for (const struct kymo_frame *frame = t->top; frame && frame->up && count < MOST_FRAMES && steps < MOST_STEPS; frame = frame->up, ++steps)
    if (frame->ret) to[count++] = (struct kept_frame){(uintptr_t)frame, frame->ret, frame->saved};
  return count;
}

static void fill(struct place *p, ucontext_t *context) {
  kymo_read_registers(context, p->registers);
  p->frame_count = copy_frames(p->frames);
  p->stack_bytes = (uint32_t)copy(p->stack, p->registers[KYMO_STACK_POINTER], MOST_STACK);
  unsigned char code[KYMO_CALL_BYTES];
  if (kymo_ended_early(context) && copy(code, p->registers[KYMO_REGISTERS - 1] - sizeof code, sizeof code) == sizeof code) kymo_repeat_call(context, code);
}

struct kernel_action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

static void handler(int number, siginfo_t *info, void *context) {
  uintptr_t distance = (uintptr_t)info->si_value.sival_ptr - (uintptr_t)places;
  if (kymo.quiet) return;
  if (info->si_code != SI_QUEUE || !places || distance >= MOST_THREADS * sizeof *places || distance % sizeof *places) {
    // The program sent it, and nothing handles it: what happens is what would have happened.
    const struct kernel_action none = {0, 0, 0, 0};
    call(SYS_rt_sigaction, number, (long)&none, 0, sizeof none.mask, 0, 0);
    call(SYS_tgkill, kymo.pid, call(SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
    return;
  }
  struct place *p = places + distance / sizeof *places;
  uint32_t asked = ASKED, late = LATE;
  if (!atomic_compare_exchange_strong(&p->state, &asked, COPYING)) {
    atomic_compare_exchange_strong(&p->state, &late, FREE);
    return;
  }
  fill(p, context);
  atomic_store(&p->state, DONE);
}

// --- the signal ---

static bool is_ours(int number) {
  struct kernel_action now = {0, 0, 0, 0};
  return number && !kymo_failed(call(SYS_rt_sigaction, number, 0, (long)&now, sizeof now.mask, 0, 0)) && now.handler == handler;
}

static int take_signal(void) {
  const struct kernel_action ours = {handler, SA_SIGINFO | SA_RESTART | SA_ONSTACK | KYMO_SIGNAL_FLAGS, kymo_signal_return, ~0ull};
  struct kernel_action now;
  for (size_t i = 0; i < sizeof harmless; ++i) {
    int number = harmless[i];
    if (kymo_failed(call(SYS_rt_sigaction, number, 0, (long)&now, sizeof now.mask, 0, 0)) || now.handler) continue;
    if (!kymo_failed(call(SYS_rt_sigaction, number, (long)&ours, 0, sizeof ours.mask, 0, 0))) return number;
  }
  return 0;
}

static long queue(uint32_t tid, int number, void *value) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = number;
  info.si_code = SI_QUEUE;
  info.si_pid = kymo.pid;
  info.si_value.sival_ptr = value;
  return call(SYS_rt_tgsigqueueinfo, kymo.pid, tid, number, (long)&info, 0, 0);
}

// Returns why call stacks cannot be sampled; NULL: they can. The handler stays until the end of the process, because a signal may be on its way.
static const char *prepare(void) {
  uint64_t word = 1, read = 0;
  if (copy(&read, (uintptr_t)&word, sizeof word) != sizeof word || read != word) return "the kernel does not let a process read its own stack here (process_vm_readv)";
  if (kymo_failed(queue((uint32_t)call(SYS_gettid, 0, 0, 0, 0, 0, 0), 0, 0))) return "the kernel does not let a process signal its threads here (rt_tgsigqueueinfo)";
  if (!places && !(places = kymo_map(MOST_THREADS * sizeof *places))) return "out of memory";
  if (!is_ours(chosen)) chosen = take_signal();
  return chosen ? 0 : "the program handles the signals that could ask its threads itself (SIGURG and SIGWINCH)";
}

// --- a sample ---

static long open_task(uint32_t tid, const char *what) {
  char path[64] = "/proc/self/task", number[24];
  if (tid) {
    strcat(path, "/");
    strcat(path, kymo_decimal(tid, number));
    strcat(path, what);
  }
  return call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

static const char *value_of(const char *text, const char *key) {
  size_t length = strlen(key);
  for (; *text; ++text)
    if (*text == '\n' && !memcmp(text + 1, key, length)) return text + 1 + length;
  return 0;
}

static uint64_t hexadecimal(const char *text) {
  uint64_t value = 0;
  for (;; ++text) {
    if (*text >= '0' && *text <= '9') value = value << 4 | (uint64_t)(*text - '0');
    else if (*text >= 'a' && *text <= 'f') value = value << 4 | (uint64_t)(*text - 'a' + 10);
    else return value;
  }
}

// What the kernel says of a thread: whether it runs, or is ready to, and which signals it blocks.
static bool runs(uint32_t tid, uint64_t *blocked) {
  enum { ROOM = 4096, SLACK = 32 };
  static char text[ROOM + SLACK];
  long file = open_task(tid, "/status");
  if (kymo_failed(file)) return false;
  long got = call(SYS_read, file, (long)text, ROOM, 0, 0, 0);
  call(SYS_close, file, 0, 0, 0, 0, 0);
  if (kymo_failed(got)) return false;
  memset(text + got, 0, SLACK);
  const char *state = value_of(text, "State:\t"), *mask = value_of(text, "SigBlk:\t");
  if (!state || !mask) return false;
  *blocked = hexadecimal(mask);
  return *state == 'R';
}

// A thread that still owes an answer is not asked again; the place of one that has ended is free.
static struct place *place_for(uint32_t tid) {
  struct place *found = 0;
  for (struct place *p = places; p < places + used; ++p) {
    uint32_t state = atomic_load(&p->state);
    if (state == DONE && !p->wanted) atomic_store(&p->state, state = FREE);
    if (state == LATE && kymo_failed(call(SYS_tgkill, kymo.pid, p->tid, 0, 0, 0, 0))) atomic_store(&p->state, state = FREE);
    if (state != FREE && p->tid == tid) return 0;
    if (state == FREE && !found) found = p;
  }
  return found || used == MOST_THREADS ? found : places + used++;
}

static void ask_thread(uint32_t tid) {
  uint64_t blocked = 0;
  if (tid == atomic_load(&kymo_control.tid) || !runs(tid, &blocked)) return;
  struct place *p = blocked >> (chosen - 1) & 1 ? 0 : place_for(tid);
  if (!p) {
    ++sample.missing;
    return;
  }
  p->tid = tid;
  p->wanted = true;
  atomic_store(&p->state, ASKED);
  if (!kymo_failed(queue(tid, chosen, p))) return;
  p->wanted = false;
  atomic_store(&p->state, FREE);
  ++sample.missing;
}

static void ask_threads(uint64_t time) {
  struct entry {
    uint64_t inode, offset;
    unsigned short bytes;
    unsigned char type;
    char name[];
  };
  static _Alignas(8) char entries[8192];
  sample.is_under_way = true;
  sample.begin = time;
  sample.look = time + FIRST_LOOK * 1000000ull;
  sample.tick = kymo_now();
  sample.missing = 0;
  long folder = open_task(0, 0);
  if (kymo_failed(folder)) return;
  for (long got; (got = call(SYS_getdents64, folder, (long)entries, sizeof entries, 0, 0, 0)) > 0;)
    for (long at = 0; at < got;) {
      const struct entry *entry = (const struct entry *)(entries + at);
      uint32_t tid = 0;
      for (const char *c = entry->name; *c >= '0' && *c <= '9'; ++c) tid = tid * 10 + (uint32_t)(*c - '0');
      if (tid) ask_thread(tid);
      at += entry->bytes;
    }
  call(SYS_close, folder, 0, 0, 0, 0, 0);
}

// Tests whether all threads have answered; those that do not in time are not waited for.
static bool is_complete(uint64_t time) {
  bool late = time >= sample.begin + ANSWER_PATIENCE * 1000000ull, waits = false;
  for (struct place *p = places; p < places + used; ++p) {
    if (!p->wanted || atomic_load(&p->state) == DONE) continue;
    uint32_t asked = ASKED;
    if (!late) {
      waits = true;
      continue;
    }
    atomic_compare_exchange_strong(&p->state, &asked, LATE);
    if (atomic_load(&p->state) == DONE) continue;
    p->wanted = false;
    ++sample.missing;
  }
  return !waits;
}

static void put_thread(struct kymo_client *c, const struct place *p, size_t share) {
  size_t rest = 4 * sizeof(uint32_t) + sizeof p->registers + p->frame_count * sizeof *p->frames;
  uint32_t bytes = rest + p->stack_bytes <= share ? p->stack_bytes : (uint32_t)(share - rest);
  kymo_put32(c, p->tid);
  kymo_put32(c, KYMO_REGISTERS);
  kymo_put(c, p->registers, sizeof p->registers);
  kymo_put32(c, p->frame_count);
  kymo_put(c, p->frames, p->frame_count * sizeof *p->frames);
  kymo_put32(c, bytes);
  kymo_put(c, p->stack, bytes);
}

// `why`: the sample is the last one, and has no threads.
static void put_sample(struct kymo_client *c, const char *why) {
  enum { HEAD = 1024 };
  uint32_t count = 0, serial = c->calls_serial;
  c->awaits_calls = false;
  c->calls_serial = 0;
  if (!serial && kymo_waiting_bytes(c) > KYMO_SAMPLE_QUEUE_BYTES) {
    ++c->lost;
    return;
  }
  for (const struct place *p = places; !why && p < places + used; ++p) count += p->wanted;
  kymo_begin_message(c, KYMO_CALL_STACKS, serial);
  kymo_put64(c, why ? kymo_now() : sample.tick);
  kymo_put64(c, c->lost);
  kymo_put32(c, why ? 0 : sample.missing);
  kymo_put32(c, why ? (uint32_t)strlen(why) : 0);
  if (why) kymo_put(c, why, strlen(why));
  kymo_put32(c, count);
  for (const struct place *p = places; count && p < places + used; ++p)
    if (p->wanted) put_thread(c, p, (KYMO_MOST_MESSAGE - HEAD) / count);
  if (!kymo_finish_message(c)) ++c->lost;
}

static bool is_due(const struct kymo_client *c, uint64_t time) {
  return c->file >= 0 && (c->calls_serial || (c->calls_interval && time >= c->next_calls));
}

static void finish(struct kymo_client *clients, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (clients[i].file >= 0 && clients[i].awaits_calls) put_sample(&clients[i], 0);
  for (struct place *p = places; p < places + used; ++p) {
    if (p->wanted) atomic_store(&p->state, FREE);
    p->wanted = false;
  }
  sample.is_under_way = false;
}

static void stop(struct kymo_client *c, const char *why) {
  if (c->calls_serial) {
    uint32_t serial = c->serial;
    c->serial = c->calls_serial;
    kymo_refuse(c, KYMO_OTHER, why);
    c->serial = serial;
    c->calls_serial = 0;
  }
  if (c->calls_interval) put_sample(c, why);
  c->calls_interval = 0;
}

void kymo_sample_calls(struct kymo_client *clients, size_t count, uint64_t time) {
  if (sample.is_under_way && time < sample.look) return;
  if (sample.is_under_way && !is_complete(time)) {
    sample.look = time + (time - sample.begin);
    return;
  }
  if (sample.is_under_way) finish(clients, count);
  bool due = false;
  for (size_t i = 0; i < count; ++i) due |= is_due(&clients[i], time);
  if (!due) return;
  const char *why = prepare();
  for (size_t i = 0; i < count; ++i) {
    struct kymo_client *c = &clients[i];
    if (!is_due(c, time)) continue;
    if (why) {
      stop(c, why);
      continue;
    }
    c->awaits_calls = true;
    if (!c->calls_interval || time < c->next_calls) continue;
    c->next_calls += c->calls_interval * 1000ull;
    if (c->next_calls <= time) c->next_calls = time + c->calls_interval * 1000ull;
  }
  if (!why) ask_threads(time);
}

uint64_t kymo_calls_due(const struct kymo_client *c) {
  if (sample.is_under_way) return sample.look;
  return c->calls_interval ? c->next_calls : UINT64_MAX;
}

const char *kymo_cannot_sample_calls(void) { return prepare(); }

// --- where code comes from ---

// Sends the lines of the kernel's list that are of code.
void kymo_put_code(struct kymo_client *c) {
  static char text[2 * PATH_MAX];
  size_t used = 0;
  kymo_begin_message(c, KYMO_CODE, c->serial);
  long file = call(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);
  for (long got; !kymo_failed(file) && (got = call(SYS_read, file, (long)(text + used), (long)(sizeof text - used), 0, 0, 0)) > 0;) {
    used += (size_t)got;
    size_t at = 0;
    for (const char *end; (end = memchr(text + at, '\n', used - at)); at = (size_t)(end - text) + 1) {
      size_t length = (size_t)(end - text) + 1 - at;
      const char *rights = memchr(text + at, ' ', length);
      if (rights && end - rights > 4 && rights[3] == 'x') kymo_put(c, text + at, length);
    }
    memmove(text, text + at, used -= at);
    if (used == sizeof text) used = 0; // no line of the kernel's
  }
  if (!kymo_failed(file)) call(SYS_close, file, 0, 0, 0, 0, 0);
  c->gone |= !kymo_finish_message(c);
}
