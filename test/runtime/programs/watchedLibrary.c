// Calls a shared library, which it opens and closes, in each step: watchedLibrary LIBRARY COUNT.
#include "probes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef long work(long (*back)(long), long n);
static long back(long x) { return x + 1; }

PROBE_FOR(5)
__attribute__((noinline)) long step(work *in_library) { PROBE(5); usleep(200); long x = in_library(back, 3); __asm__ volatile("" : "+r"(x)); return x; }

int main(int argc, char **argv) {
  long x = 0, count = argc > 2 ? atol(argv[2]) : 10;
  void *other = dlopen(argv[1], RTLD_NOW);
  dlclose(other);
  void *library = dlopen(argv[1], RTLD_NOW);
  work *in_library = library ? (work *)dlsym(library, "in_library") : 0;
  for (long i = 0; in_library && i < count; ++i) x += step(in_library);
  if (library) dlclose(library);
  printf("%ld\n", x);
  return x != 9 * count;
}
