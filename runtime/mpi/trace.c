// Messages and collective operations in the trace of the process. Its records name processes by their ranks in communicators, so that there are none for
// communicators with processes of another MPI_COMM_WORLD.
#include "layer.h"

#include <stdlib.h>
#include <string.h>

bool kymo_mpi_traces, kymo_mpi_defines;

// What the collective operation of the visit under way moves.
static __thread struct { MPI_Count sent, received; } moves __attribute__((tls_model("initial-exec")));

static uint64_t next_request(void) {
  static uint64_t last;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

// The id, what it is, the numbers of processes of the own and of the other group (0: there is one group), and their ranks in MPI_COMM_WORLD.
bool kymo_mpi_define_comm(MPI_Comm comm, uint32_t id, const int *own, int size, const int *others, int other_count) {
  enum { HEAD = 4 };
  size_t count = HEAD + (size_t)size + (size_t)other_count;
  for (int i = 0; i < size; ++i)
    if (!own || own[i] < 0) return false;
  for (int i = 0; i < other_count; ++i)
    if (!others || others[i] < 0) return false;
  uint32_t *words = malloc(count * sizeof *words);
  if (!words) return false;
  words[0] = id;
  words[1] = comm == MPI_COMM_WORLD ? 1 : comm == MPI_COMM_SELF ? 2 : 0;
  words[2] = (uint32_t)size;
  words[3] = (uint32_t)other_count;
  memcpy(words + HEAD, own, (size_t)size * sizeof *own);
  if (other_count) memcpy(words + HEAD + size, others, (size_t)other_count * sizeof *others);
  kymo_mpi_runtime->trace_define(words, (uint32_t)(count * sizeof *words));
  free(words);
  return true;
}

uint64_t kymo_mpi_trace_send(const struct kymo_comm *comm, int dest, int tag, MPI_Count bytes, bool starts) {
  if (!comm->traced || !kymo_mpi_runtime->traces(1)) return 0;
  const uint64_t words[] = {(uint32_t)dest, comm->id, (uint32_t)tag, (uint64_t)bytes, starts ? next_request() : 0};
  kymo_mpi_trace(starts ? KYMO_MPI_ISEND : KYMO_MPI_SEND, words, starts ? 5 : 4);
  return words[4];
}

void kymo_mpi_trace_receive(const struct kymo_comm *comm, int source, int tag, MPI_Count bytes, uint64_t request) {
  if (!comm->traced) return;
  const uint64_t words[] = {(uint32_t)source, comm->id, (uint32_t)tag, (uint64_t)bytes, request};
  kymo_mpi_trace(request ? KYMO_MPI_IRECV : KYMO_MPI_RECV, words, request ? 5 : 4);
}

uint64_t kymo_mpi_trace_request(enum kymo_layer_event event) {
  if (!kymo_mpi_traces || !kymo_mpi_runtime->traces(1)) return 0;
  uint64_t request = next_request();
  kymo_mpi_trace(event, &request, 1);
  return request;
}

void kymo_mpi_trace_of_request(enum kymo_layer_event event, uint64_t request) {
  if (request) kymo_mpi_trace(event, &request, 1);
}

// --- collective operations ---

void kymo_mpi_collective_begins(void) {
  moves.sent = moves.received = 0;
  kymo_mpi_trace(KYMO_MPI_COLLECTIVE_BEGIN, NULL, 0);
}

void kymo_mpi_collective_moves(MPI_Count sent, MPI_Count received) {
  moves.sent = sent;
  moves.received = received;
}

struct kymo_operation kymo_mpi_operation(const struct kymo_comm *comm, int operation, int root) {
  return (struct kymo_operation){(uint64_t)operation, comm->id, root < 0 ? UINT32_MAX : (uint32_t)root, (uint64_t)moves.sent, (uint64_t)moves.received};
}

void kymo_mpi_collective_ends(const struct kymo_comm *comm, int operation, int root) {
  struct kymo_operation o = kymo_mpi_operation(comm, operation, root);
  const uint64_t words[] = {o.operation, comm->traced ? o.comm : UINT32_MAX, o.root, o.sent, o.received};
  kymo_mpi_trace(KYMO_MPI_COLLECTIVE_END, words, 5);
}

void kymo_mpi_collective_completes(const struct kymo_operation *o, uint64_t request) {
  const uint64_t words[] = {o->operation, o->comm, o->root, o->sent, o->received, request};
  kymo_mpi_trace(KYMO_MPI_NONBLOCKING_COMPLETE, words, 6);
}
