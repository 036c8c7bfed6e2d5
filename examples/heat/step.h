/* A time step of the plate. */
#ifndef STEP_H
#define STEP_H
#include "plate.h"

/* Exchanges borders with the neighbours, lets heat flow, and burns. Returns the number of cells of this rank that burnt. */
long advance(plate *p, int rank, int ranks);
#endif
