// What patched sites call, near the code they are in: thunks for probe sleds and the trampoline for patchable entries.
// The handlers preserve every register (arch.h), so only what is needed to pass arguments is saved here. The stack may be misaligned: handlers use no SSE.
#ifdef KYMO_EXECUTABLE
#define HANDLER(name, offset) kymo_##name
#else
#define HANDLER(name, offset) *kymo_this_object+offset(%rip)
#endif
#define IN 0
#define OUT 8
#define ENTER 16
#define LEAVE 24

        // Not in .text: alignment and length of what is added there would move the user's code.
        .section kymo_text, "ax", @progbits
        .hidden kymo_this_object

// A sled: lea -128(%rsp),%rsp · push $slot · call thunk · lea 136(%rsp),%rsp. On arrival: 0 site, 8 slot, 16 the red zone, 144 the sled's sp.
// The CFA is the sled's sp, so that an unwinder that stops in here finds the function as its own CFI describes it.
.macro thunk name, offset
        .p2align 5
        .globl kymo_thunk_\name
        .hidden kymo_thunk_\name
        .type kymo_thunk_\name, @function
kymo_thunk_\name:
        .cfi_startproc
        .cfi_def_cfa_offset 144
        .cfi_offset rip, -144
        push %rdi
        .cfi_def_cfa_offset 152
        push %rsi
        .cfi_def_cfa_offset 160
        push %rdx
        .cfi_def_cfa_offset 168
        mov 32(%rsp), %edi              // slot
        lea 168(%rsp), %rsi             // sp
        mov 24(%rsp), %rdx              // site
        call HANDLER(\name, \offset)
        pop %rdx
        .cfi_def_cfa_offset 160
        pop %rsi
        .cfi_def_cfa_offset 152
        pop %rdi
        .cfi_def_cfa_offset 144
        ret
        .cfi_endproc
        .size kymo_thunk_\name, .-kymo_thunk_\name
.endm
        thunk in, IN
        thunk out, OUT

// A patched entry jumps to its stub: push body · push $slot · jmp here. (A call would leave an address on the processor's return stack
// that nobody returns to, and every later return would be mispredicted.) On arrival: 0 slot, 8 body, 16 return address R at its address S.
        .p2align 5
        .globl kymo_trampoline
        .hidden kymo_trampoline
        .type kymo_trampoline, @function
kymo_trampoline:
        .cfi_startproc
        .cfi_def_cfa_offset 24
        push %rax
        .cfi_adjust_cfa_offset 8
        push %rcx
        .cfi_adjust_cfa_offset 8
        push %rdx
        .cfi_adjust_cfa_offset 8
        push %rsi
        .cfi_adjust_cfa_offset 8
        push %rdi
        .cfi_adjust_cfa_offset 8
        mov 40(%rsp), %edi              // slot
        lea 56(%rsp), %rsi              // S
        mov %r12, %rdx
        lea kymo_return_point(%rip), %rcx
        call HANDLER(enter, ENTER)
        test %rax, %rax
        jz 1f
        mov %rax, %r12
        .cfi_remember_state
        .cfi_escape 0x10, 12, 2, 0x7c, 8        // r12 is at *(r12 + 8)
        pop %rdi
        .cfi_adjust_cfa_offset -8
        pop %rsi
        .cfi_adjust_cfa_offset -8
        pop %rdx
        .cfi_adjust_cfa_offset -8
        pop %rcx
        .cfi_adjust_cfa_offset -8
        pop %rax
        .cfi_adjust_cfa_offset -8
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
        push %rdi
        .cfi_adjust_cfa_offset 8
        mov %r12, %rdi
        mov 8(%r12), %r12
        .cfi_same_value r12
        call HANDLER(leave, LEAVE)
        pop %rdi
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_restore_state
1:      pop %rdi                        // not recorded: the body runs as if nothing had happened
        .cfi_adjust_cfa_offset -8
        pop %rsi
        .cfi_adjust_cfa_offset -8
        pop %rdx
        .cfi_adjust_cfa_offset -8
        pop %rcx
        .cfi_adjust_cfa_offset -8
        pop %rax
        .cfi_adjust_cfa_offset -8
        lea 8(%rsp), %rsp
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size kymo_trampoline, .-kymo_trampoline

// Private functions for the calibration, as they look when patched (slot 0).
.macro calibration name
        .p2align 5
        .globl kymo_calibrate_\name
        .hidden kymo_calibrate_\name
        .type kymo_calibrate_\name, @function
kymo_calibrate_\name:
.endm
        calibration empty
        .cfi_startproc
        ret
        .cfi_endproc
        calibration sled
        .cfi_startproc
        lea -128(%rsp), %rsp
        push $0
        call kymo_thunk_in
        lea 136(%rsp), %rsp
        lea -128(%rsp), %rsp
        push $0
        call kymo_thunk_out
        lea 136(%rsp), %rsp
        ret
        .cfi_endproc
        calibration entry
        .cfi_startproc
        jmp 1f
2:      ret
        .p2align 3
1:      push 3f(%rip)
        push $0
        jmp kymo_trampoline
        .cfi_endproc
        .section .data.rel.ro.local,"aw",@progbits
        .p2align 3
3:      .quad 2b
        .section .note.GNU-stack,"",@progbits
