#include "roles.h"

#include <math.h>
#include <mpi.h>

static double parts[cells];

__attribute__((noinline)) static void plan(int step, int worker) {
  for (int i = 0; i < cells; i++) parts[i] = sin(0.001 * i * worker + step);
}

void distribute(int steps, int workers) {
  for (int step = 0; step < steps; step++)
    for (int worker = 1; worker <= workers; worker++) {
      plan(step, worker);
      MPI_Send(parts, cells, MPI_DOUBLE, worker, 0, MPI_COMM_WORLD);
    }
}
