// Forbids itself system calls: confined strict | filter | call (strict, by syscall()) | refused (requests a mode that the kernel does not
// know). Then it leaves frames by jumps, starts no thread and ends. The profile contains only the events before.
#include "probes.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef PROBES_OFF
#define FN __attribute__((noinline, used))
#else
#define FN __attribute__((noinline))
#endif
static long counts[3];
#define COUNT(n) PROBE(n); ++counts[n]

PROBE_FOR(1)
PROBE_FOR(2)

static jmp_buf out;
static long confined;
static void confine(const char *how) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (!strcmp(how, "strict")) confined = !prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  if (!strcmp(how, "filter")) confined = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  if (!strcmp(how, "call")) confined = !syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, 0);
  if (!strcmp(how, "refused")) confined = !syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 77, 0);
}
FN long leaf(long x) { COUNT(1); if (x < 0) longjmp(out, 1); return x * 3 + 1; }
FN long branch(long x, const char *how) {
  COUNT(2);
  long sum = leaf(x) + leaf(x + 1);
  if (how) {
    if (strcmp(how, "refused")) {
      printf("= leaf %ld\n= branch %ld\n", counts[1], counts[2]);
      fflush(stdout);
    }
    confine(how);
    for (int i = 0; i < 1000; ++i) sum += leaf(i);
    if (!setjmp(out)) leaf(-1);
  }
  return sum;
}

int main(int count, char **words) {
  long total = 0;
  for (long i = 0; i < 1000; ++i) total += branch(i, 0);
  total += branch(5, words[count - 1]);
  for (long i = 0; i < 1000; ++i) total += branch(i, 0);
  if (confined) syscall(SYS_exit, 5);
  printf("= leaf %ld\n= branch %ld\n", counts[1], counts[2]);
  return 6 + (total == 0);
}
