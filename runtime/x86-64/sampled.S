// Thunks of sampled slots (sample.c): the usual visit is counted here, and nothing else happens.
#include "sites.h"

// rsi: sp, rdi: thread, rdx: top. Goes to \other unless the top is surely the frame that this visit is called from: kymo_nested().
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
// rdx: top. Counts a visit, or goes to \other when it is due or the counter is not the one for this caller.
.macro count_visit sampler, other
        mov FRAME_NODE(%rdx), %rsi
        mov \sampler, %edx
        add THREAD_SAMPLERS(%rdi), %rdx
        mov SAMPLER_COUNTER(%rdx), %rdi         // before the comparison: kymo_due() says why
        cmp %rsi, SAMPLER_PARENT(%rdx)
        jne \other
        cmpl $1, SAMPLER_LEFT(%rdx)
        jle \other
        subl $1, SAMPLER_LEFT(%rdx)
        addq $1, NODE_VISITS(%rdi)
.endm

// Entry sled; its slot is the offset of the sampler.
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
        cmpq $0, FRAME_RET(%rdx)        // inlined in a function whose sled has the same sp
        je 1b
3:      tell_and_return in_sampled, OBJECT_IN_SAMPLED
        end_function kymo_thunk_in_sampled

// Exit sled: nothing to do unless the top is a frame of this slot, or one that is stale.
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

// Patchable entry: called by its stub (kymo_encode_sampled_stub). On arrival: 0 stub, 8 sampler, 16 return address R at its address S.
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
