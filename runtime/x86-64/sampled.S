// Thunks of sampled slots (sample.c): they only count the usual visit.
#include "sites.h"

// Goes to \other unless sp is on the thread's current stack. In: rsi = sp, rdi = thread. Out: rdx = top. With the comparison of the top's
// sp and require_intact_mark, it makes the test of kymo_nested().
.macro require_current_stack other
        mov %rsi, %rdx
        sub THREAD_LOW(%rdi), %rdx
        cmp THREAD_SPAN(%rdi), %rdx
        jae \other
        mov THREAD_TOP(%rdi), %rdx
.endm
.macro require_intact_mark other
        cmpl $0, FRAME_MARK(%rdx)
        je 2f
        mov FRAME_SP(%rdx), %rsi
        mov (%rsi), %esi
        cmp %esi, FRAME_MARK(%rdx)
        jne \other
2:
.endm
// Counts a visit, or goes to \other when the visit is due for timing or the counter belongs to another caller. In: rdx = top.
.macro count_visit sampler, other
        mov FRAME_NODE(%rdx), %rsi
        mov \sampler, %edx
        add THREAD_SAMPLERS(%rdi), %rdx
        mov SAMPLER_COUNTER(%rdx), %rdi         // read before the comparison, for the reason given in kymo_due()
        cmp %rsi, SAMPLER_PARENT(%rdx)
        jne \other
        cmpl $1, SAMPLER_LEFT(%rdx)
        jle \other
        subl $1, SAMPLER_LEFT(%rdx)
        addq $1, NODE_VISITS(%rdi)
.endm

// Thunk of entry sleds; in place of the slot, the sled passes the offset of the sampler.
        function kymo_thunk_in_sampled
        sled_frame
        save %rdi, %rsi, %rdx
        self %rdi
        lea SLED_SP+24(%rsp), %rsi
        require_current_stack 3f
        cmp %rsi, FRAME_SP(%rdx)
        jbe 4f
1:      require_intact_mark 3f
        count_visit 32(%rsp), 3f
        .cfi_remember_state
        restore %rdx, %rsi, %rdi
        ret
        restore_frame SLED_SP+24
4:      jb 3f
        cmpq $0, FRAME_RET(%rdx)        // The function is inlined in one whose sled has the same sp.
        je 1b
3:      tell_and_return in_sampled, OBJECT_IN_SAMPLED
        end_function kymo_thunk_in_sampled

// Thunk of exit sleds; it has nothing to do unless the top is a frame of this slot or a stale one.
        function kymo_thunk_out_sampled
        sled_frame
        save %rdi, %rsi
        self %rdi
        lea SLED_SP+16(%rsp), %rsi
        sub THREAD_LOW(%rdi), %rsi
        cmp THREAD_SPAN(%rdi), %rsi
        jae 3f
        mov THREAD_TOP(%rdi), %rdi
        lea SLED_SP+16(%rsp), %rsi
        cmp %rsi, FRAME_SP(%rdi)
        jb 3f
        mov 24(%rsp), %esi              // slot
        cmp %esi, FRAME_SLOT(%rdi)
        je 3f
        .cfi_remember_state
        restore %rsi, %rdi
        ret
        restore_frame SLED_SP+16
3:      save %rdx
        tell_and_return out_sampled, OBJECT_OUT_SAMPLED
        end_function kymo_thunk_out_sampled

// Thunk of patchable entries, which their stubs call (kymo_encode_sampled_stub). On arrival, the stack holds at offset 0 the return address
// into the stub, at 8 the sampler, and at 16 the return address R of the function, whose stack address is S.
        function kymo_thunk_due
        .cfi_def_cfa_offset 24
        save %rdi, %rsi, %rdx
        self %rdi
        lea 40(%rsp), %rsi
        require_current_stack 3f
        cmp %rsi, FRAME_SP(%rdx)
        jbe 3f
        require_intact_mark 3f
        count_visit 32(%rsp), 3f
        .cfi_remember_state
        restore %rdx, %rsi, %rdi
        ret
        restore_frame 48
3:      save %rax
        mov 40(%rsp), %edi              // sampler
        lea 48(%rsp), %rsi              // S
        xor %edx, %edx
        call HANDLER(due, OBJECT_DUE)
        test %al, %al
        je 5f
        addq $10, 32(%rsp)              // behind the jump to the body
5:      restore %rax, %rdx, %rsi, %rdi
        ret
        end_function kymo_thunk_due

        .section .note.GNU-stack,"",@progbits
