// The beginning and the end of a thread's measurement. A thread begins with its first event.
#include "runtime.h"

enum { STATE_BYTES = 4096, FIRST_FRAMES = 16384, LARGEST_FRAMES = 1 << 20, ADOPT_FROM = 256 };

// Adds a block of frames with signals blocked. The first frame describes the block.
static void add_frames(struct kymo_thread *t, struct kymo_frame *frames, size_t count) {
  // Sets single fields, because compilers call memset for whole structures, which uses vector registers.
  frames[0].slot = KYMO_SLOT_NONE;
  frames[0].up = t->blocks;
  frames[0].events = count;
  t->blocks = frames;
  for (size_t i = count - 1; i > 0; --i) kymo_free_frame(t, &frames[i]);
}

// Rebuilds the list of free frames from the slots of all frames. Returns false when no frame is free.
static bool list_free_frames(struct kymo_thread *t) {
  t->lost = 0;
  for (struct kymo_frame *block = t->blocks; block; block = block->up)
    for (uint64_t i = 1; i < block->events; ++i)
      if (block[i].slot == KYMO_SLOT_FREE) kymo_free_frame(t, &block[i]);
  return t->free;
}

static bool map_frames(struct kymo_thread *t) {
  size_t bytes = t->frame_bytes ? t->frame_bytes * 2 : FIRST_FRAMES;
  if (bytes > LARGEST_FRAMES) bytes = LARGEST_FRAMES;
  struct kymo_frame *frames = kymo_map(bytes);
  if (!frames) return false;
  t->frame_bytes = bytes;
  add_frames(t, frames, bytes / sizeof *frames);
  return true;
}

KYMO_HANDLER bool kymo_more_frames(struct kymo_thread *t) {
  uint64_t signals = kymo_block_signals();
  bool found = t->free || (t->lost && list_free_frames(t)) || map_frames(t);
  kymo_restore_signals(signals);
  if (!found) kymo_out_of_memory();
  return found;
}

// Makes the state of a thread. It shares a page with the first stack and the first frames.
static struct kymo_thread *make(void) {
  struct room {
    _Alignas(64) struct kymo_thread thread;
    _Alignas(64) struct kymo_frame bottom;
    struct kymo_stack stack;
    _Alignas(64) struct kymo_frame frames[];
  } *room = kymo_map(STATE_BYTES);
  if (!room) return 0;
  struct kymo_thread *t = &room->thread;
  t->root = kymo_new_node(t, KYMO_SLOT_ROOT);
  if (!t->root || !kymo_make_samplers(t)) {
    kymo_unmap(room, STATE_BYTES);
    return 0;
  }
  room->bottom.sp = UINTPTR_MAX;
  room->bottom.slot = KYMO_SLOT_ROOT;
  room->bottom.node = t->root;
  room->stack.kind = KYMO_STACK_OWN;
  room->stack.traced = true;
  room->stack.top = room->stack.bottom = t->top = &room->bottom;
  t->stack = t->stacks = &room->stack;
  t->stack_count = 1;
  t->trash.slot = KYMO_SLOT_DEPTH;
  t->trash.min = UINT64_MAX;
  atomic_store(&t->trash.first, KYMO_NO_CHILD);
  add_frames(t, room->frames, (STATE_BYTES - sizeof *room) / sizeof room->frames[0]);
  return t;
}

// A program that starts very many threads one after the other has only a few at a time. From some number on, a new thread takes over the
// state of one that has ended.
static struct kymo_thread *adopt(enum kymo_thread_state state) {
  if (state == KYMO_THREAD_LIVE && atomic_load(&kymo.thread_count) < ADOPT_FROM) return 0;
  for (struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) {
    uint32_t ended = KYMO_THREAD_ENDED;
    if (!atomic_compare_exchange_strong(&t->state, &ended, state)) continue;
    t->rounds = 0;
    t->offset += kymo_now() - t->end; // removes the time between the two threads from the clock
    t->low = t->span = 0;
    for (struct kymo_stack *s = t->stacks; s; s = s->next) s->low = s->high = 0;
    return t;
  }
  return 0;
}

static void publish(struct kymo_thread *t) {
  t->begin = t->clock = kymo_now();
  t->number = atomic_fetch_add(&kymo.thread_count, 1);
  struct kymo_thread *first = atomic_load(&kymo.threads);
  do t->next = first;
  while (!atomic_compare_exchange_weak(&kymo.threads, &first, t));
}

static void notice_end(void *t) { kymo.set_specific(kymo.key, t); }

KYMO_HANDLER struct kymo_thread *kymo_new_thread(void) {
  uint64_t signals = kymo_block_signals();
  bool late = kymo_self == &kymo_gone;
  if (!late && kymo_self != &kymo_nobody) { // A signal handler has made the thread's state before signals were blocked.
    kymo_restore_signals(signals);
    return kymo_self;
  }
  struct kymo_thread *t = adopt(late ? KYMO_THREAD_LATE : KYMO_THREAD_LIVE);
  if (!t) {
    t = make();
    if (t) publish(t);
  }
  if (t) {
    kymo_self = t;
    kymo_start_clock(t);
  }
  if (t && !late) {
    void *save = kymo.set_specific ? kymo_map(KYMO_VECTOR_BYTES) : 0;
    if (save) {
      kymo_call_keeping_vectors(notice_end, t, save);
      kymo_unmap(save, KYMO_VECTOR_BYTES);
    }
  }
  kymo_restore_signals(signals);
  if (!t) kymo_out_of_memory();
  return t;
}

// libc calls this when the thread ends. Other destructors that are measured may come later, so this function requests as many further calls
// as POSIX guarantees.
void kymo_thread_ends(void *thread) {
  enum { ROUNDS = 4 };
  struct kymo_thread *t = thread;
  bool last = ++t->rounds >= ROUNDS;
  kymo_end_parked(t);
  uint64_t signals = kymo_block_signals(), now = kymo_stop_clock(t);
  kymo_drop_all(t, now, last);
  kymo_restore_signals(signals);
  if (!last) {
    kymo.set_specific(kymo.key, t);
    return;
  }
  kymo_stop_perf(t);
  kymo_self = &kymo_gone;
  atomic_store(&t->state, KYMO_THREAD_ENDED);
}
