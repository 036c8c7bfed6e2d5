// aarch64: the registers of a thread that a signal has interrupted.
#ifndef KYMO_AARCH64_REGISTERS_H
#define KYMO_AARCH64_REGISTERS_H

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

// In the order of DWARF's numbers; the last one is the program counter.
enum { KYMO_REGISTERS = 33, KYMO_STACK_POINTER = 31 };

static inline void kymo_read_registers(const ucontext_t *context, uint64_t *to) {
  for (int i = 0; i < 31; ++i) to[i] = context->uc_mcontext.regs[i];
  to[31] = context->uc_mcontext.sp;
  to[32] = context->uc_mcontext.pc;
}

enum { KYMO_CALL_BYTES = 4 };
#define kymo_signal_return ((void (*)(void))0) // The kernel has its own way back from a handler.
enum { KYMO_SIGNAL_FLAGS = 0 };

// The result of a call replaces its first argument, so it cannot be made again.
static inline int kymo_ended_early(const ucontext_t *context) { return (void)context, 0; }
static inline void kymo_repeat_call(ucontext_t *context, const unsigned char *code) { (void)context, (void)code; }

#endif
