// Prints the nanoseconds of an MPI call by itself, in the quickest of many batches: name and time, a line each. A second process only
// makes it a job, whose processes log their messages.
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 200, CALLS = 2000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

#define TIME(name, ...)                                                                  \
  do {                                                                                   \
    double least = 1e18;                                                                 \
    for (int batch = 0; batch < BATCHES; ++batch) {                                      \
      double begin = now();                                                              \
      for (int call = 0; call < CALLS; ++call) MPI_##name(__VA_ARGS__);                  \
      double each = (now() - begin) / CALLS;                                             \
      if (each < least) least = each;                                                    \
    }                                                                                    \
    printf("MPI_%s %.2f\n", #name, least);                                               \
  } while (0)

int main(int argc, char **argv) {
  int rank, sent[4] = {0}, received[4], flag;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    for (flag = 0; !flag; usleep(10000)) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (rank == 1) {
    MPI_Recv(received, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
  }
  TIME(Comm_rank, MPI_COMM_WORLD, &rank);
  TIME(Send, sent, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  TIME(Iprobe, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  TIME(Sendrecv, sent, 4, MPI_INT, 0, 0, received, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  TIME(Allreduce, sent, received, 4, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Send(sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
