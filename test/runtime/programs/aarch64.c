// Cases that are specific to aarch64: registers across both kinds of sites (registers-aarch64.S), and return addresses that are not on the
// stack.
#include "probes.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#define PLAIN __attribute__((noinline, patchable_function_entry(0, 0)))

#ifdef ROOM
char room[ROOM];
#endif

struct registers {
  uint64_t x[18], link, flags;
  uint64_t v[32][2];
};
void through_sled(struct registers *);
void through_entry(struct registers *);
long through_sve(unsigned char *);

static long sleds, entries, vectors;

PLAIN static void check(const char *where, const struct registers *r, int general, int with_link) {
  for (unsigned i = 0; i < (unsigned)general; ++i)
    if (r->x[i] != 0x1100 + i) printf("%s: x%u is %lx\n", where, i, (unsigned long)r->x[i]);
  for (unsigned i = 0; i < 32; ++i)
    if (r->v[i][0] != 0x2200 + i || r->v[i][1] != 0x2200 + i) printf("%s: v%u\n", where, i);
  if (r->flags != 0x60000000) printf("%s: flags are %lx\n", where, (unsigned long)r->flags);
  if (with_link && r->link != 0x1100 + 30) printf("%s: x30 is %lx\n", where, (unsigned long)r->link);
}

PLAIN static void *look(void *nothing) {
  static unsigned char wide[40 * 256];
  struct registers seen[2];
  if (getauxval(AT_HWCAP) & 1 << 22) {
    long bytes = through_sve(wide);
    ++vectors;
    for (long i = 0; i < 32 * bytes; ++i)
      if (wide[i] != i / bytes + 1) printf("z%ld\n", i / bytes);
    for (long i = 32 * bytes; i < 32 * bytes + 17 * bytes / 8; ++i)
      if (wide[i] != 0xff) printf("p%ld\n", (i - 32 * bytes) * 8 / bytes);
  }
  through_sled(seen);
  ++sleds;
  check("in", &seen[0], 18, 1);
  check("out", &seen[1], 18, 1);
  through_entry(seen);
  ++entries;
  check("enter", &seen[0], 16, 0);
  check("leave", &seen[1], 16, 0);
  return nothing;
}

// A longjmp leaves a frame, and the next call comes from deeper in the stack. The runtime must still detect that the frame was left.
static jmp_buf out;
__attribute__((noinline)) int fresh(int n) { return n + 1; }
__attribute__((noinline)) void left(int n) {
  if (fresh(n)) longjmp(out, 1);
}
PLAIN static int deep(int n) {
  volatile char frame[4096];
  memset((char *)frame, n, sizeof frame);
  return fresh(frame[n]);
}
__attribute__((noinline)) int jumping(void) {
  if (!setjmp(out)) left(1);
  return deep(3);
}

// A leaf without a frame that is measured at its entry and contains the sled of its inlined callee.
PROBE_FOR(3)
static inline __attribute__((always_inline)) long inner(long n) { PROBE(3); return n * 3; }
__attribute__((noinline)) long outer(long n) { return inner(n) + 1; }

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, look, 0); // The first event of a thread takes the longest path through the runtime.
  pthread_join(id, 0);
  for (int i = 0; i < 3; ++i) look(0);
  long total = 0;
  for (int i = 0; i < 10; ++i) total += outer(i);
  printf("%d %ld\n", jumping(), total);
#ifdef ROOM
  room[ROOM - 1] = 1;
#endif
#ifdef PROBES_OFF
  printf("= patchable %ld\n= fresh 2\n= left 1\n= jumping 1\n= outer 10\n= main 1\n", entries);
#else
  printf("= through_sled %ld\n= inner 10\n", sleds);
  if (vectors) printf("= through_sve %ld\n", vectors);
#endif
  return 5;
}
