// The state of the runtime and the interfaces between its files.
//
// A signal whose handler is also measured may interrupt a runtime handler at any instruction. So every change becomes valid with its last
// store, and fields that two handlers could change are exchanged with compare-and-swap. The interrupted call may continue much later, after
// any number of other calls (the signal handler switches to another user thread), or never (the signal handler jumps out). There are no
// locks.
#ifndef KYMO_RUNTIME_H
#define KYMO_RUNTIME_H

#include "arch.h"
#include "object.h"
#include "offsets.h"

#include <stdatomic.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

#define KYMO_LIKELY(x) __builtin_expect(!!(x), 1)
#define KYMO_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define KYMO_SLOT_ROOT 0xffffffffu
#define KYMO_SLOT_DEPTH 0xfffffffeu // the mark below which calls beyond the depth limit are collected
#define KYMO_SLOT_NONE 0xfffffffdu
#define KYMO_UNTIMED 0x80000000u    // Combined with a slot: the node that counts the slot's untimed visits.
#define KYMO_PHASE 0x40000000u      // Combined with a slot: the node whose visits are the iterations (phases.c).
#define KYMO_FLAT 0x20000000u       // Combined with a slot: a node below the depth limit (deep.c). All slots must be smaller than this bit.
#define KYMO_SLOT_WAITING 0xfffffffcu // exclusive waiting time of the node above (gaps.c)
#define KYMO_SLOT_COUNTER 0xffffffe0u // plus the number of a counter (layers.h): a quantity of the node above in `ticks`, and how often it was added
// The slots below are states of frames. One instruction that changes the slot (kymo_claim) decides who owns a frame; others may read it at
// any time.
#define KYMO_SLOT_FREE 0xfffffffbu  // The owner may fill the frame and push it.
#define KYMO_SLOT_LEFT 0xfffffffau  // The visit ends. The owner accounts for it and frees the frame, even after others dropped it.
#define KYMO_SLOT_LIMBO 0xfffffff9u // The frame was dropped, but its return address may still be needed.

static inline bool kymo_is_phase(uint32_t slot) { return slot >> 30 == 1; }
// A node that holds a quantity of the node above it. It has no visits of its own and no children.
static inline bool kymo_is_counter(uint32_t slot) { return slot >= KYMO_SLOT_COUNTER && slot <= KYMO_SLOT_WAITING; }
static inline bool kymo_is_flat(uint32_t slot) { return (slot >> 29 & 3) == 1; }
static inline bool kymo_same_slot(uint32_t a, uint32_t b) { return !((a ^ b) & ~(KYMO_PHASE | KYMO_FLAT)); }
static inline uint32_t kymo_plain_slot(uint32_t slot) { return slot >= KYMO_SLOT_COUNTER ? slot : slot & ~(KYMO_PHASE | KYMO_FLAT); }

// A node of the call tree: one call path on one thread.
struct kymo_node {
  uint64_t visits, ticks, min, max; // `ticks` is inclusive. `max` is 0 in phase and flat nodes, so that each visit ends in kymo_longest.
  uint64_t events;                  // enter+exit pairs below this node, at any depth
  _Atomic uintptr_t first;          // children: KYMO_NO_CHILD, the first of a list, or buckets with log2(count) in the low six bits
  struct kymo_node *_Atomic next;   // sibling in the list or bucket
  uint32_t slot;
  uint32_t number;                  // number in the samples of iterations (phases.c); 0 while the node is in none
};
#define KYMO_NO_CHILD ((uintptr_t)1)
_Static_assert(sizeof(struct kymo_node) == 64, "one cache line per node");

// An open visit. The trampoline reads the first two fields.
struct kymo_frame {
  uintptr_t ret;          // return address of the function; 0 for a probe sled, or when a function in limbo has returned
  uintptr_t saved;        // the register that the trampoline uses; for a sled, its site
  uintptr_t sp;           // stack address of the return address; for a sled, the stack pointer in the function
  struct kymo_frame *up;  // caller's frame while this one is open, else the next one in the free list or in limbo
  struct kymo_node *node; // never NULL after the first visit
  uint64_t start;
  uint64_t events;        // events of the thread at `start`
  uint32_t slot;
  uint32_t mark;          // value that the stack holds while the frame is alive (kymo_mark_intact); 0 when it must not be read
};
_Static_assert(sizeof(struct kymo_frame) == 64, "one cache line per frame");

enum kymo_stack_kind { KYMO_STACK_OWN, KYMO_STACK_SIGNAL, KYMO_STACK_FIBER };

// A machine stack on which a thread had events, and its open frames.
struct kymo_stack {
  uintptr_t low, high;
  struct kymo_frame *top;
  struct kymo_frame *bottom; // sentinel above every address; calls on this stack hang below its node
  struct kymo_stack *next;
  enum kymo_stack_kind kind;
  uint64_t left; // time at which the thread went to another stack, on its clock
  bool traced;   // Its open visits are open in the trace as well.
};

// The buffer of a thread's events (trace.h).
struct kymo_trace {
  uint64_t at, end;          // addresses: of the next record, and behind the page; 0: there is no page
  uint64_t high;             // high bits of the timer in the records
  uint64_t lost, lost_time;  // events, and the timer at the first of them, or behind the last of them
  uint32_t first, current;   // numbers of pages
  uint32_t pages;
  bool full;                 // No more events are recorded.
};

struct kymo_chunk { // memory for nodes and buckets
  struct kymo_chunk *before;
  size_t bytes;
  _Atomic size_t used;
};

// The state of a sampled slot on one thread: every visit is counted, and about one in 2^shift is timed (`shift` may grow: sample.c).
// The fast path in <arch>/sampled.S uses the first four fields.
struct kymo_sampler {
  struct kymo_node *_Atomic parent;  // node below which `counter` counts; NULL: kymo_due looks it up
  struct kymo_node *_Atomic counter; // counts the visits that are not timed
  int32_t left;                      // visits up to and including the next timed one; 0 and below within a burst of timed visits
  uint32_t slot;
  uint32_t shift;
  uint32_t random;
};
_Static_assert(sizeof(struct kymo_sampler) == 32, "sites get offsets in the table of samplers");

struct kymo_sample { // a `sample` line of the selection
  uint32_t slot;
  _Atomic uint32_t shift; // Whoever watches the process may change it.
};
enum { KYMO_SAMPLES = 1025, KYMO_CALIBRATION_SAMPLE = 0, KYMO_CALIBRATION_SHIFT = 4, KYMO_MOST_SHIFT = 16, KYMO_PHASES = 64 };
enum { KYMO_DEPTHS = 32 }; // size of the cache of node depths (tree.c)
enum { KYMO_USER_REGIONS = 4096 }; // most regions that the source may name (regions.c); their slots follow those of the selection

enum kymo_thread_state { KYMO_THREAD_LIVE, KYMO_THREAD_ENDED, KYMO_THREAD_LATE }; // LATE: a signal handler came after the end

struct kymo_thread {
  // Every event uses these fields, which share one cache line.
  struct kymo_frame *top;
  uintptr_t low;
  uintptr_t span;            // The current stack is [low, low + span). 0 sends the next enter to the slow path.
  struct kymo_frame *free;   // list with some or all of the free frames; only a hint
  uint64_t events;
  uint32_t mark_mask;        // ~0 where the return addresses on the stack may be read
  struct kymo_stack *stack;
  struct kymo_sampler *samplers;
  // Every event uses these, too. The thread's clock is the timer minus `offset`, which holds the cost of looks (gaps.c) and the pre-empted
  // time.
  uint64_t offset;
  uint64_t clock;            // time of the last event
  // Events use the fields below only on slow paths.
  struct kymo_node *root;
  struct kymo_chunk *_Atomic chunk;
  struct kymo_frame *blocks;             // all frames; the first frame of each block holds their number and points to the next block
  struct kymo_frame *limbo;              // dropped frames whose return address may still be needed
  uintptr_t moving;                       // stack address in the call that rearranges or reads lists of children; 0 when there is none
  struct kymo_node *moved;                // the child that is being moved to the front
  _Atomic uintptr_t *_Atomic moving_to;   // the list of `moved` while that child may be unlinked
  struct kymo_stack *stacks;
  struct kymo_thread *next;
  uint64_t begin, end;       // on the timer
  uint64_t lifetime;         // on the thread's clock
  struct {                   // values at the last look (gaps.c): timer; ns of wall clock, CPU time and scheduler queue; context switches
    uint64_t tick, wall, cpu, queued, voluntary, involuntary;
  } seen;
  uint64_t cpu, preempted;   // in ns
  uint64_t flat_since;       // last event below the depth limit, on the thread's clock
  uint64_t depths[KYMO_DEPTHS]; // cache of node depths (tree.c)
  uint64_t looking;          // timer at the beginning of the look that is under way (gaps.c); 0 when there is none
  uint32_t tid;
  uint32_t lost;             // Some free frames may be missing from the list.
  uint64_t sampled;          // kymo_progress at the last sample of an iteration
  uint32_t number;
  _Atomic uint32_t state;
  uint32_t rounds;           // rounds of thread-specific destructors so far
  uint32_t stack_count;
  uint32_t limbo_count, limbo_room; // Limbo is swept when the count exceeds the room.
  size_t frame_bytes;
  struct kymo_frame *parked;          // The thread waits for work: the visits through this one end at the tick `*until` (layers.c).
  const volatile uint64_t *until;
  struct kymo_perf *perf;             // NULL: the processor's counters are not read
  int perf_files[2];
  struct kymo_trace trace;
  struct kymo_node trash;    // stands for call paths that the tree does not hold
};

#define KYMO_CHECK_OFFSET(type, field, number) _Static_assert(offsetof(struct kymo_##type, field) == number, "offsets.h")
KYMO_CHECK_OFFSET(object, in, OBJECT_IN);
KYMO_CHECK_OFFSET(object, out, OBJECT_OUT);
KYMO_CHECK_OFFSET(object, enter, OBJECT_ENTER);
KYMO_CHECK_OFFSET(object, leave, OBJECT_LEAVE);
KYMO_CHECK_OFFSET(object, in_sampled, OBJECT_IN_SAMPLED);
KYMO_CHECK_OFFSET(object, out_sampled, OBJECT_OUT_SAMPLED);
KYMO_CHECK_OFFSET(object, due, OBJECT_DUE);
KYMO_CHECK_OFFSET(object, self, OBJECT_SELF);
KYMO_CHECK_OFFSET(thread, top, THREAD_TOP);
KYMO_CHECK_OFFSET(thread, low, THREAD_LOW);
KYMO_CHECK_OFFSET(thread, span, THREAD_SPAN);
KYMO_CHECK_OFFSET(thread, samplers, THREAD_SAMPLERS);
KYMO_CHECK_OFFSET(frame, ret, FRAME_RET);
KYMO_CHECK_OFFSET(frame, sp, FRAME_SP);
KYMO_CHECK_OFFSET(frame, node, FRAME_NODE);
KYMO_CHECK_OFFSET(frame, slot, FRAME_SLOT);
KYMO_CHECK_OFFSET(frame, mark, FRAME_MARK);
KYMO_CHECK_OFFSET(sampler, parent, SAMPLER_PARENT);
KYMO_CHECK_OFFSET(sampler, counter, SAMPLER_COUNTER);
KYMO_CHECK_OFFSET(sampler, left, SAMPLER_LEFT);
KYMO_CHECK_OFFSET(node, visits, NODE_VISITS);
#undef KYMO_CHECK_OFFSET

extern __thread struct kymo_thread *kymo_self;
extern struct kymo_thread kymo_nobody; // stands for a thread without events so far
extern struct kymo_thread kymo_gone;   // stands for a thread that has ended

struct kymo_global {
  _Atomic uint32_t recording;    // 0: enters are not recorded; 1: they are; 2: only those of last_thread are
  struct kymo_thread *last_thread; // the thread that ends the process
  _Atomic uint32_t watch;        // what those who watch ask of the program (control/control.h); 0 unless somebody does
  bool watchable;                // Somebody may watch, so that there are iterations even where no file can be written.
  _Atomic uint32_t quiet;        // 1: the program has confined itself (confine.c), so the runtime records nothing and makes no system calls
  _Atomic uint32_t flags;        // flags of the result file
  _Atomic uint32_t thread_count;
  struct kymo_thread *_Atomic threads;
  struct kymo_object *_Atomic objects;
  _Atomic uint64_t mapped, node_bytes;
  uint32_t depth_limit;
  uint64_t gap;                  // After more ticks than this between two events, gaps.c finds out what the thread did.
  uint64_t short_gap;            // After at most so many, an event needs nothing but the clock: `gap`, or 0 where counters are read (perf.c).
  int pid;
  unsigned key;                  // key of thread-specific data whose destructor notices the end of a thread
  int (*set_specific)(unsigned, const void *);
  uint32_t sample_count;
  struct kymo_sample samples[KYMO_SAMPLES]; // number and slots are fixed before the first thread
  uint32_t phase_count;          // number of slots whose visits are the iterations; fixed before the first thread
  uint32_t phases[KYMO_PHASES];
  _Atomic uint64_t user_phases[KYMO_USER_REGIONS / 64]; // one bit per user region: set for phases
  _Atomic uint64_t mpi_calls[KYMO_USER_REGIONS / 64];   // the same for calls of MPI
};
extern struct kymo_global kymo;

enum { KYMO_INCOMPLETE = 1, KYMO_DEPTH_HIT = 2, KYMO_NO_MEMORY = 4, KYMO_CLOCK = 8, KYMO_ITERATIONS_LOST = 16, KYMO_UNBALANCED = 32, KYMO_UNPATCHED = 64, KYMO_CONFINED = 128 };

// record.c: the handlers that sites call
KYMO_HANDLER void kymo_in(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER void kymo_out(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER struct kymo_frame *kymo_enter(uint32_t slot, uintptr_t sp, uintptr_t saved, uintptr_t return_point);
KYMO_HANDLER void kymo_leave(struct kymo_frame *frame);
KYMO_HANDLER struct kymo_thread *kymo_ready(struct kymo_thread *t, uintptr_t sp, uintptr_t site); // NULL when nothing is recorded here
void kymo_account(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now);
struct kymo_frame *kymo_open(struct kymo_thread *t, uint32_t slot, uintptr_t where); // Begins a visit of a user region.
// Continues the call path of another thread: opens a frame that adds its time and events to its node, and is no visit.
bool kymo_continue(struct kymo_thread *t, uint32_t slot);
#define KYMO_CONTINUED ((uintptr_t)1) // `saved` of such a frame
static inline bool kymo_is_continued(const struct kymo_frame *frame) { return frame->up && !frame->ret && frame->saved == KYMO_CONTINUED; }
void kymo_end_parked(struct kymo_thread *t); // Ends the visits of a thread that waited for work, at the time when the waiting was over.
// That time on the thread's clock, which had the offset and the time `before` when it was last read; `now` when the waiting is not over.
uint64_t kymo_parked_until(const struct kymo_thread *t, uint64_t offset, uint64_t before, uint64_t now);
// Adds to a quantity of the call path of a frame (KYMO_SLOT_WAITING: its exclusive waiting time).
KYMO_HANDLER void kymo_add_amount(struct kymo_thread *t, struct kymo_frame *top, uint32_t slot, uint64_t amount);
void kymo_close(struct kymo_thread *t, struct kymo_frame *top, uint64_t now);
void kymo_close_at(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t timer); // as kymo_close, with a time for the trace
KYMO_HANDLER uint64_t kymo_clock(struct kymo_thread *t); // Reads the thread's clock, which counts as an event.

// gaps.c
enum { KYMO_GAP_NANOSECONDS = 50000 };
KYMO_HANDLER void kymo_look(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t gap);
// The part of the time since the last event in which another thread was ready to run and had no processor: what a look of it would find now, and take off
// its clock. `timer` is the time now, `gap` the time since the event on the thread's clock. Nothing is changed. Values that a look changes meanwhile make no sense,
// and at most the gap.
uint64_t kymo_queued_meanwhile(const struct kymo_thread *t, uint64_t timer, uint64_t gap);
void kymo_start_clock(struct kymo_thread *t);
uint64_t kymo_stop_clock(struct kymo_thread *t);

// perf.c: the processor's counters. The first three do nothing in a run without them.
void kymo_start_perf(struct kymo_thread *t); // Begins, or leaves out what was counted up to now.
void kymo_stop_perf(struct kymo_thread *t);
void kymo_forget_perf(void);                 // In the child of a fork nothing is counted until its thread begins again.
// What came of the wish for them: part of the result's header.
struct kymo_perf_use {
  uint8_t asked, lost;       // `lost`: not for all threads, or not until their end
  uint16_t error;            // with which perf_event_open has refused them; 0: they count
  int32_t paranoid;          // kernel.perf_event_paranoid then; -9: unknown
  uint64_t enabled, running; // ns in which they should have counted, and did, over all threads
};
void kymo_choose_perf(void); // Reads from the environment whether they are wanted, and tries them.
struct kymo_perf_use kymo_perf_used(void);
// Adds what the counters of a thread, which has them, have grown to the call path of the frame. `exactly`: by a system call, which also asks how long they counted.
KYMO_HANDLER void kymo_count_perf(struct kymo_thread *t, struct kymo_frame *top, bool exactly);

// Tests whether the top is the frame of the calling function, as far as the stack shows it.
static inline bool kymo_nested(const struct kymo_thread *t, const struct kymo_frame *top, uintptr_t sp) {
  if (KYMO_UNLIKELY(sp - t->low >= t->span) || KYMO_UNLIKELY(top->sp <= sp)) return false;
  return KYMO_LIKELY(!top->mark || kymo_mark_intact(top->sp, top->mark));
}

// sample.c: the handlers that sites of sampled slots call when the fast path cannot decide. `sampler` is an offset in the thread's table.
KYMO_HANDLER void kymo_in_sampled(uint32_t sampler, uintptr_t sp, uintptr_t site);
KYMO_HANDLER void kymo_out_sampled(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER bool kymo_due(uint32_t sampler, uintptr_t sp, uintptr_t site); // True: the caller times this visit. False: it was counted.
bool kymo_make_samplers(struct kymo_thread *t);
// From now on about one visit in 2^shift of the slot is timed. False: the slot is not sampled.
bool kymo_sample_at(uint32_t slot, uint32_t shift);
void kymo_forget_counters(struct kymo_thread *t);
uint64_t kymo_progress(const struct kymo_thread *t);

// phases.c: the begin and the end of an iteration
KYMO_HANDLER void kymo_phase_begins(struct kymo_thread *t);
// Ends a visit that took at least node->max ticks, which every visit of a phase or flat node does.
KYMO_HANDLER void kymo_longest(struct kymo_thread *t, struct kymo_node *node, uint64_t ticks, uint64_t now);
bool kymo_is_user_phase(uint32_t slot); // The source declares the region to be a phase.
bool kymo_is_mpi(uint32_t slot);        // The region is a call of MPI.
bool kymo_becomes_phase(struct kymo_thread *t, const struct kymo_frame *parent, uint32_t slot);
uint64_t kymo_phase_maximum(const struct kymo_node *phase);
void kymo_flush_iterations(void);
void kymo_forget_iterations(struct kymo_thread *only); // Starts again in the child of a fork.
uint64_t kymo_iteration_count(void);
uint64_t kymo_recorded_iterations(void); // those in the file
uint32_t kymo_iteration_of(const struct kymo_thread *t); // that the thread is in, or begins next, from 1; 0: another thread has them

// control/stream.c: iterations for those who watch. `numbers` is the count of nodes that had a number before. False: nobody asked.
bool kymo_stream_begin(uint32_t numbers, uint64_t iteration);
void kymo_stream_bytes(const char *bytes, uint64_t count);
void kymo_stream_end(void);
void kymo_wait_at_border(struct kymo_thread *t, uint64_t iteration); // Waits as long as somebody asks for it.

// tree.c; functions that make nodes return NULL when out of memory
KYMO_HANDLER struct kymo_node *kymo_child(struct kymo_thread *t, struct kymo_frame *parent, uint32_t slot);
// The child of the slot, for a path without visits; NULL also when the depth limit cuts the path.
struct kymo_node *kymo_step(struct kymo_thread *t, struct kymo_node *parent, uint32_t slot);
void kymo_finish_moving(struct kymo_thread *t); // Completes a move whose call was interrupted and does not continue.
static inline bool kymo_claim_lists(struct kymo_thread *t, const void *here) { return kymo_swap(&t->moving, 0, here); }
struct kymo_node *kymo_new_node(struct kymo_thread *t, uint32_t slot);

// deep.c
bool kymo_make_flat(struct kymo_thread *t, struct kymo_node *node, struct kymo_node *mark);
struct kymo_node *kymo_mark_of(const struct kymo_node *flat);
uint64_t kymo_flat_maximum(const struct kymo_node *flat);
const uint64_t *kymo_flat_ticks(const struct kymo_node *flat);
KYMO_HANDLER void kymo_flat_begins(struct kymo_thread *t, struct kymo_node *mark);
KYMO_HANDLER void kymo_flat_ends(struct kymo_thread *t, struct kymo_node *node, uint64_t ticks, uint64_t now);
static inline const uint64_t *kymo_ticks_at(const struct kymo_node *node) { return kymo_is_flat(node->slot) ? kymo_flat_ticks(node) : &node->ticks; }
static inline uint64_t kymo_ticks_of(const struct kymo_node *node) { return *kymo_ticks_at(node); }

// Iterates over the children of a node. A child that is moved meanwhile (by a signal, or by the thread that owns the tree) may come twice
// or not at all.
struct kymo_children {
  uintptr_t first; // `first` of the node
  struct kymo_node *next;
  uint32_t bucket;
};
struct kymo_children kymo_children_of(const struct kymo_node *node);
struct kymo_node *kymo_next_child(struct kymo_children *children);

// stacks.c
KYMO_HANDLER void kymo_settle(struct kymo_thread *t, uintptr_t sp, uintptr_t site);
KYMO_HANDLER void kymo_push_late(struct kymo_thread *t, struct kymo_frame *frame); // Pushes the frame after the top has changed.
KYMO_HANDLER void kymo_pop_late(struct kymo_thread *t, struct kymo_frame *frame);
// These end a visit that is not the top, if it is open on this thread.
KYMO_HANDLER void kymo_end_late(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now);
KYMO_HANDLER void kymo_end_sled_late(struct kymo_thread *t, uint32_t slot, uintptr_t sp, uint64_t now);
KYMO_HANDLER void kymo_end_sampled_late(struct kymo_thread *t, uint32_t slot, uintptr_t sp, uint64_t now);
void kymo_drop_all(struct kymo_thread *t, uint64_t now, bool for_good); // `for_good`: the thread has ended.
bool kymo_is_return_point(uintptr_t address);

// extents.c: tests whether the address lies in the code between this enter sled of a function and its last exit sled
bool kymo_is_within(uintptr_t enter, uintptr_t address);

// As soon as the slot is KYMO_SLOT_FREE, another event may own the frame. So that store comes after `up` is set.
static inline void kymo_free_frame(struct kymo_thread *t, struct kymo_frame *frame) {
  frame->up = t->free;
  atomic_signal_fence(memory_order_seq_cst);
  frame->slot = KYMO_SLOT_FREE;
  atomic_signal_fence(memory_order_seq_cst);
  t->free = frame;
}

// limbo.c; signals are blocked
void kymo_discard(struct kymo_thread *t, struct kymo_frame *frame); // Discards a frame that is closed but whose function may still return.
// After the end of a thread no function on its own stack can return, and that memory must not be read.
void kymo_forget_own_stack(struct kymo_thread *t);

static inline uint64_t kymo_block_signals(void) {
  uint64_t all = ~0ull, before = 0;
  if (kymo.quiet) return 0;
  kymo_syscall(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, (long)&all, (long)&before, 8, 0, 0);
  return before;
}
static inline void kymo_restore_signals(uint64_t before) {
  if (kymo.quiet) return;
  kymo_syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&before, 0, 8, 0, 0);
}

// thread.c
KYMO_HANDLER struct kymo_thread *kymo_new_thread(void);
KYMO_HANDLER bool kymo_more_frames(struct kymo_thread *t);
void kymo_thread_ends(void *thread);

// memory.c; the functions return NULL when out of memory
void *kymo_map(size_t bytes);
void kymo_unmap(void *memory, size_t bytes);
KYMO_HANDLER void kymo_out_of_memory(void);
void kymo_divert_all(void);
void *kymo_take(struct kymo_thread *t, size_t bytes);

// message.c: writes one line to stderr that begins with "kymo: "
void kymo_say(const char *a, const char *b, const char *c, const char *d);
char *kymo_decimal(uint64_t value, char text[24]);

#pragma GCC visibility pop

#endif
