// Constructs of an OpenMP library that reports them by OMPT. The data word of an implicit task has its team, that of an explicit one the
// region of its executions and the lowest bit.
#include "layer.h"
#include "ompt.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool is_explicit(const union ompt_data *task) { return task->value & 1; }

// --- parallel regions ---

static void parallel_begin(union ompt_data *task, const void *frame, union ompt_data *parallel, unsigned threads, int flags, const void *code) {
  (void)task, (void)frame, (void)threads;
  parallel->ptr = flags & OMPT_PARALLEL_LEAGUE ? NULL : kymo_team_begin(code);
}

static void parallel_end(union ompt_data *parallel, union ompt_data *task, int flags, const void *code) {
  (void)task, (void)flags, (void)code;
  if (parallel->ptr) kymo_team_end(parallel->ptr);
}

static void implicit_task(int endpoint, union ompt_data *parallel, union ompt_data *task, unsigned threads, unsigned index, int flags) {
  (void)index;
  if (endpoint != OMPT_BEGIN) {
    if (task) kymo_team_wake(task->ptr);
    return;
  }
  task->ptr = flags & OMPT_TASK_INITIAL || !parallel ? NULL : parallel->ptr;
  if (!task->ptr) return;
  if (!kymo_team_is_master(task->ptr)) kymo_team_join(task->ptr);
  kymo_team_size(task->ptr, threads);
}

// --- barriers and other synchronisation ---

static void at_the_end(int endpoint, const union ompt_data *task) {
  struct kymo_team *team = task && !is_explicit(task) ? task->ptr : NULL;
  if (!team) return;
  if (endpoint == OMPT_BEGIN) kymo_team_arrive(team);
  else if (kymo_team_is_master(team)) kymo_team_released(team);
  else kymo_team_wake(team);
}

static void sync_region(int kind, int endpoint, union ompt_data *parallel, union ompt_data *task, const void *code) {
  (void)parallel;
  if (kind == OMPT_BARRIER_PARALLEL) {
    at_the_end(endpoint, task);
    return;
  }
  if (kind == OMPT_REDUCTION || kind == OMPT_BARRIER_TEAMS) return;
  bool is_barrier = kind != OMPT_TASKWAIT && kind != OMPT_TASKGROUP;
  enum kymo_construct construct = kind == OMPT_TASKWAIT ? OMP_TASKWAIT : kind == OMPT_TASKGROUP ? OMP_TASKGROUP : kind == OMPT_BARRIER || kind == OMPT_BARRIER_EXPLICIT ? OMP_BARRIER : OMP_IMPLICIT_BARRIER;
  if (endpoint & OMPT_BEGIN) {
    if (is_barrier) kymo_team_barrier(construct, code);
    else kymo_omp_begin(construct, code, NULL);
  }
  if (endpoint & OMPT_END) kymo_omp_end(construct);
}

// --- worksharing ---

static enum kymo_construct work_of(int kind) {
  switch (kind) {
  case OMPT_SECTIONS: return OMP_SECTIONS;
  case OMPT_SINGLE:
  case OMPT_SINGLE_OTHER: return OMP_SINGLE;
  case OMPT_WORKSHARE: return OMP_WORKSHARE;
  case OMPT_DISTRIBUTE: return OMP_DISTRIBUTE;
  case OMPT_TASKLOOP: return OMP_TASKLOOP;
  case OMPT_SCOPE: return OMP_SCOPE;
  default: return OMP_FOR;
  }
}

static void work(int kind, int endpoint, union ompt_data *parallel, union ompt_data *task, uint64_t count, const void *code) {
  (void)parallel, (void)task, (void)count;
  if (endpoint & OMPT_BEGIN) kymo_omp_begin(work_of(kind), code, NULL);
  if (endpoint & OMPT_END) kymo_omp_end(work_of(kind));
}

// --- mutual exclusion ---

static void mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t wait, const void *code) {
  (void)hint, (void)implementation, (void)wait;
  switch (kind) {
  case OMPT_LOCK: kymo_omp_begin(OMP_SET_LOCK, code, NULL); break;
  case OMPT_NESTED: kymo_omp_begin(OMP_SET_NEST_LOCK, code, NULL); break;
  case OMPT_TEST_LOCK: kymo_omp_visit(OMP_TEST_LOCK, code); break; // Whether it has failed is not reported.
  case OMPT_TEST_NESTED: kymo_omp_visit(OMP_TEST_NEST_LOCK, code); break;
  case OMPT_CRITICAL: kymo_omp_begin(OMP_CRITICAL, code, NULL); break;
  case OMPT_ATOMIC: kymo_omp_begin(OMP_ATOMIC, code, NULL); break;
  case OMPT_ORDERED: kymo_omp_begin(OMP_ORDERED, code, NULL); break;
  }
}

static void mutex_acquired(int kind, uint64_t wait, const void *code) {
  (void)wait;
  switch (kind) {
  case OMPT_LOCK: kymo_omp_end(OMP_SET_LOCK); break;
  case OMPT_NESTED: kymo_omp_end(OMP_SET_NEST_LOCK); break;
  case OMPT_CRITICAL: kymo_omp_begin(OMP_CRITICAL_BLOCK, code, NULL); break;
  case OMPT_ORDERED: kymo_omp_begin(OMP_ORDERED_BLOCK, code, NULL); break;
  }
}

static void mutex_released(int kind, uint64_t wait, const void *code) {
  (void)wait;
  switch (kind) {
  case OMPT_LOCK:
  case OMPT_TEST_LOCK: kymo_omp_visit(OMP_UNSET_LOCK, code); break;
  case OMPT_NESTED:
  case OMPT_TEST_NESTED: kymo_omp_visit(OMP_UNSET_NEST_LOCK, code); break;
  case OMPT_CRITICAL: kymo_omp_end(OMP_CRITICAL); break;
  case OMPT_ATOMIC: kymo_omp_end(OMP_ATOMIC); break;
  case OMPT_ORDERED: kymo_omp_end(OMP_ORDERED); break;
  }
}

// A nested lock is set or unset by the thread that has it already.
static void nest_lock(int endpoint, uint64_t wait, const void *code) {
  (void)wait;
  if (endpoint & OMPT_BEGIN) kymo_omp_end(OMP_SET_NEST_LOCK);
  else kymo_omp_visit(OMP_UNSET_NEST_LOCK, code);
}

// --- tasks ---

static void task_create(union ompt_data *parent, const void *frame, union ompt_data *task, int flags, int dependences, const void *code) {
  (void)parent, (void)frame, (void)dependences;
  if (!(flags & OMPT_TASK_EXPLICIT) || !task) return;
  kymo_omp_visit(OMP_CREATE_TASK, code);
  task->value = (uint64_t)kymo_omp_region(OMP_TASK, code) << 1 | 1;
}

// A task that is suspended stays open below the one that the thread executes meanwhile.
static void task_schedule(union ompt_data *prior, int status, union ompt_data *next) {
  if (status == OMPT_EARLY_FULFILL || status == OMPT_LATE_FULFILL) return;
  const void *key = !next ? NULL : is_explicit(next) ? next : next->ptr;
  kymo_team_worked();
  if (key && kymo_omp_end_inside(key)) return;
  bool over = status == OMPT_COMPLETE || status == OMPT_CANCEL || status == OMPT_DETACH;
  if (over && prior && is_explicit(prior) && kymo_omp_end_inside(prior)) kymo_omp_end(OMP_TASK);
  if (next && is_explicit(next)) kymo_omp_begin_region(OMP_TASK, (uint32_t)(next->value >> 1), next);
}

// --- the beginning ---

static int initialize(ompt_lookup lookup, int device, union ompt_data *tool) {
  (void)device, (void)tool;
  static const struct {
    int which;
    ompt_callback callback;
  } callbacks[] = {
      {OMPT_PARALLEL_BEGIN, (ompt_callback)parallel_begin}, {OMPT_PARALLEL_END, (ompt_callback)parallel_end},
      {OMPT_IMPLICIT_TASK, (ompt_callback)implicit_task},   {OMPT_SYNC_REGION, (ompt_callback)sync_region},
      {OMPT_WORK, (ompt_callback)work},                     {OMPT_MUTEX_ACQUIRE, (ompt_callback)mutex_acquire},
      {OMPT_MUTEX_ACQUIRED, (ompt_callback)mutex_acquired}, {OMPT_MUTEX_RELEASED, (ompt_callback)mutex_released},
      {OMPT_NEST_LOCK, (ompt_callback)nest_lock},           {OMPT_TASK_CREATE, (ompt_callback)task_create},
      {OMPT_TASK_SCHEDULE, (ompt_callback)task_schedule},
  };
  ompt_set_callback set = (ompt_set_callback)lookup("ompt_set_callback");
  if (!set) return 0;
  for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; ++i) set(callbacks[i].which, callbacks[i].callback);
  return 1;
}

static void finalize(union ompt_data *tool) { (void)tool; }

// The tool of the program, or the definition of the OpenMP library itself, which looks for others.
static struct ompt_start_tool_result *other_tool(unsigned version, const char *library, const void *caller) {
  typedef struct ompt_start_tool_result *(*start)(unsigned, const char *);
  start next = (start)dlsym(RTLD_NEXT, "ompt_start_tool");
  Dl_info of_next, of_library;
  if (!next || !dladdr((void *)next, &of_next) || !dladdr(caller, &of_library) || of_next.dli_fbase == of_library.dli_fbase) return NULL;
  return next(version, library);
}

__attribute__((visibility("default"))) struct ompt_start_tool_result *ompt_start_tool(unsigned version, const char *library) {
  static struct ompt_start_tool_result ours = {initialize, finalize, {0}};
  struct ompt_start_tool_result *other = other_tool(version, library, __builtin_return_address(0));
  const char *libraries = getenv("OMP_TOOL_LIBRARIES");
  if (!kymo_layer_runtime()) return other;
  if (!other && !(libraries && *libraries)) return &ours;
  kymo_layer_say("OpenMP constructs are not recorded: the program has another OMPT tool");
  return other;
}
