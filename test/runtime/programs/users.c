#include "probes.h"
#include <dlfcn.h>
#include <stdio.h>

PROBE_FOR(13)
__attribute__((noinline)) long callback(long x) { PROBE(13); __asm__ volatile("" : "+r"(x)); return x * 2; }
#ifdef OPENED
int main(int argc, char **argv) {
  for (int i = 0; i < 3; ++i) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return puts(dlerror()), 1;
    long (*in_library)(long (*)(long), long);
    *(void **)&in_library = dlsym(library, "in_library");
    printf("%ld\n", in_library(callback, 100));
    if (argc > 2) dlclose(library);
  }
  return 0;
}
#else
long in_library(long (*back)(long), long n);
int main(void) {
  printf("%ld\n", in_library(callback, 100));
  return 0;
}
#endif
