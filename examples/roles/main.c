#include "roles.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  int provided, rank, ranks;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int steps = count > 1 ? atoi(words[1]) : 30;
  if (ranks < 3) {
    if (rank == master) fprintf(stderr, "roles needs at least 3 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int writer = ranks - 1;
  if (rank == master) distribute(steps, ranks - 2);
  else if (rank == writer) writeResults(steps, ranks - 2);
  else work(steps, writer, rank);
  MPI_Finalize();
  return 0;
}
