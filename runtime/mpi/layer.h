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
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

struct kymo_call {
  const char *name;         // MPI_Send
  uint32_t region;          // 0: unknown so far
  void *volatile next[2];   // the function of the next library under the names MPI_ and PMPI_
  void *place;              // of the last visit
  struct kymo_count *counts[4]; // of that place: bytes; NULL: not used so far
};

// The function that this one stands before. It does not return when there is none: the program could not have been linked.
void *kymo_mpi_find(struct kymo_call *call, int profiling);
static inline void *kymo_mpi_next(struct kymo_call *call, int profiling) {
  void *next = call->next[profiling];
  return __builtin_expect(next != NULL, 1) ? next : kymo_mpi_find(call, profiling);
}

// The functions of the layer are reached by jumps. In a program with another MPI library these lead to the functions of that library, with all
// arguments as they are: handles have another size there, so that nothing else could pass them on.
struct kymo_jump {
  const char *name;
  void **to;
};
extern const struct kymo_jump kymo_mpi_jumps[]; // a name of NULL ends them
#if defined(__x86_64__)
#define KYMO_JUMP_CODE(to) "endbr64\njmp *" to "(%rip)\n"
#elif defined(__aarch64__)
#define KYMO_JUMP_CODE(to) "hint #34\nadrp x16, " to "\nldr x16, [x16, #:lo12:" to "]\nbr x16\n"
#endif
// Defines a function that jumps to the layer's own one at first.
#define KYMO_JUMP(name) \
  __attribute__((used)) void *kymo_to_##name = (void *)kymo_of_##name; \
  __asm__(".pushsection .text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n.cfi_startproc\n" KYMO_JUMP_CODE("kymo_to_" #name) \
          ".cfi_endproc\n.size " #name ", . - " #name "\n.popsection\n")

// Whether the program runs with the MPI library that this layer was compiled for. In another one, handles and statuses have another layout.
bool kymo_mpi_fits(void);

// Begins the visit of a call. False: it passes through, for it belongs to another call, or nothing is recorded.
bool kymo_mpi_begin(struct kymo_call *call, uintptr_t frame);
void kymo_mpi_end(struct kymo_call *call, uintptr_t frame);
void kymo_mpi_count(enum kymo_counter counter, MPI_Count amount); // of the visit under way

// Locks of the layer's tables, which only threads need that call MPI at the same time.
extern bool kymo_mpi_concurrent;
static inline void kymo_mpi_lock(volatile int *busy) {
  while (kymo_mpi_concurrent && __atomic_exchange_n(busy, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static inline void kymo_mpi_unlock(volatile int *busy) { __atomic_store_n(busy, 0, __ATOMIC_RELEASE); }

// --- communicators (comms.c) ---

struct kymo_meetings;
struct kymo_comm {
  int size, rank;    // of this process's group
  int others;        // processes that a collective operation exchanges data with: the size, or that of the remote group
  bool inter;
  const int *world;  // ranks in MPI_COMM_WORLD of those that a rank names; -1: of another world
  uint32_t id;       // the same in all its processes
  bool traced;       // The trace has its processes.
  struct kymo_meetings *meetings; // NULL: they are not logged
};
const struct kymo_comm *kymo_mpi_comm(MPI_Comm comm);
void kymo_mpi_forget(MPI_Comm comm); // The communicator is about to be freed.
// The communicators of the past and present whose meetings are logged, by id, and their number.
size_t kymo_mpi_met_comms(const struct kymo_comm ***comms);

// --- bytes (traffic.c) ---

MPI_Count kymo_mpi_bytes(MPI_Count count, MPI_Datatype type);
void kymo_mpi_forget_type(void); // A datatype is about to be freed.
// A message in the log: the position of its stream + 1, 0 for one that is not there, and its number in the stream.
struct kymo_logged {
  uint32_t stream;
  uint64_t number;
  uint64_t request; // in the trace, of what completes later; 0: none
};
// BUFFERED sends wait for nobody; STARTS and STARTS_BUFFERED complete later.
enum kymo_sending { KYMO_BLOCKS, KYMO_BUFFERED, KYMO_STARTS, KYMO_STARTS_BUFFERED };
struct kymo_logged kymo_mpi_sends(MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, enum kymo_sending how);
// The receive began, and could be matched, at tick `began`. `request`: as in kymo_logged.
void kymo_mpi_received(const MPI_Status *status, MPI_Comm comm, uint64_t began, uint64_t request);
// A collective operation that moves so many bytes from and to this process.
void kymo_mpi_moves(MPI_Count sent, MPI_Count received);
void kymo_mpi_accesses(MPI_Count put, MPI_Count got, int target);
bool kymo_mpi_is_root(int root, const struct kymo_comm *comm);
struct kymo_degrees { int in, out; };
struct kymo_degrees kymo_mpi_neighbours(MPI_Comm comm);

// --- the trace (trace.c) ---

extern bool kymo_mpi_traces;  // The process writes a trace.
extern bool kymo_mpi_defines; // Somebody wants to know the communicators: the trace, or those who watch.
void kymo_mpi_trace(enum kymo_layer_event event, const uint64_t *words, uint32_t count); // if the visit under way is recorded
// Puts a communicator into the trace; ranks are those in MPI_COMM_WORLD. False: it has processes of another one.
bool kymo_mpi_define_comm(MPI_Comm comm, uint32_t id, const int *own, int size, const int *others, int other_count);
// Returns the number of the request of a send that completes later.
uint64_t kymo_mpi_trace_send(const struct kymo_comm *comm, int dest, int tag, MPI_Count bytes, bool starts);
void kymo_mpi_trace_receive(const struct kymo_comm *comm, int source, int tag, MPI_Count bytes, uint64_t request);
uint64_t kymo_mpi_trace_request(enum kymo_layer_event event); // a new one; 0: the trace does not have this moment
void kymo_mpi_trace_of_request(enum kymo_layer_event event, uint64_t request); // unless it is 0
struct kymo_operation { uint64_t operation, comm, root, sent, received; };
void kymo_mpi_collective_begins(void);
void kymo_mpi_collective_moves(MPI_Count sent, MPI_Count received); // the operation of the visit under way
void kymo_mpi_collective_ends(const struct kymo_comm *comm, int operation, int root);
struct kymo_operation kymo_mpi_operation(const struct kymo_comm *comm, int operation, int root); // that the visit under way starts
void kymo_mpi_collective_completes(const struct kymo_operation *operation, uint64_t request);

// --- requests and matched messages (requests.c) ---

void kymo_mpi_track_collective(MPI_Request request, const struct kymo_comm *comm, int operation, int root);

void kymo_mpi_track_receive(MPI_Request request, MPI_Comm comm, bool persistent);
void kymo_mpi_track_send(MPI_Request request, struct kymo_logged message);
void kymo_mpi_track_sends(MPI_Request request, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm); // persistent
void kymo_mpi_track_message(MPI_Message message, MPI_Comm comm);
MPI_Comm kymo_mpi_take_message(MPI_Message message); // its communicator
void kymo_mpi_start(int count, const MPI_Request *requests);
void kymo_mpi_untrack(MPI_Request request);
void kymo_mpi_awaits(int count, const MPI_Request *requests); // A call waits from now on for all or some of them.
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

// --- what each process logs about messages and collective operations, to find out who waited (log.c) ---

// A visit: the timer at its begin, its length on the thread's clock, and its call path.
struct kymo_span {
  uint64_t enter, length;
  void *place;
};
uint32_t kymo_mpi_iteration(void);             // of the phase, from 1, that the visit under way belongs to; 0: of none
uint64_t kymo_mpi_entered(void);               // the timer at the begin of the visit under way
void kymo_mpi_fill(struct kymo_span *span);    // Fills it when the visit under way ends.
void kymo_mpi_visit_logs(void);                // kymo_mpi_visit_ends is due at its end.
void kymo_mpi_visit_ends(struct kymo_span visit);

// Messages between this process and another one, in order, with a tag and a communicator.
struct kymo_stream {
  int32_t peer, tag;  // rank in MPI_COMM_WORLD; tag -1: all messages for which there is no room of their own
  uint32_t comm;      // id of the communicator
  uint32_t received;  // 0: to the peer, 1: from it
  uint32_t after;     // position of the stream that was used next
  uint64_t messages, bytes;
  uint64_t waited;    // ticks that receives waited for its sends
  struct kymo_moments *first, *last; // when the sends or the receives of the latest messages began
  const struct kymo_moments *asked;  // the last that was asked for
};
struct kymo_logged kymo_mpi_log_message(int peer, int tag, uint32_t comm, bool received, MPI_Count bytes, uint64_t began, bool may_wait);
void kymo_mpi_visit_completes_posted(void); // a receive that an earlier visit posted
void kymo_mpi_waited_to_send(struct kymo_logged message); // The visit under way has waited for the completion of a nonblocking send.
// When a message's send or receive began; 0: not known.
uint64_t kymo_mpi_moment(int peer, int tag, uint32_t comm, bool received, uint64_t number);
const struct kymo_stream *kymo_mpi_streams(size_t *count);
void kymo_mpi_waited_for(uint32_t stream, uint64_t ticks);

// A call that took long enough to have waited for the other side of a message.
struct kymo_suspect {
  struct kymo_span span;
  uint32_t iteration;    // as of kymo_mpi_iteration
  uint32_t first, count; // of its messages
};
struct kymo_suspected {
  uint32_t stream;
  uint32_t suspect : 31;
  uint32_t pending : 1; // a nonblocking send that had not completed when the call began
  uint64_t number; // of the message in its stream
};
struct kymo_suspects {
  struct kymo_suspect *calls;
  struct kymo_suspected *messages;
  uint32_t call_count, message_count;
};
extern struct kymo_suspects kymo_mpi_suspects;
void *kymo_mpi_reserve(size_t bytes); // of 0, which take memory when they are used; NULL: there is none
bool kymo_mpi_log_is_half_full(void);
void kymo_mpi_clear_log(void);

enum kymo_role { KYMO_WAITS = 1, KYMO_AWAITED = 2, KYMO_ROOTED = 4 /* Only the root is awaited. */ };
struct kymo_meeting {
  struct kymo_span span;
  uint32_t role, iteration;
};
enum { KYMO_MEETINGS = 16384 };
struct kymo_meetings {
  uint32_t count, all; // in the log, and since the communicator exists
  struct kymo_meeting *at;
};
enum kymo_meets { KYMO_ALL_TO_ALL, KYMO_ONE_TO_ALL, KYMO_ALL_TO_ONE };
// A collective operation begins that ends only when processes that another process waits for have begun it.
void kymo_mpi_meets(const struct kymo_comm *comm, enum kymo_meets kind, int root);

// --- the job: its processes find out together who waited, and write one file (waits.c, clocks.c, merge.c) ---

extern MPI_Comm kymo_mpi_job; // all processes of MPI_COMM_WORLD; MPI_COMM_NULL: they do not communicate about the measurement
extern bool kymo_mpi_logs;    // All of them log.
// Waits without keeping a processor from those that are waited for, which libraries do that poll. False: an error.
bool kymo_mpi_wait(MPI_Request request);
bool kymo_mpi_reduce(void *data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm); // in place, for all
bool kymo_mpi_all_agree(bool good);
void kymo_mpi_started(void);
void kymo_mpi_finishes(void); // before MPI_Finalize
void kymo_mpi_finished(void);
void kymo_mpi_count_group(const struct kymo_comm *comm); // waits of its meetings so far
bool kymo_mpi_meet_again(const struct kymo_comm *comm); // before each meeting: counts the waits of a full log; false: there is no room
void kymo_mpi_count_waits(void);
// What a call path waited in an iteration, which counts in the total of the call path as well.
struct kymo_wait {
  const void *place;
  uint64_t ticks;
  uint32_t iteration, counter;
};
const struct kymo_wait *kymo_mpi_waits(size_t *count); // by iteration
void kymo_mpi_set_clock(void);
bool kymo_mpi_clock_known(void);
uint64_t kymo_mpi_common(uint64_t ticks); // in the time of rank 0
bool kymo_mpi_merge(int result);

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
