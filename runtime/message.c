// Writes one line to stderr without libc. A closed stderr does no harm.
#include "runtime.h"

#include <signal.h>

enum { LINE_BYTES = 1024, SIGSET_BYTES = 8 };

static size_t append(char *line, size_t used, const char *text) {
  while (text && *text && used < LINE_BYTES - 1) line[used++] = *text++;
  return used;
}

// A reader of stderr that has exited must not kill the program: SIGPIPE is blocked, and discarded if this write caused it.
void kymo_say(const char *a, const char *b, const char *c, const char *d) {
  char line[LINE_BYTES];
  if (kymo.quiet) return;
  size_t used = append(line, 0, "kymo: ");
  used = append(line, used, a);
  used = append(line, used, b);
  used = append(line, used, c);
  used = append(line, used, d);
  line[used++] = '\n';
  uint64_t pipe_signal = 1ull << (SIGPIPE - 1), before = 0, pending = 0;
  kymo_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&pipe_signal, (long)&before, SIGSET_BYTES, 0, 0);
  kymo_syscall(SYS_rt_sigpending, (long)&pending, SIGSET_BYTES, 0, 0, 0, 0);
  long written = kymo_syscall(SYS_write, 2, (long)line, (long)used, 0, 0, 0);
  if (written < 0 && !(pending & pipe_signal)) {
    long none[2] = {0, 0};
    kymo_syscall(SYS_rt_sigtimedwait, (long)&pipe_signal, 0, (long)none, SIGSET_BYTES, 0, 0);
  }
  kymo_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, SIGSET_BYTES, 0, 0);
}

char *kymo_decimal(uint64_t value, char text[24]) {
  char *p = text + 23;
  *p = 0;
  do *--p = (char)('0' + value % 10);
  while (value /= 10);
  return p;
}
