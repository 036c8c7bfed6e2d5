// Barriers, mutual exclusion and locks of libgomp.
#include "gomp.h"

// Calls that are not recorded are jumps, so that the library sees the caller's address.
#define RECORDED(construct, ...)                  \
  if (!kymo_gomp_records()) return next(__VA_ARGS__); \
  kymo_omp_begin(construct, HERE, NULL)

// An implicit barrier is the same call. The reader of the result finds out what the source has at its line.
GOMP_EXPORT void GOMP_barrier(void) {
  __typeof__(&GOMP_barrier) next = NEXT(GOMP_barrier);
  if (!kymo_gomp_records()) return next();
  kymo_team_barrier(OMP_BARRIER, HERE);
  next();
  kymo_omp_end(OMP_BARRIER);
}

GOMP_EXPORT bool GOMP_barrier_cancel(void) {
  __typeof__(&GOMP_barrier_cancel) next = NEXT(GOMP_barrier_cancel);
  if (!kymo_gomp_records()) return next();
  kymo_team_barrier(OMP_BARRIER, HERE);
  bool result = next();
  kymo_omp_end(OMP_BARRIER);
  return result;
}

#define BLOCK(start, stop, parameter, argument, construct, inside) \
  GOMP_EXPORT void start(parameter) {                              \
    __typeof__(&start) next = NEXT(start);                         \
    const void *here = HERE;                                       \
    RECORDED(construct, argument);                                 \
    next(argument);                                                \
    kymo_omp_begin(inside, here, NULL);                            \
  }                                                                \
  GOMP_EXPORT void stop(parameter) {                               \
    __typeof__(&stop) next = NEXT(stop);                           \
    if (!kymo_gomp_records()) return next(argument);               \
    next(argument);                                                \
    kymo_omp_end(construct);                                       \
  }
BLOCK(GOMP_critical_start, GOMP_critical_end, void, , OMP_CRITICAL, OMP_CRITICAL_BLOCK)
BLOCK(GOMP_critical_name_start, GOMP_critical_name_end, void **lock, lock, OMP_CRITICAL, OMP_CRITICAL_BLOCK)
BLOCK(GOMP_ordered_start, GOMP_ordered_end, void, , OMP_ORDERED, OMP_ORDERED_BLOCK)

GOMP_EXPORT void GOMP_atomic_start(void) {
  __typeof__(&GOMP_atomic_start) next = NEXT(GOMP_atomic_start);
  RECORDED(OMP_ATOMIC);
  next();
}

GOMP_EXPORT void GOMP_atomic_end(void) {
  __typeof__(&GOMP_atomic_end) next = NEXT(GOMP_atomic_end);
  if (!kymo_gomp_records()) return next();
  next();
  kymo_omp_end(OMP_ATOMIC);
}

// A name with an underscore is the one for Fortran.
#define LOCK(name, construct)            \
  GOMP_EXPORT void name(void *lock) {    \
    __typeof__(&name) next = NEXT(name); \
    RECORDED(construct, lock);           \
    next(lock);                          \
    kymo_omp_end(construct);             \
  }
#define TEST(name, construct)            \
  GOMP_EXPORT int name(void *lock) {     \
    __typeof__(&name) next = NEXT(name); \
    RECORDED(construct, lock);           \
    int result = next(lock);             \
    kymo_omp_end(construct);             \
    return result;                       \
  }
LOCK(omp_set_lock, OMP_SET_LOCK)
LOCK(omp_set_lock_, OMP_SET_LOCK)
LOCK(omp_unset_lock, OMP_UNSET_LOCK)
LOCK(omp_unset_lock_, OMP_UNSET_LOCK)
LOCK(omp_set_nest_lock, OMP_SET_NEST_LOCK)
LOCK(omp_set_nest_lock_, OMP_SET_NEST_LOCK)
LOCK(omp_unset_nest_lock, OMP_UNSET_NEST_LOCK)
LOCK(omp_unset_nest_lock_, OMP_UNSET_NEST_LOCK)
TEST(omp_test_lock, OMP_TEST_LOCK)
TEST(omp_test_lock_, OMP_TEST_LOCK)
TEST(omp_test_nest_lock, OMP_TEST_NEST_LOCK)
TEST(omp_test_nest_lock_, OMP_TEST_NEST_LOCK)
