// The interface between the portable runtime and one folder per architecture. A new architecture provides <arch>/arch.h with everything
// that x86-64/arch.h declares, <arch>/encode.c, <arch>/clock.c, <arch>/cold.S, the symbols that object.c names in
// <arch>/{sites,sampled,calibration}.S, and its lists in manifest.json.
#ifndef KYMO_ARCH_H
#define KYMO_ARCH_H

#if defined(__x86_64__)
#include "x86-64/arch.h"
#elif defined(__aarch64__)
#include "aarch64/arch.h"
#else
#error "the measurement runtime does not know this architecture"
#endif

#endif
