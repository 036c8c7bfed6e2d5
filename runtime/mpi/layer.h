// The MPI layer: a library that is loaded before the MPI library and records each MPI call as a region, with the bytes that it moves.
//
// It defines each function of the program's mpi.h under both of its names, MPI_ and PMPI_. Bindings of other languages call one of the two,
// so their calls are recorded as well, and so are those of a program whose own MPI_ functions stand before these. Whatever is called
// inside such a call belongs to it and passes through. The MPI library is only reached through `dlsym`, and its data symbols are weak: the
// programs that start the ranks load the layer, too, and have no MPI library.
#ifndef KYMO_MPI_LAYER_H
#define KYMO_MPI_LAYER_H

#define KYMO_LAYER 1
#include "../layers.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

struct kymo_call {
  const char *name;         // MPI_Send
  uint32_t region;          // 0: unknown so far
  void *volatile next[2];   // the function of the next library under the names MPI_ and PMPI_
};

// The function that this one stands before. It does not return when there is none: the program could not have been linked.
void *kymo_mpi_find(struct kymo_call *call, int profiling);
static inline void *kymo_mpi_next(struct kymo_call *call, int profiling) {
  void *next = call->next[profiling];
  return __builtin_expect(next != NULL, 1) ? next : kymo_mpi_find(call, profiling);
}

// Begins the visit of a call. False: it passes through, for it belongs to another call, or nothing is recorded.
bool kymo_mpi_begin(struct kymo_call *call, uintptr_t frame);
void kymo_mpi_end(struct kymo_call *call, uintptr_t frame);

// begin and end of the job
void kymo_mpi_started(void);
void kymo_mpi_finishes(void);

// --- bytes (traffic.c) ---

struct kymo_comm {
  int size, rank;    // of this process's group
  int others;        // processes that a collective operation exchanges data with: the size, or that of the remote group
  bool inter;
  const int *world;  // ranks in MPI_COMM_WORLD of those that a rank names; -1: of another world
};
const struct kymo_comm *kymo_mpi_comm(MPI_Comm comm);
void kymo_mpi_forget(MPI_Comm comm); // The communicator is about to be freed.

MPI_Count kymo_mpi_bytes(MPI_Count count, MPI_Datatype type);
void kymo_mpi_sends(MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm);
void kymo_mpi_received(const MPI_Status *status);
// A collective operation that moves so many bytes from and to this process.
void kymo_mpi_moves(MPI_Count sent, MPI_Count received);
void kymo_mpi_accesses(MPI_Count put, MPI_Count got, int target);
bool kymo_mpi_is_root(int root, const struct kymo_comm *comm);
struct kymo_degrees { int in, out; };
struct kymo_degrees kymo_mpi_neighbours(MPI_Comm comm);

// --- requests (requests.c) ---

void kymo_mpi_track_receive(MPI_Request request, bool persistent);
void kymo_mpi_track_send(MPI_Request request, MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm);
void kymo_mpi_start(int count, const MPI_Request *requests);
void kymo_mpi_untrack(MPI_Request request);
void kymo_mpi_completed(MPI_Request request, const MPI_Status *status);

// The requests and statuses of a call that completes several: it forgets the requests, and the program may ignore the statuses.
struct kymo_batch {
  int count;
  MPI_Request few_requests[16], *requests;
  MPI_Status few_statuses[16], *statuses;
};
void kymo_mpi_keep(struct kymo_batch *batch, int count, const MPI_Request *requests, MPI_Status **statuses);
// `indices` NULL: all of them.
void kymo_mpi_release(struct kymo_batch *batch, int completed, const int *indices, const MPI_Status *statuses);

#define KYMO_SUM(counts, size)                                              \
  __extension__({                                                           \
    MPI_Count sum_ = 0;                                                     \
    for (int i_ = 0; i_ < (size); ++i_) sum_ += (MPI_Count)(counts)[i_];    \
    sum_;                                                                   \
  })
#define KYMO_SUM_BYTES(counts, types, size)                                                     \
  __extension__({                                                                               \
    MPI_Count sum_ = 0;                                                                         \
    for (int i_ = 0; i_ < (size); ++i_) sum_ += kymo_mpi_bytes((MPI_Count)(counts)[i_], (types)[i_]); \
    sum_;                                                                                       \
  })

extern const struct kymo_layers *kymo_mpi_runtime;

#pragma GCC visibility pop

#endif
