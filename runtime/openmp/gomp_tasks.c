// Tasks of libgomp. It copies the data of a task, so the layer gives it a block with what it needs itself before that data:
//
//   words that libgomp reads or writes · struct task · the program's data
//
// libgomp writes the handle of a detached task, or the range of a taskloop's task, into the first words of the data, and reads the third
// one of a taskloop with reductions.
#include "gomp.h"

#include <alloca.h>
#include <string.h>

enum { DETACHED = 1 << 13 };
enum { WORDS = 3 };

typedef void (*body)(void *data);
typedef void (*copier)(void *to, void *from);

struct task {
  void *words[WORDS];
  unsigned written; // how many of the words libgomp writes
  uint32_t region;
  body run;
  copier copy;
  size_t offset;    // of the program's data in the block
  void *data;       // of the thread that creates the task; for `copy`
};

static void run(void *block) {
  const struct task *task = block;
  char *data = (char *)block + task->offset;
  memcpy(data, task->words, task->written * sizeof *task->words);
  kymo_omp_begin_region(OMP_TASK, task->region, block);
  task->run(data);
  kymo_omp_end(OMP_TASK);
  kymo_team_worked();
}

static void copy(void *to, void *from) {
  const struct task *task = from;
  memcpy(to, from, sizeof *task);
  task->copy((char *)to + task->offset, task->data);
}

static size_t offset_for(long align) { return (sizeof(struct task) + (size_t)align - 1) / (size_t)align * (size_t)align; }

// `block` has room for the program's data; libgomp itself copies it when the program has no function for that.
static void fill(struct task *block, body fn, void *data, copier cpyfn, long size, long align, const void *address) {
  *block = (struct task){.region = kymo_omp_region(OMP_TASK, address), .run = fn, .copy = cpyfn, .offset = offset_for(align), .data = data};
  if (!cpyfn && size > 0) memcpy((char *)block + block->offset, data, (size_t)size);
}

static inline long block_align(long align) { return align > (long)_Alignof(struct task) ? align : (long)_Alignof(struct task); }

GOMP_EXPORT void GOMP_task(body fn, void *data, copier cpyfn, long size, long align, bool deferred, unsigned flags, void **dependences, int priority, void *detach) {
  __typeof__(&GOMP_task) next = NEXT(GOMP_task);
  if (!kymo_gomp_records()) return next(fn, data, cpyfn, size, align, deferred, flags, dependences, priority, detach);
  long aligned = block_align(align);
  struct task *block = (struct task *)(((uintptr_t)alloca(offset_for(aligned) + (size_t)size + (size_t)aligned) + (size_t)aligned - 1) & ~((uintptr_t)aligned - 1));
  fill(block, fn, data, cpyfn, size, aligned, HERE);
  block->written = flags & DETACHED ? 1 : 0;
  kymo_omp_begin(OMP_CREATE_TASK, HERE, NULL);
  next(run, block, cpyfn ? copy : NULL, (long)block->offset + size, aligned, deferred, flags, dependences, priority, detach);
  kymo_omp_end(OMP_CREATE_TASK);
}

#define TASKLOOP(name, number)                                                                                                        \
  GOMP_EXPORT void name(body fn, void *data, copier cpyfn, long size, long align, unsigned flags, unsigned long tasks, int priority, number first, number last, number step) { \
    __typeof__(&name) next = NEXT(name);                                                                                              \
    if (!kymo_gomp_records()) return next(fn, data, cpyfn, size, align, flags, tasks, priority, first, last, step);                                                                                                                                 \
    long aligned = block_align(align);                                                                                                \
    struct task *block = (struct task *)(((uintptr_t)alloca(offset_for(aligned) + (size_t)size + (size_t)aligned) + (size_t)aligned - 1) & ~((uintptr_t)aligned - 1)); \
    fill(block, fn, data, cpyfn, size, aligned, HERE);                                                                                \
    memcpy(block->words, data, (size_t)size < sizeof block->words ? (size_t)size : sizeof block->words);                              \
    block->written = 2;                                                                                                               \
    kymo_omp_begin(OMP_TASKLOOP, HERE, NULL);                                                                                         \
    next(run, block, cpyfn ? copy : NULL, (long)block->offset + size, aligned, flags, tasks, priority, first, last, step);             \
    kymo_omp_end(OMP_TASKLOOP);                                                                                                       \
  }
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

#define WAIT(name, parameter, argument)      \
  GOMP_EXPORT void name(parameter) {         \
    __typeof__(&name) next = NEXT(name);     \
    if (!kymo_gomp_records()) return next(argument);                                        \
    kymo_omp_begin(OMP_TASKWAIT, HERE, NULL); \
    next(argument);                          \
    kymo_omp_end(OMP_TASKWAIT);              \
  }
WAIT(GOMP_taskwait, void, )
WAIT(GOMP_taskwait_depend, void **dependences, dependences)

GOMP_EXPORT void GOMP_taskgroup_start(void) {
  __typeof__(&GOMP_taskgroup_start) next = NEXT(GOMP_taskgroup_start);
  if (!kymo_gomp_records()) return next();
  kymo_omp_begin(OMP_TASKGROUP, HERE, NULL);
  next();
}

GOMP_EXPORT void GOMP_taskgroup_end(void) {
  __typeof__(&GOMP_taskgroup_end) next = NEXT(GOMP_taskgroup_end);
  if (!kymo_gomp_records()) return next();
  next();
  kymo_omp_end(OMP_TASKGROUP);
}
