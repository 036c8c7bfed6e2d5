// Private functions for the calibration (calibrate.c), as they look when patched (slot 0).
#include "sites.h"

.macro sled thunk
        lea -128(%rsp), %rsp
        push $0
        call \thunk
        lea 136(%rsp), %rsp
.endm
// The end of the stub of a patched entry. \body: where the body's address is.
.macro to_trampoline body
        push \body(%rip)
        push $0
        jmp kymo_trampoline
.endm

        function kymo_calibrate_empty
        ret
        end_function kymo_calibrate_empty

        function kymo_calibrate_sled
        sled kymo_thunk_in
        sled kymo_thunk_out
        ret
        end_function kymo_calibrate_sled

        function kymo_calibrate_entry
        jmp 1f
2:      ret
        .p2align 3
1:      to_trampoline 3f
        end_function kymo_calibrate_entry

        function kymo_calibrate_sampled_sled
        sled kymo_thunk_in_sampled
        sled kymo_thunk_out_sampled
        ret
        end_function kymo_calibrate_sampled_sled

        function kymo_calibrate_sampled_entry
        jmp 1f
4:      ret
        .p2align 3
1:      push $0
        call kymo_thunk_due
        lea 8(%rsp), %rsp
        .byte 0xe9                      // jmp, as long as in a stub
        .long 4b - . - 4
        lea 8(%rsp), %rsp
        to_trampoline 5f
        end_function kymo_calibrate_sampled_entry

        .section .data.rel.ro.local,"aw",@progbits
        .p2align 3
3:      .quad 2b
5:      .quad 4b
        .section .note.GNU-stack,"",@progbits
