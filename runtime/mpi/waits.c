// Who waited for whom: processes exchange what they logged, when a log is full and when the program finishes MPI.
//
// A collective operation that all processes wait for ends when the last one has begun it; one that is broadcast, when its root has. So a
// process waited from its own begin up to then. A receive waits for a send that begins later, and a send that blocks for a receive that
// begins later. Messages between two processes with the same communicator and tag arrive in the order in which they were sent, so the logs
// match by their numbers, without a mark on the messages. A process asks only about messages of calls that took long. Waits of nonblocking
// collective operations are not found.
//
// The receiver has come when the receive has been posted and the receiver is in a call of MPI: without one, libraries do not move a message
// that does not fit into their buffers, or say that it was matched, although the receive was posted long ago. So when the sender begins to
// wait after that, it waits for the receiver's next call that completes messages.
#include "layer.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
  LOOK = 1024,    // meetings of all processes between two looks at how full the logs are
  WAITS = 1 << 20 // call paths in iterations; what comes when there are more is in the totals only
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// --- waits of iterations ---

static struct {
  struct kymo_wait *at;
  size_t count;
  bool full;
} waits;

static int in_order(const void *a, const void *b) {
  const struct kymo_wait *left = a, *right = b;
  if (left->iteration != right->iteration) return left->iteration < right->iteration ? -1 : 1;
  if (left->place != right->place) return (uintptr_t)left->place < (uintptr_t)right->place ? -1 : 1;
  return (int)left->counter - (int)right->counter;
}

const struct kymo_wait *kymo_mpi_waits(size_t *count) {
  size_t last = 0;
  if (waits.count) qsort(waits.at, waits.count, sizeof *waits.at, in_order);
  for (size_t i = 1; i < waits.count; ++i) {
    if (in_order(&waits.at[last], &waits.at[i])) waits.at[++last] = waits.at[i];
    else waits.at[last].ticks += waits.at[i].ticks;
  }
  *count = waits.count = waits.count ? last + 1 : 0;
  return waits.at;
}

static void count_wait(void *place, uint32_t iteration, enum kymo_counter counter, uint64_t ticks) {
  size_t count;
  kymo_mpi_runtime->count_at(place, counter, ticks);
  if (!iteration || waits.full) return;
  if (!waits.at) waits.at = kymo_mpi_reserve(WAITS * sizeof *waits.at);
  if (waits.count == WAITS) {
    kymo_mpi_waits(&count);
    waits.full = count > WAITS / 2; // Sorting again and again would take long.
  }
  if (waits.at && !waits.full) waits.at[waits.count++] = (struct kymo_wait){place, ticks, iteration, counter};
}

// --- collective operations ---

static void count_meetings(const struct kymo_comm *comm, MPI_Comm members) {
  struct kymo_meetings *meetings = comm->meetings;
  uint32_t count = meetings->count;
  uint64_t *last = malloc((count + 1) * sizeof *last);
  int ready = last && meetings->at && kymo_mpi_clock_known();
  meetings->count = 0;
  if (!kymo_mpi_reduce(&ready, 1, MPI_INT, MPI_MIN, members) || !ready) {
    free(last);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const struct kymo_meeting *m = &meetings->at[i];
    last[i] = m->role & KYMO_AWAITED && m->span.place ? kymo_mpi_common(m->span.enter) : 0;
  }
  if (kymo_mpi_reduce(last, (int)count, MPI_UINT64_T, MPI_MAX, members))
    for (uint32_t i = 0; i < count; ++i) {
      const struct kymo_meeting *m = &meetings->at[i];
      uint64_t enter = kymo_mpi_common(m->span.enter);
      if (!(m->role & KYMO_WAITS) || !m->span.place || last[i] <= enter) continue;
      count_wait(m->span.place, m->iteration, m->role & KYMO_ROOTED ? KYMO_LATE_ROOT : KYMO_LATE_MEMBER, least(last[i] - enter, m->span.length));
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

// All processes of the job are in the same operation.
static void look(void) {
  int full = kymo_mpi_log_is_half_full();
  if (kymo_mpi_reduce(&full, 1, MPI_INT, MPI_MAX, kymo_mpi_job) && full) {
    kymo_mpi_set_clock();
    kymo_mpi_count_waits();
  }
}

bool kymo_mpi_meet_again(const struct kymo_comm *comm) {
  const struct kymo_meetings *meetings = comm->meetings;
  // Other threads must not be in MPI calls: their spans are in the log, and processes would exchange logs in different orders.
  if (kymo_mpi_concurrent) return meetings->count < KYMO_MEETINGS;
  int ranks = kymo_mpi_comm(MPI_COMM_WORLD)->size;
  bool of_all = comm->size == ranks;
  if (of_all && meetings->all % LOOK == LOOK - 1) look();
  if (meetings->count == KYMO_MEETINGS) kymo_mpi_count_group(comm);
  return true;
}

// --- messages ---

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

// When did your side of this message begin?
struct question {
  int32_t tag;
  uint32_t comm;
  uint64_t since; // 0: the one that asks has received it; else it has sent it, and waits since this moment
  uint64_t number;
};

static struct {
  const int *first;           // of each process
  const uint32_t *suspected;  // positions of the messages that were asked about, by process
} asked;
static struct {
  int *count; // answers for each process
  uint64_t **answers;
} due;

static uint64_t end_of(const struct kymo_suspect *call) { return kymo_mpi_common(call->span.enter + call->span.length); }

// The begin of the first call in the log that has not ended at a moment; 0: there is none. Calls are in the order of their ends.
static uint64_t call_after(uint64_t moment) {
  const struct kymo_suspects *log = &kymo_mpi_suspects;
  uint32_t from = 0;
  for (uint32_t to = log->call_count; from < to;) {
    uint32_t middle = from + (to - from) / 2;
    if (end_of(&log->calls[middle]) > moment) to = middle;
    else from = middle + 1;
  }
  return from < log->call_count ? kymo_mpi_common(log->calls[from].span.enter) : 0;
}

static uint64_t answer_to(int from, const struct question *question) {
  uint64_t moment = kymo_mpi_moment(from, question->tag, question->comm, question->since != 0, question->number);
  if (!moment) return 0;
  moment = kymo_mpi_common(moment);
  return moment < question->since ? call_after(question->since) : moment;
}

static void questions_arrive(int from, const void *items, int count) {
  const struct question *questions = items;
  uint64_t *answers = malloc((size_t)count * sizeof *answers);
  if (!answers) return;
  for (int i = 0; i < count; ++i) answers[i] = answer_to(from, &questions[i]);
  due.answers[from] = answers;
  due.count[from] = count;
}

static void answers_arrive(int from, const void *items, int count) {
  const uint64_t *moments = items;
  struct kymo_suspects *log = &kymo_mpi_suspects;
  for (int i = 0; i < count; ++i) {
    struct kymo_suspected *message = &log->messages[asked.suspected[asked.first[from] + i]];
    const struct kymo_span *span = &log->calls[message->suspect].span;
    uint64_t enter = kymo_mpi_common(span->enter);
    message->number = moments[i] > enter ? moments[i] - enter : 0; // its wait, from here on
  }
}

// A receive waits for a send that begins later. A send waits for its receiver when it ends later still: one that does not wait ends before.
// All waits of a call begin with it. Without the others it would have lasted as long as the longest of them, whose it is as a whole. What a
// blocking send waited, MPI_Sendrecv cannot know beside a late sender, for it may have been done before.
static void count_suspect(const struct kymo_suspect *call) {
  const struct kymo_suspected *messages = kymo_mpi_suspects.messages + call->first;
  size_t count;
  const struct kymo_stream *streams = kymo_mpi_streams(&count);
  uint64_t sender = 0, receiver = 0;
  bool pending = false;
  uint32_t last = 0;
  for (uint32_t i = 0; i < call->count; ++i) {
    uint64_t wait = messages[i].number;
    if (streams[messages[i].stream].received) {
      if (wait > sender) sender = wait, last = messages[i].stream;
    } else if (wait < call->span.length && wait > receiver) {
      receiver = wait;
      pending = messages[i].pending;
    }
  }
  if (sender && !(pending && receiver > sender)) {
    sender = least(sender, call->span.length);
    kymo_mpi_waited_for(last, sender);
    count_wait(call->span.place, call->iteration, KYMO_LATE_SENDER, sender);
  } else if (receiver)
    count_wait(call->span.place, call->iteration, KYMO_LATE_RECEIVER, receiver);
}

// Positions of the first item for each of the ranks, from the number for each in `first[rank + 1]`.
static void add_up(int *first, int ranks) {
  for (int rank = 0; rank < ranks; ++rank) first[rank + 1] += first[rank];
}

static void ask(int ranks, int *first, uint32_t *suspected, struct question *questions) {
  const struct kymo_suspects *log = &kymo_mpi_suspects;
  size_t count;
  const struct kymo_stream *streams = kymo_mpi_streams(&count);
  for (uint32_t i = 0; i < log->message_count; ++i) ++first[streams[log->messages[i].stream].peer + 1];
  add_up(first, ranks);
  for (uint32_t i = 0; i < log->message_count; ++i) {
    const struct kymo_stream *stream = &streams[log->messages[i].stream];
    uint64_t since = kymo_mpi_common(log->calls[log->messages[i].suspect].span.enter);
    int place = first[stream->peer]++;
    suspected[place] = i;
    questions[place] = (struct question){stream->tag, stream->comm, stream->received ? 0 : since, log->messages[i].number};
  }
  memmove(first + 1, first, (size_t)ranks * sizeof *first); // Each was moved on to the next one's.
  first[0] = 0;
  exchange(1, (struct items){questions, sizeof *questions, first}, ranks, questions_arrive);
}

static void answer(int ranks, int *first) {
  for (int rank = 0; rank < ranks; ++rank) first[rank + 1] = first[rank] + due.count[rank];
  uint64_t *answers = malloc(((size_t)first[ranks] + 1) * sizeof *answers);
  for (int rank = 0; rank < ranks; ++rank) {
    if (answers && due.count[rank]) memcpy(answers + first[rank], due.answers[rank], (size_t)due.count[rank] * sizeof *answers);
    free(due.answers[rank]);
  }
  exchange(2, (struct items){answers, sizeof *answers, first}, ranks, answers_arrive);
  free(answers);
}

void kymo_mpi_count_waits(void) {
  struct kymo_suspects *log = &kymo_mpi_suspects;
  int ranks;
  if (PMPI_Comm_size(kymo_mpi_job, &ranks)) return;
  size_t room = (size_t)ranks + 1, messages = log->message_count + 1;
  int *first = calloc(room, sizeof *first), *first_answer = calloc(room, sizeof *first_answer);
  uint32_t *suspected = malloc(messages * sizeof *suspected);
  struct question *questions = malloc(messages * sizeof *questions);
  due.count = calloc(room, sizeof *due.count);
  due.answers = calloc(room, sizeof *due.answers);
  bool ready = first && first_answer && suspected && questions && due.count && due.answers && kymo_mpi_clock_known();
  if (kymo_mpi_all_agree(ready)) {
    ask(ranks, first, suspected, questions);
    asked.first = first;
    asked.suspected = suspected;
    // What nobody answers waited for nobody.
    answer(ranks, first_answer);
    for (uint32_t i = 0; i < log->call_count; ++i) count_suspect(&log->calls[i]);
  }
  kymo_mpi_clear_log();
  free(first), free(first_answer), free(suspected), free(questions), free(due.count), free(due.answers);
}
