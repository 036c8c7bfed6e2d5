// The part of OMPT that the layer needs (OpenMP 5.2 API specification, chapter 19; the numbers are part of it): not every compiler has
// an omp-tools.h.
#ifndef KYMO_OMPT_H
#define KYMO_OMPT_H

#include <stdint.h>

union ompt_data {
  uint64_t value;
  void *ptr;
};

enum { // callbacks
  OMPT_PARALLEL_BEGIN = 3,
  OMPT_PARALLEL_END = 4,
  OMPT_TASK_CREATE = 5,
  OMPT_TASK_SCHEDULE = 6,
  OMPT_IMPLICIT_TASK = 7,
  OMPT_MUTEX_RELEASED = 17,
  OMPT_WORK = 20,
  OMPT_SYNC_REGION = 23,
  OMPT_MUTEX_ACQUIRE = 26,
  OMPT_MUTEX_ACQUIRED = 27,
  OMPT_NEST_LOCK = 28,
};
enum { OMPT_BEGIN = 1, OMPT_END = 2 };
enum { OMPT_TASK_INITIAL = 1, OMPT_TASK_EXPLICIT = 4 };
enum { OMPT_PARALLEL_LEAGUE = 0x40000000 };
enum { OMPT_COMPLETE = 1, OMPT_CANCEL = 3, OMPT_DETACH = 4, OMPT_EARLY_FULFILL = 5, OMPT_LATE_FULFILL = 6 };
enum { OMPT_BARRIER = 1, OMPT_BARRIER_EXPLICIT = 3, OMPT_TASKWAIT = 5, OMPT_TASKGROUP = 6, OMPT_REDUCTION = 7, OMPT_BARRIER_PARALLEL = 9, OMPT_BARRIER_TEAMS = 10 };
enum { OMPT_LOCK = 1, OMPT_TEST_LOCK = 2, OMPT_NESTED = 3, OMPT_TEST_NESTED = 4, OMPT_CRITICAL = 5, OMPT_ATOMIC = 6, OMPT_ORDERED = 7 };
enum { OMPT_LOOP = 1, OMPT_SECTIONS = 2, OMPT_SINGLE = 3, OMPT_SINGLE_OTHER = 4, OMPT_WORKSHARE = 5, OMPT_DISTRIBUTE = 6, OMPT_TASKLOOP = 7, OMPT_SCOPE = 8, OMPT_LOOP_FIRST = 10 };

typedef void (*ompt_callback)(void);
typedef ompt_callback (*ompt_lookup)(const char *name);
typedef int (*ompt_set_callback)(int which, ompt_callback callback);

struct ompt_start_tool_result {
  int (*initialize)(ompt_lookup lookup, int device, union ompt_data *tool);
  void (*finalize)(union ompt_data *tool);
  union ompt_data tool;
};

#endif
