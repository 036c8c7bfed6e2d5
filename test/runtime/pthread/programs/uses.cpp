// Waiting by the C++ library, which joins by a call of its own, and waits for conditions by a jump; mutexes of all kinds; a thread that is cancelled while it waits.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *cancelled(void *) {
  pthread_mutex_lock(&guard);
  pthread_cleanup_push([](void *of) { pthread_mutex_unlock((pthread_mutex_t *)of); }, &guard);
  for (;;) pthread_cond_wait(&never, &guard);
  pthread_cleanup_pop(0);
  return 0;
}

static int of_kind(int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t own;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_init(&own, &attributes);
  int first = pthread_mutex_lock(&own);
  return first * 1000 + pthread_mutex_lock(&own);
}

__attribute__((noinline)) static void uses() {
  std::thread thread([] {
    usleep(50000);
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    while (!ready) condition.wait(lock);
  }
  thread.join();
}

int main() {
  pthread_t waits;
  pthread_create(&waits, 0, cancelled, 0);
  usleep(20000);
  pthread_cancel(waits);
  void *result;
  pthread_join(waits, &result);
  uses();
  std::printf("recursive %d, checked %d, cancelled %d\n", of_kind(PTHREAD_MUTEX_RECURSIVE), of_kind(PTHREAD_MUTEX_ERRORCHECK), result == PTHREAD_CANCELED);
  return 3;
}
