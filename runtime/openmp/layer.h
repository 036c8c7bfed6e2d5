// The OpenMP layer: a library that is loaded before the program's OpenMP library and records each construct as a region.
//
// From LLVM's library (libomp) it learns of constructs through OMPT (ompt.c); before GNU's (libgomp), which has no such interface, it
// stands itself (gomp_*.c). Both report to constructs.c and teams.c. A region is named after its construct and the address of the code
// that called the library (calls.c); the reader of the result replaces the address by file and line.
#ifndef KYMO_OPENMP_LAYER_H
#define KYMO_OPENMP_LAYER_H

#include "calls.h"

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

enum kymo_construct {
  OMP_PARALLEL,
  OMP_FOR,
  OMP_SECTIONS,
  OMP_SINGLE,
  OMP_WORKSHARE,
  OMP_DISTRIBUTE,
  OMP_TASKLOOP,
  OMP_SCOPE,
  OMP_BARRIER,
  OMP_IMPLICIT_BARRIER,
  OMP_CRITICAL, // waiting for the lock and the block; the block alone is a region inside
  OMP_CRITICAL_BLOCK,
  OMP_ORDERED,
  OMP_ORDERED_BLOCK,
  OMP_ATOMIC,
  OMP_TASK,
  OMP_CREATE_TASK,
  OMP_TASKWAIT,
  OMP_TASKGROUP,
  OMP_SET_LOCK,
  OMP_UNSET_LOCK,
  OMP_TEST_LOCK,
  OMP_SET_NEST_LOCK,
  OMP_UNSET_NEST_LOCK,
  OMP_TEST_NEST_LOCK,
  OMP_CONSTRUCTS,
};

// --- open constructs of this thread (constructs.c) ---

// Begins a visit. `key` names a task; of a barrier it is where the tick of the last arrival will be. NULL otherwise.
void kymo_omp_begin(enum kymo_construct construct, const void *address, const void *key);
// Ends the innermost open visit of the construct, and what has remained open inside it.
void kymo_omp_end(enum kymo_construct construct);
// Ends what is open inside the visit with this key; false: there is none.
bool kymo_omp_end_inside(const void *key);
static inline void kymo_omp_visit(enum kymo_construct construct, const void *address) {
  kymo_omp_begin(construct, address, NULL);
  kymo_omp_end(construct);
}

// The same with regions that are looked up once.
uint32_t kymo_omp_region(enum kymo_construct construct, const void *address);
void kymo_omp_begin_region(enum kymo_construct construct, uint32_t region, const void *key);
// Begins this thread's part of a parallel region below the call path of the thread that encountered it.
void kymo_omp_begin_below(const uint32_t *path, uint32_t length, uint32_t region, const void *key);

// Forgets what is open through the innermost visit of the construct, without ending it.
void kymo_omp_forget(enum kymo_construct construct);

// --- teams (teams.c) ---

struct kymo_team;
struct kymo_team *kymo_team_begin(const void *address); // Begins the parallel region on the thread that encounters it; NULL: not recorded.
void kymo_team_end(struct kymo_team *team);
void kymo_team_size(struct kymo_team *team, uint32_t threads); // Each thread calls it before its first barrier.
bool kymo_team_is_master(const struct kymo_team *team); // Whether this thread has encountered the region.
void kymo_team_join(struct kymo_team *team); // Another thread begins its part of the region.
void kymo_team_arrive(struct kymo_team *team); // This thread waits at the end of the region. The visits of others end with `kymo_team_released`.
void kymo_team_released(struct kymo_team *team); // The master has left the barrier, so all others may.
void kymo_team_barrier(enum kymo_construct construct, const void *address); // This thread waits at a barrier inside the region.
void kymo_team_worked(void);                     // This thread has executed a task, maybe at the end of a region.
void kymo_team_wake(struct kymo_team *team); // A thread that waited at the end of the region has left it.

#pragma GCC visibility pop

#endif
