// The state of the runtime and what its files offer one another.
//
// Everything that a handler changes must stand a signal whose handler is measured too, at any instruction: what is published last makes a change
// valid, and what two could change is exchanged with compare-and-swap. The interrupted call may go on much later, after any number of others (a signal handler
// that switches to another user thread), or never (one that jumps out). There are no locks.
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
#define KYMO_SLOT_DEPTH 0xfffffffeu // calls below the depth limit
#define KYMO_SLOT_NONE 0xfffffffdu
#define KYMO_UNTIMED 0x80000000u    // with a slot: the node that counts its visits that were not timed
#define KYMO_PHASE 0x40000000u      // with a slot: the node whose visits are the iterations (phases.c)
#define KYMO_FLAT 0x20000000u       // with a slot: a node below the depth limit (deep.c); slots are below it
#define KYMO_SLOT_WAITING 0xfffffffcu // the time that was waited in the node above, itself (gaps.c)
// Of frames. Who has one is decided by one instruction that changes its slot (kymo_claim); the others may read it, at any time.
#define KYMO_SLOT_FREE 0xfffffffbu  // whoever claims it may fill it and push it
#define KYMO_SLOT_LEFT 0xfffffffau  // its visit ends: whoever has claimed it accounts for it and gives it back, also when others have dropped it meanwhile
#define KYMO_SLOT_LIMBO 0xfffffff9u // dropped, but its return address may still be needed

static inline bool kymo_is_phase(uint32_t slot) { return slot >> 30 == 1; }
static inline bool kymo_is_flat(uint32_t slot) { return (slot >> 29 & 3) == 1; }
static inline bool kymo_same_slot(uint32_t a, uint32_t b) { return !((a ^ b) & ~(KYMO_PHASE | KYMO_FLAT)); }
static inline uint32_t kymo_plain_slot(uint32_t slot) { return slot >= KYMO_SLOT_WAITING ? slot : slot & ~(KYMO_PHASE | KYMO_FLAT); }

// A node of the call tree: one call path on one thread. 64 bytes, one cache line.
struct kymo_node {
  uint64_t visits, ticks, min, max; // ticks: inclusive. The maximum of a phase or flat node is 0 here, so that each end of a visit comes to kymo_longest
  uint64_t events;                  // enter+exit pairs below, at any depth
  _Atomic uintptr_t first;          // children: KYMO_NO_CHILD, the first of a list, or buckets with log2(count) in the low six bits
  struct kymo_node *_Atomic next;   // sibling in the list or bucket
  uint32_t slot;
  uint32_t number;                  // in the samples of iterations (phases.c); 0: it is in none
};
#define KYMO_NO_CHILD ((uintptr_t)1)
_Static_assert(sizeof(struct kymo_node) == 64, "one cache line per node");

// An open visit. The trampoline knows the first two fields.
struct kymo_frame {
  uintptr_t ret;          // return address to go back to; 0: frame of a probe sled, or one in limbo that was left
  uintptr_t saved;        // the trampoline's register; of a sled: its site
  uintptr_t sp;           // where the return address was; of a sled: stack pointer in the function
  struct kymo_frame *up;  // caller's frame, as long as this one is open; next in a list of free ones, or in limbo
  struct kymo_node *node; // never NULL once it was open
  uint64_t start;
  uint64_t events;        // of the thread, at start
  uint32_t slot;
  uint32_t mark;          // what the stack holds as long as the frame is alive (kymo_mark_intact); 0: may not be looked at
};
_Static_assert(sizeof(struct kymo_frame) == 64, "one cache line per frame");

enum kymo_stack_kind { KYMO_STACK_OWN, KYMO_STACK_SIGNAL, KYMO_STACK_FIBER };

// A machine stack that a thread was seen on, and the frames that are open there.
struct kymo_stack {
  uintptr_t low, high;
  struct kymo_frame *top;
  struct kymo_frame *bottom; // sentinel: above every address, its node is what calls on this stack hang under
  struct kymo_stack *next;
  enum kymo_stack_kind kind;
  uint64_t left; // when another one was used, on the thread's clock
};

struct kymo_chunk { // of nodes and buckets
  struct kymo_chunk *before;
  size_t bytes;
  _Atomic size_t used;
};

// Of a slot that is sampled, on one thread: every visit is counted, about one in 2^shift is timed (by now: sample.c). The fast path in <arch>/sampled.S knows the first four fields.
struct kymo_sampler {
  struct kymo_node *_Atomic parent;  // under which `counter` counts; NULL: look it up
  struct kymo_node *_Atomic counter; // visits that are not timed
  int32_t left;                      // visits until the next one that is timed, that one included; 0 and below: of those timed in a row
  uint32_t slot;
  uint32_t shift;
  uint32_t random;
};
_Static_assert(sizeof(struct kymo_sampler) == 32, "sites get offsets in the table of samplers");

struct kymo_sample { // what is sampled, as the selection says
  uint32_t slot, shift;
};
enum { KYMO_SAMPLES = 1025, KYMO_CALIBRATION_SAMPLE = 0, KYMO_CALIBRATION_SHIFT = 4, KYMO_PHASES = 64 };
enum { KYMO_DEPTHS = 32 }; // remembered at a time
enum { KYMO_USER_REGIONS = 4096 }; // that the source names (regions.c); their slots come after those of the selection

enum kymo_thread_state { KYMO_THREAD_LIVE, KYMO_THREAD_ENDED, KYMO_THREAD_LATE }; // late: it has ended, and a signal handler came after that

struct kymo_thread {
  // What every event touches: one cache line.
  struct kymo_frame *top;
  uintptr_t low;
  uintptr_t span;            // the current stack is [low, low + span); 0: the next enter takes the slow way
  struct kymo_frame *free;   // a hint: some or all of the free frames
  uint64_t events;
  uint32_t mark_mask;        // ~0 where return addresses on the stack may be looked at
  struct kymo_stack *stack;
  struct kymo_sampler *samplers;
  // Every event touches these, too. The thread's clock is the timer without `offset`: without what looking took and the time that it was pre-empted.
  uint64_t offset;
  uint64_t clock;            // at the last event
  // The rest.
  struct kymo_node *root;
  struct kymo_chunk *_Atomic chunk;
  struct kymo_frame *blocks;             // all frames; the first of each block has their number and leads to the next block
  struct kymo_frame *limbo;              // dropped frames whose return address may still be needed
  uintptr_t moving;                       // lists of children are being rearranged or read: a place on the stack of who does it; 0: nobody
  struct kymo_node *moved;                // to the front
  _Atomic uintptr_t *_Atomic moving_to;   // of this list, as long as the node may be in none
  struct kymo_stack *stacks;
  struct kymo_thread *next;
  uint64_t begin, end;       // on the timer
  uint64_t lifetime;         // on its clock
  struct {                   // at the last look (gaps.c): the timer; ns of the wall clock, of CPU time, in the scheduler's queue; switches
    uint64_t tick, wall, cpu, queued, voluntary, involuntary;
  } seen;
  uint64_t cpu, preempted;   // ns
  uint64_t flat_since;       // last event below the depth limit, on its clock
  uint64_t depths[KYMO_DEPTHS]; // of nodes (tree.c)
  uint64_t looking;          // since when, on the timer; 0: nobody is
  uint32_t tid;
  uint32_t lost;             // frames may be free without being in the list
  uint64_t sampled;          // kymo_progress at the last sample of an iteration
  uint32_t number;
  _Atomic uint32_t state;
  uint32_t rounds;           // of thread-specific destructors
  uint32_t stack_count;
  uint32_t limbo_count, limbo_room; // it is swept when it has no room left
  size_t frame_bytes;
  struct kymo_node trash;    // stands for call paths below the depth limit
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
extern struct kymo_thread kymo_nobody; // none yet
extern struct kymo_thread kymo_gone;   // the thread has ended

struct kymo_global {
  _Atomic uint32_t recording;    // 0: enters are not recorded (any more); 2: only those of last_thread
  struct kymo_thread *last_thread; // the one that ends the process
  _Atomic uint32_t quiet;        // 1: nothing is recorded, and no system call is made any more: the program has forbidden them to itself (confine.c)
  _Atomic uint32_t flags;        // of the result file
  _Atomic uint32_t thread_count;
  struct kymo_thread *_Atomic threads;
  struct kymo_object *_Atomic objects;
  _Atomic uint64_t mapped, node_bytes;
  uint32_t depth_limit;
  uint64_t gap;                  // ticks between two events from which on it is asked what the thread did
  int pid;
  unsigned key;                  // thread-specific: its destructor notices the end of a thread
  int (*set_specific)(unsigned, const void *);
  uint32_t sample_count;
  struct kymo_sample samples[KYMO_SAMPLES]; // fixed before the first thread
  uint32_t phase_count;          // slots whose visits are the iterations; fixed before the first thread
  uint32_t phases[KYMO_PHASES];
  _Atomic uint64_t user_phases[KYMO_USER_REGIONS / 64]; // bits: regions that the source names and that are phases
};
extern struct kymo_global kymo;

enum { KYMO_INCOMPLETE = 1, KYMO_DEPTH_HIT = 2, KYMO_NO_MEMORY = 4, KYMO_CLOCK = 8, KYMO_ITERATIONS_LOST = 16, KYMO_UNBALANCED = 32, KYMO_UNPATCHED = 64, KYMO_CONFINED = 128 };

// record.c: what sites call
KYMO_HANDLER void kymo_in(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER void kymo_out(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER struct kymo_frame *kymo_enter(uint32_t slot, uintptr_t sp, uintptr_t saved, uintptr_t return_point);
KYMO_HANDLER void kymo_leave(struct kymo_frame *frame);
KYMO_HANDLER struct kymo_thread *kymo_ready(struct kymo_thread *t, uintptr_t sp, uintptr_t site); // NULL: nothing is recorded here
void kymo_account(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now);
struct kymo_frame *kymo_open(struct kymo_thread *t, uint32_t slot, uintptr_t where); // a visit of a user region
void kymo_close(struct kymo_thread *t, struct kymo_frame *top, uint64_t now);
KYMO_HANDLER uint64_t kymo_clock(struct kymo_thread *t); // of the thread; this is an event

// gaps.c
enum { KYMO_GAP_NANOSECONDS = 50000 };
KYMO_HANDLER void kymo_look(struct kymo_thread *t, struct kymo_frame *top, uint64_t now, uint64_t gap);
void kymo_start_clock(struct kymo_thread *t);
uint64_t kymo_stop_clock(struct kymo_thread *t);

// Is the top the frame of the function that makes this call, as far as the stack tells?
static inline bool kymo_nested(const struct kymo_thread *t, const struct kymo_frame *top, uintptr_t sp) {
  if (KYMO_UNLIKELY(sp - t->low >= t->span) || KYMO_UNLIKELY(top->sp <= sp)) return false;
  return KYMO_LIKELY(!top->mark || kymo_mark_intact(top->sp, top->mark));
}

// sample.c: what sites of sampled slots call when the fast path does not know what to do. `sampler` is an offset in the thread's table.
KYMO_HANDLER void kymo_in_sampled(uint32_t sampler, uintptr_t sp, uintptr_t site);
KYMO_HANDLER void kymo_out_sampled(uint32_t slot, uintptr_t sp, uintptr_t site);
KYMO_HANDLER bool kymo_due(uint32_t sampler, uintptr_t sp, uintptr_t site); // true: this visit is to be timed; false: it has been counted
bool kymo_make_samplers(struct kymo_thread *t);
void kymo_forget_counters(struct kymo_thread *t);
uint64_t kymo_progress(const struct kymo_thread *t);

// phases.c: what happens at the begin and the end of an iteration
KYMO_HANDLER void kymo_phase_begins(struct kymo_thread *t);
KYMO_HANDLER void kymo_longest(struct kymo_thread *t, struct kymo_node *node, uint64_t ticks, uint64_t now); // a visit that took as long as any before it, or a phase's
bool kymo_is_user_phase(uint32_t slot); // a phase by the source
bool kymo_becomes_phase(struct kymo_thread *t, const struct kymo_frame *parent, uint32_t slot);
uint64_t kymo_phase_maximum(const struct kymo_node *phase);
void kymo_flush_iterations(void);
void kymo_forget_iterations(struct kymo_thread *only); // after a fork
uint64_t kymo_iteration_count(void);

// tree.c: NULL when out of memory
KYMO_HANDLER struct kymo_node *kymo_child(struct kymo_thread *t, struct kymo_frame *parent, uint32_t slot);
void kymo_finish_moving(struct kymo_thread *t); // of one that was interrupted for good
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

// The children of a node, one after the other. One that is moved meanwhile (by a signal, or by the thread that has the tree) may come twice or not at all.
struct kymo_children {
  uintptr_t first; // of the node
  struct kymo_node *next;
  uint32_t bucket;
};
struct kymo_children kymo_children_of(const struct kymo_node *node);
struct kymo_node *kymo_next_child(struct kymo_children *children);

// stacks.c
KYMO_HANDLER void kymo_settle(struct kymo_thread *t, uintptr_t sp, uintptr_t site);
KYMO_HANDLER void kymo_push_late(struct kymo_thread *t, struct kymo_frame *frame); // another frame has become the top meanwhile
KYMO_HANDLER void kymo_pop_late(struct kymo_thread *t, struct kymo_frame *frame);
// Ends of visits that are not the top, if they are open here.
KYMO_HANDLER void kymo_end_late(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now);
KYMO_HANDLER void kymo_end_sled_late(struct kymo_thread *t, uint32_t slot, uintptr_t sp, uint64_t now);
KYMO_HANDLER void kymo_end_sampled_late(struct kymo_thread *t, uint32_t slot, uintptr_t sp, uint64_t now);
void kymo_drop_all(struct kymo_thread *t, uint64_t now, bool for_good); // for good: the thread has ended
bool kymo_is_return_point(uintptr_t address);

// extents.c: does the address lie in the code between this enter of a sled's function and its ends?
bool kymo_is_within(uintptr_t enter, uintptr_t address);

// Once its slot says that it is free, it may be somebody else's.
static inline void kymo_free_frame(struct kymo_thread *t, struct kymo_frame *frame) {
  frame->up = t->free;
  atomic_signal_fence(memory_order_seq_cst);
  frame->slot = KYMO_SLOT_FREE;
  atomic_signal_fence(memory_order_seq_cst);
  t->free = frame;
}

// limbo.c; signals are blocked
void kymo_discard(struct kymo_thread *t, struct kymo_frame *frame); // one that is not open any more, but may still return
void kymo_forget_own_stack(struct kymo_thread *t); // when a thread has ended, nothing on its own stack can return, and its memory may not be looked at any more

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

// memory.c: NULL when there is none
void *kymo_map(size_t bytes);
void kymo_unmap(void *memory, size_t bytes);
KYMO_HANDLER void kymo_out_of_memory(void);
void kymo_divert_all(void);
void *kymo_take(struct kymo_thread *t, size_t bytes);

// message.c: one line on stderr, "kymo: " first
void kymo_say(const char *a, const char *b, const char *c, const char *d);
char *kymo_decimal(uint64_t value, char text[24]);

#pragma GCC visibility pop

#endif
