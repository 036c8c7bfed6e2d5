// What the processor can do. The timer needs no choice: every Linux lets programs read the generic timer.
#include "arch.h"
#include "../libc.h"

unsigned char kymo_has_sve;

void kymo_choose_timer(void) {
  enum { SVE = 1 << 22 }; // HWCAP_SVE
  kymo_has_sve = (getauxval(AT_HWCAP) & SVE) != 0;
}

// Calls and returns stay paired, so a guarded control stack does not mind the trampoline.
const char *kymo_refusal(void) { return NULL; }
