// Private functions for the calibration (calibrate.c), which look like patched ones (slot 0).
#include "sites.h"

.macro calibration name
        function kymo_calibrate_\name
        hint #34                        // bti c
.endm
.macro sleds thunks:vararg
.irp thunk, \thunks
        stp x16, x30, [sp, #-16]!
        .cfi_adjust_cfa_offset 16
        .cfi_offset x30, -8
        movz w16, #0
        movk w16, #0, lsl #16
        bl \thunk
        ldp x16, x30, [sp], #16
        .cfi_adjust_cfa_offset -16
        .cfi_restore x30
.endr
.endm
// A patched entry and its stub. \data are the words of the stub that the thunk reads.
.macro entry thunk, data:vararg
        b 1f
2:      ret
        .p2align 3
1:      adr x17, 3f
        b \thunk
        .word \data
3:      hint #34                        // bti c: unlike real stubs, this one lies in a page with BTI
        b 2b
.endm

        calibration empty
        ret
        end_function kymo_calibrate_empty

        calibration sled
        sleds kymo_thunk_in, kymo_thunk_out
        ret
        end_function kymo_calibrate_sled

        calibration entry
        entry kymo_trampoline, 0, 0
        end_function kymo_calibrate_entry

        calibration sampled_sled
        sleds kymo_thunk_in_sampled, kymo_thunk_out_sampled
        ret
        end_function kymo_calibrate_sampled_sled

        calibration sampled_entry
        entry kymo_thunk_due, 0, 0, 0
        end_function kymo_calibrate_sampled_entry

#include "notes.h"
