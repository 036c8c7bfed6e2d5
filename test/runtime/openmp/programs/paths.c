// A parallel region that is reached on two call paths, and one inside it. Prints how often each path leads to `leaf`.
#include <omp.h>
#include <stdio.h>

// The call before is no jump.
#define AFTER __asm__ volatile("")

static int leaves[2];

__attribute__((noinline)) void leaf(int path) {
#pragma omp atomic
  ++leaves[path];
}

__attribute__((noinline)) void inner(int path) {
#pragma omp parallel num_threads(2)
  leaf(path);
}

__attribute__((noinline)) void outer(int path) {
#pragma omp parallel num_threads(2)
  {
    leaf(path);
    inner(path);
  }
}

__attribute__((noinline)) void first(void) {
  leaf(0);
  outer(0);
  AFTER;
}

__attribute__((noinline)) void second(void) {
  for (int i = 0; i < 20; ++i) outer(1);
  leaf(1);
  AFTER;
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int i = 0; i < 30; ++i) first();
  second();
  printf("= first %d\n= second %d\n", leaves[0], leaves[1]);
  return 0;
}
