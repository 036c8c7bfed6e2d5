// void kymo_call_keeping_vectors(void (*fn)(void *), void *argument, void *save): calls fn(argument) and preserves general and vector
// registers.
        .text
        .globl kymo_call_keeping_vectors
        .hidden kymo_call_keeping_vectors
        .type kymo_call_keeping_vectors, @function
kymo_call_keeping_vectors:
        .cfi_startproc
        push %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov %rsp, %rbp
        .cfi_def_cfa_register rbp
        push %rbx
        push %r12
        push %rax
        push %rcx
        push %rdx
        push %rsi
        push %rdi
        push %r8
        push %r9
        push %r10
        push %r11
        .cfi_offset rbx, -24
        .cfi_offset r12, -32
        and $-64, %rsp
        mov %rdx, %rbx
        mov %rdi, %r10
        mov %rsi, %r11
        xor %r12d, %r12d
        cmpb $0, kymo_has_xsave(%rip)
        je 1f
        mov kymo_vector_mask(%rip), %eax
        xor %edx, %edx
        xsave64 (%rbx)
        jmp 2f
1:      fxsave64 (%rbx)
2:      mov %r11, %rdi
        call *%r10
        cmpb $0, kymo_has_xsave(%rip)
        je 3f
        mov kymo_vector_mask(%rip), %eax
        xor %edx, %edx
        xrstor64 (%rbx)
        jmp 4f
3:      fxrstor64 (%rbx)
4:      lea -88(%rbp), %rsp
        pop %r11
        pop %r10
        pop %r9
        pop %r8
        pop %rdi
        pop %rsi
        pop %rdx
        pop %rcx
        pop %rax
        pop %r12
        pop %rbx
        pop %rbp
        .cfi_def_cfa rsp, 8
        ret
        .cfi_endproc
        .size kymo_call_keeping_vectors, .-kymo_call_keeping_vectors

// long kymo_clone(unsigned long flags, void *stack_end, uint32_t *tid, void (*run)(void)): the id of the new thread, or a negative error. The thread ends
// when `run` returns.
        .globl kymo_clone
        .hidden kymo_clone
        .type kymo_clone, @function
kymo_clone:
        .cfi_startproc
        and $-16, %rsi
        sub $16, %rsi
        mov %rcx, (%rsi)
        mov %rdx, %r10
        mov $56, %eax
        syscall
        test %rax, %rax
        jz 1f
        ret
1:      .cfi_undefined rip
        xor %ebp, %ebp
        mov (%rsp), %rax
        call *%rax
        xor %edi, %edi
        mov $60, %eax
        syscall
        hlt
        .cfi_endproc
        .size kymo_clone, .-kymo_clone

// The end of a signal's handler. Debuggers know it by these instructions.
        .globl kymo_signal_return
        .hidden kymo_signal_return
        .type kymo_signal_return, @function
kymo_signal_return:
        mov $15, %rax
        syscall
        .size kymo_signal_return, .-kymo_signal_return
        .section .note.GNU-stack,"",@progbits
