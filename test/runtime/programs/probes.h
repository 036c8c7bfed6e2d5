// Hand-written probe sleds like those of the compiler wrapper (docs/formats.md): PROBE(n) is the first declaration of function number n of
// this unit.
#ifndef PROBES_H
#define PROBES_H

#ifndef PROBE_UNIT
#define PROBE_UNIT 0x1122334455667788
#endif
#define PROBE_STRING_(x) #x
#define PROBE_STRING(x) PROBE_STRING_(x)

#if defined(__GNUC__) && !defined(__clang__)
#define PROBE_ASM __asm__ volatile inline
#else
#define PROBE_ASM __asm__ volatile
#endif

#ifdef __aarch64__
#include "probes-aarch64.h"
#else
#define PROBE_SLED(number, kind)                                                                                   \
  PROBE_ASM(".Lkymo%=: .byte 0x0f,0x1f,0x44,0x00,0x00\n"                                                                            \
            ".pushsection kymo_sleds,\"ao\",@progbits,.Lkymo%=\n"                                                  \
            ".long .Lkymo%= - .\n.long %c0\n.quad " PROBE_STRING(PROBE_UNIT) "\n.popsection" ::"i"((number)*2 + (kind)))
#endif

#ifdef PROBES_OFF
#define PROBE(number)
#elif defined(__cplusplus)
#define PROBE(number)                                                                                              \
  struct ProbeGuard##number {                                                                                      \
    __attribute__((always_inline)) ProbeGuard##number() { PROBE_SLED(number, 0); }                                 \
    __attribute__((always_inline)) ~ProbeGuard##number() { PROBE_SLED(number, 1); }                                \
  } probeGuard##number __attribute__((unused))
#else
// In C the cleanup function must precede the function: PROBE_FOR(n) before it, PROBE(n) inside.
#define PROBE_FOR(number)                                                                                          \
  static inline __attribute__((always_inline, unused)) void probeOut##number(const char *unused) {                 \
    (void)unused;                                                                                                  \
    PROBE_SLED(number, 1);                                                                                         \
  }
#define PROBE(number)                                                                                              \
  __attribute__((cleanup(probeOut##number), unused)) char probeGuard##number = ({ PROBE_SLED(number, 0); (char)0; })
#endif
#if defined(PROBES_OFF) || defined(__cplusplus)
#define PROBE_FOR(number)
#endif

#endif
