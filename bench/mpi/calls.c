// Prints the nanoseconds of an MPI call by itself, in the quickest of many batches: name and time, a line each. A second process only
// makes it a job, whose processes log their messages.
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wstringop-overflow" // of MPICH's MPI_STATUSES_IGNORE, which is no array

enum { BATCHES = 200, CALLS = 2000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Statements of some MPI calls, of which it prints the average.
#define TIME_ALL(name, calls, statements)                                                \
  do {                                                                                   \
    double least = 1e18;                                                                 \
    for (int batch = 0; batch < BATCHES; ++batch) {                                      \
      double begin = now();                                                              \
      for (int call = 0; call < CALLS; ++call) { statements; }                           \
      double each = (now() - begin) / CALLS / (calls);                                   \
      if (each < least) least = each;                                                    \
    }                                                                                    \
    printf("MPI_%s %.2f\n", name, least);                                                \
  } while (0)
#define TIME(name, ...) TIME_ALL(#name, 1, MPI_##name(__VA_ARGS__))
#define SELF(buffer) buffer, 4, MPI_INT, 0, 0, MPI_COMM_SELF

int main(int argc, char **argv) {
  int rank, sent[4] = {0}, received[4], flag;
  MPI_Request requests[2];
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
  TIME_ALL("Irecv+Send+Wait", 3, {
    MPI_Irecv(SELF(received), requests);
    MPI_Send(SELF(sent));
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  });
  TIME_ALL("Isend+Recv+Wait", 3, {
    MPI_Isend(SELF(sent), requests);
    MPI_Recv(SELF(received), MPI_STATUS_IGNORE);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  });
  TIME_ALL("Irecv+Isend+Waitall", 3, {
    MPI_Irecv(SELF(received), &requests[0]);
    MPI_Isend(SELF(sent), &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  });
  TIME(Allreduce, sent, received, 4, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Send(sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
