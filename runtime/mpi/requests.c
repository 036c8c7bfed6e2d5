// Requests whose completion says how much was received or that a send's receiver has come, persistent requests, whose sends begin again and
// again, and messages that a probe has matched.
#include "layer.h"

#include <stdlib.h>
#include <string.h>

enum kind { RECEIVE, SEND, PERSISTENT_RECEIVE, PERSISTENT_SEND, MESSAGE, COLLECTIVE };
struct tracked {
  uintptr_t handle; // MPI_Request or MPI_Message
  struct tracked *next;
  enum kind kind;
  bool pending;               // a send that had not completed when a call began to wait for it
  MPI_Comm comm;
  uint64_t began;             // of receives
  struct kymo_logged message; // of a send under way; its stream is 0 for all others. Receives have their request in the trace here as well
  struct kymo_operation operation; // of collective operations
  MPI_Count count;            // of persistent sends, from here on
  MPI_Datatype type;
  int dest, tag;
};

enum { BUCKETS = 4096 };
static struct tracked *buckets[BUCKETS], *spare;
static int sends; // that are under way and tracked
static volatile int busy;

#define HANDLE(value)                                     \
  __extension__({                                         \
    uintptr_t bits_ = 0;                                  \
    __typeof__(value) value_ = (value);                   \
    memcpy(&bits_, &value_, sizeof value_);               \
    bits_;                                                \
  })

static struct tracked **bucket_of(uintptr_t handle) { return &buckets[(handle * 0x9e3779b97f4a7c15u) >> 52]; }

// The caller fills the entry and unlocks. Fields are written one by one: copies of a whole entry would wait for the stores of its parts.
static struct tracked *track(uintptr_t handle, enum kind kind, MPI_Comm comm) {
  kymo_mpi_lock(&busy);
  struct tracked *entry = spare;
  if (entry) spare = entry->next;
  else entry = malloc(sizeof *entry);
  if (!entry) return NULL;
  struct tracked **bucket = bucket_of(handle);
  entry->handle = handle;
  entry->next = *bucket;
  entry->kind = kind;
  entry->pending = false;
  entry->comm = comm;
  entry->message.stream = 0;
  entry->message.request = 0;
  return *bucket = entry;
}

void kymo_mpi_track_receive(MPI_Request request, MPI_Comm comm, bool persistent) {
  if (request == MPI_REQUEST_NULL) return;
  struct tracked *entry = track(HANDLE(request), persistent ? PERSISTENT_RECEIVE : RECEIVE, comm);
  if (entry) entry->began = kymo_mpi_entered();
  if (entry && !persistent) entry->message.request = kymo_mpi_trace_request(KYMO_MPI_IRECV_REQUEST);
  kymo_mpi_unlock(&busy);
}

static void is_under_way(struct tracked *send, struct kymo_logged message) {
  sends += (message.stream != 0) - (send->message.stream != 0);
  send->message = message;
}

static void is_done(struct tracked *request) {
  if (request->message.stream) --sends;
  request->message.stream = 0;
  request->message.request = 0;
}

void kymo_mpi_track_send(MPI_Request request, struct kymo_logged message) {
  int completed;
  if (request == MPI_REQUEST_NULL || (!message.stream && !message.request)) return;
  // Most messages are small and fit into the library's buffers.
  if (!message.request && !PMPI_Request_get_status(request, &completed, MPI_STATUS_IGNORE) && completed) return;
  struct tracked *entry = track(HANDLE(request), SEND, MPI_COMM_NULL);
  if (entry) is_under_way(entry, message);
  kymo_mpi_unlock(&busy);
}

void kymo_mpi_track_sends(MPI_Request request, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  if (request == MPI_REQUEST_NULL) return;
  struct tracked *entry = track(HANDLE(request), PERSISTENT_SEND, comm);
  if (entry) entry->count = count, entry->type = type, entry->dest = dest, entry->tag = tag;
  kymo_mpi_unlock(&busy);
}

void kymo_mpi_track_message(MPI_Message message, MPI_Comm comm) {
  if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
  track(HANDLE(message), MESSAGE, comm);
  kymo_mpi_unlock(&busy);
}

void kymo_mpi_track_collective(MPI_Request request, const struct kymo_comm *comm, int operation, int root) {
  if (request == MPI_REQUEST_NULL || !comm->traced) return;
  struct kymo_operation started = kymo_mpi_operation(comm, operation, root);
  uint64_t number = kymo_mpi_trace_request(KYMO_MPI_NONBLOCKING_REQUEST);
  if (!number) return;
  struct tracked *entry = track(HANDLE(request), COLLECTIVE, MPI_COMM_NULL);
  if (entry) entry->message.request = number, entry->operation = started;
  kymo_mpi_unlock(&busy);
}

static struct tracked **find(uintptr_t handle, bool message) {
  struct tracked **link = bucket_of(handle);
  while (*link && ((*link)->handle != handle || ((*link)->kind == MESSAGE) != message)) link = &(*link)->next;
  return link;
}

static void drop(struct tracked **link) {
  struct tracked *entry = *link;
  is_done(entry);
  *link = entry->next;
  entry->next = spare;
  spare = entry;
}

MPI_Comm kymo_mpi_take_message(MPI_Message message) {
  kymo_mpi_lock(&busy);
  struct tracked **link = find(HANDLE(message), true);
  MPI_Comm comm = *link ? (*link)->comm : MPI_COMM_NULL;
  if (*link) drop(link);
  kymo_mpi_unlock(&busy);
  return comm;
}

void kymo_mpi_untrack(MPI_Request request) {
  if (request == MPI_REQUEST_NULL) return;
  kymo_mpi_lock(&busy);
  struct tracked **link = find(HANDLE(request), false);
  if (*link) drop(link);
  kymo_mpi_unlock(&busy);
}

void kymo_mpi_start(int count, const MPI_Request *requests) {
  for (int i = 0; i < count; ++i) {
    kymo_mpi_lock(&busy);
    struct tracked *entry = *find(HANDLE(requests[i]), false);
    if (entry && entry->kind == PERSISTENT_RECEIVE) {
      entry->began = kymo_mpi_entered();
      entry->message.request = kymo_mpi_trace_request(KYMO_MPI_IRECV_REQUEST);
    }
    bool is_send = entry && entry->kind == PERSISTENT_SEND;
    kymo_mpi_unlock(&busy);
    if (!is_send) continue;
    struct kymo_logged message = kymo_mpi_sends(entry->count, entry->type, entry->dest, entry->tag, entry->comm, KYMO_STARTS);
    if (!message.stream && !message.request) continue;
    kymo_mpi_lock(&busy);
    is_under_way(entry, message);
    kymo_mpi_unlock(&busy);
  }
}

// A send that has completed by now waits for nobody.
void kymo_mpi_awaits(int count, const MPI_Request *requests) {
  if (!sends || !kymo_mpi_logs) return;
  for (int i = 0; i < count; ++i) {
    int completed;
    if (requests[i] == MPI_REQUEST_NULL) continue;
    kymo_mpi_lock(&busy);
    struct tracked *entry = *find(HANDLE(requests[i]), false);
    bool is_send = entry && entry->message.stream;
    kymo_mpi_unlock(&busy);
    if (is_send && !PMPI_Request_get_status(requests[i], &completed, MPI_STATUS_IGNORE) && !completed) entry->pending = true;
  }
}

void kymo_mpi_completed(MPI_Request request, const MPI_Status *status) {
  if (request == MPI_REQUEST_NULL) return;
  kymo_mpi_lock(&busy);
  struct tracked **link = find(HANDLE(request), false), *entry = *link;
  if (!entry) {
    kymo_mpi_unlock(&busy);
    return;
  }
  bool is_receive = entry->kind == RECEIVE || entry->kind == PERSISTENT_RECEIVE, pending = entry->pending;
  struct kymo_logged message = entry->message;
  MPI_Comm comm = entry->comm;
  uint64_t began = entry->began;
  entry->pending = false;
  bool is_collective = entry->kind == COLLECTIVE;
  struct kymo_operation operation = {0, 0, 0, 0, 0};
  if (is_collective) operation = entry->operation;
  if (entry->kind == RECEIVE || entry->kind == SEND || is_collective) drop(link);
  else is_done(entry);
  kymo_mpi_unlock(&busy);
  if (is_collective) {
    kymo_mpi_collective_completes(&operation, message.request);
    return;
  }
  if (pending && kymo_mpi_logs) kymo_mpi_waited_to_send(message);
  if (!is_receive) {
    kymo_mpi_trace_of_request(KYMO_MPI_ISEND_COMPLETE, message.request);
    return;
  }
  kymo_mpi_received(status, comm, began, message.request);
  kymo_mpi_visit_completes_posted();
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
  // Not memcpy: its wide loads wait where requests of four bytes have just been made.
  for (int i = 0; i < batch->count; ++i) batch->requests[i] = requests[i];
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
