// The interface between the runtime and the layers: shared libraries that stand before a library of the program (MPI, OpenMP) and record
// its calls. A layer finds the interface by the name of the function below, so it is loaded with any program and does nothing in one that
// is not measured. It only grows; `version` identifies its size.
#ifndef KYMO_LAYERS_H
#define KYMO_LAYERS_H

#include <stdint.h>

// What a region is, in the result file.
enum kymo_region_kind { KYMO_REGION_USER = 0, KYMO_REGION_PHASE = 1, KYMO_REGION_MPI = 2, KYMO_REGION_OPENMP = 3, KYMO_REGION_THREADS = 4, KYMO_REGION_IO = 5 };

// Quantities of call paths; the numbers are part of the result file. Bytes, numbers of events, and times in ticks of the thread's clock.
enum kymo_counter {
  KYMO_BYTES_SENT,
  KYMO_BYTES_RECEIVED,
  KYMO_BYTES_PUT,
  KYMO_BYTES_GOT,
  KYMO_LATE_SENDER,     // A receive waited for a send that began later.
  KYMO_LATE_RECEIVER,   // A send waited for a receive that began later.
  KYMO_LATE_ROOT,       // A collective operation from one process to all waited for that process.
  KYMO_LATE_MEMBER,     // A collective operation waited for its last process.
  KYMO_IDLE,            // Threads of a team that had no work, in the time of their master.
  KYMO_BYTES_READ,      // from files, and written to them
  KYMO_BYTES_WRITTEN,
  KYMO_INSTRUCTIONS,    // of the program, by the processor's counters (perf.c)
  KYMO_CACHE_MISSES,    // in the last cache before memory
  KYMO_COUNTERS,
};

struct kymo_count {
  uint64_t times, amount;
};

struct kymo_layers {
  uint32_t version;
  // The region of a name, for `begin` and `end`; 0: it cannot be recorded. `file` may be NULL. The strings are copied.
  uint32_t (*region)(const char *name, const char *file, uint32_t line, uint32_t kind);
  // Begins and ends a visit. `frame` is an address in the caller's stack frame, the same for both. 0: nothing is recorded, and no end is due.
  int (*begin)(uint32_t region, uintptr_t frame);
  void (*end)(uint32_t region, uintptr_t frame);
  // Adds to a counter of the innermost open visit of this thread.
  void (*count)(uint32_t counter, uint64_t amount);
  // The call path of the innermost open visit of this thread, valid as long as the process; NULL when nothing is recorded.
  void *(*place)(void);
  void (*count_at)(void *place, uint32_t counter, uint64_t amount);
  // The rank of the process and the number of ranks, which the launcher's environment need not tell.
  void (*rank)(uint32_t rank, uint32_t ranks);
  uint64_t (*ticks)(void);              // the timer
  double (*ticks_per_second)(void);     // its rate so far, over the whole run
  // Since version 2:
  // A `frame` of 0 in `begin` and `end`: the two calls come from different functions. The visit lasts until `end`, or as long as the
  // measured function around it.
  // This thread has nothing more to do. Its visits, through the innermost one of `region`, end at the tick that `*until` holds when the
  // thread unparks or ends, or the process ends; when that is 0, they end then.
  void (*park)(uint32_t region, const volatile uint64_t *until);
  void (*unpark)(void);
  // Ends a visit in which the thread waited for others until the tick `until`. Until then it makes no difference whether it was pre-empted:
  // that time belongs to the visit. With a `frame` of 0, a visit that ends late ends then, and the rest is waiting of the visit around.
  void (*end_waiting)(uint32_t region, uintptr_t frame, uint64_t until);
  // Whether the code at the address is of an object with patch points.
  int (*measured)(const void *address);
  // The time of this thread's last event: of the timer, and on the thread's clock, which stands still while the thread is pre-empted.
  // Returns `place()`.
  void *(*last_event)(uint64_t *timer, uint64_t *clock);
  // What `count_at` adds to, valid as long as the process; NULL when there is no memory. Only the thread of the place may change it.
  struct kymo_count *(*counter)(void *place, uint32_t counter);
  // Ends all open visits and returns a file in memory with the result of the process up to now (docs/formats.md); -1: there is none. From
  // here on only the calling thread is recorded.
  int (*result)(void);
  // Writes the same as a file of the process, as its end does.
  void (*save)(void);
  // That result is part of another file now. The process writes one of its own only when it goes on for long.
  void (*kept)(void);
  const char *(*folder)(void);          // the folder for results; empty: none are written
  const char *(*iterations)(void);      // the file of the process's iterations, which need not exist
  // Since version 3:
  // Returns the length of this thread's call path, and writes its first `room` regions, outermost first; 0: there is no path that another
  // thread could continue.
  uint32_t (*path)(uint32_t *regions, uint32_t room);
  // As `begin` with a frame of 0. When no visit of this thread is open, the visit continues the call path of the thread that it works for:
  // the regions of `path` contain its time, but are not visited.
  int (*begin_below)(const uint32_t *path, uint32_t length, uint32_t region);
  // Since version 4:
  // The number, from 1, of the iteration that this thread is in, or begins next; 0: another thread has the iterations.
  uint32_t (*iteration)(void);
  // The number of a call path in the file of the iterations; 0: it is not there.
  uint32_t (*iteration_node)(const void *place);
  // Since version 5:
  // Whether the process writes a trace, and, of `events`, whether this moment is one of those that it has.
  int (*traces)(int events);
  // Records an event inside the innermost open visit of this thread, at the present time.
  void (*trace)(uint32_t event, const uint64_t *words, uint32_t count);
  // Puts something that events refer to into the trace.
  void (*trace_define)(const void *bytes, uint32_t size);
  // The process's timer, and what that of rank 0 shows at the same moment.
  void (*trace_clock)(uint64_t own, uint64_t other);
  // Since version 6:
  // Whether the process can be watched, so that it needs communicators (trace_define) without a trace as well.
  int (*watched)(void);
};

// Events of layers in a trace; the words are fields of the records of OTF2 with the same names, in their order. Ranks are those in the communicator,
// whose number a definition has.
enum kymo_layer_event {
  KYMO_MPI_SEND = 8,         // rank, communicator, tag, bytes
  KYMO_MPI_ISEND,            // rank, communicator, tag, bytes, request
  KYMO_MPI_ISEND_COMPLETE,   // request
  KYMO_MPI_IRECV_REQUEST,    // request
  KYMO_MPI_RECV,             // rank, communicator, tag, bytes
  KYMO_MPI_IRECV,            // rank, communicator, tag, bytes, request
  KYMO_MPI_REQUEST_CANCELLED, // request
  KYMO_MPI_COLLECTIVE_BEGIN,
  KYMO_MPI_COLLECTIVE_END,   // operation, communicator, root, bytes sent, bytes received
  KYMO_MPI_NONBLOCKING_REQUEST,  // request
  KYMO_MPI_NONBLOCKING_COMPLETE, // operation, communicator, root, bytes sent, bytes received, request
};

#ifndef KYMO_LAYER // the runtime's side
__attribute__((visibility("default"))) const struct kymo_layers *kymo_layers(void);
#endif

#endif
