// Writes the result file (docs/formats.md) under a temporary name and renames it.
#include "session.h"
#include "libc.h"

struct header {
  char magic[8];
  uint32_t flags, threads;
  uint64_t selection;
  uint32_t pid, parent;
  uint64_t begin, end;
  double ticks_per_second;
  double sled[4], entry[4];
  uint64_t mapped, node_bytes;
  uint32_t rank, ranks;
  char host[48];
  double sampled_sled[4], sampled_entry[4];
  uint64_t iterations;
  uint32_t regions, region_bytes; // number and size of the user regions
  uint64_t cpu_time;              // CPU time of the process in ns
  struct kymo_perf_use counters;
  uint64_t reserved[2];
};
_Static_assert(sizeof(struct header) == 320, "docs/formats.md");

struct thread_record {
  uint32_t number, nodes;
  uint64_t begin, end;
  uint64_t preempted, cpu_time; // in ns
};
_Static_assert(sizeof(struct thread_record) == 40, "docs/formats.md");

struct node_record {
  uint32_t parent, slot;
  uint64_t visits, ticks, min, max, events;
};
_Static_assert(sizeof(struct node_record) == 48, "docs/formats.md");

struct output {
  int file, error;
  size_t used;
  uint64_t position; // offset of the buffer in the file
  char buffer[1 << 16];
};

static void flush(struct output *out) {
  for (size_t done = 0; done < out->used && !out->error;) {
    ssize_t written = write(out->file, out->buffer + done, out->used - done);
    if (written > 0) done += (size_t)written;
    else if (written == 0) out->error = EIO;
    else if (errno != EINTR) out->error = errno;
  }
  out->position += out->used;
  out->used = 0;
}

static void put(struct output *out, const void *data, size_t bytes) {
  if (out->used + bytes > sizeof out->buffer) flush(out);
  memcpy(out->buffer + out->used, data, bytes);
  out->used += bytes;
}

// The position of the walk on one level of the tree.
struct level {
  struct kymo_children children;
  uint32_t index;
};

struct walk {
  struct level *levels;
  size_t depth, room;
};

static bool descend(struct walk *walk, const struct kymo_node *node, uint32_t index) {
  if (walk->depth == walk->room) {
    size_t room = walk->room ? walk->room * 2 : 128;
    struct level *levels = kymo_map(room * sizeof *levels);
    if (!levels) return false;
    if (walk->room) {
      memcpy(levels, walk->levels, walk->room * sizeof *levels);
      kymo_unmap(walk->levels, walk->room * sizeof *levels);
    }
    walk->levels = levels;
    walk->room = room;
  }
  walk->levels[walk->depth++] = (struct level){kymo_children_of(node), index};
  return true;
}

static void put_node(struct output *out, const struct kymo_node *node, uint32_t parent) {
  struct node_record record = {parent, kymo_plain_slot(node->slot), node->visits, kymo_ticks_of(node), node->min, node->max, node->events};
  if (kymo_is_phase(node->slot)) record.max = kymo_phase_maximum(node);
  if (kymo_is_flat(node->slot)) record.max = kymo_flat_maximum(node);
  if (kymo_is_counter(node->slot)) record.min = record.max = record.events = 0;
  if (record.min > record.max) record.min = record.max;
  put(out, &record, sizeof record);
}

// Walks the tree without recursion, because it may be deep.
static bool put_tree(struct output *out, struct walk *walk, const struct kymo_thread *t, uint32_t *count) {
  uint64_t ticks = t->lifetime;
  struct node_record root = {UINT32_MAX, KYMO_SLOT_ROOT, 1, ticks, ticks, ticks, t->events};
  put(out, &root, sizeof root);
  *count = 1;
  walk->depth = 0;
  if (!descend(walk, t->root, 0)) return false;
  while (walk->depth) {
    struct level *level = &walk->levels[walk->depth - 1];
    const struct kymo_node *node = kymo_next_child(&level->children);
    if (!node) {
      --walk->depth;
      continue;
    }
    if (kymo_is_counter(node->slot) && !node->visits) continue;
    put_node(out, node, level->index);
    if (!descend(walk, node, (*count)++)) return false;
  }
  return true;
}

static bool put_thread(struct output *out, struct walk *walk, const struct kymo_thread *t) {
  struct thread_record record = {t->number, 0, t->begin, t->end, t->preempted, t->cpu};
  uint64_t at = out->position + out->used;
  put(out, &record, sizeof record);
  if (!put_tree(out, walk, t, &record.nodes)) {
    out->error = ENOMEM;
    return false;
  }
  // The number of nodes is known only now; usually the record is still in the buffer.
  if (at >= out->position) memcpy(out->buffer + (at - out->position), &record, sizeof record);
  else if (!out->error && pwrite(out->file, &record, sizeof record, (off_t)at) != (ssize_t)sizeof record) out->error = errno;
  return !out->error;
}

static void scale(double out[4], struct kymo_calibration c, double per_second) {
  out[0] = c.pair / per_second;
  out[1] = c.spread / per_second;
  out[2] = c.inside / per_second;
  out[3] = c.outside / per_second;
}

static void scale_sampled(double out[4], struct kymo_sampled_calibration c, double per_second) {
  out[0] = c.counted / per_second;
  out[1] = c.spread / per_second;
  out[2] = c.pair / per_second;
  out[3] = c.inside / per_second;
}

void kymo_costs(double costs[16], double per_second) {
  scale(costs, kymo_session.sled, per_second);
  scale(costs + 4, kymo_session.entry, per_second);
  scale_sampled(costs + 8, kymo_session.sampled_sled, per_second);
  scale_sampled(costs + 12, kymo_session.sampled_entry, per_second);
}

static void count_region(void *data, const void *bytes, size_t size) {
  struct header *h = data;
  if (!bytes) ++h->regions;
  h->region_bytes += (uint32_t)size;
}

static void put_region(void *data, const void *bytes, size_t size) {
  if (bytes) put(data, bytes, size);
}

double kymo_ticks_per_second(uint64_t now) {
  uint64_t nanoseconds = kymo_session.end_monotonic - kymo_session.begin_monotonic;
  return kymo_fast_timer && nanoseconds ? (double)(now - kymo_session.begin_tick) * 1e9 / (double)nanoseconds : 1e9;
}

static struct header make_header(uint64_t now, uint32_t flags, const char *host) {
  struct header h = {.magic = "KYMORES4", .selection = kymo_session.selection_id, .pid = (uint32_t)getpid(), .parent = (uint32_t)getppid()};
  h.flags = atomic_load(&kymo.flags) | flags;
  h.begin = kymo_session.begin_real;
  h.end = kymo_nanoseconds(CLOCK_REALTIME);
  h.ticks_per_second = kymo_ticks_per_second(now);
  scale(h.sled, kymo_session.sled, h.ticks_per_second);
  scale(h.entry, kymo_session.entry, h.ticks_per_second);
  scale_sampled(h.sampled_sled, kymo_session.sampled_sled, h.ticks_per_second);
  scale_sampled(h.sampled_entry, kymo_session.sampled_entry, h.ticks_per_second);
  h.mapped = atomic_load(&kymo.mapped);
  h.node_bytes = atomic_load(&kymo.node_bytes);
  h.rank = kymo_session.rank;
  h.ranks = kymo_session.ranks;
  h.iterations = kymo_recorded_iterations();
  h.cpu_time = kymo_session.cpu_time;
  h.counters = kymo_perf_used();
  kymo_put_regions(count_region, &h);
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) ++h.threads;
  strncpy(h.host, host, sizeof h.host - 1);
  return h;
}

void kymo_host_name(char host[48]) {
  struct utsname system;
  strcpy(host, "localhost");
  if (!uname(&system) && system.nodename[0]) strncpy(host, system.nodename, 47);
  host[47] = 0;
  for (char *c = host; *c; ++c)
    if (*c == '/' || *c < ' ') *c = '_';
}

static void file_name(char *name, size_t bytes, const char *host, const char *extension) {
  char number[24];
  name[0] = 0;
  strncat(name, kymo_session.results, bytes - 1);
  strncat(name, "/", bytes - strlen(name) - 1);
  strncat(name, host, bytes - strlen(name) - 1);
  strncat(name, ".", bytes - strlen(name) - 1);
  strncat(name, kymo_decimal((uint64_t)getpid(), number), bytes - strlen(name) - 1);
  strncat(name, extension, bytes - strlen(name) - 1);
}

static void write_all(struct output *out, uint64_t now, uint32_t flags, const char *host) {
  struct header header = make_header(now, flags, host);
  struct walk walk = {0, 0, 0};
  put(out, &header, sizeof header);
  uint32_t left = header.threads;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t && left; t = t->next, --left)
    if (!put_thread(out, &walk, t)) break;
  if (walk.room) kymo_unmap(walk.levels, walk.room * sizeof *walk.levels);
  kymo_put_regions(put_region, out);
  flush(out);
}

void kymo_swallow_size_signal(void) {
  sigset_t set;
  struct timespec none = {0, 0};
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  sigtimedwait(&set, 0, &none);
}

bool kymo_size_signal_pending(void) {
  sigset_t set;
  return !sigpending(&set) && sigismember(&set, SIGXFSZ) == 1;
}

void kymo_result_name(char *name, size_t bytes, const char *extension) {
  char host[48];
  kymo_host_name(host);
  file_name(name, bytes, host, extension);
}

void kymo_name_iterations(void) {
  if (kymo_session.results[0]) kymo_result_name(kymo_session.iterations, sizeof kymo_session.iterations, ".iterations");
}

// The buffer is not on the stack: the program's may be small.
static struct output out;

static void write_to(int file, uint64_t now, uint32_t flags, const char *host) {
  bool pending = kymo_size_signal_pending();
  memset(&out, 0, offsetof(struct output, buffer));
  out.file = file;
  if (file < 0) out.error = errno ? errno : EIO;
  else write_all(&out, now, flags, host);
  if (out.error == EFBIG && !pending) kymo_swallow_size_signal();
}

bool kymo_write_result(uint64_t now, uint32_t flags) {
  static char temporary[PATH_MAX + 128], final[PATH_MAX + 128];
  char host[48];
  kymo_host_name(host);
  file_name(temporary, sizeof temporary, host, ".kymo.tmp");
  file_name(final, sizeof final, host, ".kymo");
  int before = errno;
  write_to(open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666), now, flags, host);
  if (out.file >= 0) {
    if (close(out.file) && !out.error) out.error = errno;
    if (!out.error && rename(temporary, final)) out.error = errno;
    if (out.error) unlink(temporary);
  }
  if (out.error) kymo_say("the result could not be written: ", final, ": ", strerror(out.error));
  errno = before;
  return !out.error;
}

int kymo_result_in_memory(uint64_t now) {
  char host[48];
  kymo_host_name(host);
  int before = errno;
  write_to((int)kymo_syscall(SYS_memfd_create, (long)"kymo", 1 /* MFD_CLOEXEC */, 0, 0, 0, 0), now, 0, host);
  if (out.error && out.file >= 0) close(out.file);
  errno = before;
  return out.error ? -1 : out.file;
}

void kymo_remove_result(void) {
  char name[PATH_MAX + 128], host[48];
  int before = errno;
  kymo_host_name(host);
  file_name(name, sizeof name, host, ".kymo");
  unlink(name);
  errno = before;
}
