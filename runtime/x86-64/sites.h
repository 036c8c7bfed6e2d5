// Shared by the assembler files: the addresses of the handlers, and macros with which a site's thunk saves registers, calls a handler and
// returns. The handlers preserve every register (arch.h), so thunks only save the registers for arguments. The stack may be misaligned;
// handlers use no SSE.
#include "function.h"
#include "offsets.h"

#ifdef KYMO_EXECUTABLE
#define HANDLER(name, offset) kymo_##name
.macro self register
        mov %fs:kymo_self@tpoff, \register
.endm
#else
#define HANDLER(name, offset) *kymo_this_object+offset(%rip)
.macro self register
        mov kymo_this_object+OBJECT_SELF(%rip), \register
        mov %fs:(\register), \register
.endm
#endif

// Calls a handler. In the executable the call has a name, by which a run with a trace gives it another target (attach.c).
.macro call_handler name, offset
#ifdef KYMO_EXECUTABLE
        .globl kymo_call_\name
        .hidden kymo_call_\name
kymo_call_\name:
#endif
        call HANDLER(\name, \offset)
.endm

        .hidden kymo_this_object
        // A section other than .text, where the alignment and length of this code would move the user's code.
        .section kymo_text, "ax", @progbits

// Saves registers that the interrupted code still needs. An unwinder may stop at any instruction, so each push and pop adjusts the CFA.
.macro save registers:vararg
.irp register, \registers
        push \register
        .cfi_adjust_cfa_offset 8
.endr
.endm
// The registers are given in the reverse order of `save`.
.macro restore registers:vararg
.irp register, \registers
        pop \register
        .cfi_adjust_cfa_offset -8
.endr
.endm
// Restores the remembered CFI state. The CFA offset is repeated, because LLVM's assembler does not restore it and would continue from
// another one.
.macro restore_frame offset
        .cfi_restore_state
        .cfi_def_cfa_offset \offset
.endm

// A patched sled jumps to its stub (kymo_encode_sled). On arrival, the stack holds at offset 0 the return address into the stub, at 8 the
// slot, at 16 the site, and at 24 the red zone; the sled's sp is at 152. The CFI gives the sled's sp as the CFA and the site as the return
// address. So an unwinder that stops in a thunk finds the function, as its own CFI describes it, and not the stub, which has no CFI.
#define SLED_SP 152
#define SLED_SITE 16
.macro sled_frame
        .cfi_def_cfa_offset SLED_SP
        .cfi_offset rip, SLED_SITE-SLED_SP
.endm
// Calls a handler for the sled and returns to it. The caller has saved rdi, rsi and rdx.
.macro tell_and_return name, offset
        mov 32(%rsp), %edi              // slot, or sampler
        lea SLED_SP+24(%rsp), %rsi      // sp
        mov SLED_SITE+24(%rsp), %rdx    // site
        call_handler \name, \offset
        restore %rdx, %rsi, %rdi
        ret
.endm
