// Regions and phases that the source names (include/kymo.h, include/kymo_scorep.h, and their Fortran counterparts), and those of the layers (layers.c). Each gets a slot after
// those of the selection, and its name goes into the result. A visit has a frame of its own, which stays alive as long as that of the
// measured function around it.
#include "layers.h"
#include "session.h"
#include "libc.h"

#define KYMO_API __attribute__((visibility("default")))

enum { NAME_BYTES = 256, FILE_BYTES = 1024, TABLE = 2 * KYMO_USER_REGIONS };

struct region {
  const char *name, *file; // copies of the caller's strings
  uint32_t line;
  uint32_t kind; // enum kymo_region_kind
};

static struct {
  _Atomic uint32_t busy, count;
  struct region *regions;      // indexed by slot − kymo_session.slots
  uint32_t *table;             // hash table from names to position + 1
  char *text, *text_end;       // free memory for names
  bool full;
} names;

static uint32_t hash(const char *name, size_t length) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; ++i) h = (h ^ (unsigned char)name[i]) * 16777619u;
  return h;
}

// Returns the entry of the name, which is 0 when the name is not in the table yet.
static uint32_t *find(const char *name, size_t length) {
  for (uint32_t i = hash(name, length);; ++i) {
    uint32_t *place = &names.table[i % TABLE];
    if (!*place) return place;
    const struct region *r = &names.regions[*place - 1];
    if (strlen(r->name) == length && !memcmp(r->name, name, length)) return place;
  }
}

static char *copy(const char *text, size_t length) {
  if ((size_t)(names.text_end - names.text) < length + 1) {
    size_t bytes = 1 << 16;
    names.text = kymo_map(bytes);
    if (!names.text) return 0;
    names.text_end = names.text + bytes;
  }
  char *result = names.text;
  memcpy(result, text, length);
  result[length] = 0;
  names.text += length + 1;
  return result;
}

static bool make_table(void) {
  if (names.table) return true;
  names.regions = kymo_map(KYMO_USER_REGIONS * sizeof *names.regions);
  uint32_t *table = names.regions ? kymo_map(TABLE * sizeof *table) : 0;
  names.table = table;
  return table != 0;
}

// Returns slot + 1 of a region and adds it when it is new, or returns 0 when there is no room. The first call for a name decides of
// which kind it is.
static uint32_t enrol(const char *name, size_t length, const char *file, uint32_t line, uint32_t kind) {
  if (!make_table()) return 0;
  uint32_t *place = find(name, length), at = atomic_load(&names.count);
  if (*place) return kymo_session.slots + *place;
  if (at == KYMO_USER_REGIONS) {
    if (!names.full) kymo_say("more than 4096 regions are named in the source; not recorded: ", name, 0, 0);
    names.full = true;
    return 0;
  }
  size_t file_length = file ? strlen(file) : 0;
  struct region *r = &names.regions[at];
  *r = (struct region){copy(name, length), copy(file ? file : "", file_length < FILE_BYTES ? file_length : 0), line, kind};
  if (!r->name || !r->file) return 0;
  if (kind == KYMO_REGION_MPI) atomic_fetch_or(&kymo.mpi_calls[at / 64], 1ull << at % 64);
  if (kind == KYMO_REGION_PHASE) atomic_fetch_or(&kymo.user_phases[at / 64], 1ull << at % 64);
  atomic_store(&names.count, at + 1);
  *place = at + 1;
  return kymo_session.slots + at + 1;
}

static uint32_t slot_of(const char *name, size_t length, const char *file, uint32_t line, uint32_t kind) {
  if (length >= NAME_BYTES) length = NAME_BYTES - 1;
  uint64_t signals = kymo_block_signals();
  while (atomic_exchange(&names.busy, 1)) kymo_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  uint32_t slot = enrol(name, length, file, line, kind);
  atomic_store(&names.busy, 0);
  kymo_restore_signals(signals);
  return slot;
}

uint32_t kymo_region_slot(const char *name, const char *file, uint32_t line, uint32_t kind) { return slot_of(name, strlen(name), file, line, kind); }

// In the child of a fork no thread holds the lock.
void kymo_release_regions(void) { atomic_store(&names.busy, 0); }

// --- visits ---

static bool is_user(const struct kymo_frame *frame) { return frame->up && !frame->ret && frame->slot >= kymo_session.slots; }

// Reports only the first mistake of a process, because the same mistake usually recurs in each iteration.
static void complain(const char *what, uint32_t slot, const char *then) {
  if (atomic_fetch_or(&kymo.flags, KYMO_UNBALANCED) & KYMO_UNBALANCED) return;
  kymo_say("region '", names.regions[slot - kymo_session.slots].name, what, then);
}

static void close_through(struct kymo_thread *t, struct kymo_frame *frame) {
  uint64_t before = kymo_iteration_count(), signals = kymo_block_signals(), now = kymo_clock(t);
  while (t->top != frame) kymo_close(t, t->top, now); // The callers have checked that these are frames of user regions.
  kymo_close(t, frame, now);
  kymo_restore_signals(signals);
  if (KYMO_UNLIKELY(atomic_load_explicit(&kymo.watch, memory_order_relaxed)) && kymo_iteration_count() != before)
    kymo_wait_at_border(t, kymo_iteration_count());
}

static bool in_phase(const struct kymo_thread *t) {
  for (const struct kymo_frame *frame = t->top; frame->up; frame = frame->up)
    if (kymo_is_phase(frame->node->slot)) return true;
  return false;
}

static void begin(uint32_t slot) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  struct kymo_thread *t = kymo_ready(kymo_self, here, 0);
  if (!t) return;
  // The same region is open already. In a recursion, this call would be at a lower stack address.
  for (struct kymo_frame *frame = t->top; is_user(frame); frame = frame->up)
    if (frame->slot == slot && frame->saved <= here) {
      complain("' begins again without having ended", slot, "; the earlier visit ends here");
      close_through(t, frame);
      break;
    }
  if (kymo_is_user_phase(slot) && !kymo.phase_count && in_phase(t))
    complain("' is a phase inside a phase", slot, "; only the outer one has iterations");
  kymo_open(t, slot, here);
}

static void end(uint32_t slot) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  struct kymo_thread *t = kymo_ready(kymo_self, here, 0);
  if (!t) return;
  struct kymo_frame *frame = t->top;
  while (is_user(frame) && frame->slot != slot) frame = frame->up;
  if (!is_user(frame)) {
    complain("' ends where it has not begun (begin and end must be in the same function)", slot, "; ignored");
    return;
  }
  if (frame != t->top) complain("' ends before a region inside it has ended", slot, "; both end here");
  close_through(t, frame);
}

static bool is_recording(void) { return atomic_load_explicit(&kymo.recording, memory_order_relaxed) != 0; }

// The caller owns `handle`, which is 0 at first. It caches the lookup of the name.
KYMO_API void kymo_user_begin(unsigned *handle, const char *name, const char *file, unsigned line, unsigned is_phase) {
  if (!is_recording()) return;
  if (!*handle) *handle = slot_of(name, strlen(name), file, line, is_phase);
  if (*handle) begin(*handle - 1);
}

KYMO_API void kymo_user_end(unsigned *handle, const char *name, unsigned is_phase) {
  if (!is_recording()) return;
  if (!*handle) *handle = slot_of(name, strlen(name), 0, 0, is_phase);
  if (*handle) end(*handle - 1);
}

// --- Fortran: the lengths of strings are the last arguments; trailing blanks are not part of a name ---

static uint32_t fortran_slot(const char *name, size_t length, uint32_t is_phase) {
  while (length && name[length - 1] == ' ') --length;
  return slot_of(name, length, 0, 0, is_phase);
}

static uint32_t fortran_begin(const char *name, size_t length, uint32_t is_phase) {
  uint32_t slot = is_recording() ? fortran_slot(name, length, is_phase) : 0;
  if (slot) begin(slot - 1);
  return slot;
}

static void fortran_end(const char *name, size_t length, uint32_t is_phase) {
  uint32_t slot = is_recording() ? fortran_slot(name, length, is_phase) : 0;
  if (slot) end(slot - 1);
}

KYMO_API void kymo_phase_begin_(const char *name, size_t length) { fortran_begin(name, length, 1); }
KYMO_API void kymo_phase_end_(const char *name, size_t length) { fortran_end(name, length, 1); }
KYMO_API void kymo_region_begin_(const char *name, size_t length) { fortran_begin(name, length, 0); }
KYMO_API void kymo_region_end_(const char *name, size_t length) { fortran_end(name, length, 0); }

// The macros of include/scorep/SCOREP_User.inc call these; the handle is an INTEGER*8 that may be uninitialised.
enum { SCOREP_DYNAMIC = 4 };
KYMO_API void kymo_scorep_init_(int64_t *handle, const char *name, const int *type, size_t length) {
  *handle = is_recording() ? fortran_slot(name, length, (*type & SCOREP_DYNAMIC) != 0) : 0;
}
KYMO_API void kymo_scorep_begin_(int64_t *handle, const char *name, const int *type, size_t length) {
  *handle = fortran_begin(name, length, (*type & SCOREP_DYNAMIC) != 0);
}
KYMO_API void kymo_scorep_enter_(const int64_t *handle) {
  if (*handle > 0 && is_recording()) begin((uint32_t)*handle - 1);
}
KYMO_API void kymo_scorep_end_(const int64_t *handle) {
  if (*handle > 0 && is_recording()) end((uint32_t)*handle - 1);
}

// --- the result ---

uint32_t kymo_region_count(void) { return atomic_load(&names.count); }

void kymo_put_region(uint32_t i, void (*put)(void *data, const void *bytes, size_t size), void *data) {
  const struct region *r = &names.regions[i];
  uint32_t name_length = (uint32_t)strlen(r->name), file_length = (uint32_t)strlen(r->file);
  uint32_t head[5] = {kymo_session.slots + i, r->kind, r->line, name_length, file_length};
  put(data, head, sizeof head);
  put(data, r->name, name_length);
  put(data, r->file, file_length);
}

void kymo_put_regions(void (*put)(void *data, const void *bytes, size_t size), void *data) {
  uint32_t count = kymo_region_count();
  for (uint32_t i = 0; i < count; ++i) {
    kymo_put_region(i, put, data);
    put(data, 0, 0);
  }
}
