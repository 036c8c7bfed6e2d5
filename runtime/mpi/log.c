// What each process logs about its messages and collective operations. Who waited for whom is found when the processes exchange their logs
// (waits.c).
#include "layer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // Linux 5.14; older ones refuse it
#endif

enum {
  STREAMS = 1 << 16,           // that are told apart
  SUSPECTS = 1 << 18,          // calls and messages in the log of what may have waited
  ARENA = 64 << 20,            // bytes for moments
  PART = 64 << 10,             // of it that get memory at once: with a fault for each page, the faults would be a third of what the log costs
  KEPT = 6,                    // moments of a stream that remain when the log is cleared: of messages that are under way
  NOTICED_PER_SECOND = 1000000, // A shorter call did not wait.
  MOVES = 8                     // A receive that was posted before may be completed in this part of it, and its sender has waited for the call.
};

struct kymo_moments {
  struct kymo_moments *next;
  uint32_t count, room;
  uint64_t first;   // number of the first message in its stream
  uint64_t ticks[];
};

struct kymo_suspects kymo_mpi_suspects;
static volatile int busy;
static struct kymo_stream *streams;
static size_t stream_count, stream_room, table_room;
static uint32_t *table; // positions of streams + 1
static char *arena;
static size_t arena_used;

// Only the part that is used takes memory.
void *kymo_mpi_reserve(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// --- streams ---

static uint32_t *place_of(int peer, int tag, uint32_t comm, bool received) {
  uint64_t bits = ((uint64_t)(uint32_t)peer << 32 | (uint32_t)tag) * 0x9e3779b97f4a7c15u + ((uint64_t)comm << 1 | received) * 0xc2b2ae3d27d4eb4fu;
  for (size_t i = (bits ^ bits >> 32) & (table_room - 1);; i = (i + 1) & (table_room - 1)) {
    if (!table[i]) return &table[i];
    const struct kymo_stream *s = &streams[table[i] - 1];
    if (s->peer == peer && s->tag == tag && s->comm == comm && s->received == received) return &table[i];
  }
}

static bool grow(void) {
  size_t room = stream_room ? 2 * stream_room : 64;
  struct kymo_stream *more = realloc(streams, room * sizeof *more);
  if (more) streams = more;
  uint32_t *wider = more ? calloc(2 * room, sizeof *wider) : NULL;
  if (!wider) return false;
  free(table);
  table = wider;
  table_room = 2 * room;
  stream_room = room;
  for (size_t i = 0; i < stream_count; ++i) *place_of(streams[i].peer, streams[i].tag, streams[i].comm, streams[i].received) = (uint32_t)i + 1;
  return true;
}

static struct kymo_stream *stream(int peer, int tag, uint32_t comm, bool received) {
  if (stream_count == stream_room && !grow()) return NULL;
  uint32_t *place = place_of(peer, tag, comm, received);
  if (*place) return &streams[*place - 1];
  if (stream_count >= STREAMS && tag != -1) return stream(peer, -1, 0, received);
  *place = (uint32_t)++stream_count;
  streams[stream_count - 1] = (struct kymo_stream){peer, tag, comm, received, 0, 0, 0, 0, NULL, NULL, NULL};
  return &streams[stream_count - 1];
}

// Programs use the same streams again and again in the same order.
static struct kymo_stream *next_stream(int peer, int tag, uint32_t comm, bool received) {
  static uint32_t latest[2]; // positions
  uint32_t guess = stream_count ? streams[latest[received]].after : 0;
  struct kymo_stream *s = guess < stream_count ? &streams[guess] : NULL;
  if (!s || s->peer != peer || s->tag != tag || s->comm != comm || s->received != received) {
    s = stream(peer, tag, comm, received);
    if (!s) return NULL;
    streams[latest[received]].after = (uint32_t)(s - streams);
  }
  latest[received] = (uint32_t)(s - streams);
  return s;
}

const struct kymo_stream *kymo_mpi_streams(size_t *count) {
  *count = stream_count;
  return streams;
}

void kymo_mpi_waited_for(uint32_t position, uint64_t ticks) { streams[position].waited += ticks; }

// --- moments ---

static struct kymo_moments *make_moments(uint32_t room, uint64_t first) {
  size_t bytes = sizeof(struct kymo_moments) + room * sizeof(uint64_t);
  if (!arena) arena = kymo_mpi_reserve(ARENA);
  if (!arena || arena_used + bytes > ARENA) return NULL;
  struct kymo_moments *made = (struct kymo_moments *)(arena + arena_used);
  size_t part = (arena_used + bytes) / PART * PART;
  if (part < ARENA && (part > arena_used || !arena_used)) madvise(arena + part, PART, MADV_POPULATE_WRITE);
  arena_used += bytes;
  *made = (struct kymo_moments){NULL, 0, room, first};
  return made;
}

static bool add_moment(struct kymo_stream *s, uint64_t number, uint64_t ticks) {
  struct kymo_moments *last = s->last;
  if (__builtin_expect(!last || last->count == last->room, 0)) {
    struct kymo_moments *more = make_moments(last ? 60 : KEPT, number);
    if (!more) return false;
    if (last) last->next = more;
    else s->first = more;
    s->last = last = more;
  }
  last->ticks[last->count++] = ticks;
  return true;
}

uint64_t kymo_mpi_moment(int peer, int tag, uint32_t comm, bool received, uint64_t number) {
  if (!table_room) return 0;
  const uint32_t *place = place_of(peer, tag, comm, received);
  if (!*place) return 0;
  struct kymo_stream *s = &streams[*place - 1];
  const struct kymo_moments *m = s->asked && s->asked->first <= number ? s->asked : s->first; // Questions usually come in order.
  while (m && number - m->first >= m->count) m = m->next;
  if (m) s->asked = m;
  return m ? m->ticks[number - m->first] : 0;
}

// Moments of messages that are under way remain: their receives may be logged after this.
void kymo_mpi_clear_log(void) {
  static char *other;
  char *old = arena;
  kymo_mpi_suspects.call_count = kymo_mpi_suspects.message_count = 0;
  arena = other;
  other = old;
  arena_used = 0;
  for (size_t i = 0; i < stream_count; ++i) {
    struct kymo_stream *s = &streams[i];
    const struct kymo_moments *last = s->last;
    uint32_t kept = !last ? 0 : last->count < KEPT ? last->count : KEPT, from = last ? last->count - kept : 0;
    s->first = s->last = last ? make_moments(KEPT, last->first + from) : NULL;
    s->asked = NULL;
    if (!s->last) continue;
    memcpy(s->last->ticks, last->ticks + from, kept * sizeof(uint64_t));
    s->last->count = kept;
  }
}

// --- suspects ---

static __thread struct {
  struct kymo_suspected *at;
  uint32_t count, room;
  bool posted; // It completes a receive that was posted before.
} of_visit __attribute__((tls_model("initial-exec")));

static void add_to_visit(uint32_t position, uint64_t number, bool pending) {
  if (of_visit.count == of_visit.room) {
    uint32_t room = of_visit.room ? 2 * of_visit.room : 32;
    struct kymo_suspected *more = realloc(of_visit.at, room * sizeof *more);
    if (!more) return;
    of_visit.at = more;
    of_visit.room = room;
  }
  if (!of_visit.count) kymo_mpi_visit_logs();
  of_visit.at[of_visit.count++] = (struct kymo_suspected){position, 0, pending, number};
}

void kymo_mpi_visit_completes_posted(void) { of_visit.posted = true; }

void kymo_mpi_waited_to_send(struct kymo_logged message) { add_to_visit(message.stream - 1, message.number, true); }

struct kymo_logged kymo_mpi_log_message(int peer, int tag, uint32_t comm, bool received, MPI_Count bytes, uint64_t began, bool may_wait) {
  struct kymo_logged logged = {0, 0, 0};
  kymo_mpi_lock(&busy);
  struct kymo_stream *s = next_stream(peer, tag, comm, received);
  if (s) {
    uint64_t number = s->messages++;
    s->bytes += (uint64_t)bytes;
    bool own = s->comm == comm && s->tag == tag;
    if (own && add_moment(s, number, began)) logged = (struct kymo_logged){(uint32_t)(s - streams) + 1, number, 0};
  }
  kymo_mpi_unlock(&busy);
  if (logged.stream && may_wait) add_to_visit(logged.stream - 1, logged.number, false);
  return logged;
}

static uint64_t noticed(void) {
  static uint64_t ticks;
  if (!ticks) ticks = (uint64_t)(kymo_mpi_runtime->ticks_per_second() / NOTICED_PER_SECOND);
  return ticks;
}

void kymo_mpi_visit_ends(struct kymo_span visit) {
  struct kymo_suspects *log = &kymo_mpi_suspects;
  uint32_t count = of_visit.count;
  bool posted = of_visit.posted;
  of_visit.count = 0;
  of_visit.posted = false;
  if (visit.length < noticed()) {
    if (!posted || visit.length < noticed() / MOVES) return;
    count = 0; // Nobody is asked.
  }
  if (!visit.place) return;
  kymo_mpi_lock(&busy);
  if (!log->calls) log->messages = kymo_mpi_reserve(SUSPECTS * sizeof *log->messages), log->calls = kymo_mpi_reserve(SUSPECTS * sizeof *log->calls);
  if (log->calls && log->messages && log->call_count < SUSPECTS && log->message_count + count <= SUSPECTS) {
    for (uint32_t i = 0; i < count; ++i) {
      log->messages[log->message_count + i] = of_visit.at[i];
      log->messages[log->message_count + i].suspect = log->call_count;
    }
    log->calls[log->call_count++] = (struct kymo_suspect){visit, kymo_mpi_iteration(), log->message_count, count};
    log->message_count += count;
  }
  kymo_mpi_unlock(&busy);
}

bool kymo_mpi_log_is_half_full(void) {
  const struct kymo_suspects *log = &kymo_mpi_suspects;
  return log->call_count > SUSPECTS / 2 || log->message_count > SUSPECTS / 2 || arena_used > ARENA / 2;
}

// --- collective operations ---

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
  if (!kymo_mpi_meet_again(comm)) return;
  // All processes count, whether they have room or not, so that they exchange their logs at the same call.
  if (meetings->at) {
    struct kymo_meeting *meeting = &meetings->at[meetings->count];
    meeting->role = role_of(comm, kind, root);
    meeting->iteration = kymo_mpi_iteration();
    kymo_mpi_fill(&meeting->span);
  }
  ++meetings->count;
  ++meetings->all;
}
