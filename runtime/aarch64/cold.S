// Calls from handlers that would destroy vector registers: system calls and calls of libc. Vectors longer than 128 bits, predicates and the
// first-fault register exist only with SVE. A vector has at most 256 bytes, so all these registers take less than 35 × 256 bytes.
        .arch armv8-a+sve
        .text

// The save area begins at x9.
.macro each_vector instruction
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \instruction z\n, [x9, #\n, mul vl]
        .endr
.endm
.macro each_predicate instruction       // Predicates follow the 32 vectors; each is an eighth of a vector.
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        \instruction p\n, [x10, #\n, mul vl]
        .endr
.endm
.macro save_sve
        addvl x10, x9, #31
        addvl x10, x10, #1
        each_vector str
        each_predicate str
        rdffr p0.b
        str p0, [x10, #16, mul vl]
.endm
.macro restore_sve
        addvl x10, x9, #31
        addvl x10, x10, #1
        ldr p0, [x10, #16, mul vl]
        wrffr p0.b
        each_vector ldr
        each_predicate ldr
.endm
.macro each_pair instruction
        \instruction q0, q1, [x9]
        \instruction q2, q3, [x9, #32]
        \instruction q4, q5, [x9, #64]
        \instruction q6, q7, [x9, #96]
        \instruction q8, q9, [x9, #128]
        \instruction q10, q11, [x9, #160]
        \instruction q12, q13, [x9, #192]
        \instruction q14, q15, [x9, #224]
        \instruction q16, q17, [x9, #256]
        \instruction q18, q19, [x9, #288]
        \instruction q20, q21, [x9, #320]
        \instruction q22, q23, [x9, #352]
        \instruction q24, q25, [x9, #384]
        \instruction q26, q27, [x9, #416]
        \instruction q28, q29, [x9, #448]
        \instruction q30, q31, [x9, #480]
.endm

.macro function name
        .p2align 4
        .globl \name
        .hidden \name
        .type \name, %function
\name:
        .cfi_startproc
        hint #34                        // bti c
.endm
.macro has_sve register
        adrp \register, kymo_has_sve
        ldrb w9, [\register, :lo12:kymo_has_sve]
.endm

// long kymo_syscall(long number, long a, long b, long c, long d, long e, long f)
        function kymo_syscall
        mov x8, x0
        mov x0, x1
        mov x1, x2
        mov x2, x3
        mov x3, x4
        mov x4, x5
        mov x5, x6
        has_sve x9
        cbnz w9, 1f
        svc #0
        ret
1:      mov x11, sp
        .cfi_def_cfa_register x11
        addvl sp, sp, #-32
        addvl sp, sp, #-3
        mov x9, sp
        save_sve
        svc #0
        mov x9, sp
        restore_sve
        mov sp, x11
        .cfi_def_cfa_register sp
        ret
        .cfi_endproc
        .size kymo_syscall, .-kymo_syscall

// void kymo_call_keeping_vectors(void (*fn)(void *), void *argument, void *save)
        function kymo_call_keeping_vectors
        stp x29, x30, [sp, #-32]!
        .cfi_def_cfa_offset 32
        .cfi_offset x29, -32
        .cfi_offset x30, -24
        mov x29, sp
        stp x18, x19, [sp, #16]
        .cfi_offset x19, -8
        mov x19, x2
        mov x11, x0
        mov x12, x1
        has_sve x10
        cbz w9, 1f
        mov x9, x19
        save_sve
        mov x0, x12
        blr x11
        mov x9, x19
        restore_sve
        b 2f
1:      mov x9, x19
        each_pair stp
        mov x0, x12
        blr x11
        mov x9, x19
        each_pair ldp
2:      ldp x18, x19, [sp, #16]
        ldp x29, x30, [sp], #32
        .cfi_restore x29
        .cfi_restore x30
        .cfi_restore x19
        .cfi_def_cfa_offset 0
        ret
        .cfi_endproc
        .size kymo_call_keeping_vectors, .-kymo_call_keeping_vectors


// long kymo_clone(unsigned long flags, void *stack_end, uint32_t *tid, void (*run)(void)): the id of the new thread, or a negative error. The thread ends
// when `run` returns.
        .globl kymo_clone
        .hidden kymo_clone
        .type kymo_clone, %function
kymo_clone:
        .cfi_startproc
        bti c
        and x1, x1, #-16
        mov x9, x3
        mov x4, x2
        mov x3, #0
        mov x8, #220
        svc #0
        cbz x0, 1f
        ret
1:      .cfi_undefined x30
        mov x29, #0
        blr x9
        mov x0, #0
        mov x8, #93
        svc #0
        brk #0
        .cfi_endproc
        .size kymo_clone, .-kymo_clone
#include "notes.h"
