// Fills every register that a function may use, passes a site, and stores the registers afterwards: x0 – x17, x30, flags, v0 – v31 (BYTES
// each time).
        .arch armv8-a+sve
#define BYTES 672
#define SLOTS .rept 5; nop; .endr

.macro fill_vector n
        mov x0, #0x2200 + \n
        dup v\n\().2d, x0
.endm
.macro fill_wide n
        mov z\n\().b, #\n + 1
.endm
.macro fill_predicate n
        ptrue p\n\().b
.endm
.macro fill
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        fill_vector \n
        .endr
        mov x0, #0x60000000
        msr nzcv, x0
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov x\n, #0x1100 + \n
        .endr
.endm
.macro store
        stp x0, x1, [x20]
        stp x2, x3, [x20, #16]
        stp x4, x5, [x20, #32]
        stp x6, x7, [x20, #48]
        stp x8, x9, [x20, #64]
        stp x10, x11, [x20, #80]
        stp x12, x13, [x20, #96]
        stp x14, x15, [x20, #112]
        stp x16, x17, [x20, #128]
        mrs x0, nzcv
        stp x30, x0, [x20, #144]
        add x20, x20, #160
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        str q\n, [x20], #16
        .endr
.endm
.macro begin
        stp x29, x30, [sp, #-96]!
        stp x19, x20, [sp, #16]
        stp d8, d9, [sp, #32]
        stp d10, d11, [sp, #48]
        stp d12, d13, [sp, #64]
        stp d14, d15, [sp, #80]
        mov x20, x0
.endm
.macro finish
        ldp d14, d15, [sp, #80]
        ldp d12, d13, [sp, #64]
        ldp d10, d11, [sp, #48]
        ldp d8, d9, [sp, #32]
        ldp x19, x20, [sp, #16]
        ldp x29, x30, [sp], #96
        ret
.endm
.macro sled number, kind
// The NOPs of a sled.
.Lsled\number\kind: SLOTS
        .pushsection kymo_sleds, "ao", %progbits, .Lsled\number\kind
        .long .Lsled\number\kind - .
        .long \number * 2 + \kind
        .quad 0x1122334455667788
        .popsection
.endm
.macro function name
        .globl \name
        .type \name, %function
        .p2align 2
\name:
        hint #34
.endm

        .text
        // Fills x30 as well, as in a leaf function.
        function through_sled
        begin
        fill
        mov x30, #0x1100 + 30
        sled 1, 0
        store
        fill
        mov x30, #0x1100 + 30
        sled 1, 1
        store
        finish

        function through_entry
        begin
        fill
        bl patchable
        store
        finish
        .globl patchable
        .type patchable, %function
patchable:
        nop
        nop
        store
        fill
        ret
        .pushsection __patchable_function_entries, "awo", %progbits, patchable
        .p2align 3
        .8byte patchable
        .popsection

        // Fills the complete vectors (z0 – z31, each with its number), and the predicates.
        function through_sve
        begin
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        fill_wide \n
        .endr
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        fill_predicate \n
        .endr
        setffr
        sled 2, 0
        sled 2, 1
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        str z\n, [x20, #\n, mul vl]
        .endr
        addvl x20, x20, #31
        addvl x20, x20, #1
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        str p\n, [x20, #\n, mul vl]
        .endr
        rdffr p0.b
        str p0, [x20, #16, mul vl]
        rdvl x0, #1
        finish

        .section .note.GNU-stack, "", %progbits
