// What patched sites call, near the code they are in: thunks for probe sleds and the trampoline for patchable entries.
// Everything that a handler may change is saved here: x0 – x17 and the flags. Handlers leave x18 and the vector registers alone.
#define IN 0
#define OUT 8
#define ENTER 16
#define LEAVE 24
#define LINK_BELOW_SP 8
#define IN_SAMPLED 120
#define OUT_SAMPLED 128
#define DUE 136
#define SELF 144

        .text
        .hidden kymo_this_object

.macro handler name, offset
#ifdef KYMO_EXECUTABLE
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

// A sled: stp x16, x30, [sp, #-16]! · mov w16, #slot · bl thunk · ldp x16, x30, [sp], #16.
// The CFA is the sled's stack pointer, so that an unwinder that stops in here finds the function as its own CFI describes it. The function may be a
// leaf whose return address is in x30: so where this thunk returns to is said in another column.
.macro thunk_as symbol, name, offset
        .p2align 5
        .globl \symbol
        .hidden \symbol
        .type \symbol, %function
\symbol:
        .cfi_startproc
        .cfi_return_column 17
        .cfi_def_cfa_offset 16
        .cfi_register x17, x30
        .cfi_offset x30, -8
        .cfi_offset x16, -16
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
        .cfi_endproc
        .size \symbol, .-\symbol
.endm
        thunk_as kymo_thunk_in, in, IN
        thunk_as kymo_thunk_out, out, OUT
        thunk_as kymo_slow_in_sampled, in_sampled, IN_SAMPLED
        thunk_as kymo_slow_out_sampled, out_sampled, OUT_SAMPLED

// A patched entry branches to its stub: adr x17, 1f · b here · slot · mark without the return point · 1: b body.
// On arrival: x30 return address R, x16 and x17 free as at every entry (linkers use them).
// Branches that are not direct go to the stub, which lies where no BTI is asked for, and not to the body, which may begin without one.
kymo_unrecorded:
        br x17                          // the body runs as if nothing had happened

        .p2align 5
        .globl kymo_trampoline
        .hidden kymo_trampoline
        .type kymo_trampoline, %function
kymo_trampoline:
        .cfi_startproc
        sub sp, sp, #AREA
        .cfi_def_cfa_offset AREA
        stp x17, x30, [sp, #LAST]
        .cfi_offset x30, -LINK_BELOW_SP
        save_scratch
        mrs x16, nzcv
        str x16, [sp, #FLAGS]
        ldp w0, w3, [x17, #-8]          // slot, place of the link
        add x1, sp, #AREA - LINK_BELOW_SP
        mov x2, x19
        adr x16, kymo_return_point
        cbz w3, 1f
        bfxil w3, w16, #0, #16
1:      handler enter, ENTER
        mov x16, x0
        ldr x17, [sp, #FLAGS]
        msr nzcv, x17
        restore_scratch
        ldp x17, x30, [sp, #LAST]
        .cfi_restore x30
        add sp, sp, #AREA
        .cfi_def_cfa_offset 0
        cbz x16, kymo_unrecorded
        mov x19, x16
        // The frame while the body runs: R is at *(x19), x19 at *(x19 + 8), and sp = CFA − 4. The CFA is odd on purpose: libgcc tells frames apart by
        // it, and the honest one is the body's own.
        .cfi_def_cfa sp, 4
        .cfi_escape 0x16, 31, 2, 0x34, 0x1c
        .cfi_escape 0x10, 30, 2, 0x83, 0
        .cfi_escape 0x10, 19, 2, 0x83, 8
        blr x17
        .cfi_endproc
        .size kymo_trampoline, .-kymo_trampoline
        .globl kymo_return_point
        .hidden kymo_return_point
        .type kymo_return_point, %function
kymo_return_point:
        .cfi_startproc
        .cfi_escape 0x10, 30, 2, 0x83, 0
        .cfi_escape 0x10, 19, 2, 0x83, 8
        sub sp, sp, #AREA
        .cfi_def_cfa_offset AREA
        save_scratch
        mrs x16, nzcv
        str x16, [sp, #FLAGS]
        ldp x30, x16, [x19]
        stp x16, x30, [sp, #LAST]       // the frame may be used again as soon as it is left
        .cfi_offset x19, LAST - AREA
        .cfi_offset x30, LAST + 8 - AREA
        mov x0, x19
        handler leave, LEAVE
        ldr x16, [sp, #FLAGS]
        msr nzcv, x16
        restore_scratch
        ldp x19, x30, [sp, #LAST]
        .cfi_restore x19
        .cfi_restore x30
        add sp, sp, #AREA
        .cfi_def_cfa_offset 0
        ret
        .cfi_endproc
        .size kymo_return_point, .-kymo_return_point

// --- sampled slots (sample.c): the usual visit is counted here, and nothing else happens ---

// Structures of runtime.h, where these numbers are checked.
#define THREAD_TOP 0
#define THREAD_LOW 8
#define THREAD_SAMPLERS 56
#define FRAME_RET 0
#define FRAME_SP 16
#define FRAME_NODE 32
#define FRAME_SLOT 56
#define FRAME_MARK 60
#define SAMPLER_PARENT 0
#define SAMPLER_COUNTER 8
#define SAMPLER_LEFT 16
#define NODE_VISITS 0

// x0 – x3 and the flags.
#define SMALL 48
.macro save_little
        sub sp, sp, #SMALL
        stp x0, x1, [sp]
        stp x2, x3, [sp, #16]
        mrs x0, nzcv
        str x0, [sp, #32]
.endm
.macro restore_little
        ldr x0, [sp, #32]
        msr nzcv, x0
        ldp x2, x3, [sp, #16]
        ldp x0, x1, [sp]
        add sp, sp, #SMALL
.endm
// x1: sp; then x0: thread, x2: top, x3: its sp. Goes to \other unless the call is on the thread's current stack.
.macro require_current_stack other
        adrp x0, kymo_this_object
        add x0, x0, :lo12:kymo_this_object
        ldr x0, [x0, #SELF]
        mrs x2, tpidr_el0
        ldr x0, [x0, x2]
        ldp x2, x3, [x0, #THREAD_LOW]
        sub x2, x1, x2
        cmp x2, x3
        b.hs \other
        ldr x2, [x0, #THREAD_TOP]
        ldr x3, [x2, #FRAME_SP]
.endm
// kymo_mark_intact()
.macro require_intact_mark other
        ldr w1, [x2, #FRAME_MARK]
        cbz w1, 2f
        lsr w1, w1, #16
        sub x3, x3, x1, lsl #3
        ldrh w3, [x3, #8]
        ldrh w1, [x2, #FRAME_MARK]
        cmp w1, w3
        b.ne \other
2:
.endm
// Counts a visit, or goes to \other when it is due or the counter is not the one for this caller.
.macro count_visit sampler, other
        ldr x2, [x2, #FRAME_NODE]
        ldr x0, [x0, #THREAD_SAMPLERS]
        add x0, x0, \sampler, uxtw
        ldr x1, [x0, #SAMPLER_COUNTER]          // before the comparison: kymo_due() says why
        ldr x3, [x0, #SAMPLER_PARENT]
        cmp x2, x3
        b.ne \other
        ldr w3, [x0, #SAMPLER_LEFT]
        subs w3, w3, #1
        b.le \other
        str w3, [x0, #SAMPLER_LEFT]
        ldr x3, [x1, #NODE_VISITS]
        add x3, x3, #1
        str x3, [x1, #NODE_VISITS]
.endm
.macro begin_little name
        .p2align 5
        .globl \name
        .hidden \name
        .type \name, %function
\name:
        .cfi_startproc
.endm
.macro sled_frame
        .cfi_return_column 17
        .cfi_def_cfa_offset 16
        .cfi_register x17, x30
        .cfi_offset x30, -8
        .cfi_offset x16, -16
.endm

// Entry sled; its slot is the offset of the sampler.
        begin_little kymo_thunk_in_sampled
        sled_frame
        save_little
        .cfi_def_cfa_offset SMALL + 16
        add x1, sp, #SMALL + 16
        require_current_stack 3f
        cmp x3, x1
        b.ls 4f
1:      require_intact_mark 3f
        count_visit w16, 3f
        restore_little
        .cfi_remember_state
        .cfi_def_cfa_offset 16
        ret
        .cfi_restore_state
4:      b.lo 3f
        ldr x1, [x2, #FRAME_RET]        // inlined in a function whose sled has the same sp
        cbz x1, 1b
3:      restore_little
        .cfi_def_cfa_offset 16
        b kymo_slow_in_sampled
        .cfi_endproc
        .size kymo_thunk_in_sampled, .-kymo_thunk_in_sampled

// Exit sled: nothing to do unless the top is a frame of this slot, or one that is stale.
        begin_little kymo_thunk_out_sampled
        sled_frame
        save_little
        .cfi_def_cfa_offset SMALL + 16
        add x1, sp, #SMALL + 16
        require_current_stack 3f
        cmp x3, x1
        b.lo 3f
        ldr w1, [x2, #FRAME_SLOT]
        cmp w1, w16
        b.eq 3f
        restore_little
        .cfi_remember_state
        .cfi_def_cfa_offset 16
        ret
        .cfi_restore_state
3:      restore_little
        .cfi_def_cfa_offset 16
        b kymo_slow_out_sampled
        .cfi_endproc
        .size kymo_thunk_out_sampled, .-kymo_thunk_out_sampled

// Patchable entry (kymo_encode_sampled_stub). On arrival: x30 return address, x17 the branch to the body, before it sampler, slot and place of the link.
        begin_little kymo_thunk_due
        save_little
        .cfi_def_cfa_offset SMALL
        ldur w16, [x17, #-12]
        add x1, sp, #SMALL - LINK_BELOW_SP
        require_current_stack 3f
        cmp x3, x1
        b.ls 3f
        require_intact_mark 3f
        count_visit w16, 3f
        restore_little
        .cfi_remember_state
        .cfi_def_cfa_offset 0
        br x17
        .cfi_restore_state
3:      restore_little
        .cfi_def_cfa_offset 0
        sub sp, sp, #AREA
        .cfi_def_cfa_offset AREA
        stp x17, x30, [sp, #LAST]
        .cfi_offset x30, -LINK_BELOW_SP
        save_scratch
        mrs x16, nzcv
        str x16, [sp, #FLAGS]
        ldur w0, [x17, #-12]
        add x1, sp, #AREA - LINK_BELOW_SP
        mov x2, #0
        handler due, DUE
        mov w16, w0
        ldr x17, [sp, #FLAGS]
        msr nzcv, x17
        restore_scratch
        ldp x17, x30, [sp, #LAST]
        .cfi_restore x30
        add sp, sp, #AREA
        .cfi_def_cfa_offset 0
        tbnz w16, #0, kymo_trampoline
        br x17
        .cfi_endproc
        .size kymo_thunk_due, .-kymo_thunk_due

// Private functions for the calibration, as they look when patched (slot 0).
.macro calibration name
        .p2align 5
        .globl kymo_calibrate_\name
        .hidden kymo_calibrate_\name
        .type kymo_calibrate_\name, %function
kymo_calibrate_\name:
        .cfi_startproc
        hint #34                        // bti c
.endm
        calibration empty
        ret
        .cfi_endproc
        calibration sled
.irp name, in, out
        stp x16, x30, [sp, #-16]!
        .cfi_adjust_cfa_offset 16
        .cfi_offset x30, -8
        movz w16, #0
        movk w16, #0, lsl #16
        bl kymo_thunk_\name
        ldp x16, x30, [sp], #16
        .cfi_adjust_cfa_offset -16
        .cfi_restore x30
.endr
        ret
        .cfi_endproc
        calibration entry
        b 1f
2:      ret
        .p2align 3
1:      adr x17, 3f
        b kymo_trampoline
        .word 0, 0
3:      hint #34                        // this stub lies where a BTI is asked for
        b 2b
        .cfi_endproc
        calibration sampled_sled
.irp name, in, out
        stp x16, x30, [sp, #-16]!
        .cfi_adjust_cfa_offset 16
        .cfi_offset x30, -8
        movz w16, #0
        movk w16, #0, lsl #16
        bl kymo_thunk_\name\()_sampled
        ldp x16, x30, [sp], #16
        .cfi_adjust_cfa_offset -16
        .cfi_restore x30
.endr
        ret
        .cfi_endproc
        calibration sampled_entry
        b 1f
2:      ret
        .p2align 3
1:      adr x17, 3f
        b kymo_thunk_due
        .word 0, 0, 0
3:      hint #34
        b 2b
        .cfi_endproc

        .section .note.gnu.property,"a",%note
        .p2align 3
        .word 4, 16, 5                  // "GNU", 16 bytes, NT_GNU_PROPERTY_TYPE_0
        .asciz "GNU"
        .word 0xc0000000, 4, 1, 0       // GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI
        .section .note.GNU-stack,"",%progbits
