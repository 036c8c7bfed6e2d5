// Decides on which machine stack a call is, and which frames of that stack are still open.
//
// Stack pointers of different stacks cannot be compared. A thread's own stack is the mapping that holds its control block (or the kernel's
// [stack]). The kernel reports the signal stack. Any other stack belongs to a fiber, whose bounds are unknown: a call that is not just
// below a known fiber starts a new one. A wrong guess can give a call the wrong parent in the call tree, but never harms the program: a
// frame whose return address may still be needed goes to limbo and is not reused.
#include "runtime.h"
#include "trace.h"

#include <fcntl.h>
#include <signal.h>

enum { FIBER_BELOW = 8192, FIBER_ABOVE = 1024, FIBER_LIMIT = 512 };
// The most frames that a walk over inlined functions visits. Without blocked signals, the limit also ends a walk that was interrupted and
// continues when the frames have been reused.
enum { MOST_AT_ONE_PLACE = 64 };

bool kymo_is_return_point(uintptr_t address) {
  for (const struct kymo_object *o = atomic_load(&kymo.objects); o; o = o->next)
    if ((uintptr_t)o->return_point == address) return true;
  return false;
}

// --- dropping frames ---

// Drops the top with signals blocked. A frame that an interrupted event is ending is only unlinked: that event does the rest when it
// continues.
static void drop(struct kymo_thread *t, const struct kymo_stack *s, struct kymo_frame *frame, uint64_t now, bool will_return) {
  uint32_t slot = frame->slot;
  t->top = frame->up;
  if (slot == KYMO_SLOT_LEFT) return;
  frame->slot = KYMO_SLOT_LEFT;
  if (s->traced && !kymo_is_continued(frame)) kymo_trace_left(t, slot, now);
  kymo_account(t, frame, now);
  if (will_return) kymo_discard(t, frame);
  else kymo_free_frame(t, frame);
}

// Tests whether an event at or above a sled's stack pointer comes from within the sled's function. User regions and inlined functions have
// the same stack pointer as the function around them.
static bool comes_from(const struct kymo_frame *top, uintptr_t sp, uintptr_t site) {
  if (!KYMO_PADS_ARGUMENTS || sp - top->sp > KYMO_PADS_ARGUMENTS) return false;
  uintptr_t caller = *(const uintptr_t *)sp; // return address, if the event is a patchable entry or in a function without a frame
  uintptr_t place = top->sp;
  const struct kymo_frame *frame = top, *up;
  for (int steps = 0; (up = frame->up) && !frame->ret && frame->sp == place && steps < MOST_AT_ONE_PLACE; frame = up, ++steps)
    if (kymo_is_within(frame->saved, caller) || (site && kymo_is_within(frame->saved, site))) return true;
  return false;
}

static bool is_left(const struct kymo_frame *top, uintptr_t sp, uintptr_t site) {
  uintptr_t same = site && top->ret ? sp - KYMO_LINK_BELOW_SP : sp; // stack address of the return address in a function without a frame
  if (top->sp < same) return true;
  if (top->sp == same && top->ret) return !kymo_is_return_point(*(const uintptr_t *)same);
  if (top->mark && kymo_mark_lost(top->sp, top->mark, top->ret)) return true;
  if (top->sp > same) return false;
  return !site; // At an entry: the sled's function had this sp, so a call from it would have put its return address below it.
}

static bool is_stale(const struct kymo_frame *top, uintptr_t sp, uintptr_t site) {
  return top->up && is_left(top, sp, site) && !comes_from(top, sp, site);
}

// Inlined functions have sleds at the same sp. If a sled is reached again while its visit is open, a jump has left that visit.
static struct kymo_frame *same_site(struct kymo_frame *frame, uintptr_t sp, uintptr_t site) {
  struct kymo_frame *up;
  for (int steps = 0; (up = frame->up) && frame->sp == sp && steps < MOST_AT_ONE_PLACE; frame = up, ++steps)
    if (!frame->ret && frame->saved == site) return frame;
  return 0;
}

static void drop_through(struct kymo_thread *t, const struct kymo_frame *last, uint64_t now) {
  for (struct kymo_frame *frame = t->top; frame->up; frame = t->top) {
    drop(t, t->stack, frame, now, true);
    if (frame == last) break;
  }
}

void kymo_drop_all(struct kymo_thread *t, uint64_t now, bool for_good) {
  uint64_t signals = kymo_block_signals();
  t->stack->top = t->top;
  for (struct kymo_stack *s = t->stacks; s; s = s->next) {
    uint64_t end = s == t->stack ? now : s->left;
    t->top = s->top;
    while (t->top->up) drop(t, s, t->top, end, s->kind != KYMO_STACK_OWN);
    s->top = t->top;
  }
  t->top = t->stack->top;
  if (for_good) kymo_forget_own_stack(t);
  kymo_restore_signals(signals);
}

// --- finding the stack ---

struct mapping {
  uintptr_t low, high, before; // `before` is the end of the mapping below.
  bool kernel_stack;
};

// Finds the line of /proc/self/maps that contains the address, without libc and with little stack, because it may run on a small one.
static bool find_mapping(uintptr_t address, struct mapping *m) {
  long file = kymo_syscall(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (file < 0) return false;
  static const char name[] = "[stack]";
  char text[512];
  uintptr_t number = 0;
  unsigned field = 0, matched = 0;
  bool found = false;
  *m = (struct mapping){0, 0, 0, false};
  for (long got; !found && (got = kymo_syscall(SYS_read, file, (long)text, sizeof text, 0, 0, 0)) > 0;) {
    for (long i = 0; i < got && !found; ++i) {
      char c = text[i];
      if (c == '\n') {
        found = m->low <= address && address < m->high;
        if (!found) *m = (struct mapping){0, 0, m->high, false};
        else m->kernel_stack = matched == sizeof name - 1;
        field = matched = 0;
        number = 0;
      } else if (field < 2 && (c == '-' || c == ' ')) {
        if (field++ == 0) m->low = number;
        else m->high = number;
        number = 0;
      } else if (field < 2) {
        number = number << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
      } else {
        matched = matched < sizeof name - 1 && c == name[matched] ? matched + 1 : c == '[';
      }
    }
  }
  kymo_syscall(SYS_close, file, 0, 0, 0, 0, 0);
  return found;
}

static bool own_stack(uintptr_t sp, uintptr_t *low, uintptr_t *high) {
  struct mapping m;
  uintptr_t control = kymo_thread_pointer();
  if (!find_mapping(sp, &m)) { // Without /proc, the range just below the control block is a guess that holds for threads.
    *low = sp & ~(uintptr_t)0xffff;
    *high = control > sp && control - sp < 0x1000000 ? control : *low + 0x20000;
    return true;
  }
  *low = m.low;
  *high = m.high;
  bool first_thread = kymo_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0) == kymo_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
  if (m.kernel_stack) *low = m.before; // The kernel's stack grows down to there.
  // The mapping with the first thread's control block may also contain stacks of fibers, because the kernel merges neighbouring mappings.
  if (m.kernel_stack || first_thread) return m.kernel_stack && first_thread;
  if (control < m.low || control >= m.high || sp >= control) return false;
  *high = control;
  return true;
}

static bool signal_stack(uintptr_t sp, uintptr_t *low, uintptr_t *high) {
  stack_t s = {0, 0, 0};
  if (kymo_syscall(SYS_sigaltstack, 0, (long)&s, 0, 0, 0, 0) || (s.ss_flags & SS_DISABLE)) return false;
  *low = (uintptr_t)s.ss_sp;
  *high = *low + s.ss_size;
  return *low <= sp && sp < *high;
}

static struct kymo_stack *known(struct kymo_thread *t, uintptr_t sp) {
  for (struct kymo_stack *s = t->stacks; s; s = s->next)
    if (s->low <= sp && sp < s->high) return s;
  return 0;
}

static struct kymo_stack *of_kind(struct kymo_thread *t, enum kymo_stack_kind kind) {
  for (struct kymo_stack *s = t->stacks; s; s = s->next)
    if (s->kind == kind) return s;
  return 0;
}

static struct kymo_stack *add_stack(struct kymo_thread *t, enum kymo_stack_kind kind) {
  struct kymo_stack *s = 0;
  if (kind == KYMO_STACK_FIBER && t->stack_count >= FIBER_LIMIT) { // Reuse a fiber without open frames, or else share any fiber.
    for (struct kymo_stack *other = t->stacks; other; other = other->next) {
      if (other->kind != KYMO_STACK_FIBER) continue;
      s = other;
      if (!other->top->up && other != t->stack) break;
    }
    return s;
  }
  struct { struct kymo_stack stack; char pad[64 - sizeof(struct kymo_stack)]; struct kymo_frame bottom; } *room = kymo_take(t, 128);
  if (!room) return 0;
  s = &room->stack;
  room->bottom.sp = UINTPTR_MAX;
  room->bottom.slot = KYMO_SLOT_ROOT;
  room->bottom.node = t->root;
  s->kind = kind;
  s->bottom = s->top = &room->bottom;
  s->next = t->stacks;
  t->stacks = s;
  ++t->stack_count;
  return s;
}

// Extends the fiber just above the call and returns it, if the call is close below that fiber's known range.
static struct kymo_stack *extend_fiber(struct kymo_thread *t, uintptr_t sp) {
  struct kymo_stack *above = 0;
  for (struct kymo_stack *s = t->stacks; s; s = s->next)
    if (s->low > sp && (!above || s->low < above->low)) above = s;
  if (!above || above->kind != KYMO_STACK_FIBER || above->low - sp > FIBER_BELOW) return 0;
  above->low = sp & ~(uintptr_t)63;
  return above;
}

static struct kymo_stack *new_fiber(struct kymo_thread *t, uintptr_t sp) {
  uintptr_t low = sp - FIBER_BELOW, high = sp + FIBER_ABOVE;
  for (const struct kymo_stack *s = t->stacks; s; s = s->next) {
    if (s->high <= sp && s->high > low) low = s->high;
    if (s->low > sp && s->low < high) high = s->low;
  }
  struct kymo_stack *s = add_stack(t, KYMO_STACK_FIBER);
  if (!s) return 0;
  s->low = low;
  s->high = high;
  return s;
}

static struct kymo_stack *discover(struct kymo_thread *t, uintptr_t sp) {
  uintptr_t low, high;
  enum kymo_stack_kind kind = KYMO_STACK_FIBER;
  if (signal_stack(sp, &low, &high)) kind = KYMO_STACK_SIGNAL;
  else if (own_stack(sp, &low, &high)) kind = KYMO_STACK_OWN;
  if (kind == KYMO_STACK_FIBER) {
    struct kymo_stack *s = extend_fiber(t, sp);
    return s ? s : new_fiber(t, sp);
  }
  struct kymo_stack *s = of_kind(t, kind);
  if (!s) s = add_stack(t, kind);
  if (!s) return 0;
  s->low = low;
  s->high = high;
  return s;
}

static void use(struct kymo_thread *t, struct kymo_stack *s, uint64_t now) {
  t->stack->top = t->top;
  t->stack->left = now;
  kymo_trace_switch(t, s);
  t->stack = s;
  t->top = s->top;
  t->low = s->low;
  t->mark_mask = s->kind == KYMO_STACK_OWN ? ~0u : 0;
  t->span = atomic_load(&kymo.recording) ? s->high - s->low : 0;
}

// The kernel delivers signals at the top of this stack, so its earlier frames are no longer open. The handler hangs below the node that it
// interrupts.
static void begin_handler(struct kymo_thread *t, struct kymo_stack *s, struct kymo_node *interrupted) {
  drop_through(t, 0, s->left); // They must end no later than the frames that they hang below.
  s->traced = true;
  s->bottom->node = interrupted;
}

// Called with signals blocked.
static void go_to_stack_of(struct kymo_thread *t, uintptr_t sp) {
  const struct kymo_stack *before = t->stack;
  struct kymo_node *here = t->top->node;
  struct kymo_stack *s = known(t, sp);
  if (!s || s->kind == KYMO_STACK_FIBER) {
    // A fiber's assumed range may overlap a signal stack that was set up later.
    uintptr_t low, high;
    if (!s || (of_kind(t, KYMO_STACK_SIGNAL) && signal_stack(sp, &low, &high))) s = discover(t, sp);
  }
  if (!s) {
    kymo_out_of_memory();
    return;
  }
  use(t, s, kymo_clock(t));
  if (s->kind == KYMO_STACK_SIGNAL && s != before) begin_handler(t, s, here);
}

static KYMO_HANDLER __attribute__((noinline)) void switch_stack(struct kymo_thread *t, uintptr_t sp) {
  uint64_t signals = kymo_block_signals();
  go_to_stack_of(t, sp);
  kymo_restore_signals(signals);
}

// Its cost is removed from the clock: in a program that jumps often, the two system calls would otherwise count as time of the function
// that jumps.
static KYMO_HANDLER __attribute__((noinline)) void drop_stale(struct kymo_thread *t, uintptr_t sp, uintptr_t site) {
  uint64_t now = kymo_clock(t), begin = kymo_now();
  uint64_t signals = kymo_block_signals();
  bool alone = t->clock == now; // No signal handler had events since `now`.
  if (!alone) now = kymo_clock(t);
  const struct kymo_frame *again;
  do {
    while (is_stale(t->top, sp, site)) drop(t, t->stack, t->top, now, true);
    again = site ? same_site(t->top, sp, site) : 0;
    if (again) drop_through(t, again, now);
  } while (again);
  if (alone) t->offset += kymo_now() - begin;
  kymo_restore_signals(signals);
}

KYMO_HANDLER void kymo_settle(struct kymo_thread *t, uintptr_t sp, uintptr_t site) {
  if (sp - t->low >= t->span) switch_stack(t, sp);
  struct kymo_frame *top = t->top;
  if (is_stale(top, sp, site) || (site && same_site(top, sp, site))) drop_stale(t, sp, site);
}

// --- leaving a frame that is not the top ---

static struct kymo_stack *stack_of(struct kymo_thread *t, const struct kymo_frame *frame) {
  t->stack->top = t->top;
  struct kymo_stack *s = t->stack;
  for (struct kymo_stack *next = t->stacks; s; s = next, next = next ? next->next : 0)
    for (const struct kymo_frame *open = s->top; open->up; open = open->up)
      if (open == frame) return s;
  return 0;
}

// Called with signals blocked: makes an open frame the top, and drops those above it.
static bool surface(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now) {
  struct kymo_stack *s = stack_of(t, frame);
  if (!s) return false;
  if (s != t->stack) use(t, s, now);
  while (t->top != frame) drop(t, s, t->top, now, true);
  return true;
}

static void end(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now) {
  if (frame && surface(t, frame, now)) kymo_close(t, frame, now);
}

// --- events that were interrupted and continue after others ---

KYMO_HANDLER void kymo_push_late(struct kymo_thread *t, struct kymo_frame *frame) {
  uint64_t signals = kymo_block_signals();
  struct kymo_stack *s = known(t, frame->sp);
  if (s && s != t->stack) use(t, s, kymo_clock(t));
  frame->up = t->top;
  frame->mark &= t->mark_mask;
  t->top = frame;
  kymo_restore_signals(signals);
}

KYMO_HANDLER void kymo_pop_late(struct kymo_thread *t, struct kymo_frame *frame) {
  uint64_t signals = kymo_block_signals();
  if (surface(t, frame, kymo_clock(t))) t->top = frame->up; // A dropped frame is not open any more.
  kymo_restore_signals(signals);
}

KYMO_HANDLER void kymo_end_late(struct kymo_thread *t, struct kymo_frame *frame, uint64_t now) {
  uint64_t signals = kymo_block_signals();
  if (frame->slot == KYMO_SLOT_LIMBO) frame->ret = 0; // The trampoline has read `ret`, so the frame may be freed.
  else end(t, frame, now);
  kymo_restore_signals(signals);
}

static struct kymo_frame *find_sled(struct kymo_thread *t, uint32_t slot, uintptr_t sp) {
  struct kymo_stack *s = t->stack;
  struct kymo_frame *frame = t->top, *other = 0;
  if (sp < s->low || sp >= s->high) {
    s = known(t, sp);
    if (!s) return 0;
    frame = s->top;
  }
  for (; frame->up; frame = frame->up) {
    if (frame->slot != slot || frame->ret) continue;
    if (frame->sp == sp) return frame;
    if (!other) other = frame;
  }
  return other;
}

// Finds the frame of a timed visit that ends. If a running function lies above the slot's frame, then the visit that ends was not timed,
// and the frame belongs to an outer visit.
static struct kymo_frame *find_timed(struct kymo_thread *t, uint32_t slot, uintptr_t sp) {
  const struct kymo_stack *s = t->stack;
  struct kymo_frame *frame = t->top;
  if (sp < s->low || sp >= s->high) {
    s = known(t, sp);
    if (!s) return 0;
    frame = s->top;
  }
  for (; frame->up; frame = frame->up) {
    if (frame->slot == slot && !frame->ret) return frame;
    if (frame->sp > sp) return 0;
  }
  return 0;
}

KYMO_HANDLER void kymo_end_sled_late(struct kymo_thread *t, uint32_t slot, uintptr_t sp, uint64_t now) {
  uint64_t signals = kymo_block_signals();
  end(t, find_sled(t, slot, sp), now);
  kymo_restore_signals(signals);
}

KYMO_HANDLER void kymo_end_sampled_late(struct kymo_thread *t, uint32_t slot, uintptr_t sp, uint64_t now) {
  uint64_t signals = kymo_block_signals();
  end(t, find_timed(t, slot, sp), now);
  kymo_restore_signals(signals);
}
