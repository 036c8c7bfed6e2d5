// Thunks of sampled slots (sample.c): they only count the usual visit.
#include "sites.h"

// Space for x0 – x3 and the flags.
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
// Goes to \other unless sp is on the thread's current stack. In: x1 = sp. Out: x0 = thread, x2 = top, x3 = sp of the top.
.macro require_current_stack other
        adrp x0, kymo_this_object
        add x0, x0, :lo12:kymo_this_object
        ldr x0, [x0, #OBJECT_SELF]
        mrs x2, tpidr_el0
        ldr x0, [x0, x2]
        ldp x2, x3, [x0, #THREAD_LOW]
        sub x2, x1, x2
        cmp x2, x3
        b.hs \other
        ldr x2, [x0, #THREAD_TOP]
        ldr x3, [x2, #FRAME_SP]
.endm
// Goes to \other unless kymo_mark_intact() holds for the top.
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
// Counts a visit, or goes to \other when the visit is due for timing or the counter belongs to another caller.
.macro count_visit sampler, other
        ldr x2, [x2, #FRAME_NODE]
        ldr x0, [x0, #THREAD_SAMPLERS]
        add x0, x0, \sampler, uxtw
        ldr x1, [x0, #SAMPLER_COUNTER]          // read before the comparison, for the reason given in kymo_due()
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

// Thunk of entry sleds; in place of the slot, the sled passes the offset of the sampler.
        function kymo_thunk_in_sampled
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
        ldr x1, [x2, #FRAME_RET]        // The function is inlined in one whose sled has the same sp.
        cbz x1, 1b
3:      restore_little
        .cfi_def_cfa_offset 16
        b kymo_slow_in_sampled
        end_function kymo_thunk_in_sampled

// Thunk of exit sleds; it has nothing to do unless the top is a frame of this slot or a stale one.
        function kymo_thunk_out_sampled
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
        end_function kymo_thunk_out_sampled

// Thunk of patchable entries (kymo_encode_sampled_stub). On arrival, x30 is the return address and x17 the address of the branch to the
// body. The words before that branch are the sampler, the slot and the place of the link.
        function kymo_thunk_due
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
        save_entry
        ldur w0, [x17, #-12]
        add x1, sp, #AREA - LINK_BELOW_SP
        mov x2, #0
        handler due, OBJECT_DUE
        mov w16, w0
        restore_entry
        tbnz w16, #0, kymo_trampoline
        br x17
        end_function kymo_thunk_due

#include "notes.h"
