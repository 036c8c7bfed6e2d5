// x86-64: the registers of a thread that a signal has interrupted.
#ifndef KYMO_X86_64_REGISTERS_H
#define KYMO_X86_64_REGISTERS_H

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>

// In the order of DWARF's numbers; the last one is the program counter.
enum { KYMO_REGISTERS = 17, KYMO_STACK_POINTER = 7 };

static inline void kymo_read_registers(const ucontext_t *context, uint64_t *to) {
  static const unsigned char order[KYMO_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                                      REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int i = 0; i < KYMO_REGISTERS; ++i) to[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}

void kymo_signal_return(void); // cold.S: what a handler returns to,
enum { KYMO_SIGNAL_FLAGS = 0x04000000 /* SA_RESTORER */ }; // as the kernel is told

// A call that waited in the kernel and ended only because of the signal (EINTR, where the kernel does not repeat a call by itself: poll, nanosleep) is made
// again. The number of the call is lost with its result, so it is repeated from the instruction that loads it, if that stands before `syscall`, as
// libc's calls have it. `code` has the bytes before the program counter. What close and connect have begun is not to be done twice.
enum { KYMO_CALL_BYTES = 7 };
static inline int kymo_ended_early(const ucontext_t *context) { return context->uc_mcontext.gregs[REG_RAX] == -EINTR; }
static inline void kymo_repeat_call(ucontext_t *context, const unsigned char *code) {
  if (code[0] != 0xb8 || code[5] != 0x0f || code[6] != 0x05) return; // mov $number, %eax · syscall
  uint32_t number = code[1] | (uint32_t)code[2] << 8 | (uint32_t)code[3] << 16 | (uint32_t)code[4] << 24;
  if (number != SYS_close && number != SYS_connect) context->uc_mcontext.gregs[REG_RIP] -= KYMO_CALL_BYTES;
}

#endif
