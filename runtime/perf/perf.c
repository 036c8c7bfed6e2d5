// Tries the processor's counters as the runtime opens them (../perf.h), and prints the number of the error (0: they can be read) and kernel.perf_event_paranoid.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static long kymo_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result = syscall(number, a, b, c, d, e, f);
  return result < 0 ? -errno : result;
}
#include "../perf.h"

int main(void) {
  int files[KYMO_PERF_EVENTS], error = kymo_open_perf(files, 3);
  return printf("%d %d\n", error, kymo_perf_paranoid()) < 0;
}
