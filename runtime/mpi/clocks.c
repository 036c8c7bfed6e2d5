// Times of all processes of a job, in ticks of rank 0's timer. Processes of one host have the same timer. Between hosts the offset is that
// of the fastest of some round trips (Cristian, 1989), at the begin and at the end of the job, and between the two it changes steadily.
#include "layer.h"

#include <unistd.h>

enum { ROUNDS = 16, TAG = 4 };

static struct {
  bool asked, several; // hosts
  bool differ, known;
  uint64_t own, root; // times of the two timers at the last comparison
  double rate;        // ticks of rank 0 in one of this process
} clocks;

static void serve(MPI_Comm leaders, int leader) {
  for (int i = 0; i < ROUNDS; ++i) {
    uint64_t now;
    PMPI_Recv(&now, 1, MPI_UINT64_T, leader, TAG, leaders, MPI_STATUS_IGNORE);
    now = kymo_mpi_runtime->ticks();
    PMPI_Send(&now, 1, MPI_UINT64_T, leader, TAG, leaders);
  }
}

static void ask(MPI_Comm leaders, uint64_t times[2]) {
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < ROUNDS; ++i) {
    uint64_t begin = kymo_mpi_runtime->ticks(), root;
    PMPI_Send(&begin, 1, MPI_UINT64_T, 0, TAG, leaders);
    PMPI_Recv(&root, 1, MPI_UINT64_T, 0, TAG, leaders, MPI_STATUS_IGNORE);
    uint64_t took = kymo_mpi_runtime->ticks() - begin;
    if (took >= shortest) continue;
    shortest = took;
    times[0] = begin + took / 2;
    times[1] = root;
  }
}

// One process of each host compares its timer with that of rank 0. The times stay 0 on the host of rank 0.
static void compare(uint64_t times[2]) {
  MPI_Comm host, leaders;
  int in_host, rank, count;
  PMPI_Comm_split_type(kymo_mpi_job, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  PMPI_Comm_rank(host, &in_host);
  PMPI_Comm_split(kymo_mpi_job, in_host ? MPI_UNDEFINED : 0, 0, &leaders);
  if (leaders != MPI_COMM_NULL) {
    PMPI_Comm_rank(leaders, &rank);
    PMPI_Comm_size(leaders, &count);
    if (rank) ask(leaders, times);
    else
      for (int leader = 1; leader < count; ++leader) serve(leaders, leader);
    PMPI_Comm_free(&leaders);
  }
  PMPI_Bcast(times, 2, MPI_UINT64_T, 0, host);
  PMPI_Comm_free(&host);
}

static bool has_several_hosts(void) {
  char name[64] = "";
  uint64_t hash = 14695981039346656037u;
  gethostname(name, sizeof name - 1);
  for (const char *c = name; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  uint64_t both[2] = {hash, ~hash};
  return kymo_mpi_reduce(both, 2, MPI_UINT64_T, MPI_MAX, kymo_mpi_job) && both[0] != ~both[1];
}

void kymo_mpi_set_clock(void) {
  uint64_t times[2] = {0, 0};
  if (!clocks.asked) clocks.several = has_several_hosts();
  clocks.asked = true;
  if (!clocks.several) return;
  compare(times);
  if (!times[0]) return;
  if (kymo_mpi_traces) kymo_mpi_runtime->trace_clock(times[0], times[1]);
  clocks.known = clocks.differ && times[0] != clocks.own;
  if (clocks.known) clocks.rate = (double)(times[1] - clocks.root) / (double)(times[0] - clocks.own);
  clocks.differ = true;
  clocks.own = times[0];
  clocks.root = times[1];
}

bool kymo_mpi_clock_known(void) { return !clocks.differ || clocks.known; }

uint64_t kymo_mpi_common(uint64_t ticks) {
  if (!clocks.differ) return ticks;
  return clocks.root + (uint64_t)(int64_t)((double)(int64_t)(ticks - clocks.own) * clocks.rate);
}
