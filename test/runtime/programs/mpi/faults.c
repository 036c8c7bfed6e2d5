// Ends in the way that its argument names; the second argument is a folder for files.
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;

__attribute__((noinline)) static int exchange(MPI_Comm comm) {
  int mine = rank, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}

static void *send_to_self(void *data) {
  int tag = (int)(size_t)data, value = tag, got = 0;
  for (int i = 0; i < 1000; ++i) MPI_Sendrecv(&value, 1, MPI_INT, rank, tag, &got, 1, MPI_INT, rank, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return got == tag ? NULL : data;
}

static void sum_and_ask(void *in, void *inout, int *length, MPI_Datatype *type) {
  int bytes;
  MPI_Type_size(*type, &bytes);
  for (int i = 0; i < *length; ++i) ((int *)inout)[i] += ((int *)in)[i];
}

static int is(const char *a, const char *b) { return !strcmp(a, b); }

int main(int argc, char **argv) {
  const char *how = argv[1];
  int provided, many = is(how, "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, many, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int sum = exchange(MPI_COMM_WORLD);
  if (is(how, "abort")) {
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (is(how, "kill")) {
    if (rank == 1) raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (is(how, "fork")) {
    int status;
    pid_t child = fork();
    if (!child) _exit(3);
    waitpid(child, &status, 0);
    sum += WEXITSTATUS(status);
  }
  if (is(how, "threads") && provided == MPI_THREAD_MULTIPLE) {
    pthread_t threads[4];
    void *wrong[4];
    MPI_Comm_rank(MPI_COMM_SELF, &(int){0});
    int world = rank;
    rank = 0;
    for (size_t i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, send_to_self, (void *)(i + 1));
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], &wrong[i]), sum += wrong[i] != NULL;
    rank = world;
  }
  if (is(how, "spawn")) {
    MPI_Comm parent, children;
    int told = 0, theirs = 0;
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
      MPI_Comm_spawn(argv[0], &argv[1], 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
      MPI_Allreduce(&told, &theirs, 1, MPI_INT, MPI_SUM, children);
      MPI_Comm_disconnect(&children);
      sum += theirs;
    } else {
      told = 10 + rank;
      MPI_Allreduce(&told, &theirs, 1, MPI_INT, MPI_SUM, parent);
      MPI_Comm_disconnect(&parent);
      MPI_Finalize();
      return 0;
    }
  }
  if (is(how, "error")) { // The program handles errors itself, and an operation of its own calls MPI.
    MPI_Op own;
    int value = 1, all = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    sum += MPI_Send(&value, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
    MPI_Op_create(sum_and_ask, 1, &own);
    MPI_Allreduce(&value, &all, 1, MPI_INT, own, MPI_COMM_WORLD);
    sum += all != size;
    MPI_Op_free(&own);
  }
  sum += exchange(MPI_COMM_WORLD);
  char file[4096];
  snprintf(file, sizeof file, "%s/sum.%d", argv[2], rank);
  FILE *out = fopen(file, "w");
  fprintf(out, "%d\n", sum);
  fclose(out);
  MPI_Barrier(MPI_COMM_WORLD); // mpirun ends the other ranks when one leaves without MPI_Finalize.
  if (is(how, "exit") && rank == 1) exit(0); // without MPI_Finalize
  if (is(how, "hang") && rank == 1) // The others wait in MPI_Finalize. They have this long to save what they know.
    for (int left = argc > 3 ? atoi(argv[3]) : 8; left; --left) sleep(1);
  if (is(how, "hang") && rank == 1) raise(SIGKILL);
  if (is(how, "full") && rank == 1) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  if (is(how, "status")) {
    MPI_Finalize();
    return 5;
  }
  MPI_Finalize();
  return 0;
}
