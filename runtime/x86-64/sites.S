// What patched sites call, near the code they are in: thunks of probe sleds and the trampoline of patchable entries.
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

// A patched entry jumps to its stub: push body · push $slot · jmp here. (A call would leave an address on the processor's return stack
// that nobody returns to, and every later return would be mispredicted.) On arrival: 0 slot, 8 body, 16 return address R at its address S.
        function kymo_trampoline
        .cfi_def_cfa_offset 24
        save %rax, %rcx, %rdx, %rsi, %rdi
        mov 40(%rsp), %edi              // slot
        lea 56(%rsp), %rsi              // S
        mov %r12, %rdx
        lea kymo_return_point(%rip), %rcx
        call HANDLER(enter, OBJECT_ENTER)
        test %rax, %rax
        jz 1f
        mov %rax, %r12
        .cfi_remember_state
        .cfi_escape 0x10, 12, 2, 0x7c, 8        // r12 is at *(r12 + 8)
        restore %rdi, %rsi, %rdx, %rcx, %rax
        lea 24(%rsp), %rsp
        // The frame while the body runs: R is at *(r12), r12 at *(r12 + 8), and sp = CFA − 4. The CFA is odd on purpose: libgcc tells frames apart by it, and the
        // honest one is the body's own.
        .cfi_def_cfa rsp, 4
        .cfi_escape 0x16, 7, 2, 0x34, 0x1c
        .cfi_escape 0x10, 16, 2, 0x7c, 0
        .cfi_escape 0x10, 12, 2, 0x7c, 8
        notrack call *-16(%rsp)         // the body's address, still in the red zone; the call writes the return point to S
        .globl kymo_return_point
        .hidden kymo_return_point
kymo_return_point:
        push (%r12)                     // R, to where it was
        .cfi_def_cfa rsp, 8
        .cfi_offset rip, -8
        .cfi_escape 0x16, 7, 2, 0x30, 0x22      // sp = CFA again
        save %rdi
        mov %r12, %rdi
        mov 8(%r12), %r12
        .cfi_same_value r12
        call HANDLER(leave, OBJECT_LEAVE)
        restore %rdi
        ret
        restore_frame 64
1:      restore %rdi, %rsi, %rdx, %rcx, %rax    // not recorded: the body runs as if nothing had happened
        lea 8(%rsp), %rsp
        .cfi_adjust_cfa_offset -8
        ret
        end_function kymo_trampoline

        .section .note.GNU-stack,"",@progbits
