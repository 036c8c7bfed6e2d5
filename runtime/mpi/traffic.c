// Bytes that calls move, with Score-P's definitions: what a process sends to itself in a collective operation counts as well, so that the
// bytes sent and received by all processes of a job are equal.
#include "layer.h"

#include <stdlib.h>
#include <string.h>

// The size of the last datatype, which is often that of the next call.
static struct { bool known; MPI_Datatype type; MPI_Count size; } last;

MPI_Count kymo_mpi_bytes(MPI_Count number, MPI_Datatype type) {
  MPI_Count size;
  if (number <= 0) return 0;
  if (!kymo_mpi_concurrent && last.known && last.type == type) return number * last.size;
  if (PMPI_Type_size_x(type, &size) || size == MPI_UNDEFINED) return 0;
  if (!kymo_mpi_concurrent) last.known = true, last.type = type, last.size = size;
  return number * size;
}

void kymo_mpi_forget_type(void) { last.known = false; }

// --- messages ---

// The rank in MPI_COMM_WORLD; -1: of another world.
static int peer_of(const struct kymo_comm *facts, int rank) { return facts->world && rank >= 0 && rank < facts->others ? facts->world[rank] : -1; }

struct kymo_logged kymo_mpi_sends(MPI_Count number, MPI_Datatype type, int dest, int tag, MPI_Comm comm, enum kymo_sending how) {
  static const struct kymo_logged none;
  if (dest == MPI_PROC_NULL) return none;
  MPI_Count bytes = kymo_mpi_bytes(number, type);
  kymo_mpi_count(KYMO_BYTES_SENT, bytes);
  if (!kymo_mpi_logs && !kymo_mpi_traces) return none;
  const struct kymo_comm *facts = kymo_mpi_comm(comm);
  int peer = peer_of(facts, dest);
  if (peer < 0) return none;
  struct kymo_logged logged = none;
  if (kymo_mpi_logs) logged = kymo_mpi_log_message(peer, tag, facts->id, false, bytes, kymo_mpi_entered(), how == KYMO_BLOCKS);
  if (how == KYMO_STARTS_BUFFERED) logged.stream = 0;
  if (kymo_mpi_traces) logged.request = kymo_mpi_trace_send(facts, dest, tag, bytes, how == KYMO_STARTS || how == KYMO_STARTS_BUFFERED);
  return logged;
}

// Bytes that arrived; negative when nothing did. The headers of the two families show where the status has them.
static MPI_Count arrived(const MPI_Status *status) {
  if (status->MPI_SOURCE == MPI_PROC_NULL) return -1;
#if defined(OPEN_MPI)
  return status->_cancelled ? -1 : (MPI_Count)status->_ucount;
#elif defined(MPICH_VERSION) || defined(MPICH_NUMVERSION)
  return status->count_hi_and_cancelled & 1 ? -1 : ((MPI_Count)(unsigned)status->count_hi_and_cancelled >> 1 << 32) | (unsigned)status->count_lo;
#else
  MPI_Count bytes;
  int cancelled;
  if (PMPI_Test_cancelled(status, &cancelled) || cancelled) return -1;
  return PMPI_Get_elements_x(status, MPI_BYTE, &bytes) || bytes == MPI_UNDEFINED ? 0 : bytes;
#endif
}

void kymo_mpi_received(const MPI_Status *status, MPI_Comm comm, uint64_t began, uint64_t request) {
  MPI_Count bytes = arrived(status);
  if (bytes < 0) {
    kymo_mpi_trace_of_request(KYMO_MPI_REQUEST_CANCELLED, request);
    return;
  }
  kymo_mpi_count(KYMO_BYTES_RECEIVED, bytes);
  if ((!kymo_mpi_logs && !kymo_mpi_traces) || comm == MPI_COMM_NULL) return;
  const struct kymo_comm *facts = kymo_mpi_comm(comm);
  int peer = peer_of(facts, status->MPI_SOURCE);
  if (peer < 0) return;
  if (kymo_mpi_logs) kymo_mpi_log_message(peer, status->MPI_TAG, facts->id, true, bytes, began, true);
  if (kymo_mpi_traces) kymo_mpi_trace_receive(facts, status->MPI_SOURCE, status->MPI_TAG, bytes, request);
}

void kymo_mpi_moves(MPI_Count sent, MPI_Count received) {
  kymo_mpi_count(KYMO_BYTES_SENT, sent);
  kymo_mpi_count(KYMO_BYTES_RECEIVED, received);
  if (kymo_mpi_traces) kymo_mpi_collective_moves(sent, received);
}

void kymo_mpi_accesses(MPI_Count put, MPI_Count got, int target) {
  if (target == MPI_PROC_NULL) return;
  kymo_mpi_count(KYMO_BYTES_PUT, put);
  kymo_mpi_count(KYMO_BYTES_GOT, got);
}

bool kymo_mpi_is_root(int root, const struct kymo_comm *comm) { return comm->inter ? root == MPI_ROOT : root == comm->rank; }

// --- neighbourhoods ---

static int present_in(const int *ranks, int count) {
  int present = 0;
  for (int i = 0; i < count; ++i) present += ranks[i] != MPI_PROC_NULL;
  return present;
}

static int cartesian(MPI_Comm comm) {
  int dimensions, present = 0;
  if (PMPI_Cartdim_get(comm, &dimensions)) return 0;
  for (int i = 0; i < dimensions; ++i) {
    int both[2];
    if (!PMPI_Cart_shift(comm, i, 1, &both[0], &both[1])) present += present_in(both, 2);
  }
  return present;
}

struct kymo_degrees kymo_mpi_neighbours(MPI_Comm comm) {
  int kind, in = 0, out = 0, weighted;
  if (PMPI_Topo_test(comm, &kind)) return (struct kymo_degrees){0, 0};
  if (kind == MPI_CART) in = out = cartesian(comm);
  else if (kind == MPI_GRAPH) {
    int rank;
    if (!PMPI_Comm_rank(comm, &rank) && !PMPI_Graph_neighbors_count(comm, rank, &in)) out = in;
  } else if (kind == MPI_DIST_GRAPH)
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  return (struct kymo_degrees){in, out};
}
