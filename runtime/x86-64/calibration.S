// Private functions for the calibration (calibrate.c), which look like patched ones (slot 0).
#include "sites.h"

.macro jump target                      // of the same length as at a site
        .byte 0xe9
        .long \target - . - 4
.endm
// Pushes an address, which a real stub contains.
.macro push_address label
        push .Laddress\@(%rip)
        .pushsection .data.rel.ro.local,"aw",@progbits
        .p2align 3
.Laddress\@:
        .quad \label
        .popsection
.endm
// The stub of a sled. \behind is the end of the site.
.macro sled_stub thunk, behind
        lea -128(%rsp), %rsp
        push_address \behind
        push $0
        call \thunk
        lea 144(%rsp), %rsp
        jump \behind
.endm
.macro sleds in, out
        jump 3f
1:      jump 4f
2:      ret
        .p2align 3
3:      sled_stub \in, 1b
        .p2align 3
4:      sled_stub \out, 2b
.endm
// The end of the stub of a patched entry.
.macro to_trampoline body
        push_address \body
        push $0
        jmp kymo_trampoline
.endm

        function kymo_calibrate_empty
        ret
        end_function kymo_calibrate_empty

        function kymo_calibrate_sled
        sleds kymo_thunk_in, kymo_thunk_out
        end_function kymo_calibrate_sled

        function kymo_calibrate_entry
        jmp 1f
2:      ret
        .p2align 3
1:      to_trampoline 2b
        end_function kymo_calibrate_entry

        function kymo_calibrate_sampled_sled
        sleds kymo_thunk_in_sampled, kymo_thunk_out_sampled
        end_function kymo_calibrate_sampled_sled

        function kymo_calibrate_sampled_entry
        jmp 1f
2:      ret
        .p2align 3
1:      push $0
        call kymo_thunk_due
        lea 8(%rsp), %rsp
        jump 2b
        lea 8(%rsp), %rsp
        to_trampoline 2b
        end_function kymo_calibrate_sampled_entry

        .section .note.GNU-stack,"",@progbits
