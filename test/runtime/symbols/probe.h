// Hand-written probe sleds like those of the wrappers (docs/formats.md, "Site records").
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
#ifndef UNIT
#define UNIT 0x1122334455667788
#endif
#ifdef __clang__
#define INLINE_ASM asm volatile
#else
#define INLINE_ASM asm volatile inline
#endif
#ifdef __aarch64__
#define NOPS ".rept 8\nnop\n.endr\n"
#else
#define NOPS ".byte 0x0f,0x1f,0x44,0x00,0x00\n"
#endif
#define SLED(number, kind)                                                       \
  INLINE_ASM(".Lkymo%=: " NOPS ".pushsection kymo_sleds,\"ao\",%%progbits,.Lkymo%=\n" \
             ".long .Lkymo%= - .\n.long " TEXT(number) "*2+" #kind "\n.quad " TEXT(UNIT) "\n.popsection" ::)
#ifdef __cplusplus
#define PROBE(number)                                                   \
  struct Guard {                                                        \
    __attribute__((always_inline)) Guard() { SLED(number, 0); }         \
    __attribute__((always_inline)) ~Guard() { SLED(number, 1); }        \
  } guard
#endif
asm(".pushsection .kymo.units,\"\",%progbits\n.quad " TEXT(UNIT) "\n.popsection");
