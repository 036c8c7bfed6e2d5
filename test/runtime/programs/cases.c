// Cases in C: cleanup guards, nested functions (gcc), local functions with -fipa-ra callers, OpenMP, longjmp out of inlined sleds.
#include "probes.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#ifdef PROBES_OFF
#define FN __attribute__((noinline, used))
#else
#define FN
#endif
static long counts[8];
static const char *const names[8] = {"", "nested", "local", "worker", "left", "returns", "shortcut", ""};
#define COUNT(n) PROBE(n); __atomic_fetch_add(&counts[n], 1, __ATOMIC_RELAXED)

PROBE_FOR(1)
PROBE_FOR(2)
PROBE_FOR(3)
PROBE_FOR(4)
PROBE_FOR(5)
PROBE_FOR(6)

static FN long local(long a, long b, long c) { COUNT(2); return a * 3 + b * 5 - c; }
long worker(long n) {
  COUNT(3);
  long x0 = n + 1, x1 = n + 2, x2 = n + 3, x3 = n + 4, x4 = n + 5, x5 = n + 6, total = 0;
  for (long i = 0; i < 10; ++i) { // Many values are live across the calls.
    total += local(x0, x1, i) + local(x2, x3, i) * local(x4, x5, total);
    x0 += x5; x1 ^= x4; x2 += x0; x3 -= x1; x4 += 3; x5 ^= i;
  }
  return total ^ x0 ^ x1 ^ x2 ^ x3 ^ x4 ^ x5;
}

static jmp_buf out;
FN void left(int n) { COUNT(4); if (n > 2) longjmp(out, 1); }
FN int returns(int n) {
  COUNT(5);
  if (n % 3 == 0) return 1;
  for (int i = 0; i < n; ++i) {
    int inner __attribute__((unused)) = i;
    if (i == 5) goto done;
  }
  return 2;
done:
  return 3;
}
static FN int shortcut(int n) { COUNT(6); return n < 2 ? n : returns(n); }

int main(void) {
  long total = 0;
#pragma omp parallel for reduction(+ : total) num_threads(4)
  for (int i = 0; i < 400; ++i) total += worker(i);
  printf("%ld\n", total);
  for (volatile int i = 0; i < 300; ++i)
    if (!setjmp(out)) left(i % 5);
  for (int i = 0; i < 100; ++i) total += returns(i) + shortcut(i % 4);
#if defined(__GNUC__) && !defined(__clang__)
  long captured = 5;
#ifdef PROBES_OFF
  __attribute__((noinline)) auto long nested(long x);
#else
  auto long nested(long x);
#endif
  long nested(long x) { COUNT(1); return x ? nested(x - 1) + captured : captured; }
  total += nested(20);
#endif
  printf("%ld\n", total);
  for (int i = 1; i < 7; ++i) if (counts[i]) printf("= %s %ld\n", names[i], counts[i]);
  return 3;
}
