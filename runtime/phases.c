// Iterations: at the end of each visit of a phase, the runtime writes to a file what the visit has added to the call tree. It keeps only
// totals in memory, so memory does not grow with the number of iterations.
//
// The node of a phase has a slot that no site has and a maximum of 0, so that kymo_child is called at the begin of each visit and
// kymo_longest at its end; both continue here. Other visits pay nothing. For each node, `written` holds the totals up to the last sample;
// the difference belongs to the iteration that ends.
//
// One thread owns the iterations: the first one that visits a phase, and another one after that thread has ended. From the other threads a
// sample takes the visits that ended between the begin and the end of the iteration. With OpenMP these are all their visits in the parallel
// regions of the iteration. A visit that is still open counts in the iteration in which it ends. The trees of other threads may change
// while they are read: counters only grow, and a later sample contains the increments that one sample misses.
#include "session.h"
#include "trace.h"

#include <fcntl.h>
#include <signal.h>

// Totals of a node in the samples so far, found by the node's number.
struct written {
  uint64_t visits, ticks, events;
  uint64_t max; // maximum of a phase, whose node holds 0
};

// Keys of the file (docs/formats.md). A key from KEY_VALUES on contains the number of a node, and the node's values follow it.
enum key { KEY_END, KEY_NODE, KEY_PHASE, KEY_CUT_SHORT, KEY_PREEMPTED, KEY_VALUES };

enum { BUFFER = 1 << 16, MOST_VARINT = 10, FIRST_BLOCK_LOG2 = 7, BLOCKS = 24 };

struct level {
  struct kymo_children children;
  uint32_t number; // number of the node
  uint32_t left;   // limit of steps: another thread may move children to the front meanwhile, which could lead the walk in circles
  bool first;
};

static struct {
  struct kymo_thread *_Atomic owner;
  _Atomic uint32_t busy;
  uint32_t numbers;                // count of numbers in use
  struct written *blocks[BLOCKS];  // each block is twice as long as the previous one
  struct level *levels;            // stack of the walk
  size_t level_room;
  char *buffer;
  size_t used, complete;           // bytes in the buffer, and how many of them belong to complete iterations
  bool begun, broken;              // state of the file
  uint64_t iterations;
  uint64_t beyond;                 // iterations that the file lacks, because it is broken; those who watch get them
  bool streams;                    // The iteration also goes to those who watch,
  size_t streamed;                 // whose part of the buffer begins here.
  uint64_t preempted;              // of the owner at the begin of the iteration, in ns
} phases;

uint64_t kymo_iteration_count(void) { return phases.iterations; }
uint64_t kymo_recorded_iterations(void) { return phases.iterations - phases.beyond; }

uint32_t kymo_iteration_of(const struct kymo_thread *t) { return atomic_load(&phases.owner) == t ? (uint32_t)phases.iterations + 1 : 0; }

static bool enter(void) { return !atomic_exchange(&phases.busy, 1); }
static void leave(void) { atomic_store(&phases.busy, 0); }

// --- the totals written for a node ---

static struct written *written_at(uint32_t number) {
  uint32_t index = number - 1 + (1u << FIRST_BLOCK_LOG2), log2 = 31 - (uint32_t)__builtin_clz(index);
  return &phases.blocks[log2 - FIRST_BLOCK_LOG2][index - (1u << log2)];
}

static bool give_number(struct kymo_node *node) {
  uint32_t index = phases.numbers + (1u << FIRST_BLOCK_LOG2), log2 = 31 - (uint32_t)__builtin_clz(index), block = log2 - FIRST_BLOCK_LOG2;
  if (block >= BLOCKS) return false;
  if (!phases.blocks[block]) phases.blocks[block] = kymo_map(sizeof(struct written) << log2);
  if (!phases.blocks[block]) return false;
  node->number = ++phases.numbers;
  *written_at(node->number) = (struct written){0, 0, 0, 0};
  return true;
}

uint64_t kymo_phase_maximum(const struct kymo_node *phase) { return phase->number ? written_at(phase->number)->max : 0; }

// --- the file ---

static bool size_signal_pending(void) {
  uint64_t pending = 0;
  kymo_syscall(SYS_rt_sigpending, (long)&pending, sizeof pending, 0, 0, 0, 0);
  return pending >> (SIGXFSZ - 1) & 1;
}

static void give_up(long error) {
  uint64_t size_signal = 1ull << (SIGXFSZ - 1);
  char number[24];
  long none[2] = {0, 0};
  phases.broken = true;
  atomic_fetch_or(&kymo.flags, KYMO_ITERATIONS_LOST);
  if (error == -27 /* EFBIG */) kymo_syscall(SYS_rt_sigtimedwait, (long)&size_signal, 0, (long)none, sizeof size_signal, 0, 0);
  kymo_say("iterations from number ", kymo_decimal(phases.iterations + 1, number), " on are not recorded, the file cannot be written (is the disk full?): ",
           kymo_session.iterations);
}

// Opens the file only while writing. Otherwise a program that closes descriptors that it did not open could make the runtime write into its
// own files.
static void write_out(size_t bytes) {
  if (phases.broken || !bytes || !kymo_session.iterations[0]) return;
  uint64_t signals = kymo_block_signals();
  bool pending = size_signal_pending();
  long flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (phases.begun ? O_APPEND : O_TRUNC);
  long file = kymo_syscall(SYS_openat, AT_FDCWD, (long)kymo_session.iterations, flags, 0666, 0, 0), error = file < 0 ? file : 0;
  for (size_t done = 0; done < bytes && !error;) {
    long got = kymo_syscall(SYS_write, file, (long)(phases.buffer + done), (long)(bytes - done), 0, 0, 0);
    if (got > 0) done += (size_t)got;
    else if (got != -4 /* EINTR */) error = got ? got : -5 /* EIO */;
  }
  if (file >= 0) kymo_syscall(SYS_close, file, 0, 0, 0, 0, 0);
  phases.begun = true;
  if (error) give_up(pending ? 0 : error);
  kymo_restore_signals(signals);
}

static void stream_buffer(void) {
  kymo_stream_bytes(phases.buffer + phases.streamed, phases.used - phases.streamed);
  phases.streamed = 0;
}

static void put(uint64_t value) {
  if (phases.used > BUFFER - MOST_VARINT) {
    if (phases.streams) stream_buffer();
    write_out(phases.used);
    phases.used = phases.complete = 0;
  }
  char *at = phases.buffer + phases.used;
  for (; value > 0x7f; value >>= 7) *at++ = (char)(value | 0x80);
  *at++ = (char)value;
  phases.used = (size_t)(at - phases.buffer);
}

static void put_header(void) {
  static const char magic[] = "KYMOITP2";
  for (int i = 0; i < 8; ++i) phases.buffer[i] = magic[i];
  for (int i = 0; i < 8; ++i) phases.buffer[8 + i] = (char)(kymo_session.selection_id >> 8 * i);
  phases.used = phases.complete = 16;
}

// Returns false when no iterations are written.
static bool ready_to_write(void) {
  if ((!kymo_session.iterations[0] || phases.broken) && !kymo.watchable) return false;
  if (phases.buffer) return true;
  phases.buffer = kymo_map(BUFFER);
  if (phases.buffer) put_header();
  return phases.buffer != 0;
}

// --- the walk ---

static struct level *level_at(size_t depth) {
  if (depth < phases.level_room) return &phases.levels[depth];
  size_t room = phases.level_room ? phases.level_room * 2 : 256;
  struct level *levels = kymo_map(room * sizeof *levels);
  if (!levels) return 0;
  for (size_t i = 0; i < phases.level_room; ++i) levels[i] = phases.levels[i];
  if (phases.level_room) kymo_unmap(phases.levels, phases.level_room * sizeof *levels);
  phases.levels = levels;
  phases.level_room = room;
  return &levels[depth];
}

static struct level level_below(const struct kymo_node *node, uint32_t number) {
  struct kymo_children children = kymo_children_of(node);
  return (struct level){children, number, 256u << (children.first & 31), true};
}

static uint64_t value_of(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

struct walk {
  const struct kymo_thread *thread;
  bool own;  // The thread owns the iterations: all visits below the phase have ended, and the children that were visited last come first.
  bool emit;
};

static bool define(const struct walk *walk, struct kymo_node *node, uint32_t parent) {
  if (!give_number(node)) return false;
  put(KEY_NODE);
  put(walk->thread->number);
  put(parent);
  put(kymo_plain_slot(node->slot));
  return true;
}

// What a thread that waits for work (layers.c) will add to a node when it accounts for the visits that are over, the innermost first.
static struct written not_added_yet(const struct kymo_thread *t, const struct kymo_node *node) {
  const struct kymo_frame *last = t->parked, *up;
  uint64_t ended = 0;
  if (!last || !*t->until) return (struct written){0, 0, 0, 0};
  for (const struct kymo_frame *frame = t->top; (up = frame->up); frame = up) {
    if (frame->node == node)
      return (struct written){0, kymo_parked_until(t, t->offset, t->clock, 0) - frame->start, t->events + ended - frame->events, 0};
    if (frame == last) break;
    ended += !kymo_is_continued(frame);
  }
  return (struct written){0, 0, 0, 0};
}

// Takes the increments of a node into the sample. Returns false when there are none.
static bool take(const struct walk *walk, struct kymo_node *node, uint32_t parent) {
  struct written fresh = {value_of(&node->visits), value_of(kymo_ticks_at(node)), value_of(&node->events), 0};
  if (kymo_is_counter(node->slot)) fresh.events = 0;
  else if (!walk->own) {
    struct written rest = not_added_yet(walk->thread, node);
    fresh.ticks += rest.ticks;
    fresh.events += rest.events;
  }
  if (!node->number) {
    if (!fresh.visits && !fresh.ticks) return false;
    if (!define(walk, node, parent)) return false;
  }
  struct written *old = written_at(node->number);
  // The thread may have added it meanwhile, or may add a little less.
  if ((int64_t)(fresh.ticks - old->ticks) < 0) fresh.ticks = old->ticks;
  if ((int64_t)(fresh.events - old->events) < 0) fresh.events = old->events;
  if (fresh.visits == old->visits && fresh.ticks == old->ticks) return false;
  if (walk->emit) {
    put((uint64_t)KEY_VALUES + node->number);
    put(fresh.visits - old->visits);
    put(fresh.ticks - old->ticks);
    put(fresh.events - old->events);
  }
  fresh.max = old->max;
  *old = fresh;
  return true;
}

// Takes all nodes below a node. On other threads the first child may be open, so that nodes below it have increments although it has none
// itself.
static void walk_below(const struct walk *walk, const struct kymo_node *node, uint32_t number) {
  struct level *level = level_at(0);
  if (!level) return;
  *level = level_below(node, number);
  for (size_t depth = 0;;) {
    struct kymo_node *child = level->left ? kymo_next_child(&level->children) : 0;
    bool first = level->first, fresh = child && take(walk, child, level->number);
    bool in_order = !(level->children.first & 63);
    level->first = false;
    if (!walk->own) --level->left;
    bool moves = child && !kymo_is_counter(child->slot); // to the front when it is visited
    if (!child || (!fresh && walk->own && in_order && moves)) {
      if (!depth) return;
      level = &phases.levels[--depth];
    } else if ((fresh || (first && !walk->own && child->number)) && atomic_load(&child->first) != KYMO_NO_CHILD) {
      level = level_at(++depth);
      if (!level) return;
      *level = level_below(child, child->number);
    }
  }
}

static void walk_others(const struct kymo_thread *owner, bool emit) {
  for (struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) {
    if (t == owner) continue;
    uint64_t progress = kymo_progress(t);
    if (progress == t->sampled) continue;
    t->sampled = progress;
    struct walk walk = {t, false, emit};
    walk_below(&walk, t->root, 0);
  }
}

// --- begin and end ---

static bool has_bit(const _Atomic uint64_t *bits, uint32_t slot) {
  uint32_t at = slot - kymo_session.slots;
  return at < KYMO_USER_REGIONS && atomic_load_explicit(&bits[at / 64], memory_order_relaxed) >> at % 64 & 1;
}

bool kymo_is_user_phase(uint32_t slot) { return has_bit(kymo.user_phases, slot); }

bool kymo_is_mpi(uint32_t slot) { return has_bit(kymo.mpi_calls, slot); }

// Phases in the selection override those in the source.
static bool is_phase_slot(uint32_t slot) {
  for (uint32_t i = 0; i < kymo.phase_count; ++i)
    if (kymo.phases[i] == slot) return true;
  return !kymo.phase_count && kymo_is_user_phase(slot);
}

static bool claim(struct kymo_thread *t) {
  struct kymo_thread *owner = atomic_load(&phases.owner);
  if (owner == t) return true;
  if (owner && atomic_load(&owner->state) == KYMO_THREAD_LIVE) return false;
  return atomic_compare_exchange_strong(&phases.owner, &owner, t);
}

// Only the outermost visit is an iteration.
bool kymo_becomes_phase(struct kymo_thread *t, const struct kymo_frame *parent, uint32_t slot) {
  if (KYMO_LIKELY(!is_phase_slot(slot))) return false;
  for (const struct kymo_frame *frame = parent; frame->up; frame = frame->up)
    if (kymo_is_phase(frame->node->slot)) return false;
  return claim(t);
}

KYMO_HANDLER void kymo_phase_begins(struct kymo_thread *t) {
  if (!claim(t)) return;
  phases.preempted = t->preempted;
  kymo_trace_iteration(phases.iterations + 1, false);
  if (atomic_load(&kymo.thread_count) < 2 || !enter()) return;
  if (ready_to_write()) walk_others(t, false);
  leave();
}

static void put_phase(struct kymo_thread *t, struct kymo_node *phase) {
  const struct kymo_frame *frame = t->top;
  uint32_t depth = 0;
  while (frame->up && frame->node != phase) frame = frame->up;
  for (const struct kymo_frame *up = frame->up; up && up->up; up = up->up) ++depth;
  put(KEY_PHASE);
  put(t->number);
  put(phase->slot & ~KYMO_PHASE);
  put(depth);
  for (const struct kymo_frame *up = frame->up; up && up->up; up = up->up) put(kymo_plain_slot(up->node->slot));
}

static void end_iteration(struct kymo_thread *t, struct kymo_node *phase, bool is_defined) {
  struct walk own = {t, true, true};
  phases.streamed = phases.used;
  phases.streams = KYMO_UNLIKELY(atomic_load_explicit(&kymo.watch, memory_order_relaxed)) &&
                   kymo_stream_begin(phases.numbers - !is_defined, phases.iterations + 1);
  if (!is_defined) put_phase(t, phase);
  bool alone = kymo_claim_lists(t, &own); // Keeps signal handlers from reordering the lists during the walk.
  take(&own, phase, 0);
  walk_below(&own, phase, phase->number);
  if (alone) t->moving = 0;
  if (atomic_load(&kymo.thread_count) > 1) walk_others(t, true);
  if (t->preempted > phases.preempted) { // Not of a forked process, which begins to count again.
    put(KEY_PREEMPTED);
    put(t->preempted - phases.preempted);
  }
  put(atomic_load(&kymo.recording) == 2 ? KEY_CUT_SHORT : KEY_END);
  if (phases.streams) {
    stream_buffer();
    kymo_stream_end();
    phases.streams = false;
  }
  phases.complete = phases.used;
  kymo_trace_iteration(++phases.iterations, true);
  if (kymo.sample_count > 1) kymo_forget_counters(t); // The next lookup moves each counter to the front of its list.
}

static __attribute__((noinline)) void phase_ends(struct kymo_thread *t, struct kymo_node *phase, uint64_t ticks) {
  bool is_owner = atomic_load(&phases.owner) == t, is_defined = phase->number != 0;
  if (!enter()) return;
  if (is_owner && ready_to_write() && (is_defined || give_number(phase))) {
    phases.beyond += phases.broken;
    struct written *written = written_at(phase->number);
    if (ticks > written->max) written->max = ticks;
    end_iteration(t, phase, is_defined);
    uint64_t iteration = phases.iterations;
    leave();
    if (KYMO_UNLIKELY(atomic_load_explicit(&kymo.watch, memory_order_relaxed))) kymo_wait_at_border(t, iteration);
    return;
  } else { // From now on the node is an ordinary one.
    uint64_t max = kymo_phase_maximum(phase);
    phase->max = ticks > max ? ticks : max;
    phase->slot &= ~KYMO_PHASE;
  }
  leave();
}

KYMO_HANDLER __attribute__((noinline)) void kymo_longest(struct kymo_thread *t, struct kymo_node *node, uint64_t ticks, uint64_t now) {
  if (kymo_is_phase(node->slot)) phase_ends(t, node, ticks);
  else if (kymo_is_flat(node->slot)) kymo_flat_ends(t, node, ticks, now);
  else node->max = ticks;
}

// Writes the complete iterations of the buffer at the end of the process.
void kymo_flush_iterations(void) {
  if (!phases.buffer || !enter()) return;
  write_out(phases.complete);
  for (size_t i = phases.complete; i < phases.used; ++i) phases.buffer[i - phases.complete] = phases.buffer[i];
  phases.used -= phases.complete;
  phases.complete = 0;
  leave();
}

void kymo_forget_iterations(struct kymo_thread *only) {
  struct kymo_thread *owner = atomic_load(&phases.owner);
  atomic_store(&phases.owner, owner == only ? only : 0);
  atomic_store(&phases.busy, 0);
  phases.numbers = 0;
  phases.iterations = phases.beyond = 0;
  phases.begun = phases.broken = phases.streams = false;
  if (phases.buffer) put_header();
}
