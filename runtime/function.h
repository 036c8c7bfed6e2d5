// Macros that the assembler files of all architectures share.

// Begins a function that only this object's sites call.
.macro function name
        .p2align 5
        .globl \name
        .hidden \name
        .type \name, %function
\name:
        .cfi_startproc
.endm
.macro end_function name
        .cfi_endproc
        .size \name, .-\name
.endm
