// The registration object, linked into every executable and shared library: it reports this object's sites to the runtime of the process.
#include "object.h"

// The linker does not define these in an object without probe sleds.
extern const struct kymo_sled __start_kymo_sleds[] __attribute__((weak, visibility("hidden")));
extern const struct kymo_sled __stop_kymo_sleds[] __attribute__((weak, visibility("hidden")));

void kymo_thunk_in(void), kymo_thunk_out(void), kymo_trampoline(void), kymo_return_point(void);
void kymo_thunk_in_sampled(void), kymo_thunk_out_sampled(void), kymo_thunk_due(void);
void kymo_calibrate_sampled_sled(void), kymo_calibrate_sampled_entry(void);
void kymo_calibrate_empty(void), kymo_calibrate_sled(void), kymo_calibrate_entry(void);

#ifndef KYMO_EXECUTABLE
#define KYMO_EXECUTABLE 0
#pragma weak kymo_attach // the executable may have been built without the runtime
#pragma weak kymo_detach
#endif

struct kymo_object kymo_this_object = {
    .version = KYMO_OBJECT_VERSION,
    .executable = KYMO_EXECUTABLE,
    .thunk_in = kymo_thunk_in,
    .thunk_out = kymo_thunk_out,
    .trampoline = kymo_trampoline,
    .return_point = kymo_return_point,
    .calibrate = {kymo_calibrate_empty, kymo_calibrate_sled, kymo_calibrate_entry},
    .thunk_in_sampled = kymo_thunk_in_sampled,
    .thunk_out_sampled = kymo_thunk_out_sampled,
    .thunk_due = kymo_thunk_due,
    .calibrate_sampled = {kymo_calibrate_sampled_sled, kymo_calibrate_sampled_entry},
};

static void attach(void) {
  kymo_this_object.sleds = __start_kymo_sleds;
  kymo_this_object.sleds_end = __stop_kymo_sleds;
#if !KYMO_EXECUTABLE
  if (!kymo_attach) return;
#endif
  kymo_attach(&kymo_this_object);
}

static void detach(void) {
#if !KYMO_EXECUTABLE
  if (!kymo_detach) return;
#endif
  kymo_detach(&kymo_this_object);
}

// These run before every constructor and after every destructor of the program, whose priorities begin at 101. The sections are named here
// because the compiler warns when the constructor and destructor attributes get a priority below 101.
__attribute__((used, section(".init_array.00100"))) static void (*before_constructors)(void) = attach;
__attribute__((used, section(".fini_array.00100"))) static void (*after_destructors)(void) = detach;
