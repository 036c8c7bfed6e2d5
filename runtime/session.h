// The state of one measurement: its settings from the environment, and its beginning and end. Handlers do not use this header.
#ifndef KYMO_SESSION_H
#define KYMO_SESSION_H

#include "runtime.h"

#include <limits.h>
#include <link.h>

#pragma GCC visibility push(hidden)

struct kymo_calibration { // in ticks
  double pair, spread, inside, outside;
};
struct kymo_sampled_calibration { // costs of sampled slots, in ticks
  double counted, spread; // of a visit that is only counted
  double pair, inside;    // of a visit that is timed
};

struct kymo_session {
  bool decided, measuring, finished;
  char selection[PATH_MAX], results[PATH_MAX]; // absolute paths, because the program may change its directory
  char iterations[PATH_MAX + 128];             // file for the samples of iterations; empty when none is written
  bool samples_known;
  bool all_sampled; // Functions of which each visit is timed have sites of sampled slots, too, so that this can change (control/requests.c).
  uint64_t selection_id;
  uint32_t slots;
  uint64_t begin_tick, begin_monotonic, begin_real, end_monotonic;
  uint64_t cpu_time; // CPU time of the process in ns
  uint32_t rank, ranks;
  uint64_t progress_written;
  const struct kymo_thread *keeper; // While its clock is below `kept_until`, what is new is not worth writing (layers.h: kept).
  uint64_t kept_until;
  struct kymo_calibration sled, entry;
  struct kymo_sampled_calibration sampled_sled, sampled_entry;
};
extern struct kymo_session kymo_session;

// A linked object as the dynamic linker knows it.
struct kymo_image {
  uintptr_t base;
  const ElfW(Phdr) *headers;
  size_t header_count;
  char build_id[2 * 64 + 1]; // in hex digits; empty when the object has none
  char name[256];            // last part of the path
};
bool kymo_find_image(const void *address, struct kymo_image *image);

enum kymo_site_kind { KYMO_ENTRY, KYMO_IN, KYMO_OUT };
struct kymo_item {
  uintptr_t offset;
  uint32_t slot;
  uint32_t kind;
};
struct kymo_items {
  struct kymo_item *at;
  size_t count, bytes;
  bool object_listed;
  bool other_build; // the selection lists an object of this name with another build id
};
// Reads the selection for one object. Prints a message and returns false when that fails.
bool kymo_read_selection(const struct kymo_image *image, struct kymo_items *items);
bool kymo_is_idle(uint32_t slot); // The sites of the slot are off at first (`idle` in the selection).

// control/live.c: the sites of an object that can be switched while the program runs.
struct kymo_switchable {
  uintptr_t site;
  uint32_t slot;
  uint16_t kind, on;
};
struct kymo_switchables {
  struct kymo_object *object;
  struct kymo_switchable *at;
  size_t count, room;
  struct kymo_switchables *next;
};
bool kymo_make_switchables(struct kymo_switchables *sites, size_t room); // Room for sites. False: nothing can be switched, or there is no memory.
void kymo_keep_switchables(const struct kymo_switchables *sites);
void kymo_drop_switchables(const struct kymo_switchables *sites);
void kymo_forget_switchables(const struct kymo_object *object); // The object is unloaded.

bool kymo_absolute(const char *path, char out[PATH_MAX]); // False: the path is too long, or there is no folder.

// control/start.c
void kymo_control_prepare(void);           // Reads from the environment whether the process can be watched.
void kymo_control_start(void);             // Starts the server.
void kymo_control_end(uint32_t flags, bool stop); // Says the end to those who watch, and if `stop`, waits for the end of the server's thread.
void kymo_control_communicator(const void *bytes, uint32_t size); // A communicator as in the trace, for those who watch.
void kymo_control_forget(void);            // In the child of a fork nobody watches.
uint64_t kymo_control_cpu_time(void);      // of the server's thread, in ns

// Code that is changed in a copy (code.c). The functions below set `errno` when they return false.
struct kymo_code {
  uintptr_t begin; // beginning of a page
  size_t bytes;
  unsigned char *copy;
};
bool kymo_copy_code(struct kymo_code *code); // The caller has set `begin` and `bytes`.
bool kymo_replace_code(struct kymo_code *code, int protection); // Makes the copy the code. False: nothing has changed.
bool kymo_restore_code(const struct kymo_code *code); // Undoes kymo_replace_code. False: the old code is lost.
void kymo_drop_copy(struct kymo_code *code);
bool kymo_make_executable(unsigned char *code, size_t bytes); // Makes memory executable that has been filled.

// Records the address ranges of the object's functions for kymo_is_within.
void kymo_list_extents(const struct kymo_image *image, const struct kymo_items *items);
void kymo_patch(struct kymo_object *object, const struct kymo_image *image, const struct kymo_items *items);
void kymo_calibrate(struct kymo_object *object);
uint64_t kymo_nanoseconds(int clock);
struct kymo_instant { // a moment by two clocks; two moments give the timer's rate
  uint64_t tick, monotonic;
};
struct kymo_instant kymo_instant_now(void);

// Closes all open visits and writes the result; adds `flags` to those of the file.
void kymo_finish(uint32_t flags);
int kymo_finish_in_memory(void); // Writes it to a file in memory instead, and returns its descriptor; -1 when that fails.
bool kymo_write_result(uint64_t now, uint32_t flags);
int kymo_result_in_memory(uint64_t now);
void kymo_remove_result(void); // Removes the file that was written before.
void kymo_name_iterations(void); // Sets the name of the iterations file for this process.

// Returns the slot of a region + 1, or 0 when there is no room; `kind` as in layers.h.
uint32_t kymo_region_slot(const char *name, const char *file, uint32_t line, uint32_t kind);
void kymo_release_regions(void); // Releases the lock in the child of a fork.

// Passes a user region to `put` in the format of the result; the first is 0. Regions only come, so another thread may read those that are there.
uint32_t kymo_region_count(void);
void kymo_put_region(uint32_t i, void (*put)(void *data, const void *bytes, size_t size), void *data);
// Passes the user regions to `put` in the format of the result, with a call without bytes after each region.
void kymo_put_regions(void (*put)(void *data, const void *bytes, size_t size), void *data);
// The name of a file of this process in the folder for results.
void kymo_result_name(char *name, size_t bytes, const char *extension);
void kymo_host_name(char host[48]);
// A limit on the size of files must not kill the program: signals are blocked, and a SIGXFSZ that the runtime caused is discarded.
bool kymo_size_signal_pending(void);
void kymo_swallow_size_signal(void);
void kymo_costs(double costs[16], double per_second); // of the result's header in its order, in seconds: sled, entry, sampled sled, sampled entry
double kymo_ticks_per_second(uint64_t now); // over the whole run, once its end is known
bool kymo_something_new(void);
void kymo_watch_ends(void);
void kymo_watch_forks(void);

#pragma GCC visibility pop

#endif
