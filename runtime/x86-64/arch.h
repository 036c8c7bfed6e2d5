// x86-64: the compilation of handlers, system calls, the timer and the encoding of sites.
#ifndef KYMO_X86_64_ARCH_H
#define KYMO_X86_64_ARCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#pragma GCC visibility push(hidden)

// Handlers preserve all registers: they run with live argument registers, and callers compiled with -fipa-ra may even hold values in
// scratch registers. (clang 19 loses arguments in tail calls between such functions, hence -fno-optimize-sibling-calls in manifest.json.)
#define KYMO_HANDLER __attribute__((no_caller_saved_registers))

enum {
  KYMO_SLED_BYTES = 5, // one NOP, because the number of instructions determines the cost of an idle sled
  KYMO_ENTRY_BYTES = 5,
  KYMO_STUB_BYTES = 24, // Each patched entry jumps to a stub of its own,
  KYMO_SLED_STUB_BYTES = 48, // and so does each patched sled.
  KYMO_SAMPLED_STUB_BYTES = 56,
  KYMO_CAN_SAMPLE = 1,
  KYMO_CAN_SWITCH = 1,
};

// Sites that can be switched while threads run (control/live.c): `jmp stub` when a site is on, `test $imm32, %eax` when it is off. Both have five bytes and
// differ in the first one only; the other four are the displacement, which the test takes as its constant. So one store of one byte switches a site, wherever
// it lies in a cache line, and every thread runs one of the two instructions. The test changes nothing but the flags, which are free at the entry of a
// function (ABI) and at a sled (the compilers assume that each asm statement changes them, as the thunks do).
enum { KYMO_SITE_ON = 0xe9, KYMO_SITE_OFF = 0xa9 };

// The largest distance of the stubs from the code: a 32-bit displacement, with a margin for the object's own size.
#define KYMO_REACH ((uintptr_t)0x78000000)

// The return address of a function without a frame is at its stack pointer.
enum { KYMO_LINK_BELOW_SP = 0 };

// A function's later events may be this far above the stack pointer at its enter, because of the padding of pushed arguments to the stack's
// alignment (extents.c).
enum { KYMO_PADS_ARGUMENTS = 16 };

// Tests whether the stack still holds the return point of the frame whose return address was at `sp`.
static inline int kymo_mark_intact(uintptr_t sp, uint32_t mark) { return *(const uint32_t *)sp == mark; }

// Tests whether the stack holds another value there. Just before the body begins and after it has ended, the stack holds the real return
// address (a signal may come in between), which does not count as lost.
static inline int kymo_mark_lost(uintptr_t sp, uint32_t mark, uintptr_t ret) {
  uint32_t there = *(const uint32_t *)sp;
  return there != mark && there != (uint32_t)ret;
}
enum { KYMO_MARK_PROVES = 1 }; // A lost mark proves that the function of the frame will not return.

static inline long kymo_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

extern unsigned char kymo_fast_timer; // 1: the time stamp counter is invariant
KYMO_HANDLER uint64_t kymo_slow_timer(void);

// Uses rdtsc and not rdtscp: waiting for earlier loads would cost more than the few cycles of inaccuracy that it removes.
static inline uint64_t kymo_now(void) {
  if (__builtin_expect(!kymo_fast_timer, 0)) return kymo_slow_timer();
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return ((uint64_t)high << 32) | low;
}

// The processor's counters, where the kernel allows to read them without a system call.
enum { KYMO_READS_PMC = 1 };
static inline uint64_t kymo_read_pmc(uint32_t index) {
  uint32_t low, high;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
  return ((uint64_t)high << 32) | low;
}

// These are one instruction each, so a signal comes before or after it. They need no lock prefix, because no other thread writes these
// words.
static inline void kymo_add(uint64_t *to, uint64_t value) { __asm__ volatile("addq %1, %0" : "+m"(*to) : "r"(value) : "cc"); }
static inline uint64_t kymo_fetch_add(uint64_t *to, uint64_t value) {
  __asm__ volatile("xaddq %0, %1" : "+r"(value), "+m"(*to) : : "cc");
  return value;
}
static inline int kymo_swap(void *place, const void *expected, const void *fresh) {
  int done;
  __asm__ volatile("cmpxchgq %3, %1" : "=@ccz"(done), "+m"(*(const void **)place), "+a"(expected) : "r"(fresh) : "memory");
  return done;
}

static inline int kymo_claim(uint32_t *place, uint32_t expected, uint32_t fresh) {
  int done;
  __asm__ volatile("cmpxchgl %3, %1" : "=@ccz"(done), "+m"(*place), "+a"(expected) : "r"(fresh) : "memory");
  return done;
}

static inline uintptr_t kymo_thread_pointer(void) {
  uintptr_t pointer;
  __asm__("mov %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

void kymo_choose_timer(void);
static inline void kymo_stop_timer(void) { kymo_fast_timer = 0; } // Strict seccomp also forbids rdtsc.

// Returns NULL when sites may be patched, else the reason as one clause for the user.
const char *kymo_refusal(void);

// Calls fn(argument), a function of libc, from a handler: preserves all vector registers and aligns the stack. `save` points to
// KYMO_VECTOR_BYTES zeroed bytes.
enum { KYMO_VECTOR_BYTES = 4096 };
KYMO_HANDLER void kymo_call_keeping_vectors(void (*fn)(void *), void *argument, void *save);

// Encodings. They return 0 when the bytes at the site are not NOPs of the right length, or the target is out of reach.
int kymo_is_nop(const unsigned char *site, size_t length);
// The bytes that these write to `at` will be executed at `site`.
int kymo_encode_sled(unsigned char *at, uintptr_t site, uint32_t slot, uintptr_t thunk, unsigned char *stub);
int kymo_encode_entry(unsigned char *at, uintptr_t site, uintptr_t stub);
int kymo_encode_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uintptr_t trampoline);
int kymo_encode_sampled_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uint32_t sampler, uintptr_t trampoline, uintptr_t due);
// Changes the target of a call in the runtime's own code.
int kymo_encode_call(unsigned char *at, uintptr_t call, uintptr_t target);
static inline void kymo_flush_code(uintptr_t begin, uintptr_t end) { (void)begin, (void)end; } // Instruction caches are coherent on x86.

#pragma GCC visibility pop

#endif
