// What a linked object tells the runtime about itself. This is the ABI between libkymo.a in the executable and the registration object in
// every linked object, so it only grows, and `version` says which one it is. The assembler files know the offsets of the first four fields.
#ifndef KYMO_OBJECT_H
#define KYMO_OBJECT_H

#include <stdint.h>

// Version 1 ends before `in_sampled`: its sites are all timed. Before version 3 the thunks of x86-64 were called by sleds of 23 bytes, which are left alone.
enum { KYMO_OBJECT_VERSION = 3 };

struct kymo_sled {
  int32_t site;     // address of the sled − address of this field
  uint32_t number;  // function of its unit × 2 + (0 entry | 1 exit)
  uint64_t unit;    // hash of the unit
};

struct kymo_object {
  void (*in)(void);    // filled in by the runtime: what the thunks of a shared library call
  void (*out)(void);
  void (*enter)(void);
  void (*leave)(void);
  uint32_t version;
  uint32_t executable; // 1 in the executable itself
  const struct kymo_sled *sleds, *sleds_end;
  void (*thunk_in)(void), (*thunk_out)(void), (*trampoline)(void);
  void (*return_point)(void);                        // where bodies return to
  void (*calibrate[3])(void);                        // empty function, sled pair, patched entry; slots 0
  struct kymo_object *next;                          // the runtime's list
  // Version 2. The assembler files know the offsets of the first four.
  void (*in_sampled)(void);    // filled in by the runtime
  void (*out_sampled)(void);
  void (*due)(void);
  intptr_t self;               // where a thread's state is, from the thread pointer
  void (*thunk_in_sampled)(void), (*thunk_out_sampled)(void), (*thunk_due)(void);
  void (*calibrate_sampled[2])(void); // sled pair, patched entry; sampler 0
};

__attribute__((visibility("default"))) void kymo_attach(struct kymo_object *object);
__attribute__((visibility("default"))) void kymo_detach(struct kymo_object *object);

#endif
