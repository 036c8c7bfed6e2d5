#include "roles.h"

#include <mpi.h>
#include <stdio.h>

static double results[cells];

__attribute__((noinline)) static void format(FILE *file) {
  for (int i = 0; i < cells; i++) fprintf(file, "%.6f%c", results[i], i % 8 == 7 ? '\n' : ' ');
}

void writeResults(int steps, int workers) {
  FILE *file = tmpfile();
  for (int message = 0; message < steps * workers; message++) {
    MPI_Recv(results, cells, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (file != NULL) format(file);
  }
  if (file != NULL) fclose(file);
}
