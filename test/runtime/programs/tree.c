// Call trees of unusual shape. The first word selects how the 20 functions f0 … f19 call one another: nodes: all paths of length 1 to 5
// over 16 functions (1 118 480 nodes) · deep <n>: recursion of depth n · mutual <n>: recursion of two functions, with a third · threads
// <n>.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BARE __attribute__((noinline, patchable_function_entry(0, 0)))
typedef long (*function)(int depth);
extern const function all[16];
BARE static long below(int depth) {
  long visits = 1;
  for (int i = 0; depth > 1 && i < 16; ++i) visits += all[i](depth - 1);
  return visits;
}
#define F(n) __attribute__((noinline)) long f##n(int depth) { long visits = below(depth); __asm__ volatile("" : "+r"(visits)); return visits; }
F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
const function all[16] = {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15};

__attribute__((noinline)) long deep(long n) {
  long below_me = n ? deep(n - 1) : 0;
  __asm__ volatile("" : "+r"(below_me));
  return below_me + 1;
}
__attribute__((noinline)) long leaf(void) { long one = 1; __asm__ volatile("" : "+r"(one)); return one; }
long odd(long n);
__attribute__((noinline)) long even(long n) {
  long below_me = n ? odd(n - 1) : leaf();
  __asm__ volatile("" : "+r"(below_me));
  return below_me + 1;
}
__attribute__((noinline)) long odd(long n) {
  long below_me = even(n - 1);
  __asm__ volatile("" : "+r"(below_me));
  return below_me + leaf();
}
BARE static void *mutual_thread(void *n) {
  long total = 0;
  for (int i = 0; i < 15; ++i) total += even(*(long *)n);
  return (void *)total;
}
BARE static void *deep_thread(void *n) { return (void *)deep(*(long *)n); }
BARE static void *thread(void *depth) { return (void *)below(*(int *)depth); }

BARE int main(int argc, char **argv) {
  long count = argc > 2 ? atol(argv[2]) : 0;
  if (argc > 1 && !strcmp(argv[1], "nodes")) printf("%ld\n", below(6) - 1);
  if (argc > 1 && (!strcmp(argv[1], "deep") || !strcmp(argv[1], "mutual"))) {
    pthread_attr_t attributes;
    pthread_t id;
    void *result;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 30);
    for (int i = 0; i < 2; ++i) {
      pthread_create(&id, &attributes, argv[1][0] == 'd' ? deep_thread : mutual_thread, &count);
      pthread_join(id, &result);
      printf("%ld\n", (long)result);
    }
  }
  if (argc > 1 && !strcmp(argv[1], "threads")) {
    pthread_t *ids = calloc((size_t)count, sizeof *ids);
    int depth = 4;
    long total = 0;
    void *result;
    for (long i = 0; i < count; ++i) pthread_create(&ids[i], 0, thread, &depth);
    for (long i = 0; i < count; ++i) pthread_join(ids[i], &result), total += (long)result - 1;
    printf("%ld\n", total);
  }
  if (argc > 1 && !strcmp(argv[1], "one-by-one")) {
    pthread_t id;
    int depth = 2;
    long total = 0;
    void *result;
    for (long i = 0; i < count; ++i) {
      pthread_create(&id, 0, thread, &depth);
      pthread_join(id, &result);
      total += (long)result - 1;
    }
    printf("%ld\n", total);
  }
  return 0;
}
