// The thunks of probe sleds and the trampoline of patchable entries. They lie near the code whose patched sites call them.
#include "sites.h"

.macro thunk name, offset
        function kymo_thunk_\name
        sled_frame
        save %rdi, %rsi, %rdx
        tell_and_return \name, \offset
        end_function kymo_thunk_\name
.endm
        thunk in, OBJECT_IN
        thunk out, OBJECT_OUT

// A patched entry jumps to its stub: push body · push $slot · jmp kymo_trampoline. (A call would leave an address on the processor's return
// stack to which nothing returns, and every later return would be mispredicted.) On arrival, the stack holds at offset 0 the slot, at 8 the
// body, and at 16 the return address R of the function, whose stack address is S.
        function kymo_trampoline
        .cfi_def_cfa_offset 24
        save %rax, %rcx, %rdx, %rsi, %rdi
        mov 40(%rsp), %edi              // slot
        lea 56(%rsp), %rsi              // S
        mov %r12, %rdx
        lea kymo_return_point(%rip), %rcx
        call_handler enter, OBJECT_ENTER
        test %rax, %rax
        jz 1f
        mov %rax, %r12
        .cfi_remember_state
        .cfi_escape 0x10, 12, 2, 0x7c, 8        // r12 is at *(r12 + 8)
        restore %rdi, %rsi, %rdx, %rcx, %rax
        lea 24(%rsp), %rsp
        // The frame while the body runs: R is at *(r12), r12 at *(r12 + 8), and sp = CFA − 4. The CFA is odd on purpose: libgcc
        // distinguishes frames by their CFA, and the true CFA would be that of the body.
        .cfi_def_cfa rsp, 4
        .cfi_escape 0x16, 7, 2, 0x34, 0x1c
        .cfi_escape 0x10, 16, 2, 0x7c, 0
        .cfi_escape 0x10, 12, 2, 0x7c, 8
        notrack call *-16(%rsp)         // the body's address, still in the red zone; the call writes the return point to S
        .globl kymo_return_point
        .hidden kymo_return_point
kymo_return_point:
        push (%r12)                     // puts R back to S
        .cfi_def_cfa rsp, 8
        .cfi_offset rip, -8
        .cfi_escape 0x16, 7, 2, 0x30, 0x22      // sp = CFA again
        save %rdi
        mov %r12, %rdi
        mov 8(%r12), %r12
        .cfi_same_value r12
        call_handler leave, OBJECT_LEAVE
        restore %rdi
        ret
        restore_frame 64
1:      restore %rdi, %rsi, %rdx, %rcx, %rax    // Not recorded: the body runs as in an unpatched function.
        lea 8(%rsp), %rsp
        .cfi_adjust_cfa_offset -8
        ret
        end_function kymo_trampoline

        .section .note.GNU-stack,"",@progbits
