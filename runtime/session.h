// One measurement: what the environment asked for, and what starts and ends it. Not used by handlers.
#ifndef KYMO_SESSION_H
#define KYMO_SESSION_H

#include "runtime.h"

#include <limits.h>
#include <link.h>

#pragma GCC visibility push(hidden)

struct kymo_calibration { // in ticks
  double pair, spread, inside, outside;
};
struct kymo_sampled_calibration { // of slots that are sampled, in ticks
  double counted, spread; // a visit that is not timed
  double pair, inside;    // one that is
};

struct kymo_session {
  bool decided, measuring, finished;
  char selection[PATH_MAX], results[PATH_MAX]; // absolute: the program may change its directory
  char iterations[PATH_MAX + 128];             // file for the samples of iterations; empty: none
  bool samples_known;
  uint64_t selection_id;
  uint32_t slots;
  uint64_t begin_tick, begin_monotonic, begin_real, end_monotonic;
  uint64_t cpu_time; // of the process, ns
  uint32_t rank, ranks;
  uint64_t progress_written;
  struct kymo_calibration sled, entry;
  struct kymo_sampled_calibration sampled_sled, sampled_entry;
};
extern struct kymo_session kymo_session;

// A linked object as the dynamic linker knows it.
struct kymo_image {
  uintptr_t base;
  const ElfW(Phdr) *headers;
  size_t header_count;
  char build_id[2 * 64 + 1]; // hex; empty when there is none
  char name[256];            // last part of its path
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
  bool other_build; // an object of this name is listed with another build id
};
// Reads the selection for one object; false after a message.
bool kymo_read_selection(const struct kymo_image *image, struct kymo_items *items);

// Code that is changed in a copy (code.c). After a false `errno` says why.
struct kymo_code {
  uintptr_t begin; // of a page
  size_t bytes;
  unsigned char *copy;
};
bool kymo_copy_code(struct kymo_code *code); // `begin` and `bytes` are set
bool kymo_replace_code(struct kymo_code *code, int protection); // the copy becomes the code; false: nothing has changed
bool kymo_restore_code(const struct kymo_code *code); // after that, what was there before; false: it cannot be had again
void kymo_drop_copy(struct kymo_code *code);
bool kymo_make_executable(unsigned char *code, size_t bytes); // memory that was filled

// Notes where the sites of the object's functions lie, for kymo_is_within.
void kymo_list_extents(const struct kymo_image *image, const struct kymo_items *items);
void kymo_patch(struct kymo_object *object, const struct kymo_image *image, const struct kymo_items *items);
void kymo_calibrate(struct kymo_object *object);
uint64_t kymo_nanoseconds(int clock);

// Closes what is open and writes the result; `flags` are added to those of the file.
void kymo_finish(uint32_t flags);
bool kymo_write_result(uint64_t now, uint32_t flags);
void kymo_name_iterations(void); // of this process

void kymo_release_regions(void); // after a fork

// Regions that the source names, as they stand in the result; after each, a call without bytes.
void kymo_put_regions(void (*put)(void *data, const void *bytes, size_t size), void *data);
bool kymo_something_new(void);
void kymo_watch_ends(void);
void kymo_watch_forks(void);

#pragma GCC visibility pop

#endif
