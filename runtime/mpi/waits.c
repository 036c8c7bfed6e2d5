// Who waited for whom: processes exchange what they logged, when a log is full and when the program finishes MPI.
//
// A collective operation that all processes wait for ends when the last one has begun it; one that is broadcast, when its root has. So a
// process waited from its own begin up to then. A receive waits for a send that begins later, and a send that blocks for a receive that
// begins later. Messages between two processes with the same communicator and tag arrive in the order in which they were sent, so the logs
// match without a mark on the messages. Waits of nonblocking collective operations and of nonblocking sends are not found.
#include "layer.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 1024 /* meetings of all processes between two looks at how full the logs are */ };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// --- collective operations ---

static void count_meetings(const struct kymo_comm *comm, MPI_Comm members) {
  struct kymo_meetings *meetings = comm->meetings;
  uint32_t count = meetings->count;
  uint64_t *last = malloc((count + 1) * sizeof *last);
  int ready = last && meetings->at && kymo_mpi_clock_known(), all = 0;
  meetings->count = 0;
  PMPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, members);
  if (!all) {
    free(last);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const struct kymo_meeting *m = &meetings->at[i];
    last[i] = m->role & KYMO_AWAITED && m->span.place ? kymo_mpi_common(m->span.enter) : 0;
  }
  if (!PMPI_Allreduce(MPI_IN_PLACE, last, (int)count, MPI_UINT64_T, MPI_MAX, members))
    for (uint32_t i = 0; i < count; ++i) {
      const struct kymo_meeting *m = &meetings->at[i];
      uint64_t enter = kymo_mpi_common(m->span.enter);
      if (!(m->role & KYMO_WAITS) || !m->span.place || last[i] <= enter) continue;
      kymo_mpi_runtime->count_at(m->span.place, m->role & KYMO_ROOTED ? KYMO_LATE_ROOT : KYMO_LATE_MEMBER, least(last[i] - enter, m->span.length));
    }
  free(last);
}

// `comm` may be freed, so its processes make it again.
void kymo_mpi_count_group(const struct kymo_comm *comm) {
  MPI_Group job, group;
  MPI_Comm members;
  int ranks;
  if (PMPI_Comm_size(kymo_mpi_job, &ranks)) return;
  if (comm->size == ranks) {
    count_meetings(comm, kymo_mpi_job);
    return;
  }
  if (PMPI_Comm_group(kymo_mpi_job, &job)) return;
  if (!PMPI_Group_incl(job, comm->size, comm->world, &group)) {
    if (!PMPI_Comm_create_group(kymo_mpi_job, group, 3, &members)) {
      count_meetings(comm, members);
      PMPI_Comm_free(&members);
    }
    PMPI_Group_free(&group);
  }
  PMPI_Group_free(&job);
}

static bool is_half_full(void) {
  const struct kymo_log *log = &kymo_mpi_log;
  return log->call_count > KYMO_MESSAGES / 2 || log->send_count > KYMO_MESSAGES / 2 || log->receive_count > KYMO_MESSAGES / 2;
}

// All processes of the job are in the same operation. Other threads must not be in MPI calls, whose spans are in the log.
static void look(void) {
  int full = is_half_full(), any = 0;
  if (kymo_mpi_concurrent) return;
  if (!PMPI_Allreduce(&full, &any, 1, MPI_INT, MPI_MAX, kymo_mpi_job) && any) {
    kymo_mpi_set_clock();
    kymo_mpi_count_waits();
  }
}

void kymo_mpi_meet_again(const struct kymo_comm *comm) {
  const struct kymo_meetings *meetings = comm->meetings;
  int ranks = kymo_mpi_comm(MPI_COMM_WORLD)->size;
  bool of_all = comm->size == ranks;
  if (of_all && meetings->all % LOOK == LOOK - 1) look();
  if (meetings->count == KYMO_MEETINGS) kymo_mpi_count_group(comm);
}

// --- messages ---

// One that was sent to this process.
struct message {
  int32_t peer, tag;
  uint32_t comm;
  int32_t position;  // among what its sender has told of now; -1: it told of it in an earlier exchange
  uint64_t ticks;    // common time at which its send began
  uint64_t order;    // in which the sends began
  uint64_t received; // common time at which its receive began; 0: it is not received so far
};
// What its sender tells of it.
struct notice {
  int32_t tag;
  uint32_t comm;
  uint64_t ticks;
};

static struct {
  struct message *at;
  size_t count, room;
  uint64_t order;
} inbox;

// Items by the process that they are for: those of process p are `first[p]` up to `first[p + 1]`.
struct items {
  const void *at;
  size_t size; // of one, a multiple of eight bytes
  const int *first;
};
typedef void arrival(int from, const void *items, int count);

static void take(const MPI_Status *status, int tag, size_t size, arrival *arrived) {
  int words;
  PMPI_Get_count(status, MPI_UINT64_T, &words);
  void *buffer = malloc((size_t)words * sizeof(uint64_t));
  int error = PMPI_Recv(buffer, buffer ? words : 0, MPI_UINT64_T, status->MPI_SOURCE, tag, kymo_mpi_job, MPI_STATUS_IGNORE);
  if (buffer && !error) arrived(status->MPI_SOURCE, buffer, words / (int)(size / sizeof(uint64_t)));
  free(buffer);
}

// Sends items to processes that do not expect them, and takes what others send ("nonblocking consensus", Hoefler et al., PPoPP 2010).
static void exchange(int tag, struct items items, int ranks, arrival *arrived) {
  int pending = 0, done = 0, here = 0;
  MPI_Status status;
  MPI_Request barrier = MPI_REQUEST_NULL, *sends = malloc((size_t)ranks * sizeof *sends);
  for (int peer = 0; sends && items.at && peer < ranks; ++peer) {
    int count = items.first[peer + 1] - items.first[peer];
    const char *begin = (const char *)items.at + (size_t)items.first[peer] * items.size;
    if (count) PMPI_Issend(begin, count * (int)(items.size / sizeof(uint64_t)), MPI_UINT64_T, peer, tag, kymo_mpi_job, &sends[pending++]);
  }
  while (!done && !PMPI_Iprobe(MPI_ANY_SOURCE, tag, kymo_mpi_job, &here, &status)) {
    int sent = 0;
    if (here) take(&status, tag, items.size, arrived);
    else if (barrier != MPI_REQUEST_NULL) PMPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    else if (!PMPI_Testall(pending, sends, &sent, MPI_STATUSES_IGNORE) && sent) PMPI_Ibarrier(kymo_mpi_job, &barrier);
    if (!here && !done) sched_yield();
  }
  free(sends);
}

static void notices_arrive(int from, const void *items, int count) {
  const struct notice *notices = items;
  if (inbox.count + (size_t)count > inbox.room) {
    size_t room = 2 * (inbox.count + (size_t)count);
    struct message *more = realloc(inbox.at, room * sizeof *more);
    if (!more) return;
    inbox.at = more;
    inbox.room = room;
  }
  for (int i = 0; i < count; ++i)
    inbox.at[inbox.count++] = (struct message){from, notices[i].tag, notices[i].comm, i, notices[i].ticks, inbox.order++, 0};
}

#define COMPARE(a, b) \
  if ((a) != (b)) return (a) < (b) ? -1 : 1

static int by_stream_of_messages(const void *left, const void *right) {
  const struct message *a = left, *b = right;
  COMPARE(a->peer, b->peer);
  COMPARE(a->comm, b->comm);
  COMPARE(a->tag, b->tag);
  COMPARE(a->order, b->order);
  return 0;
}

static int by_stream_of_receives(const void *left, const void *right) {
  const struct kymo_receive_log *a = left, *b = right;
  COMPARE(a->peer, b->peer);
  COMPARE(a->comm, b->comm);
  COMPARE(a->tag, b->tag);
  COMPARE(a->post.order, b->post.order);
  return 0;
}

static int by_arrival(const void *left, const void *right) {
  const struct message *a = left, *b = right;
  COMPARE(a->peer, b->peer);
  COMPARE(a->position, b->position);
  return 0;
}

static int order_of(const struct message *m, const struct kymo_receive_log *r) {
  COMPARE(m->peer, r->peer);
  COMPARE(m->comm, r->comm);
  COMPARE(m->tag, r->tag);
  return 0;
}

// The receive waited for its send; a call that completes several waited for the last one.
static void found_send(const struct message *m, const struct kymo_receive_log *r) {
  if (r->call < 0) return;
  struct kymo_call_log *call = &kymo_mpi_log.calls[r->call];
  uint64_t enter = kymo_mpi_common(call->span.enter);
  if (!call->span.place || m->ticks <= enter) return;
  uint64_t waited = least(m->ticks - enter, call->span.length);
  if (waited <= call->waited) return;
  kymo_mpi_partner_waited(m->peer, m->tag, waited - call->waited);
  call->waited = waited;
}

static void match(void) {
  struct kymo_log *log = &kymo_mpi_log;
  qsort(inbox.at, inbox.count, sizeof *inbox.at, by_stream_of_messages);
  qsort(log->receives, (size_t)log->receive_count, sizeof *log->receives, by_stream_of_receives);
  struct message *m = inbox.at, *end = inbox.at + inbox.count;
  const struct kymo_receive_log *r = log->receives, *last = log->receives + log->receive_count;
  while (m < end && r < last) {
    int order = order_of(m, r);
    if (order == 0) {
      found_send(m, r);
      m->received = kymo_mpi_common(r->post.ticks);
    }
    if (order <= 0) ++m;
    if (order >= 0) ++r;
  }
}

// The send waited for its receive.
static void found_receive(const struct kymo_send_log *send, uint64_t received) {
  if (send->call < 0 || !received) return;
  const struct kymo_span *span = &kymo_mpi_log.calls[send->call].span;
  uint64_t enter = kymo_mpi_common(span->enter);
  // A send that does not wait for its receive ends at once.
  if (span->place && received > enter && received - enter < span->length) kymo_mpi_runtime->count_at(span->place, KYMO_LATE_RECEIVER, received - enter);
}

// Positions of the first item for each of the ranks, from the number for each in `first[rank + 1]`.
static void add_up(int *first, int ranks) {
  for (int rank = 0; rank < ranks; ++rank) first[rank + 1] += first[rank];
}

static struct {
  const int *first;
  const int *sends; // their positions in the log, by process
} told;

static void answers_arrive(int from, const void *items, int count) {
  const uint64_t *received = items;
  for (int i = 0; i < count; ++i) found_receive(&kymo_mpi_log.sends[told.sends[told.first[from] + i]], received[i]);
}

// Tells each process what was sent to it.
static void tell(int ranks, int *first, int *sends, struct notice *notices) {
  const struct kymo_log *log = &kymo_mpi_log;
  for (int i = 0; i < log->send_count; ++i) ++first[log->sends[i].peer + 1];
  add_up(first, ranks);
  for (int i = 0; i < log->send_count; ++i) {
    const struct kymo_send_log *send = &log->sends[i];
    int place = first[send->peer]++;
    sends[place] = i;
    notices[place] = (struct notice){send->tag, send->comm, kymo_mpi_common(send->ticks)};
  }
  memmove(first + 1, first, (size_t)ranks * sizeof *first);
  first[0] = 0;
  exchange(1, (struct items){notices, sizeof *notices, first}, ranks, notices_arrive);
}

// Tells the senders when their messages were received, and keeps those that were not.
static void answer(int ranks, int *first, uint64_t *received) {
  size_t kept = 0;
  int told_of = 0;
  qsort(inbox.at, inbox.count, sizeof *inbox.at, by_arrival);
  for (size_t i = 0; i < inbox.count; ++i) {
    struct message *m = &inbox.at[i];
    if (m->position >= 0) {
      ++first[m->peer + 1];
      received[told_of++] = m->received;
    }
    m->position = -1;
    if (!m->received) inbox.at[kept++] = *m;
  }
  inbox.count = kept;
  add_up(first, ranks);
  exchange(2, (struct items){received, sizeof *received, first}, ranks, answers_arrive);
}

static void count_partners(void) {
  const struct kymo_log *log = &kymo_mpi_log;
  for (int i = 0; i < log->send_count; ++i) kymo_mpi_partner_exchanged(log->sends[i].peer, log->sends[i].tag, false, log->sends[i].bytes);
  for (int i = 0; i < log->receive_count; ++i) kymo_mpi_partner_exchanged(log->receives[i].peer, log->receives[i].tag, true, log->receives[i].bytes);
}

static void count_calls(void) {
  struct kymo_log *log = &kymo_mpi_log;
  for (int i = 0; i < log->call_count; ++i)
    if (log->calls[i].waited) kymo_mpi_runtime->count_at(log->calls[i].span.place, KYMO_LATE_SENDER, log->calls[i].waited);
  log->call_count = log->send_count = log->receive_count = 0;
}

void kymo_mpi_count_waits(void) {
  struct kymo_log *log = &kymo_mpi_log;
  int ranks;
  if (PMPI_Comm_size(kymo_mpi_job, &ranks)) return;
  count_partners();
  size_t sends = (size_t)log->send_count + 1;
  int *first = calloc((size_t)ranks + 2, sizeof *first), *by_peer = malloc(sends * sizeof *by_peer);
  int *first_answer = calloc((size_t)ranks + 2, sizeof *first_answer);
  struct notice *notices = malloc(sends * sizeof *notices);
  int ready = first && by_peer && first_answer && notices && kymo_mpi_clock_known(), all = 0;
  if (!PMPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, kymo_mpi_job) && all) {
    tell(ranks, first, by_peer, notices);
    match();
    told.first = first;
    told.sends = by_peer;
    uint64_t *received = malloc((inbox.count + 1) * sizeof *received);
    if (received) answer(ranks, first_answer, received);
    else exchange(2, (struct items){NULL, sizeof *received, first_answer}, ranks, answers_arrive);
    free(received);
  }
  count_calls();
  free(first), free(by_peer), free(first_answer), free(notices);
}
