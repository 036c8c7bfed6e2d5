// AArch64: system calls, the timer and the encoding of sites.
//
// Handlers are ordinary functions here that use neither vector registers (-mgeneral-regs-only) nor x18 (-ffixed-x18: it may hold a static
// chain or a shadow stack); sites.S saves all other scratch registers and the flags around them. Compilers have options to let the callee
// save these registers, but libgcc's atomics do not save them, so calls to these would silently corrupt registers.
#ifndef KYMO_AARCH64_ARCH_H
#define KYMO_AARCH64_ARCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#pragma GCC visibility push(hidden)

#define KYMO_HANDLER

enum {
  KYMO_SLED_BYTES = 20,
  KYMO_ENTRY_BYTES = 8, // two instructions; the first one becomes a branch
  KYMO_STUB_BYTES = 20, // Each patched entry branches to a stub of its own.
  KYMO_SLED_STUB_BYTES = 0, // A sled calls its thunk directly.
  KYMO_SAMPLED_STUB_BYTES = 24,
  KYMO_CAN_SAMPLE = 1,
  KYMO_CAN_SWITCH = 0, // A sled calls its thunk directly, and its instructions are not among those that may change while threads execute them.
};
enum { KYMO_SITE_ON, KYMO_SITE_OFF };

// The reach of a branch: ±128 MB, with a margin for the memory that is added at the ends of the range.
#define KYMO_REACH ((uintptr_t)0x7f00000)

// The return address is in x30 and not on the stack: the trampoline stores it this far below the stack pointer at the entry, and passes
// that address to the portable code as the frame's `sp`; a sled stores x30 at the same distance.
enum { KYMO_LINK_BELOW_SP = 8 };
enum { KYMO_PADS_ARGUMENTS = 0 }; // The prologue reserves space for arguments once, before the sled.

// Tests whether the stack still holds the return point where the body of a frame has stored x30. Patching finds that place in the body's
// prologue (encode.c). The high half of the mark is the distance below `sp` in units of 8, plus 1; the low half is the low half of the
// return point. (Signing changes high bits only.)
static inline int kymo_mark_intact(uintptr_t sp, uint32_t mark) {
  return *(const uint16_t *)(sp - ((uintptr_t)(mark >> 16) - 1) * 8) == (uint16_t)mark;
}


// A lost mark proves nothing here: a body that has not stored x30 yet, or that ended in a jump to another function (which has x30 in a
// register or stores it elsewhere), still returns to the return point.
static inline int kymo_mark_lost(uintptr_t sp, uint32_t mark, uintptr_t ret) {
  (void)ret;
  return !kymo_mark_intact(sp, mark);
}
enum { KYMO_MARK_PROVES = 0 };

extern unsigned char kymo_has_sve;

// System calls of Linux clear predicates and vectors beyond 128 bits. Measured code may have values there, so this function saves them.
long kymo_syscall(long number, long a, long b, long c, long d, long e, long f);

enum { kymo_fast_timer = 1 }; // CLOCK_MONOTONIC reads the generic timer, too.

// No barrier: the counter may be read a few instructions early, which is less than one of its ticks.
static inline uint64_t kymo_now(void) {
  uint64_t now;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
}

enum { KYMO_READS_PMC = 0 }; // Kernels do not allow it unless an administrator does (kernel.perf_user_access).
static inline uint64_t kymo_read_pmc(uint32_t index) { return index; }

// A signal in between clears the reservation, and the loop tries again.
static inline void kymo_add(uint64_t *to, uint64_t value) {
  uint64_t sum;
  uint32_t failed;
  __asm__ volatile("1: ldxr %0, %2\n\tadd %0, %0, %3\n\tstxr %w1, %0, %2\n\tcbnz %w1, 1b" : "=&r"(sum), "=&r"(failed), "+Q"(*to) : "r"(value));
}
static inline uint64_t kymo_fetch_add(uint64_t *to, uint64_t value) {
  uint64_t before, sum;
  uint32_t failed;
  __asm__ volatile("1: ldxr %0, %3\n\tadd %1, %0, %4\n\tstxr %w2, %1, %3\n\tcbnz %w2, 1b"
                   : "=&r"(before), "=&r"(sum), "=&r"(failed), "+Q"(*to)
                   : "r"(value));
  return before;
}
static inline int kymo_swap(void *place, const void *expected, const void *fresh) {
  const void *found;
  uint32_t failed = 1;
  __asm__ volatile("1: ldxr %0, %2\n\tcmp %0, %3\n\tb.ne 2f\n\tstxr %w1, %4, %2\n\tcbnz %w1, 1b\n2:"
                   : "=&r"(found), "+&r"(failed), "+Q"(*(const void **)place)
                   : "r"(expected), "r"(fresh)
                   : "cc", "memory");
  return found == expected;
}
static inline int kymo_claim(uint32_t *place, uint32_t expected, uint32_t fresh) {
  uint32_t found, failed = 1;
  __asm__ volatile("1: ldxr %w0, %2\n\tcmp %w0, %w3\n\tb.ne 2f\n\tstxr %w1, %w4, %2\n\tcbnz %w1, 1b\n2:"
                   : "=&r"(found), "+&r"(failed), "+Q"(*place)
                   : "r"(expected), "r"(fresh)
                   : "cc", "memory");
  return found == expected;
}

static inline uintptr_t kymo_thread_pointer(void) {
  uintptr_t pointer;
  __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
  return pointer;
}

void kymo_choose_timer(void);
static inline void kymo_stop_timer(void) {}

// Returns NULL when sites may be patched, else the reason as one clause for the user.
const char *kymo_refusal(void);

// Calls fn(argument), a function of libc, from a handler: preserves x18 and all vector registers. `save` points to KYMO_VECTOR_BYTES bytes.
enum { KYMO_VECTOR_BYTES = 12288 };
void kymo_call_keeping_vectors(void (*fn)(void *), void *argument, void *save);

// Encodings. They return 0 when the instructions at the site are not NOPs, or the target is out of reach.
int kymo_is_nop(const unsigned char *site, size_t length);
// The instructions that these write to `at` will be executed at `site`.
int kymo_encode_sled(unsigned char *at, uintptr_t site, uint32_t slot, uintptr_t thunk, unsigned char *stub);
int kymo_encode_entry(unsigned char *at, uintptr_t site, uintptr_t stub);
int kymo_encode_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uintptr_t trampoline);
int kymo_encode_sampled_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uint32_t sampler, uintptr_t trampoline, uintptr_t due);
// Changes the target of a call in the runtime's own code.
int kymo_encode_call(unsigned char *at, uintptr_t call, uintptr_t target);
static inline void kymo_flush_code(uintptr_t begin, uintptr_t end) { __builtin___clear_cache((char *)begin, (char *)end); }

#pragma GCC visibility pop

#endif
