// A thread whose memory ends in the middle of a call path that it continues for another one. Prints whether the visit began, and how much of
// the path is open then.
#define _GNU_SOURCE
#include "../../../../runtime/layers.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

enum { LONG = 2000 }; // more than the memory that a thread begins with has room for
static const struct kymo_layers *layers;
static uint32_t path[LONG], region;

static void *work(void *none) {
  struct rlimit limit, nothing;
  layers->begin_below(path, 1, region);
  layers->end(region, 0);
  volatile uint64_t until = layers->ticks();
  layers->begin_below(path, 1, region);
  layers->park(region, &until);
  layers->unpark();
  uint32_t open_before = layers->path(0, 0);
  getrlimit(RLIMIT_AS, &limit);
  nothing = limit;
  nothing.rlim_cur = 1;
  setrlimit(RLIMIT_AS, &nothing);
  int began = layers->begin_below(path, LONG, region);
  setrlimit(RLIMIT_AS, &limit);
  printf("before %u, began %d, open %u\n", open_before, began, layers->path(0, 0));
  return none;
}

int main(void) {
  pthread_t thread;
  const struct kymo_layers *(*ask)(void) = (const struct kymo_layers *(*)(void))dlsym(RTLD_DEFAULT, "kymo_layers");
  layers = ask();
  region = layers->region("!$omp parallel", 0, 0, KYMO_REGION_OPENMP);
  for (int i = 0; i < LONG; ++i) {
    char name[16];
    snprintf(name, sizeof name, "region %d", i % 100);
    path[i] = layers->region(name, 0, 0, KYMO_REGION_USER);
  }
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
