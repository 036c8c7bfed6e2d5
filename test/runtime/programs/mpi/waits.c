// Ranks come late, one kind of wait after the other, and each rank writes how long it must have waited: `= rank stage kind nanoseconds` in the
// file `truth.RANK` of the folder that its argument names. The truth follows from times that ranks take right before their calls, and that
// they exchange through a file in that folder, without MPI.
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 4, LARGE = 1 << 20 /* needs its receiver */, MANY = 40000, STAGES = 23, PAUSE = 60000 /* us: long beside a time slice */ };
static const char *const kinds[] = {"lateSender", "lateReceiver", "lateRoot", "lateMember"};
enum kind { LATE_SENDER, LATE_RECEIVER, LATE_ROOT, LATE_MEMBER, KINDS };
static long long truth[STAGES][KINDS];
static int rank, size, at;
static int data[LARGE], more[LARGE];

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// With a new time slice, so that the rank is hardly pre-empted before its call.
static long long call_begins(void) {
  sched_yield();
  return now();
}

static void late(int times) { usleep((useconds_t)(times * PAUSE)); }

static struct shared {
  _Atomic int come, done[RANKS];
  long long begin[RANKS];
} *shared;

static void open_shared(const char *folder) {
  char name[4096];
  snprintf(name, sizeof name, "%s/shared", folder);
  int file = open(name, O_RDWR | O_CREAT, 0666);
  if (ftruncate(file, sizeof *shared)) abort();
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

static void come_together(void) {
  int others = atomic_fetch_add(&shared->come, 1) / size * size + size;
  while (atomic_load(&shared->come) < others) usleep(100);
}

// The times at which all ranks began something.
static void share(long long begin, long long all[]) {
  shared->begin[rank] = begin;
  come_together();
  memcpy(all, shared->begin, sizeof shared->begin);
}

static void waited(enum kind kind, long long from, long long to) {
  if (to > from) truth[at][kind] += to - from;
}

// Even ranks wait for the message of the next one, in the call that `how` names.
static void receive(const char *how) {
  long long begin, all[RANKS];
  come_together();
  if (rank % 2) {
    late(1 + rank);
    begin = call_begins();
    MPI_Send(data, 3, MPI_INT, rank - 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Status status;
    if (strcmp(how, "recv")) MPI_Irecv(more, 3, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
    begin = call_begins();
    if (!strcmp(how, "recv")) MPI_Recv(more, 3, MPI_INT, rank + 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (!strcmp(how, "wait")) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!strcmp(how, "waitall")) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    if (!strcmp(how, "waitany")) {
      int index;
      MPI_Waitany(1, &request, &index, &status);
    }
  }
  share(begin, all);
  if (rank % 2 == 0) waited(LATE_SENDER, begin, all[rank + 1]);
}

// The message waits for nobody, because it came before; its mates are of another communicator, or another tag.
static void receive_early(MPI_Comm other) {
  come_together();
  if (rank % 2) {
    MPI_Send(data, 1, MPI_INT, rank - 1, 8, MPI_COMM_WORLD);
    MPI_Send(data, 1, MPI_INT, rank - 1, 9, MPI_COMM_WORLD);
    MPI_Send(data, 1, MPI_INT, rank - 1, 9, other);
  } else {
    MPI_Message message;
    late(1);
    MPI_Mprobe(rank + 1, 9, other, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(more, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Recv(more, 1, MPI_INT, rank + 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(more, 1, MPI_INT, rank + 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void send_synchronously(void) {
  long long begin, all[RANKS];
  come_together();
  if (rank % 2 == 0) late(2 + rank);
  begin = call_begins();
  if (rank % 2) MPI_Ssend(data, 5, MPI_INT, rank - 1, 3, MPI_COMM_WORLD);
  else MPI_Recv(more, 5, MPI_INT, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  share(begin, all);
  if (rank % 2) waited(LATE_RECEIVER, begin, all[rank - 1]);
}

// Of even ranks to the next ones. The receives may be there long before their processes are.
static void send_nonblocking(const char *how) {
  bool synchronous = strstr(how, "Issend"), posted = strstr(how, "posted"), persistent = strstr(how, "start");
  int count = synchronous ? 5 : LARGE, index, done;
  long long begin, all[RANKS];
  MPI_Request request;
  if (rank % 2 && posted) MPI_Irecv(more, count, MPI_INT, rank - 1, 4, MPI_COMM_WORLD, &request);
  come_together();
  if (rank % 2) {
    late(1 + rank);
    begin = call_begins();
    if (posted) MPI_Wait(&request, MPI_STATUS_IGNORE);
    else MPI_Recv(more, count, MPI_INT, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    if (synchronous) MPI_Issend(data, count, MPI_INT, rank + 1, 4, MPI_COMM_WORLD, &request);
    else if (!persistent) MPI_Isend(data, count, MPI_INT, rank + 1, 4, MPI_COMM_WORLD, &request);
    else {
      MPI_Send_init(data, count, MPI_INT, rank + 1, 4, MPI_COMM_WORLD, &request);
      MPI_Start(&request);
    }
    usleep(PAUSE / 2); // Nobody waits.
    begin = call_begins();
    if (strstr(how, "waitany")) MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    else if (strstr(how, "waitsome")) MPI_Waitsome(1, &request, &done, &index, MPI_STATUSES_IGNORE);
    else MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (persistent) MPI_Request_free(&request);
  }
  share(begin, all);
  if (rank % 2 == 0) waited(LATE_RECEIVER, begin, all[rank + 1]);
}

// The receiver comes long after the library has moved the message, in a call that is not for this message: nobody waits for it.
static void send_while_polled(void) {
  int flag;
  MPI_Request request;
  if (rank % 2) MPI_Irecv(more, LARGE, MPI_INT, rank - 1, 11, MPI_COMM_WORLD, &request);
  come_together();
  if (rank % 2) {
    while (!atomic_load(&shared->done[rank - 1])) MPI_Iprobe(MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    late(1);
  } else
    MPI_Isend(data, LARGE, MPI_INT, rank + 1, 11, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  atomic_store(&shared->done[rank], 1);
}

// Even ranks wait at once for the receive of a message and for another message of the next ranks, which are late for both, and then waited
// for the last of the two.
static void exchange(bool send_is_last) {
  long long begin, all[RANKS];
  MPI_Request requests[2];
  come_together();
  begin = call_begins();
  if (rank % 2 == 0) {
    MPI_Issend(data, 5, MPI_INT, rank + 1, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(more, 5, MPI_INT, rank + 1, 6, MPI_COMM_WORLD, &requests[1]);
    begin = call_begins();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else
    for (int i = 0; i < 2; ++i) {
      late(1 + i);
      begin = call_begins();
      if (i == send_is_last) MPI_Send(data, 5, MPI_INT, rank - 1, 6, MPI_COMM_WORLD);
      else MPI_Recv(more, 5, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  share(begin, all);
  if (rank % 2 == 0) waited(send_is_last ? LATE_SENDER : LATE_RECEIVER, begin, all[rank + 1]);
}

// Small messages wait for nobody, also where the call waits for something else: here for an operation of all, which has no cause.
static void send_small(void) {
  MPI_Request requests[2];
  come_together();
  if (rank % 2) late(1);
  if (rank % 2) MPI_Recv(more, 1, MPI_INT, rank - 1, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Isend(data, 1, MPI_INT, rank + 1, 10, MPI_COMM_WORLD, &requests[0]);
  if (rank % 2) late(1);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(rank % 2 ? 1 : 2, requests + rank % 2, MPI_STATUSES_IGNORE);
}

// Rank 0 does not wait for rank 1, which is in another call, so that the library can move the message; or the message has been received by
// then. What rank 0 waits for has no cause.
static void send_in_time(bool is_received) {
  int completed = !is_received;
  long long begin, all[RANKS];
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank == 1) MPI_Irecv(more, LARGE, MPI_INT, 0, 13, MPI_COMM_WORLD, &requests[0]);
  come_together();
  if (rank == 0 && !is_received) late(1);
  for (int received = 0; rank == 1 && is_received && !received;) MPI_Test(&requests[0], &received, MPI_STATUS_IGNORE);
  if (rank == 1 && is_received) late(1);
  if (rank == 3) late(3);
  begin = call_begins();
  if (rank == 0) MPI_Isend(data, LARGE, MPI_INT, 1, 13, MPI_COMM_WORLD, &requests[0]);
  while (rank == 0 && !completed) MPI_Request_get_status(requests[0], &completed, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Ssend(data, 1, MPI_INT, 3, 14, MPI_COMM_WORLD);
  if (rank == 3) MPI_Recv(more, 1, MPI_INT, 1, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (rank == 1) late(1);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  share(begin, all);
  if (rank == 1) waited(LATE_RECEIVER, begin, all[3]);
}

static long long latest(const long long all[]) {
  long long last = 0;
  for (int i = 0; i < size; ++i)
    if (all[i] > last) last = all[i];
  return last;
}

static void meet(int which) {
  long long begin, all[RANKS];
  come_together();
  if (rank == which % size) late(3);
  begin = call_begins();
  if (which == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (which == 1) MPI_Allreduce(data, more, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (which == 2) MPI_Alltoall(data, 2, MPI_INT, more, 2, MPI_INT, MPI_COMM_WORLD);
  share(begin, all);
  waited(LATE_MEMBER, begin, latest(all));
}

static void from_root(void) {
  long long begin, all[RANKS];
  come_together();
  if (rank == 2) late(2);
  begin = call_begins();
  MPI_Bcast(data, 4096, MPI_INT, 2, MPI_COMM_WORLD);
  share(begin, all);
  if (rank != 2) waited(LATE_ROOT, begin, all[2]);
}

static void to_root(void) {
  long long begin, all[RANKS];
  come_together();
  if (rank == 3) late(2);
  begin = call_begins();
  MPI_Reduce(data, more, 16, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  share(begin, all);
  if (rank == 1) waited(LATE_MEMBER, begin, latest(all));
}

// A communicator that is gone when the program ends, with the same processes as another one.
static void in_halves(void) {
  MPI_Comm half, twin;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &half);
  MPI_Comm_dup(half, &twin);
  long long begin, all[RANKS];
  come_together();
  if (rank % 2) late(1 + rank);
  begin = call_begins();
  MPI_Barrier(twin);
  share(begin, all);
  if (rank % 2 == 0) waited(LATE_MEMBER, begin, all[rank + 1]);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&half);
}

// More than the log of a communicator holds. Nobody is late on purpose, so the truth lacks what ranks wait here.
static void many(void) {
  for (int i = 0; i < MANY; ++i) MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

// The phase of the program.
__attribute__((noinline)) void stage(int which, MPI_Comm other) {
  switch (which) {
    case 0: receive("recv"), receive("recv"); return; // Its waits add up.
    case 1: receive("wait"); return;
    case 2: receive("waitall"); return;
    case 3: receive("waitany"); return;
    case 4: receive_early(other); return;
    case 5: send_synchronously(); return;
    case 6: send_nonblocking("Issend"); return;
    case 7: send_nonblocking("Issend posted waitany"); return;
    case 8: send_nonblocking("large waitsome"); return;
    case 9: send_nonblocking("large posted"); return;
    case 10: send_nonblocking("large start"); return;
    case 11: send_while_polled(); return;
    case 12: exchange(false); return;
    case 13: exchange(true); return;
    case 14: send_small(); return;
    case 15: send_in_time(false); return;
    case 16: send_in_time(true); return;
    case 17: meet(0); return;
    case 18: meet(1); return;
    case 19: meet(2); return;
    case 20: from_root(); return;
    case 21: to_root(); return;
    case STAGES - 1: in_halves(); return;
  }
}

int main(int argc, char **argv) {
  MPI_Comm other;
  int level;
  const char *how = argc > 2 ? argv[2] : "";
  MPI_Init_thread(&argc, &argv, strcmp(how, "threads") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  open_shared(argv[1]);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  stage(0, other);
  if (!strcmp(how, "many")) many();
  while (++at < STAGES) stage(at, other);
  char name[4096];
  snprintf(name, sizeof name, "%s/truth.%d", argv[1], rank);
  FILE *file = fopen(name, "w");
  for (at = 0; at < STAGES; ++at)
    for (int kind = 0; kind < KINDS; ++kind) fprintf(file, "= %d %d %s %lld\n", rank, at, kinds[kind], truth[at][kind]);
  fclose(file);
  MPI_Finalize();
  return 0;
}
