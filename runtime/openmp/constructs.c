// Begins and ends the visits of constructs. Libraries do not say for all constructs which one ends, so each thread has a list of those
// that are open.
#include "layer.h"

#include <stdlib.h>

static const char *const names[OMP_CONSTRUCTS] = {
    "!$omp parallel",
    "!$omp for",
    "!$omp sections",
    "!$omp single",
    "!$omp workshare",
    "!$omp distribute",
    "!$omp taskloop",
    "!$omp scope",
    "!$omp barrier",
    "!$omp implicit barrier",
    "!$omp critical",
    "!$omp critical sblock",
    "!$omp ordered",
    "!$omp ordered sblock",
    "!$omp atomic",
    "!$omp task",
    "!$omp create task",
    "!$omp taskwait",
    "!$omp taskgroup",
    "omp_set_lock",
    "omp_unset_lock",
    "omp_test_lock",
    "omp_set_nest_lock",
    "omp_unset_nest_lock",
    "omp_test_nest_lock",
};

uint32_t kymo_omp_region(enum kymo_construct construct, const void *address) {
  return kymo_region_of_call(names[construct], (unsigned)construct, KYMO_REGION_OPENMP, address);
}

// --- open visits ---

struct visit {
  uint32_t region; // 0: not recorded
  uint32_t construct;
  const void *key;
};
static __thread struct {
  struct visit *visits;
  uint32_t count, room;
} open __attribute__((tls_model("initial-exec")));

// False: there is no memory.
static bool has_room(void) {
  if (open.count < open.room) return true;
  uint32_t room = open.room ? 2 * open.room : 64;
  struct visit *visits = realloc(open.visits, room * sizeof *visits);
  if (!visits) return false;
  open.visits = visits;
  open.room = room;
  return true;
}

void kymo_omp_begin_region(enum kymo_construct construct, uint32_t region, const void *key) {
  if (!has_room()) return;
  if (region && !kymo_layer_runtime()->begin(region, 0)) region = 0;
  open.visits[open.count++] = (struct visit){region, construct, key};
}

void kymo_omp_begin_below(const uint32_t *path, uint32_t length, uint32_t region, const void *key) {
  if (!has_room()) return;
  if (region && !kymo_layer_runtime()->begin_below(path, length, region)) region = 0;
  open.visits[open.count++] = (struct visit){region, OMP_PARALLEL, key};
}

void kymo_omp_begin(enum kymo_construct construct, const void *address, const void *key) {
  kymo_omp_begin_region(construct, kymo_omp_region(construct, address), key);
}

static void end_down_to(uint32_t count) {
  while (open.count > count) {
    struct visit visit = open.visits[--open.count];
    bool waits = visit.key && (visit.construct == OMP_BARRIER || visit.construct == OMP_IMPLICIT_BARRIER);
    if (!visit.region) continue;
    if (waits) kymo_layer_runtime()->end_waiting(visit.region, 0, *(const volatile uint64_t *)visit.key);
    else kymo_layer_runtime()->end(visit.region, 0);
  }
}

// Position of the innermost visit of the construct; the count if there is none.
static uint32_t find(enum kymo_construct construct) {
  for (uint32_t at = open.count; at > 0; --at)
    if (open.visits[at - 1].construct == construct) return at - 1;
  return open.count;
}

void kymo_omp_end(enum kymo_construct construct) { end_down_to(find(construct)); }

bool kymo_omp_end_inside(const void *key) {
  for (uint32_t at = open.count; at > 0; --at)
    if (open.visits[at - 1].key == key) {
      end_down_to(at);
      return true;
    }
  return false;
}

void kymo_omp_forget(enum kymo_construct construct) { open.count = find(construct); }
