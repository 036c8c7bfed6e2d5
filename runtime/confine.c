// Before a program forbids itself system calls (seccomp), the runtime writes the result. From then on it makes no system calls and records
// nothing.
#include "session.h"
#include "libc.h"

#include <stdarg.h>
#include <sys/prctl.h>

// Tests whether the call enters strict mode or sets a filter. Every filter counts, because the runtime cannot know which calls it allows.
static bool confines(long number, long first, long second) {
  if (number == SYS_prctl) return first == PR_SET_SECCOMP && (second == 1 || second == 2);
  return number == SYS_seccomp && (first == 0 || first == 1);
}

static long call(long number, const long a[6]) {
  bool confined = confines(number, a[0], a[1]) && kymo_session.measuring && !kymo.quiet;
  uint32_t recording = kymo.recording;
  if (confined) {
    kymo_finish(KYMO_CONFINED);
    kymo_control_end(KYMO_CONFINED, true);
    kymo_divert_all();
    kymo.quiet = 1;
    kymo_stop_timer();
  }
  long result = kymo_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (confined && result < 0) { // The kernel refused the call, so recording continues.
    kymo_choose_timer();
    kymo.quiet = 0;
    kymo.recording = recording;
  }
  return kymo_checked(result);
}

// These definitions are weak and take precedence over libc's, like those in ends.c.
__attribute__((visibility("default"), weak)) int prctl(int option, ...) {
  long a[6] = {option};
  va_list rest;
  va_start(rest, option);
  for (int i = 1; i < 5; ++i) a[i] = va_arg(rest, long);
  va_end(rest);
  return (int)call(SYS_prctl, a);
}

__attribute__((visibility("default"), weak)) long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(rest, long);
  va_end(rest);
  return call(number, a);
}
