// Requests whose completion says how much was received, and persistent requests, whose sends begin again and again.
#include "layer.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum kind { FREE, RECEIVE, PERSISTENT_RECEIVE, PERSISTENT_SEND };
struct tracked {
  MPI_Request request;
  MPI_Count count;
  MPI_Datatype type;
  MPI_Comm comm;
  int dest;
  enum kind kind;
  struct tracked *next;
};

enum { BUCKETS = 4096 };
static struct tracked *buckets[BUCKETS], *spare;
static volatile int busy;

static void lock(void) {
  while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static void unlock(void) { __atomic_store_n(&busy, 0, __ATOMIC_RELEASE); }

static struct tracked **bucket_of(MPI_Request request) {
  uintptr_t bits = 0;
  memcpy(&bits, &request, sizeof request);
  return &buckets[(bits * 0x9e3779b97f4a7c15u) >> 52];
}

static void track(struct tracked tracked) {
  if (tracked.request == MPI_REQUEST_NULL) return;
  lock();
  struct tracked *entry = spare;
  if (entry) spare = entry->next;
  else entry = malloc(sizeof *entry);
  if (entry) {
    struct tracked **bucket = bucket_of(tracked.request);
    *entry = tracked;
    entry->next = *bucket;
    *bucket = entry;
  }
  unlock();
}

void kymo_mpi_track_receive(MPI_Request request, bool persistent) {
  track((struct tracked){.request = request, .kind = persistent ? PERSISTENT_RECEIVE : RECEIVE});
}

void kymo_mpi_track_send(MPI_Request request, MPI_Count count, MPI_Datatype type, int dest, MPI_Comm comm) {
  track((struct tracked){request, count, type, comm, dest, PERSISTENT_SEND, NULL});
}

static struct tracked **find(MPI_Request request) {
  struct tracked **link = bucket_of(request);
  while (*link && (*link)->request != request) link = &(*link)->next;
  return link;
}

static void drop(struct tracked **link) {
  struct tracked *entry = *link;
  *link = entry->next;
  entry->next = spare;
  spare = entry;
}

void kymo_mpi_untrack(MPI_Request request) {
  if (request == MPI_REQUEST_NULL) return;
  lock();
  struct tracked **link = find(request);
  if (*link) drop(link);
  unlock();
}

void kymo_mpi_start(int count, const MPI_Request *requests) {
  for (int i = 0; i < count; ++i) {
    lock();
    const struct tracked *entry = *find(requests[i]);
    struct tracked send = entry ? *entry : (struct tracked){.kind = FREE};
    unlock();
    if (send.kind == PERSISTENT_SEND) kymo_mpi_sends(send.count, send.type, send.dest, send.comm);
  }
}

void kymo_mpi_completed(MPI_Request request, const MPI_Status *status) {
  if (request == MPI_REQUEST_NULL) return;
  lock();
  struct tracked **link = find(request);
  enum kind kind = *link ? (*link)->kind : FREE;
  if (kind == RECEIVE) drop(link);
  unlock();
  if (kind == RECEIVE || kind == PERSISTENT_RECEIVE) kymo_mpi_received(status);
}

void kymo_mpi_keep(struct kymo_batch *batch, int count, const MPI_Request *requests, MPI_Status **statuses) {
  bool few = count <= (int)(sizeof batch->few_requests / sizeof *batch->few_requests);
  batch->count = count > 0 ? count : 0;
  batch->requests = few ? batch->few_requests : malloc((size_t)count * sizeof *requests);
  batch->statuses = NULL;
  if (!batch->requests) {
    batch->count = 0;
    return;
  }
  if (batch->count) memcpy(batch->requests, requests, (size_t)batch->count * sizeof *requests);
  if (*statuses != MPI_STATUSES_IGNORE) return;
  batch->statuses = few ? batch->few_statuses : malloc((size_t)count * sizeof **statuses);
  if (batch->statuses) *statuses = batch->statuses;
  else batch->count = 0;
}

void kymo_mpi_release(struct kymo_batch *batch, int completed, const int *indices, const MPI_Status *statuses) {
  for (int i = 0; i < completed && i < batch->count; ++i) {
    int index = indices ? indices[i] : i;
    if (index >= 0 && index < batch->count) kymo_mpi_completed(batch->requests[index], &statuses[i]);
  }
  if (batch->requests != batch->few_requests) free(batch->requests);
  if (batch->statuses != batch->few_statuses) free(batch->statuses);
}
