// A thread waits for another one in each way. Prints for each how long, by its own clock: `= <name> <line> <microseconds>`
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { MICROSECONDS = 100000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier, held;
static sem_t semaphore;
static int ready;

static void *other(void *nothing) {
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock);
  pthread_barrier_wait(&held);
  usleep(MICROSECONDS);
  pthread_mutex_unlock(&mutex);
  usleep(MICROSECONDS);
  pthread_rwlock_unlock(&lock);
  usleep(MICROSECONDS);
  pthread_mutex_lock(&guard);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&guard);
  usleep(MICROSECONDS);
  pthread_barrier_wait(&barrier);
  usleep(MICROSECONDS);
  sem_post(&semaphore);
  usleep(MICROSECONDS);
  return nothing;
}

#define TIMED(name, call)                                    \
  do {                                                       \
    double begin = now();                                    \
    call;                                                    \
    printf("= %s %d %.0f\n", name, __LINE__, now() - begin); \
  } while (0)

__attribute__((noinline)) static void waits(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_barrier_wait(&held);
  TIMED("pthread_mutex_lock", pthread_mutex_lock(&mutex));
  TIMED("pthread_rwlock_rdlock", pthread_rwlock_rdlock(&lock));
  pthread_mutex_lock(&guard);
  TIMED("pthread_cond_wait", while (!ready) pthread_cond_wait(&condition, &guard));
  pthread_mutex_unlock(&guard);
  TIMED("pthread_barrier_wait", pthread_barrier_wait(&barrier));
  TIMED("sem_wait", sem_wait(&semaphore));
  TIMED("pthread_join", pthread_join(thread, 0));
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  pthread_barrier_init(&held, 0, 2);
  sem_init(&semaphore, 0, 0);
  waits();
  for (int i = 0; i < 1000; ++i) { // Nobody waits.
    pthread_mutex_lock(&guard);
    pthread_mutex_unlock(&guard);
  }
  return 3;
}
