// Threads that compute below a parallel region, until standard input ends.
#include "probes.h"

#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static volatile int over;

__attribute__((noinline)) long share(long x) {
  while (!over) for (int i = 0; i < 1000; ++i) __asm__ volatile("" : "+r"(x));
  return x;
}
__attribute__((noinline)) long team(void) {
  long sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += share(omp_get_thread_num());
  return sum;
}
static void *wait_for_input(void *unused) {
  char byte;
  while (read(0, &byte, 1) > 0) {}
  over = 1;
  return unused;
}
int main(void) {
  pthread_t input;
  pthread_create(&input, 0, wait_for_input, 0);
  long sum = team();
  pthread_join(input, 0);
  return sum < 0;
}
