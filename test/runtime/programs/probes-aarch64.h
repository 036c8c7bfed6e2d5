// The sled of aarch64 has space for five instructions (runtime/aarch64/encode.c).
#define PROBE_SLED(number, kind)                                                                                   \
  PROBE_ASM(".Lkymo%=: .rept 5\nnop\n.endr\n"                                                                      \
            ".pushsection kymo_sleds,\"ao\",@progbits,.Lkymo%=\n"                                                  \
            ".long .Lkymo%= - .\n.long %c0\n.quad " PROBE_STRING(PROBE_UNIT) "\n.popsection" ::"i"((number)*2 + (kind)))
