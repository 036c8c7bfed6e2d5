// What each process logs about its messages and collective operations. Who waited for whom is found when the processes exchange their logs
// (waits.c).
#include "layer.h"

#include <stdlib.h>
#include <sys/mman.h>

struct kymo_log kymo_mpi_log;
static volatile int busy;

// Only the part that is used takes memory.
static void *reserve(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static bool is_ready(void) {
  struct kymo_log *log = &kymo_mpi_log;
  static bool failed;
  if (log->calls) return true;
  if (failed) return false;
  log->sends = reserve(KYMO_MESSAGES * sizeof *log->sends);
  log->receives = reserve(KYMO_MESSAGES * sizeof *log->receives);
  log->calls = log->sends && log->receives ? reserve(KYMO_MESSAGES * sizeof *log->calls) : NULL;
  failed = !log->calls;
  return !failed;
}

// The entry of the visit under way.
static int call(void) {
  struct kymo_log *log = &kymo_mpi_log;
  struct kymo_span *span = kymo_mpi_filling();
  if (span) return (int)((struct kymo_call_log *)span - log->calls);
  if (log->call_count == KYMO_MESSAGES) return KYMO_NO_CALL;
  log->calls[log->call_count].waited = 0;
  kymo_mpi_fill(&log->calls[log->call_count].span);
  return log->call_count++;
}

void kymo_mpi_log_send(int peer, int tag, uint32_t comm, bool blocking, MPI_Count bytes) {
  struct kymo_log *log = &kymo_mpi_log;
  kymo_mpi_lock(&busy);
  if (is_ready() && log->send_count < KYMO_MESSAGES)
    log->sends[log->send_count++] = (struct kymo_send_log){peer, tag, comm, blocking ? call() : KYMO_NO_CALL, kymo_mpi_entered(), (uint64_t)bytes};
  else kymo_mpi_partner_exchanged(peer, tag, false, (uint64_t)bytes);
  kymo_mpi_unlock(&busy);
}

void kymo_mpi_log_receive(int peer, int tag, uint32_t comm, struct kymo_post post, MPI_Count bytes) {
  struct kymo_log *log = &kymo_mpi_log;
  kymo_mpi_lock(&busy);
  if (is_ready() && log->receive_count < KYMO_MESSAGES)
    log->receives[log->receive_count++] = (struct kymo_receive_log){peer, tag, comm, call(), post, (uint64_t)bytes};
  else kymo_mpi_partner_exchanged(peer, tag, true, (uint64_t)bytes);
  kymo_mpi_unlock(&busy);
}

static uint32_t role_of(const struct kymo_comm *comm, enum kymo_meets kind, int root) {
  if (kind == KYMO_ALL_TO_ALL) return KYMO_WAITS | KYMO_AWAITED;
  bool is_root = root == comm->rank;
  if (kind == KYMO_ONE_TO_ALL) return is_root ? KYMO_AWAITED | KYMO_ROOTED : KYMO_WAITS | KYMO_ROOTED;
  return is_root ? KYMO_WAITS : KYMO_AWAITED;
}

void kymo_mpi_meets(const struct kymo_comm *comm, enum kymo_meets kind, int root) {
  struct kymo_meetings *meetings = comm->meetings;
  if (!kymo_mpi_logs || !meetings) return;
  if (!meetings->at) meetings->at = malloc(KYMO_MEETINGS * sizeof *meetings->at);
  kymo_mpi_meet_again(comm);
  // All processes count, whether they have room or not, so that they exchange their logs at the same call.
  if (meetings->at) {
    struct kymo_meeting *meeting = &meetings->at[meetings->count];
    meeting->role = role_of(comm, kind, root);
    kymo_mpi_fill(&meeting->span);
  }
  ++meetings->count;
  ++meetings->all;
}
