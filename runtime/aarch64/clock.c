// Features of the processor. There is only one timer: Linux always lets programs read the generic timer.
#include "arch.h"
#include "../libc.h"

unsigned char kymo_has_sve;

void kymo_choose_timer(void) {
  enum { SVE = 1 << 22 }; // HWCAP_SVE
  kymo_has_sve = (getauxval(AT_HWCAP) & SVE) != 0;
}

// Calls and returns stay paired, so the trampoline is compatible with a guarded control stack.
const char *kymo_refusal(void) { return NULL; }
