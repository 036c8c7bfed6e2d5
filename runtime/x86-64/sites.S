// What patched sites call, near the code they are in: thunks for probe sleds and the trampoline for patchable entries.
// The handlers preserve every register (arch.h), so only what is needed to pass arguments is saved here. The stack may be misaligned: handlers use no SSE.
#define IN 0
#define OUT 8
#define ENTER 16
#define LEAVE 24
#define IN_SAMPLED 120
#define OUT_SAMPLED 128
#define DUE 136
#define SELF 144
#ifdef KYMO_EXECUTABLE
#define HANDLER(name, offset) kymo_##name
.macro self register
        mov %fs:kymo_self@tpoff, \register
.endm
#else
#define HANDLER(name, offset) *kymo_this_object+offset(%rip)
.macro self register
        mov kymo_this_object+SELF(%rip), \register
        mov %fs:(\register), \register
.endm
#endif

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

// --- sampled slots (sample.c): the usual visit is counted here, and nothing else happens ---

// Structures of runtime.h, where these numbers are checked.
#define THREAD_TOP 0
#define THREAD_LOW 8
#define THREAD_SPAN 16
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
.macro function name
        .p2align 5
        .globl \name
        .hidden \name
        .type \name, @function
\name:
        .cfi_startproc
.endm

// Entry sled; its slot is the offset of the sampler.
        function kymo_thunk_in_sampled
        .cfi_def_cfa_offset 144
        .cfi_offset rip, -144
        push %rdi
        .cfi_def_cfa_offset 152
        push %rsi
        .cfi_def_cfa_offset 160
        push %rdx
        .cfi_def_cfa_offset 168
        self %rdi
        lea 168(%rsp), %rsi
        require_current_stack 3f
        cmp %rsi, FRAME_SP(%rdx)
        jbe 4f
1:      require_intact_mark 3f
        count_visit 32(%rsp), 3f
        pop %rdx
        .cfi_remember_state
        .cfi_def_cfa_offset 160
        pop %rsi
        .cfi_def_cfa_offset 152
        pop %rdi
        .cfi_def_cfa_offset 144
        ret
        .cfi_restore_state
4:      jb 3f
        cmpq $0, FRAME_RET(%rdx)        // inlined in a function whose sled has the same sp
        je 1b
3:      mov 32(%rsp), %edi              // sampler
        lea 168(%rsp), %rsi             // sp
        mov 24(%rsp), %rdx              // site
        call HANDLER(in_sampled, IN_SAMPLED)
        pop %rdx
        .cfi_def_cfa_offset 160
        pop %rsi
        .cfi_def_cfa_offset 152
        pop %rdi
        .cfi_def_cfa_offset 144
        ret
        .cfi_endproc
        .size kymo_thunk_in_sampled, .-kymo_thunk_in_sampled

// Exit sled: nothing to do unless the top is a frame of this slot, or one that is stale.
        function kymo_thunk_out_sampled
        .cfi_def_cfa_offset 144
        .cfi_offset rip, -144
        push %rdi
        .cfi_def_cfa_offset 152
        push %rsi
        .cfi_def_cfa_offset 160
        self %rdi
        lea 160(%rsp), %rsi
        sub THREAD_LOW(%rdi), %rsi
        cmp THREAD_SPAN(%rdi), %rsi
        jae 3f
        mov THREAD_TOP(%rdi), %rdi
        lea 160(%rsp), %rsi
        cmp %rsi, FRAME_SP(%rdi)
        jb 3f
        mov 24(%rsp), %esi              // slot
        cmp %esi, FRAME_SLOT(%rdi)
        je 3f
        pop %rsi
        .cfi_remember_state
        .cfi_def_cfa_offset 152
        pop %rdi
        .cfi_def_cfa_offset 144
        ret
        .cfi_restore_state
3:      push %rdx
        .cfi_def_cfa_offset 168
        mov 32(%rsp), %edi
        lea 168(%rsp), %rsi
        mov 24(%rsp), %rdx
        call HANDLER(out_sampled, OUT_SAMPLED)
        pop %rdx
        .cfi_def_cfa_offset 160
        pop %rsi
        .cfi_def_cfa_offset 152
        pop %rdi
        .cfi_def_cfa_offset 144
        ret
        .cfi_endproc
        .size kymo_thunk_out_sampled, .-kymo_thunk_out_sampled

// Patchable entry: called by its stub (kymo_encode_sampled_stub). On arrival: 0 stub, 8 sampler, 16 return address R at its address S.
        function kymo_thunk_due
        .cfi_def_cfa_offset 24
        push %rdi
        .cfi_def_cfa_offset 32
        push %rsi
        .cfi_def_cfa_offset 40
        push %rdx
        .cfi_def_cfa_offset 48
        self %rdi
        lea 40(%rsp), %rsi
        require_current_stack 3f
        cmp %rsi, FRAME_SP(%rdx)
        jbe 3f
        require_intact_mark 3f
        count_visit 32(%rsp), 3f
        pop %rdx
        .cfi_remember_state
        .cfi_def_cfa_offset 40
        pop %rsi
        .cfi_def_cfa_offset 32
        pop %rdi
        .cfi_def_cfa_offset 24
        ret
        .cfi_restore_state
3:      push %rax
        .cfi_def_cfa_offset 56
        mov 40(%rsp), %edi              // sampler
        lea 48(%rsp), %rsi              // S
        xor %edx, %edx
        call HANDLER(due, DUE)
        test %al, %al
        je 5f
        addq $10, 32(%rsp)              // behind the jump to the body
5:      pop %rax
        .cfi_def_cfa_offset 48
        pop %rdx
        .cfi_def_cfa_offset 40
        pop %rsi
        .cfi_def_cfa_offset 32
        pop %rdi
        .cfi_def_cfa_offset 24
        ret
        .cfi_endproc
        .size kymo_thunk_due, .-kymo_thunk_due

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
        calibration sampled_sled
        .cfi_startproc
        lea -128(%rsp), %rsp
        push $0
        call kymo_thunk_in_sampled
        lea 136(%rsp), %rsp
        lea -128(%rsp), %rsp
        push $0
        call kymo_thunk_out_sampled
        lea 136(%rsp), %rsp
        ret
        .cfi_endproc
        calibration sampled_entry
        .cfi_startproc
        jmp 1f
4:      ret
        .p2align 3
1:      push $0
        call kymo_thunk_due
        lea 8(%rsp), %rsp
        .byte 0xe9                      // as long as in a stub
        .long 4b - . - 4
        lea 8(%rsp), %rsp
        push 5f(%rip)
        push $0
        jmp kymo_trampoline
        .cfi_endproc
        .section .data.rel.ro.local,"aw",@progbits
        .p2align 3
3:      .quad 2b
5:      .quad 4b
        .section .note.GNU-stack,"",@progbits
