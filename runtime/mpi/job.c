// The processes of the job begin and end the measurement together.
#include "layer.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

MPI_Comm kymo_mpi_job;
bool kymo_mpi_logs, kymo_mpi_concurrent = true;
static bool together;

enum { SAFE_SECONDS = 5 };

bool kymo_mpi_wait(MPI_Request request) {
  int done = 0, error;
  while (!(error = PMPI_Test(&request, &done, MPI_STATUS_IGNORE)) && !done) sched_yield();
  return !error;
}

bool kymo_mpi_reduce(void *data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  MPI_Request request;
  return !PMPI_Iallreduce(MPI_IN_PLACE, data, count, type, op, comm, &request) && kymo_mpi_wait(request);
}

bool kymo_mpi_all_agree(bool good) {
  int all = good;
  return kymo_mpi_reduce(&all, 1, MPI_INT, MPI_MIN, kymo_mpi_job) && all;
}

// The tool says so when all processes of the job load this layer. Without it, a process must not expect answers of the others.
static bool may_communicate(void) {
  const char *text = getenv("KYMO_JOB");
  return text && text[0] == '1';
}

void kymo_mpi_started(void) {
  static bool started;
  int rank, size, level;
  MPI_Request request;
  if (started || !kymo_mpi_fits() || PMPI_Comm_rank(MPI_COMM_WORLD, &rank) || PMPI_Comm_size(MPI_COMM_WORLD, &size)) return;
  started = true;
  kymo_mpi_concurrent = PMPI_Query_thread(&level) || level == MPI_THREAD_MULTIPLE;
  if (kymo_mpi_runtime) kymo_mpi_runtime->rank((uint32_t)rank, (uint32_t)size);
  if (!may_communicate() || size < 2 || PMPI_Comm_idup(MPI_COMM_WORLD, &kymo_mpi_job, &request) || !kymo_mpi_wait(request)) return;
  PMPI_Comm_set_errhandler(kymo_mpi_job, MPI_ERRORS_RETURN);
  together = kymo_mpi_all_agree(kymo_mpi_runtime && kymo_mpi_runtime->folder()[0]);
  if (!together) return;
  int concurrent = kymo_mpi_concurrent;
  kymo_mpi_concurrent = !kymo_mpi_reduce(&concurrent, 1, MPI_INT, MPI_MAX, kymo_mpi_job) || concurrent;
  kymo_mpi_set_clock();
  kymo_mpi_logs = true;
}

// Waits for the other processes. One that waits for long has its result in a file before something ends the job.
static bool all_have_come(void) {
  MPI_Request request;
  int come = 0;
  bool saved = false;
  struct timespec now, begin, pause = {0, 100000};
  if (PMPI_Ibarrier(kymo_mpi_job, &request)) return false;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int polls = 0; !PMPI_Test(&request, &come, MPI_STATUS_IGNORE) && !come; ++polls) {
    if (polls < 1000) continue;
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (saved || now.tv_sec - begin.tv_sec < SAFE_SECONDS) continue;
    kymo_mpi_runtime->save();
    saved = true;
  }
  return come;
}

static void count_all_waits(void) {
  const struct kymo_comm **comms;
  size_t count = kymo_mpi_met_comms(&comms);
  kymo_mpi_set_clock();
  for (size_t i = 0; i < count; ++i) kymo_mpi_count_group(comms[i]);
  free(comms);
  kymo_mpi_count_waits();
}

static bool merged;

void kymo_mpi_finishes(void) {
  if (!together || !all_have_come()) return;
  kymo_mpi_logs = false;
  count_all_waits();
  int result = kymo_mpi_runtime->result();
  merged = kymo_mpi_merge(result);
  if (result >= 0) close(result);
}

void kymo_mpi_finished(void) {
  if (merged) kymo_mpi_runtime->kept();
}
