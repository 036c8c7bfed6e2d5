// Visits many call paths on each rank, and prints the seconds that MPI_Finalize takes once all ranks have come.
#include "kymo.h"
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { PATHS = 2000 };

static unsigned handles[PATHS];
static char names[PATHS][16];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int path = 0; path < PATHS; ++path) snprintf(names[path], sizeof names[path], "path %d", path);
  for (int visit = 0; visit < 3; ++visit)
    for (int path = 0; path < PATHS; ++path) {
      if (!kymo_user_begin) break;
      kymo_user_begin(&handles[path], names[path], __FILE__, __LINE__, 0);
      kymo_user_end(&handles[path], names[path], 0);
    }
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = now();
  MPI_Finalize();
  if (!rank) printf("MPI_Finalize %.3f\n", now() - begin);
  return 0;
}
