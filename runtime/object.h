// The description that a linked object passes to the runtime. It is the ABI between libkymo.a in the executable and the registration object
// in every linked object, so it only grows, and `version` identifies its layout. The assembler files use the offsets of the first four
// fields.
#ifndef KYMO_OBJECT_H
#define KYMO_OBJECT_H

#include <stdint.h>

// Version 1 ends before `in_sampled`: all its sites are timed. Before version 3, sleds of 23 bytes called the thunks of x86-64; the runtime
// does not patch these.
enum { KYMO_OBJECT_VERSION = 3 };

struct kymo_sled {
  int32_t site;     // address of the sled − address of this field
  uint32_t number;  // number of the function in its unit × 2 + (0 entry | 1 exit)
  uint64_t unit;    // hash of the unit
};

struct kymo_object {
  void (*in)(void);    // The runtime fills in these four handlers, which the thunks of a shared library call.
  void (*out)(void);
  void (*enter)(void);
  void (*leave)(void);
  uint32_t version;
  uint32_t executable; // 1 in the executable itself
  const struct kymo_sled *sleds, *sleds_end;
  void (*thunk_in)(void), (*thunk_out)(void), (*trampoline)(void);
  void (*return_point)(void);                        // return address of bodies that the trampoline calls
  void (*calibrate[3])(void);                        // empty function, sled pair, patched entry; both use slot 0
  struct kymo_object *next;                          // link of the runtime's list
  // Version 2 adds these. The assembler files use the offsets of the first four.
  void (*in_sampled)(void);    // The runtime fills in these four.
  void (*out_sampled)(void);
  void (*due)(void);
  intptr_t self;               // offset of kymo_self from the thread pointer
  void (*thunk_in_sampled)(void), (*thunk_out_sampled)(void), (*thunk_due)(void);
  void (*calibrate_sampled[2])(void); // sled pair, patched entry; both use sampler 0
};

__attribute__((visibility("default"))) void kymo_attach(struct kymo_object *object);
__attribute__((visibility("default"))) void kymo_detach(struct kymo_object *object);

#endif
