/* The material burns where it is hot, and heats itself. */
#ifndef BURN_H
#define BURN_H
#include "plate.h"

/* One step of the reaction. Returns the number of cells of this rank that burn: each of them costs the same. */
long burn(plate *p);
#endif
