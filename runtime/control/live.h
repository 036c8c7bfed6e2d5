// Switching sites while the program runs (live.c), as the server uses it.
#ifndef KYMO_LIVE_H
#define KYMO_LIVE_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct kymo_switched {
  uint32_t generation; // number of the changes so far
  uint32_t sites;      // that were changed
  uint32_t unknown;    // slots without a site that can be switched
  uint32_t failed;     // sites that the kernel refused to change
  uint64_t tick;       // from which on all threads run the changed code
};

// These return why nothing can be switched, or NULL.
const char *kymo_prepare_switching(void); // before any site is patched
const char *kymo_open_switching(void);    // in the server's thread
// Words of 32 bits, little endian: a slot, and bit 31 for on.
struct kymo_switched kymo_switch_slots(const unsigned char *words, size_t count);
uint32_t kymo_generation(void);
void kymo_release_switching(void); // In the child of a fork no thread has the lock.

#pragma GCC visibility pop

#endif
