// The process can be watched (README.md in this folder): the interface between the runtime and the server, and within the server.
#ifndef KYMO_CONTROL_H
#define KYMO_CONTROL_H

#include "../session.h"

#pragma GCC visibility push(hidden)

// --- the side of the program's threads (stream.c); general registers only, no libc ---

// Bits of kymo.watch, which is 0 unless a client asks for something.
enum { KYMO_WATCH_ITERATIONS = 1, KYMO_WATCH_BORDER = 2 };

// Iterations on their way to the server. A thread of the program writes, the server reads. Each entry has a head, then the records of the iteration as in
// its file. An entry that does not fit is lost.
struct kymo_stream {
  unsigned char *ring;                 // KYMO_RING_BYTES, made by the server before anybody asks for iterations
  _Atomic uint64_t written, read;      // positions; the ring has them modulo its size
  _Atomic uint64_t lost;               // iterations
  _Atomic uint32_t keeping;            // Nobody has asked for iterations yet; the first ones are kept for who will.
  _Atomic uint64_t border;             // the iteration at whose end the program waits; 0: it does not wait. Its low half is a futex.
  _Atomic uint32_t sleeping;           // The server sleeps until somebody wakes it.
  char wake_path[64];                  // of the pipe that wakes it, in the descriptors of the server's thread
  uint64_t at, begin;                  // of the entry that is being written
  bool overrun;
};
enum { KYMO_RING_BYTES = 1 << 20, KYMO_KEPT_BYTES = 1 << 18 };
struct kymo_stream_head {
  uint64_t bytes, iteration, lost; // iterations that were lost before
  uint64_t numbers; // count of the nodes that had a number before the iteration
};
extern struct kymo_stream kymo_stream;
void kymo_wake_server(void);
void kymo_release_border(void); // Lets the program go on, even if it is asked to wait at the next border.

// --- the server ---

enum {
  KYMO_CONTROL_VERSION = 1,
  KYMO_FRAME_HEAD = 12,
  KYMO_MOST_REQUEST = 1 << 16,      // bytes of a request behind its head
  KYMO_MOST_MESSAGE = 1 << 20,      // and of what the process sends
  KYMO_QUEUE_BYTES = 8 << 20,       // what waits for a client; replies may fill it
  KYMO_SAMPLE_QUEUE_BYTES = 1 << 20, // Samples are dropped when more than this waits.
  KYMO_MOST_TOKEN = 128,
  KYMO_MOST_CLIENTS = 16,
};

enum kymo_request {
  KYMO_HELLO = 1, KYMO_ASK_STATE, KYMO_SWITCH, KYMO_ASK_COUNTERS, KYMO_ASK_ITERATIONS, KYMO_ASK_BORDER, KYMO_ASK_STACKS, KYMO_SET_INTERVALS,
  KYMO_ASK_CALLS, KYMO_ASK_CALLS_NOW, KYMO_ASK_CODE,
};
enum kymo_message {
  KYMO_REFUSED = 64, KYMO_WELCOME, KYMO_STATE, KYMO_SWITCHED, KYMO_THREADS, KYMO_REGIONS, KYMO_PATHS, KYMO_VALUES, KYMO_NODES, KYMO_ITERATION,
  KYMO_SUSPENDED, KYMO_DONE, KYMO_STACKS, KYMO_END, KYMO_COMMUNICATORS,
  KYMO_SAMPLED, KYMO_CALL_STACKS, KYMO_CODE,
};
enum kymo_refusal_code { KYMO_OTHER, KYMO_CANNOT_SWITCH, KYMO_NOT_UNDERSTOOD, KYMO_NO_ROOM };

struct kymo_values_seen { // last values that a client got for a path
  uint64_t visits, ticks;
};

struct kymo_counters_query {
  uint8_t functions, by_thread, differences; // otherwise call paths, summed, totals
};

struct kymo_client {
  int file; // -1: the place is free
  bool welcome, gone;
  bool iterations, suspends;
  uint64_t since;              // when it connected, in ns
  uint32_t serial;             // of the request that is being answered
  unsigned char *in, *out;
  size_t in_used, out_begin, out_end;
  size_t frame;                // offset in `out` of the message that is being written
  bool overrun;                // The message does not fit.
  uint64_t lost;               // samples
  uint64_t lost_in_stream;     // value of kymo_stream.lost when the client began to listen,
  uint64_t stream_begin;       // and the position of the first iteration that is for it
  uint32_t stack_interval;     // in µs; 0: no samples of stacks
  uint64_t next_stack;
  uint32_t calls_interval;     // the same for call stacks,
  uint64_t next_calls;
  uint32_t calls_serial;       // the request for one sample of them that is to be answered; 0: there is none
  bool awaits_calls;           // gets the sample that is under way
  uint32_t threads, regions, paths, nodes; // how many definitions it has
  void *communicator;          // the last one that it has (communicators.c)
  struct kymo_counters_query query;
  bool has_asked;
  struct kymo_values_seen *seen;
  size_t seen_room;
};

// wire.c: messages into the queue of a client. A message that does not fit is taken back, and kymo_finish_message returns false.
void kymo_begin_message(struct kymo_client *c, enum kymo_message type, uint32_t serial);
bool kymo_finish_message(struct kymo_client *c);
void kymo_put(struct kymo_client *c, const void *bytes, size_t size);
void kymo_put32(struct kymo_client *c, uint32_t value);
void kymo_put64(struct kymo_client *c, uint64_t value);
size_t kymo_waiting_bytes(const struct kymo_client *c);
size_t kymo_message_bytes(const struct kymo_client *c); // of the message that is being written, without its head
void kymo_refuse(struct kymo_client *c, enum kymo_refusal_code code, const char *why);
static inline uint32_t kymo_get32(const unsigned char *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24; }

// requests.c
void kymo_answer(struct kymo_client *c, uint32_t type, const unsigned char *body, size_t size);
void kymo_put_end(struct kymo_client *c, uint32_t flags);
void kymo_put_new_threads(struct kymo_client *c);
void kymo_put_new_regions(struct kymo_client *c);

// communicators.c
void kymo_put_new_communicators(struct kymo_client *c);

// counters.c
void kymo_put_counters(struct kymo_client *c, struct kymo_counters_query query, bool final);
void kymo_forget_seen(struct kymo_client *c);

// iterations.c
bool kymo_listen_to_iterations(void); // False: there is no memory.
void kymo_keep_iterations(void);      // From the first one on, until somebody asks for them or they are too many.
void kymo_forward_iterations(struct kymo_client *clients, size_t count);

// stacks: samples.c. A copy of the open visits of a thread, innermost first.
enum { KYMO_MOST_FRAMES = 1024 };
struct kymo_open_visits {
  uint64_t now;    // on the thread's clock
  uint32_t depth;  // number of frames; at most KYMO_MOST_FRAMES are in the arrays
  uint32_t count;
  const struct kymo_node *nodes[KYMO_MOST_FRAMES];
  uint64_t starts[KYMO_MOST_FRAMES];
};
bool kymo_read_open(const struct kymo_thread *t, struct kymo_open_visits *visits); // False: the thread did not stand still.
void kymo_put_stacks(struct kymo_client *c);

// callstacks.c: all functions of threads that compute
const char *kymo_cannot_sample_calls(void); // The reason; NULL: they can be sampled.
void kymo_sample_calls(struct kymo_client *clients, size_t count, uint64_t time); // Begins samples that are due, and sends those that are complete.
uint64_t kymo_calls_due(const struct kymo_client *c); // when that has something to do again, in ns
void kymo_put_code(struct kymo_client *c);

struct kymo_control {
  _Atomic uint32_t state;      // enum kymo_control_state; a futex
  _Atomic uint32_t tid;        // of the server's thread; the kernel clears it at the thread's end, and wakes who waits for it
  _Atomic uint32_t clients;    // that said the token
  _Atomic uint32_t ending;     // 0, or the flags of the result and KYMO_ENDING
  int pid;
  char folder[PATH_MAX], name[108];
  char token[KYMO_MOST_TOKEN + 1];
  char program[256];
  const char *no_switching;    // why sites cannot be switched; NULL: they can
  int error;                   // of the server, when it did not start
};
enum kymo_control_state { KYMO_CONTROL_OFF, KYMO_CONTROL_STARTS, KYMO_CONTROL_RUNS, KYMO_CONTROL_FAILED, KYMO_CONTROL_ENDED };
#define KYMO_ENDING 0x80000000u
extern struct kymo_control kymo_control;

void kymo_serve(void); // server.c: the body of the server's thread

// Starts a thread with its own files, folder and mask, which libc does not know, and which must not use libc's thread-local variables (they are those of the
// caller). `*tid` is its id until it ends. Negative: an error.
long kymo_clone(unsigned long flags, void *stack_end, _Atomic uint32_t *tid, void (*run)(void));

static inline bool kymo_failed(long result) { return (unsigned long)result > -4096ul; }

#pragma GCC visibility pop

#endif
