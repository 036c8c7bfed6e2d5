// The Pthreads layer: functions before those of the C library in which a thread waits for others. A call that need not wait is no visit,
// and costs one try.
#include "../openmp/calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *find(void *volatile *cache, const char *name) {
  void *next = dlsym(RTLD_NEXT, name);
  if (!next) {
    char text[128];
    snprintf(text, sizeof text, "the C library of this program has no function %s", name);
    kymo_layer_say(text);
    abort(); // The program could not have been started without the layer.
  }
  return *cache = next;
}

static uint32_t begin(const char *name, unsigned number, const void *address, uintptr_t frame) {
  const struct kymo_layers *runtime = kymo_layer_runtime();
  uint32_t region = runtime ? kymo_region_of_call(name, number, KYMO_REGION_THREADS, address) : 0;
  return region && region != KYMO_NOT_RECORDED && runtime->begin(region, frame) ? region : 0;
}

enum { MUTEX_LOCK, MUTEX_TIMEDLOCK, MUTEX_CLOCKLOCK, RDLOCK, WRLOCK, COND_WAIT, COND_TIMEDWAIT, COND_CLOCKWAIT, BARRIER_WAIT, JOIN, SEM_WAIT };

// A thread that is cancelled, or jumps out of a handler, leaves the visit to the runtime.
#define WAITS(number, function, parameters, arguments, attempt)                                \
  __attribute__((visibility("default"))) int function parameters {                             \
    static void *volatile cache;                                                               \
    __typeof__(&function) next = (__typeof__(&function))(cache ? cache : find(&cache, #function)); \
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);                                   \
    attempt;                                                                                   \
    uint32_t region = begin(#function, number, __builtin_return_address(0), frame);            \
    int result = next arguments;                                                               \
    if (region) kymo_layer_runtime()->end_waiting(region, frame, kymo_layer_runtime()->ticks());    \
    return result;                                                                             \
  }
#define UNLESS_BUSY(call)   \
  do {                      \
    int tried = call;       \
    if (tried != EBUSY) return tried; \
  } while (0)

WAITS(MUTEX_LOCK, pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex), UNLESS_BUSY(pthread_mutex_trylock(mutex)))
WAITS(MUTEX_TIMEDLOCK, pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *until), (mutex, until), UNLESS_BUSY(pthread_mutex_trylock(mutex)))
WAITS(RDLOCK, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock), UNLESS_BUSY(pthread_rwlock_tryrdlock(lock)))
WAITS(WRLOCK, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock), UNLESS_BUSY(pthread_rwlock_trywrlock(lock)))
WAITS(COND_WAIT, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex), (condition, mutex), )
WAITS(COND_TIMEDWAIT, pthread_cond_timedwait, (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until), (condition, mutex, until), )
WAITS(BARRIER_WAIT, pthread_barrier_wait, (pthread_barrier_t *barrier), (barrier), )
WAITS(JOIN, pthread_join, (pthread_t thread, void **result_of), (thread, result_of), )
WAITS(SEM_WAIT, sem_wait, (sem_t *semaphore), (semaphore), if (!sem_trywait(semaphore)) return 0)
#if __GLIBC__ > 2 || __GLIBC_MINOR__ >= 30
WAITS(MUTEX_CLOCKLOCK, pthread_mutex_clocklock, (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until), (mutex, clock, until), UNLESS_BUSY(pthread_mutex_trylock(mutex)))
WAITS(COND_CLOCKWAIT, pthread_cond_clockwait, (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until), (condition, mutex, clock, until), )
#endif
