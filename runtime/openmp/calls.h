// What the layers of OpenMP, of Pthreads and of input and output share.
#ifndef KYMO_CALLS_H
#define KYMO_CALLS_H

#define KYMO_LAYER 1
#include "../layers.h"

#pragma GCC visibility push(hidden)

// The runtime; NULL while nothing is recorded.
const struct kymo_layers *kymo_layer_runtime(void);
void kymo_layer_say(const char *text); // One line on stderr.

// The region of a call: the name of what is called, and the address in the code that calls. `number` (less than 64) stands for the name.
// 0: it cannot be recorded.
uint32_t kymo_region_of_call(const char *name, unsigned number, uint32_t kind, const void *address);
// The region of calls of Pthreads and of input and output by libraries that are not the program's.
#define KYMO_NOT_RECORDED UINT32_MAX

#pragma GCC visibility pop

#endif
