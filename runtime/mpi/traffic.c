// Bytes that calls move, with Score-P's definitions: what a process sends to itself in a collective operation counts as well, so that the
// bytes sent and received by all processes of a job are equal.
#include "layer.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void count(enum kymo_counter counter, MPI_Count bytes) {
  if (bytes > 0) kymo_mpi_runtime->count(counter, (uint64_t)bytes);
}

MPI_Count kymo_mpi_bytes(MPI_Count number, MPI_Datatype type) {
  MPI_Count size;
  if (number <= 0 || PMPI_Type_size_x(type, &size) || size == MPI_UNDEFINED) return 0;
  return number * size;
}

void kymo_mpi_sends(MPI_Count number, MPI_Datatype type, int dest, MPI_Comm comm) {
  (void)comm;
  if (dest != MPI_PROC_NULL) count(KYMO_BYTES_SENT, kymo_mpi_bytes(number, type));
}

void kymo_mpi_received(const MPI_Status *status) {
  MPI_Count bytes;
  int cancelled;
  if (PMPI_Test_cancelled(status, &cancelled) || cancelled) return;
  if (!PMPI_Get_elements_x(status, MPI_BYTE, &bytes) && bytes != MPI_UNDEFINED) count(KYMO_BYTES_RECEIVED, bytes);
}

void kymo_mpi_moves(MPI_Count sent, MPI_Count received) {
  count(KYMO_BYTES_SENT, sent);
  count(KYMO_BYTES_RECEIVED, received);
}

void kymo_mpi_accesses(MPI_Count put, MPI_Count got, int target) {
  if (target == MPI_PROC_NULL) return;
  count(KYMO_BYTES_PUT, put);
  count(KYMO_BYTES_GOT, got);
}

// --- communicators ---

enum { BUCKETS = 256 };
struct entry {
  MPI_Comm comm;
  struct kymo_comm facts;
  struct entry *next;
};
static struct entry *volatile buckets[BUCKETS];
static volatile int busy;

static unsigned bucket_of(MPI_Comm comm) {
  uintptr_t bits = 0;
  memcpy(&bits, &comm, sizeof comm);
  return (unsigned)((bits * 0x9e3779b97f4a7c15u) >> 56);
}

static void lock(void) {
  while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static void unlock(void) { __atomic_store_n(&busy, 0, __ATOMIC_RELEASE); }

static const int *world_ranks(MPI_Comm comm, bool inter, int size) {
  MPI_Group group, world;
  int *own = malloc((size_t)size * sizeof *own), *all = malloc((size_t)size * sizeof *all);
  if (own && all && !PMPI_Comm_group(MPI_COMM_WORLD, &world)) {
    for (int i = 0; i < size; ++i) own[i] = i, all[i] = -1;
    if (!(inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group))) {
      PMPI_Group_translate_ranks(group, size, own, world, all);
      for (int i = 0; i < size; ++i)
        if (all[i] == MPI_UNDEFINED) all[i] = -1;
      PMPI_Group_free(&group);
    }
    PMPI_Group_free(&world);
  }
  free(own);
  return all;
}

static struct entry *look_up(MPI_Comm comm) {
  struct entry *entry = buckets[bucket_of(comm)];
  while (entry && entry->comm != comm) entry = entry->next;
  return entry;
}

const struct kymo_comm *kymo_mpi_comm(MPI_Comm comm) {
  static const struct kymo_comm nobody = {0, 0, 0, false, NULL};
  struct entry *entry = look_up(comm); // Entries are complete before they are linked, and freed only with their communicator.
  if (__builtin_expect(entry != NULL, 1)) return &entry->facts;
  int inter = 0, size = 0, rank = 0, others = 0;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) || PMPI_Comm_size(comm, &size) || PMPI_Comm_rank(comm, &rank)) return &nobody;
  others = size;
  if (inter && PMPI_Comm_remote_size(comm, &others)) return &nobody;
  entry = malloc(sizeof *entry);
  if (!entry) return &nobody;
  *entry = (struct entry){comm, {size, rank, others, inter != 0, world_ranks(comm, inter != 0, others)}, NULL};
  lock();
  entry->next = buckets[bucket_of(comm)];
  __atomic_store_n(&buckets[bucket_of(comm)], entry, __ATOMIC_RELEASE);
  unlock();
  return &entry->facts;
}

void kymo_mpi_forget(MPI_Comm comm) {
  lock();
  for (struct entry *volatile *link = &buckets[bucket_of(comm)]; *link; link = (struct entry *volatile *)&(*link)->next)
    if ((*link)->comm == comm) {
      struct entry *old = *link;
      *link = old->next;
      free((void *)old->facts.world);
      free(old);
      break;
    }
  unlock();
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
