// Shared by the assembler files: the addresses of the handlers, and macros that save registers around them. The macros save all registers
// that a handler may change: x0 – x17 and the flags. Handlers use neither x18 nor the vector registers.
#include "function.h"
#include "offsets.h"

#define LINK_BELOW_SP 8

        .text
        .hidden kymo_this_object

.macro handler name, offset
#ifdef KYMO_EXECUTABLE
        .globl kymo_call_\name // by which a run with a trace gives it another target (attach.c)
        .hidden kymo_call_\name
kymo_call_\name:
        bl kymo_\name
#else
        adrp x16, kymo_this_object
        add x16, x16, :lo12:kymo_this_object
        ldr x16, [x16, #\offset]
        blr x16
#endif
.endm

// The save area: x0 – x15, flags, site, x17 or x16, x30.
#define FLAGS 128
#define SITE 136
#define LAST 144
#define AREA 160
.macro save_scratch
        stp x0, x1, [sp]
        stp x2, x3, [sp, #16]
        stp x4, x5, [sp, #32]
        stp x6, x7, [sp, #48]
        stp x8, x9, [sp, #64]
        stp x10, x11, [sp, #80]
        stp x12, x13, [sp, #96]
        stp x14, x15, [sp, #112]
.endm
.macro restore_scratch
        ldp x14, x15, [sp, #112]
        ldp x12, x13, [sp, #96]
        ldp x10, x11, [sp, #80]
        ldp x8, x9, [sp, #64]
        ldp x6, x7, [sp, #48]
        ldp x4, x5, [sp, #32]
        ldp x2, x3, [sp, #16]
        ldp x0, x1, [sp]
.endm
// \scratch must be free.
.macro save_flags scratch
        mrs \scratch, nzcv
        str \scratch, [sp, #FLAGS]
.endm
.macro restore_flags scratch
        ldr \scratch, [sp, #FLAGS]
        msr nzcv, \scratch
.endm
.macro begin_area
        sub sp, sp, #AREA
        .cfi_def_cfa_offset AREA
.endm
.macro end_area
        add sp, sp, #AREA
        .cfi_def_cfa_offset 0
.endm

// Saves the registers around a handler of a patched entry. x16 is free at an entry (linkers use it), x17 belongs to the stub, and x30 is
// the return address.
.macro save_entry
        begin_area
        stp x17, x30, [sp, #LAST]
        .cfi_offset x30, -LINK_BELOW_SP
        save_scratch
        save_flags x16
.endm
.macro restore_entry
        restore_flags x17
        restore_scratch
        ldp x17, x30, [sp, #LAST]
        .cfi_restore x30
        end_area
.endm

// A sled: stp x16, x30, [sp, #-16]! · mov w16, #slot · bl thunk · ldp x16, x30, [sp], #16. The CFA is the sled's stack pointer, so that an
// unwinder that stops in a thunk finds the function as its own CFI describes it. The function may be a leaf whose return address is in x30,
// so another column holds the return address of the thunk.
.macro sled_frame
        .cfi_return_column 17
        .cfi_def_cfa_offset 16
        .cfi_register x17, x30
        .cfi_offset x30, -8
        .cfi_offset x16, -16
.endm
