// An MPI program to be watched: watched STEPS.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) double step(MPI_Comm comm, double x) {
  double sum;
  usleep(2000);
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

int main(int argc, char **argv) {
  int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10;
  double x = 1;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < steps; ++i) x = step(i % 2 ? half : MPI_COMM_WORLD, x) / 2;
  if (!rank) printf("%g\n", x);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
