// The thunks of probe sleds and the trampoline of patchable entries. They lie near the code whose patched sites call them.
#include "sites.h"

.macro thunk_as symbol, name, offset
        function \symbol
        sled_frame
        sub sp, sp, #AREA
        .cfi_def_cfa_offset AREA + 16
        save_scratch
        mrs x0, nzcv
        stp x0, x30, [sp, #FLAGS]
        .cfi_offset x17, -(AREA + 16) + SITE
        str x17, [sp, #LAST]
        mov w0, w16                     // slot
        add x1, sp, #AREA + 16          // sp
        mov x2, x30                     // site
        handler \name, \offset
        ldr x17, [sp, #LAST]
        ldp x0, x30, [sp, #FLAGS]
        .cfi_register x17, x30
        msr nzcv, x0
        restore_scratch
        add sp, sp, #AREA
        .cfi_def_cfa_offset 16
        ret
        end_function \symbol
.endm
        thunk_as kymo_thunk_in, in, OBJECT_IN
        thunk_as kymo_thunk_out, out, OBJECT_OUT
        thunk_as kymo_slow_in_sampled, in_sampled, OBJECT_IN_SAMPLED
        thunk_as kymo_slow_out_sampled, out_sampled, OBJECT_OUT_SAMPLED

// A patched entry branches to its stub: adr x17, 1f · b kymo_trampoline · slot · mark without the return point · 1: b body.
// On arrival, x30 is the return address R; x16 and x17 are free as at every entry (linkers use them).
// Indirect branches go to the stub, which lies in a page without BTI, and not to the body, which may begin without a landing pad.
kymo_unrecorded:
        br x17                          // The body runs as in an unpatched function.

        function kymo_trampoline
        save_entry
        ldp w0, w3, [x17, #-8]          // slot, place of the link
        add x1, sp, #AREA - LINK_BELOW_SP
        mov x2, x19
        adr x16, kymo_return_point
        cbz w3, 1f
        bfxil w3, w16, #0, #16
1:      handler enter, OBJECT_ENTER
        mov x16, x0
        restore_entry
        cbz x16, kymo_unrecorded
        mov x19, x16
        // The frame while the body runs: R is at *(x19), x19 at *(x19 + 8), and sp = CFA − 4. The CFA is odd on purpose: libgcc
        // distinguishes frames by their CFA, and the true CFA would be that of the body.
        .cfi_def_cfa sp, 4
        .cfi_escape 0x16, 31, 2, 0x34, 0x1c
        .cfi_escape 0x10, 30, 2, 0x83, 0
        .cfi_escape 0x10, 19, 2, 0x83, 8
        blr x17
        end_function kymo_trampoline
        .globl kymo_return_point
        .hidden kymo_return_point
        .type kymo_return_point, %function
kymo_return_point:
        .cfi_startproc
        .cfi_escape 0x10, 30, 2, 0x83, 0
        .cfi_escape 0x10, 19, 2, 0x83, 8
        begin_area
        save_scratch
        save_flags x16
        ldp x30, x16, [x19]
        stp x16, x30, [sp, #LAST]       // copies them, because the frame may be reused as soon as kymo_leave frees it
        .cfi_offset x19, LAST - AREA
        .cfi_offset x30, LAST + 8 - AREA
        mov x0, x19
        handler leave, OBJECT_LEAVE
        restore_flags x16
        restore_scratch
        ldp x19, x30, [sp, #LAST]
        .cfi_restore x19
        .cfi_restore x30
        end_area
        ret
        end_function kymo_return_point

#include "notes.h"
