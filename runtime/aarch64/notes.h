// Included at the end of each assembler file. The notes declare that indirect branches find landing pads (BTI) and that the stack is not
// executable.
        .section .note.gnu.property,"a",%note
        .p2align 3
        .word 4, 16, 5                  // "GNU", 16 bytes, NT_GNU_PROPERTY_TYPE_0
        .asciz "GNU"
        .word 0xc0000000, 4, 1, 0       // GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI
        .section .note.GNU-stack,"",%progbits
