// The timer and the features of the processor.
#include "runtime.h"

#include <cpuid.h>
#include <time.h>

unsigned char kymo_fast_timer;
__attribute__((visibility("hidden"))) unsigned char kymo_has_xsave;
__attribute__((visibility("hidden"))) uint32_t kymo_vector_mask;

KYMO_HANDLER uint64_t kymo_slow_timer(void) {
  struct timespec time = {0, 0};
  if (kymo.quiet) return 0;
  kymo_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void kymo_choose_timer(void) {
  unsigned a, b, c, d;
  kymo_fast_timer = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8); // invariant TSC
  if (__get_cpuid(1, &a, &b, &c, &d) && (c & 1u << 27)) {                     // OSXSAVE
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    kymo_vector_mask = low & 0xe7; // x87, SSE, AVX, AVX-512; libc uses no others
    kymo_has_xsave = 1;
  }
}

// A user shadow stack compares return addresses with its own copies, and the trampoline changes return addresses.
const char *kymo_refusal(void) {
  enum { ARCH_SHSTK_STATUS = 0x5005, ARCH_SHSTK_SHSTK = 1 };
  uint64_t features = 0;
  long failed = kymo_syscall(SYS_arch_prctl, ARCH_SHSTK_STATUS, (long)&features, 0, 0, 0, 0);
  return !failed && (features & ARCH_SHSTK_SHSTK) ? "a user shadow stack (x86 SHSTK) is active; run with GLIBC_TUNABLES=glibc.cpu.x86_shstk=off" : NULL;
}
