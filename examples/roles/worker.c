#include "roles.h"

#include <math.h>
#include <mpi.h>

static double values[cells];

__attribute__((noinline)) static double relax(double value) {
  for (int pass = 0; pass < 60; pass++) value = 0.5 * (value + cos(value));
  return value;
}

__attribute__((noinline)) static void compute(void) {
#pragma omp parallel for
  for (int i = 0; i < cells; i++) values[i] = relax(values[i]);
}

// Only rank 2 has cells that need it, in every third step.
__attribute__((noinline)) static void repair(void) {
  for (int i = 0; i < cells; i += 2) values[i] = sqrt(fabs(relax(values[i]))) + 1e-9;
}

void work(int steps, int writer, int rank) {
  for (int step = 0; step < steps; step++) {
    MPI_Recv(values, cells, MPI_DOUBLE, master, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute();
    if (rank == 2 && step % 3 == 0) repair();
    MPI_Send(values, cells, MPI_DOUBLE, writer, 1, MPI_COMM_WORLD);
  }
}
