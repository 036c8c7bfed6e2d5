// A thread that sleeps between two parts of work for another one. It does as the layer of OpenMP does, but for telling when it wakes.
#define _GNU_SOURCE
#include "../../../../runtime/layers.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

static const struct kymo_layers *layers;
static uint32_t path[8], length, region;

static void *work(void *none) {
  for (int part = 0; part < 2; ++part) {
    layers->begin_below(path, length, region);
    volatile uint64_t until = layers->ticks();
    layers->park(region, &until);
    layers->unpark();
    usleep(50000);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  const struct kymo_layers *(*ask)(void) = (const struct kymo_layers *(*)(void))dlsym(RTLD_DEFAULT, "kymo_layers");
  layers = ask();
  region = layers->region("!$omp parallel", 0, 0, KYMO_REGION_OPENMP);
  length = layers->path(path, 8);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
