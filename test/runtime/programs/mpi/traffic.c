// Exchanges known data and writes what that has to add up to for each MPI function, in a file `truth.RANK` of the folder that its argument
// names (what ranks print mixes): `= rank name visits sent received put got`.
// The sums follow from the standard's description of each operation, and what a process sends to itself in a collective one counts.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 128, ROOM = 4096 };
static struct sum {
  const char *name;
  long long visits, sent, received, put, got;
} sums[NAMES];

static void add(const char *name, long long sent, long long received) {
  struct sum *s = sums;
  while (s->name && strcmp(s->name, name)) ++s;
  s->name = name;
  s->visits += 1;
  s->sent += sent;
  s->received += received;
}

static struct sum *sum_of(const char *name) {
  struct sum *s = sums;
  while (strcmp(s->name, name)) ++s;
  return s;
}

#define CALL(name, sent, received, ...) (add("MPI_" #name, sent, received), MPI_##name(__VA_ARGS__))

static int rank, size, next, before;
static int out[ROOM], in[ROOM];

static void blocking(MPI_Comm comm) {
  MPI_Status status;
  char buffer[ROOM * 4];
  // The receiver has room for more than arrives.
  if (rank % 2 == 0) {
    CALL(Send, 400, 0, out, 100, MPI_INT, next, 1, comm);
    CALL(Recv, 0, 400, in, ROOM, MPI_INT, before, 1, comm, &status);
  } else {
    CALL(Recv, 0, 400, in, ROOM, MPI_INT, before, 1, comm, MPI_STATUS_IGNORE);
    CALL(Send, 400, 0, out, 100, MPI_INT, next, 1, comm);
  }
  CALL(Sendrecv, 80, 80, out, 10, MPI_DOUBLE, next, 2, in, 10, MPI_DOUBLE, before, 2, comm, &status);
  CALL(Sendrecv, 8 * (rank + 1), 8 * (before + 1), out, rank + 1, MPI_DOUBLE, next, 2, in, ROOM / 2, MPI_DOUBLE, before, 2, comm, MPI_STATUS_IGNORE);
  CALL(Sendrecv_replace, 28, 28, in, 7, MPI_INT, next, 3, before, 3, comm, MPI_STATUS_IGNORE);
  CALL(Send, 0, 0, out, 100, MPI_INT, MPI_PROC_NULL, 1, comm);
  CALL(Recv, 0, 0, in, 100, MPI_INT, MPI_PROC_NULL, 1, comm, &status);
  CALL(Buffer_attach, 0, 0, buffer, sizeof buffer);
  CALL(Bsend, 20, 0, out, 5, MPI_INT, next, 4, comm);
  CALL(Recv, 0, 20, in, 5, MPI_INT, before, 4, comm, &status);
  void *detached;
  int bytes;
  CALL(Buffer_detach, 0, 0, &detached, &bytes);
  MPI_Message message;
  CALL(Bsend, 0, 0, out, 0, MPI_INT, MPI_PROC_NULL, 4, comm);
  MPI_Request request;
  CALL(Issend, 36, 0, out, 9, MPI_INT, next, 5, comm, &request);
  CALL(Mprobe, 0, 0, before, 5, comm, &message, &status);
  CALL(Mrecv, 0, 36, in, 9, MPI_INT, &message, &status);
  CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
}

static void nonblocking(MPI_Comm comm) {
  enum { MANY = 20 };
  MPI_Request requests[2 * MANY];
  MPI_Status statuses[2 * MANY];
  int index, flag, count, indices[2 * MANY];
  for (int i = 0; i < MANY; ++i) CALL(Irecv, 0, 0, in + 100 * i, 100, MPI_INT, before, 10 + i, comm, &requests[i]);
  for (int i = 0; i < MANY; ++i) CALL(Isend, 4 * i, 0, out, i, MPI_INT, next, 10 + i, comm, &requests[MANY + i]);
  CALL(Waitall, 0, 4 * (MANY * (MANY - 1) / 2), 2 * MANY, requests, MPI_STATUSES_IGNORE);

  CALL(Irecv, 0, 0, in, 50, MPI_INT, before, 40, comm, &requests[0]);
  CALL(Isend, 200, 0, out, 50, MPI_INT, next, 40, comm, &requests[1]);
  CALL(Wait, 0, 200, &requests[0], MPI_STATUS_IGNORE);
  CALL(Wait, 0, 0, &requests[1], &statuses[0]);

  CALL(Irecv, 0, 0, in, 3, MPI_DOUBLE, before, 41, comm, &requests[0]);
  CALL(Isend, 24, 0, out, 3, MPI_DOUBLE, next, 41, comm, &requests[1]);
  do CALL(Test, 0, 0, &requests[0], &flag, MPI_STATUS_IGNORE);
  while (!flag);
  sum_of("MPI_Test")->received += 24;
  CALL(Wait, 0, 0, &requests[1], MPI_STATUS_IGNORE);

  for (int i = 0; i < 2; ++i) CALL(Irecv, 0, 0, in + 100 * i, 10, MPI_INT, before, 42 + i, comm, &requests[i]);
  for (int i = 0; i < 2; ++i) CALL(Isend, 40, 0, out, 10, MPI_INT, next, 42 + i, comm, &requests[2 + i]);
  for (int i = 0; i < 4; ++i) {
    CALL(Waitany, 0, 0, 4, requests, &index, MPI_STATUS_IGNORE);
    if (index < 2) sum_of("MPI_Waitany")->received += 40;
  }

  for (int i = 0; i < 3; ++i) CALL(Irecv, 0, 0, in + 100 * i, 10, MPI_INT, before, 50 + i, comm, &requests[i]);
  for (int i = 0; i < 3; ++i) CALL(Isend, 4 * (i + 1), 0, out, i + 1, MPI_INT, next, 50 + i, comm, &requests[3 + i]);
  for (int done = 0; done < 6; done += count) CALL(Waitsome, 0, 0, 6, requests, &count, indices, MPI_STATUSES_IGNORE);
  sum_of("MPI_Waitsome")->received += 4 + 8 + 12;

  // A receive that is cancelled has received nothing.
  CALL(Irecv, 0, 0, in, 10, MPI_INT, before, 99, comm, &requests[0]);
  CALL(Cancel, 0, 0, &requests[0]);
  CALL(Wait, 0, 0, &requests[0], MPI_STATUS_IGNORE);
}

static void persistent(MPI_Comm comm) {
  MPI_Request requests[2];
  CALL(Recv_init, 0, 0, in, 100, MPI_INT, before, 60, comm, &requests[0]);
  CALL(Send_init, 0, 0, out, 25, MPI_INT, next, 60, comm, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    CALL(Startall, 100, 0, 2, requests);
    CALL(Waitall, 0, 100, 2, requests, MPI_STATUSES_IGNORE);
  }
  CALL(Start, 0, 0, &requests[0]);
  CALL(Start, 100, 0, &requests[1]);
  CALL(Waitall, 0, 100, 2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) CALL(Request_free, 0, 0, &requests[i]);
}

static void derived(MPI_Comm comm) {
  MPI_Datatype column;
  CALL(Type_vector, 0, 0, 8, 2, 16, MPI_INT, &column); // 16 integers in a space of 114
  CALL(Type_commit, 0, 0, &column);
  CALL(Sendrecv, 2 * 64, 2 * 64, out, 2, column, next, 70, in, 32, MPI_INT, before, 70, comm, MPI_STATUS_IGNORE);
  CALL(Type_free, 0, 0, &column);
}

static void collective(MPI_Comm comm) {
  int n = 0, me = 0, counts[64], displacements[64], total = 0;
  MPI_Comm_size(comm, &n), MPI_Comm_rank(comm, &me);
  add("MPI_Comm_size", 0, 0), add("MPI_Comm_rank", 0, 0);
  MPI_Datatype types[64];
  int bytes[64];
  for (int i = 0; i < n; ++i) {
    counts[i] = i + 1;
    displacements[i] = total;
    bytes[i] = 4 * total;
    total += counts[i];
    types[i] = MPI_INT;
  }
  long long own = 4 * (me + 1), sum = 4 * total, root = me == 1 % n;
  int at = 1 % n, alltoall_sent[64], alltoall_received[64], sent_at[64], received_at[64];
  long long v_sent = 0, v_received = 0;
  for (int i = 0; i < n; ++i) { // This process sends i + me integers to i.
    alltoall_sent[i] = i + me;
    alltoall_received[i] = i + me;
    sent_at[i] = i ? sent_at[i - 1] + alltoall_sent[i - 1] : 0;
    received_at[i] = sent_at[i];
    v_sent += 4 * (i + me);
    v_received += 4 * (i + me);
  }
  CALL(Barrier, 0, 0, comm);
  CALL(Bcast, root ? n * 40 : 0, 40, in, 10, MPI_INT, at, comm);
  CALL(Gather, 12, root ? n * 12 : 0, out, 3, MPI_INT, in, 3, MPI_INT, at, comm);
  CALL(Gatherv, own, root ? sum : 0, out, me + 1, MPI_INT, in, counts, displacements, MPI_INT, at, comm);
  CALL(Scatter, root ? n * 12 : 0, 12, out, 3, MPI_INT, in, 3, MPI_INT, at, comm);
  CALL(Scatterv, root ? sum : 0, own, out, counts, displacements, MPI_INT, in, me + 1, MPI_INT, at, comm);
  CALL(Allgather, n * 8, n * 8, out, 2, MPI_INT, in, 2, MPI_INT, comm);
  CALL(Allgather, n * 8, n * 8, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, comm);
  CALL(Allgatherv, n * own, sum, out, me + 1, MPI_INT, in, counts, displacements, MPI_INT, comm);
  CALL(Alltoall, n * 4, n * 4, out, 1, MPI_INT, in, 1, MPI_INT, comm);
  CALL(Alltoallv, v_sent, v_received, out, alltoall_sent, sent_at, MPI_INT, in, alltoall_received, received_at, MPI_INT, comm);
  for (int i = 0; i < n; ++i) sent_at[i] *= 4, received_at[i] *= 4;
  CALL(Alltoallw, v_sent, v_received, out, alltoall_sent, sent_at, types, in, alltoall_received, received_at, types, comm);
  CALL(Reduce, 40, root ? n * 40 : 0, out, in, 10, MPI_INT, MPI_SUM, at, comm);
  CALL(Allreduce, n * 80, n * 80, out, in, 10, MPI_DOUBLE, MPI_SUM, comm);
  CALL(Allreduce, n * 4, n * 4, MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, comm);
  CALL(Reduce_scatter, sum, n * own, out, in, counts, MPI_INT, MPI_SUM, comm);
  CALL(Reduce_scatter_block, n * 8, n * 8, out, in, 2, MPI_INT, MPI_SUM, comm);
  CALL(Scan, (n - me) * 4, (me + 1) * 4, out, in, 1, MPI_INT, MPI_SUM, comm);
  CALL(Exscan, (n - me - 1) * 4, me * 4, out, in, 1, MPI_INT, MPI_SUM, comm);
  MPI_Request request;
  CALL(Ibarrier, 0, 0, comm, &request);
  CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
  CALL(Iallreduce, n * 8, n * 8, out, in, 2, MPI_INT, MPI_SUM, comm, &request);
  CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
  CALL(Ibcast, root ? n * 40 : 0, 40, in, 10, MPI_INT, at, comm, &request);
  CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
}

static void neighbours(void) {
  MPI_Comm line;
  int periodic = 0;
  CALL(Cart_create, 0, 0, MPI_COMM_WORLD, 1, &size, &periodic, 0, &line);
  int near = (rank > 0) + (rank < size - 1);
  CALL(Neighbor_allgather, near * 12, near * 12, out, 3, MPI_INT, in, 3, MPI_INT, line);
  CALL(Neighbor_alltoall, near * 8, near * 8, out, 2, MPI_INT, in, 2, MPI_INT, line);
  CALL(Comm_free, 0, 0, &line);
}

static void accesses(void) {
  MPI_Win window;
  static int memory[64];
  CALL(Win_create, 0, 0, memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  CALL(Win_fence, 0, 0, 0, window);
  CALL(Put, 0, 0, out, 5, MPI_INT, next, 0, 5, MPI_INT, window);
  CALL(Accumulate, 0, 0, out, 2, MPI_INT, next, 8, 2, MPI_INT, MPI_SUM, window);
  CALL(Win_fence, 0, 0, 0, window);
  CALL(Get, 0, 0, in, 7, MPI_INT, before, 0, 7, MPI_INT, window);
  CALL(Win_fence, 0, 0, 0, window);
  CALL(Win_free, 0, 0, &window);
  sum_of("MPI_Put")->put = 20;
  sum_of("MPI_Accumulate")->put = 8;
  sum_of("MPI_Get")->got = 28;
}

int main(int argc, char **argv) {
  int initialized, provided;
  CALL(Initialized, 0, 0, &initialized);
  CALL(Init_thread, 0, 0, &argc, &argv, MPI_THREAD_SINGLE, &provided);
  CALL(Comm_rank, 0, 0, MPI_COMM_WORLD, &rank);
  CALL(Comm_size, 0, 0, MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  blocking(MPI_COMM_WORLD);
  nonblocking(MPI_COMM_WORLD);
  persistent(MPI_COMM_WORLD);
  derived(MPI_COMM_WORLD);
  collective(MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) { // Handles of communicators are used again.
    MPI_Comm half;
    CALL(Comm_split, 0, 0, MPI_COMM_WORLD, (rank + i) % 2, rank, &half);
    collective(half);
    CALL(Comm_free, 0, 0, &half);
  }
  neighbours();
  accesses();
  CALL(Finalize, 0, 0);
  char file[ROOM];
  snprintf(file, sizeof file, "%s/truth.%d", argv[1], rank);
  FILE *truth = fopen(file, "w");
  for (const struct sum *s = sums; truth && s->name; ++s)
    fprintf(truth, "= %d %s %lld %lld %lld %lld %lld\n", rank, s->name, s->visits, s->sent, s->received, s->put, s->got);
  if (truth) fclose(truth);
  return 0;
}
