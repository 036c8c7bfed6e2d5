// What the assembler files share: where the handlers are, and how a site's thunk saves, tells and restores.
// The handlers preserve every register (arch.h), so only what is needed to pass arguments is saved. The stack may be misaligned: handlers use no SSE.
#include "function.h"
#include "offsets.h"

#ifdef KYMO_EXECUTABLE
#define HANDLER(name, offset) kymo_##name
.macro self register
        mov %fs:kymo_self@tpoff, \register
.endm
#else
#define HANDLER(name, offset) *kymo_this_object+offset(%rip)
.macro self register
        mov kymo_this_object+OBJECT_SELF(%rip), \register
        mov %fs:(\register), \register
.endm
#endif

        .hidden kymo_this_object
        // Not in .text: alignment and length of what is added there would move the user's code.
        .section kymo_text, "ax", @progbits

// Registers that the interrupted code still needs. An unwinder may stop at any instruction, so each push and pop says how far the CFA is.
.macro save registers:vararg
.irp register, \registers
        push \register
        .cfi_adjust_cfa_offset 8
.endr
.endm
// In the reverse order.
.macro restore registers:vararg
.irp register, \registers
        pop \register
        .cfi_adjust_cfa_offset -8
.endr
.endm
// Back to the frame that was remembered. How far the CFA is there is said again, because assemblers of LLVM forget it and would go on counting from elsewhere.
.macro restore_frame offset
        .cfi_restore_state
        .cfi_def_cfa_offset \offset
.endm

// A patched sled jumps to its stub (kymo_encode_sled). On arrival: 0 stub, 8 slot, 16 site, 24 the red zone, 152 the sled's sp.
// The CFA is the sled's sp, and the site is where this returns to, so that an unwinder that stops in here finds the function, as its own CFI describes it, and
// not the stub, which nothing describes.
#define SLED_SP 152
#define SLED_SITE 16
.macro sled_frame
        .cfi_def_cfa_offset SLED_SP
        .cfi_offset rip, SLED_SITE-SLED_SP
.endm
// Tells a handler of the sled, and goes back to it. rdi, rsi and rdx are saved.
.macro tell_and_return name, offset
        mov 32(%rsp), %edi              // slot, or sampler
        lea SLED_SP+24(%rsp), %rsi      // sp
        mov SLED_SITE+24(%rsp), %rdx    // site
        call HANDLER(\name, \offset)
        restore %rdx, %rsi, %rdi
        ret
.endm
