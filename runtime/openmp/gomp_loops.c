// Loops whose schedule libgomp decides, sections and single. The compiler divides a static schedule itself, without a call: such a loop
// has no region, only the barrier at its end.
#include "gomp.h"

typedef unsigned long long ull;

static inline void begin(enum kymo_construct construct, const void *address) {
  if (kymo_gomp_records()) kymo_omp_begin(construct, address, NULL);
}

#define START(name, parameters, arguments)                    \
  GOMP_EXPORT bool GOMP_loop_##name parameters {              \
    __typeof__(&GOMP_loop_##name) next = NEXT(GOMP_loop_##name); \
    begin(OMP_FOR, HERE);                                     \
    return next arguments;                                    \
  }

#define RANGE(name) START(name, (long first, long last, long step, long chunk, long *from, long *to), (first, last, step, chunk, from, to))
#define RANGE_ULL(name) START(ull_##name, (bool up, ull first, ull last, ull step, ull chunk, ull *from, ull *to), (up, first, last, step, chunk, from, to))
#define RUNTIME(name) START(name, (long first, long last, long step, long *from, long *to), (first, last, step, from, to))
#define RUNTIME_ULL(name) START(ull_##name, (bool up, ull first, ull last, ull step, ull *from, ull *to), (up, first, last, step, from, to))
#define BOTH(name) RANGE(name) RANGE_ULL(name)
#define BOTH_RUNTIME(name) RUNTIME(name) RUNTIME_ULL(name)

BOTH(static_start)
BOTH(dynamic_start)
BOTH(guided_start)
BOTH(nonmonotonic_dynamic_start)
BOTH(nonmonotonic_guided_start)
BOTH(ordered_static_start)
BOTH(ordered_dynamic_start)
BOTH(ordered_guided_start)
BOTH_RUNTIME(runtime_start)
BOTH_RUNTIME(nonmonotonic_runtime_start)
BOTH_RUNTIME(maybe_nonmonotonic_runtime_start)
BOTH_RUNTIME(ordered_runtime_start)

#define GENERAL(name) START(name, (long first, long last, long step, long kind, long chunk, long *from, long *to, uintptr_t *reductions, void **memory), (first, last, step, kind, chunk, from, to, reductions, memory))
#define GENERAL_ULL(name) START(ull_##name, (bool up, ull first, ull last, ull step, long kind, ull chunk, ull *from, ull *to, uintptr_t *reductions, void **memory), (up, first, last, step, kind, chunk, from, to, reductions, memory))
GENERAL(start)
GENERAL(ordered_start)
GENERAL_ULL(start)
GENERAL_ULL(ordered_start)

#define ACROSS(name) \
  START(name, (unsigned count, long *counts, long chunk, long *from, long *to), (count, counts, chunk, from, to)) \
  START(ull_##name, (unsigned count, ull *counts, ull chunk, ull *from, ull *to), (count, counts, chunk, from, to))
ACROSS(doacross_static_start)
ACROSS(doacross_dynamic_start)
ACROSS(doacross_guided_start)
START(doacross_runtime_start, (unsigned count, long *counts, long *from, long *to), (count, counts, from, to))
START(ull_doacross_runtime_start, (unsigned count, ull *counts, ull *from, ull *to), (count, counts, from, to))
START(doacross_start, (unsigned count, long *counts, long kind, long chunk, long *from, long *to, uintptr_t *reductions, void **memory), (count, counts, kind, chunk, from, to, reductions, memory))
START(ull_doacross_start, (unsigned count, ull *counts, long kind, ull chunk, ull *from, ull *to, uintptr_t *reductions, void **memory), (count, counts, kind, chunk, from, to, reductions, memory))

GOMP_EXPORT unsigned GOMP_sections_start(unsigned count) {
  __typeof__(&GOMP_sections_start) next = NEXT(GOMP_sections_start);
  begin(OMP_SECTIONS, HERE);
  return next(count);
}

GOMP_EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory) {
  __typeof__(&GOMP_sections2_start) next = NEXT(GOMP_sections2_start);
  begin(OMP_SECTIONS, HERE);
  return next(count, reductions, memory);
}

#define END(name, construct)                            \
  GOMP_EXPORT void GOMP_##name##_end(void) {            \
    __typeof__(&GOMP_##name##_end) next = NEXT(GOMP_##name##_end); \
    if (!kymo_gomp_records()) return next();            \
    kymo_team_barrier(OMP_IMPLICIT_BARRIER, HERE);      \
    next();                                             \
    kymo_omp_end(OMP_IMPLICIT_BARRIER);                 \
    kymo_omp_end(construct);                            \
  }                                                     \
  GOMP_EXPORT void GOMP_##name##_end_nowait(void) {     \
    __typeof__(&GOMP_##name##_end_nowait) next = NEXT(GOMP_##name##_end_nowait); \
    if (!kymo_gomp_records()) return next();            \
    next();                                             \
    kymo_omp_end(construct);                            \
  }                                                     \
  GOMP_EXPORT bool GOMP_##name##_end_cancel(void) {     \
    __typeof__(&GOMP_##name##_end_cancel) next = NEXT(GOMP_##name##_end_cancel); \
    if (!kymo_gomp_records()) return next();            \
    kymo_team_barrier(OMP_IMPLICIT_BARRIER, HERE);      \
    bool result = next();                               \
    kymo_omp_end(OMP_IMPLICIT_BARRIER);                 \
    kymo_omp_end(construct);                            \
    return result;                                      \
  }
END(loop, OMP_FOR)
END(sections, OMP_SECTIONS)

// Nothing marks the end of a single block: its time belongs to the region around it.
GOMP_EXPORT bool GOMP_single_start(void) {
  __typeof__(&GOMP_single_start) next = NEXT(GOMP_single_start);
  if (!kymo_gomp_records()) return next();
  kymo_omp_begin(OMP_SINGLE, HERE, NULL);
  bool result = next();
  kymo_omp_end(OMP_SINGLE);
  return result;
}

GOMP_EXPORT void *GOMP_single_copy_start(void) {
  __typeof__(&GOMP_single_copy_start) next = NEXT(GOMP_single_copy_start);
  if (!kymo_gomp_records()) return next();
  kymo_omp_begin(OMP_SINGLE, HERE, NULL);
  void *result = next();
  kymo_omp_end(OMP_SINGLE);
  return result;
}

GOMP_EXPORT void GOMP_single_copy_end(void *data) {
  __typeof__(&GOMP_single_copy_end) next = NEXT(GOMP_single_copy_end);
  if (!kymo_gomp_records()) return next(data);
  kymo_omp_begin(OMP_IMPLICIT_BARRIER, HERE, NULL); // Only the thread that has executed the block calls this.
  next(data);
  kymo_omp_end(OMP_IMPLICIT_BARRIER);
}
