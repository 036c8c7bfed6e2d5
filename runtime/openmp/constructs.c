// Finds the runtime, names the regions of constructs, and begins and ends their visits. Libraries do not say for all constructs which one
// ends, so each thread has a list of those that are open.
#include "layer.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void kymo_omp_say(const char *text) {
  char line[512];
  int length = snprintf(line, sizeof line, "kymo: %s\n", text);
  if (length > (int)sizeof line - 1) length = sizeof line - 1;
  for (const char *rest = line; length > 0;) {
    ssize_t written = write(2, rest, (size_t)length);
    if (written <= 0) return;
    rest += written;
    length -= (int)written;
  }
}

const struct kymo_layers *kymo_omp_runtime(void) {
  static const struct kymo_layers *_Atomic found;
  static const struct kymo_layers *(*_Atomic layers)(void);
  static _Atomic bool looked;
  const struct kymo_layers *runtime = atomic_load_explicit(&found, memory_order_acquire);
  if (__builtin_expect(runtime != NULL, 1)) return runtime;
  if (!atomic_load(&looked)) {
    atomic_store(&layers, (const struct kymo_layers *(*)(void))dlsym(RTLD_DEFAULT, "kymo_layers"));
    atomic_store(&looked, true);
  }
  // The executable may begin to measure after its libraries have begun to run.
  const struct kymo_layers *(*ask)(void) = atomic_load(&layers);
  runtime = ask ? ask() : NULL;
  if (runtime && runtime->version < 2) runtime = NULL;
  atomic_store_explicit(&found, runtime, memory_order_release);
  return runtime;
}

// --- regions ---

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

static const char *base_name(const char *path) {
  const char *last = strrchr(path, '/');
  return last ? last + 1 : path;
}

static bool is_openmp(const char *path) {
  const char *name = base_name(path);
  return !strncmp(name, "libomp", 6) || !strncmp(name, "libiomp", 7) || !strncmp(name, "libgomp", 7);
}

// The name has the address as linked, and the object's name, which makes it unique.
static uint32_t name_region(enum kymo_construct construct, const void *address) {
  Dl_info info;
  struct link_map *object = NULL;
  char file[PATH_MAX] = "", name[256];
  // Nobody knows the address, or a tail call has left that of the OpenMP library.
  if (!address || !dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) || !object || is_openmp(object->l_name))
    return kymo_omp_runtime()->region(names[construct], NULL, 0, KYMO_REGION_OPENMP);
  const char *path = object->l_name;
  if (!path || !*path) { // the executable
    ssize_t length = readlink("/proc/self/exe", file, sizeof file - 1);
    if (length > 0) file[length] = 0;
    path = file;
  }
  // The call ends at the address; the byte before is part of it.
  snprintf(name, sizeof name, "%s @%.128s:0x%lx", names[construct], base_name(path), (unsigned long)((uintptr_t)address - object->l_addr - 1));
  return kymo_omp_runtime()->region(name, path, 0, KYMO_REGION_OPENMP);
}

enum { TABLE = 1 << 13, LONGEST = 64 };
static struct {
  _Atomic uintptr_t key;
  _Atomic uint32_t region;
} table[TABLE];

uint32_t kymo_omp_region(enum kymo_construct construct, const void *address) {
  uintptr_t key = ((uintptr_t)address << 6 | (uintptr_t)construct) + 1;
  uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 40);
  for (int steps = 0; steps < LONGEST; ++steps, ++at) {
    uintptr_t found = atomic_load_explicit(&table[at % TABLE].key, memory_order_acquire);
    if (!found) {
      uint32_t region = name_region(construct, address);
      if (region && atomic_compare_exchange_strong(&table[at % TABLE].key, &found, key))
        atomic_store_explicit(&table[at % TABLE].region, region, memory_order_release);
      if (!region || !found || found == key) return region;
    }
    if (found != key) continue;
    uint32_t region = atomic_load_explicit(&table[at % TABLE].region, memory_order_acquire);
    return region ? region : name_region(construct, address); // Another thread is just adding it.
  }
  return name_region(construct, address);
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

void kymo_omp_begin_region(enum kymo_construct construct, uint32_t region, const void *key) {
  if (open.count == open.room) {
    uint32_t room = open.room ? 2 * open.room : 64;
    struct visit *visits = realloc(open.visits, room * sizeof *visits);
    if (!visits) return;
    open.visits = visits;
    open.room = room;
  }
  if (region && !kymo_omp_runtime()->begin(region, 0)) region = 0;
  open.visits[open.count++] = (struct visit){region, construct, key};
}

void kymo_omp_begin(enum kymo_construct construct, const void *address, const void *key) {
  kymo_omp_begin_region(construct, kymo_omp_region(construct, address), key);
}

static void end_down_to(uint32_t count) {
  while (open.count > count) {
    struct visit visit = open.visits[--open.count];
    bool waits = visit.key && (visit.construct == OMP_BARRIER || visit.construct == OMP_IMPLICIT_BARRIER);
    if (!visit.region) continue;
    if (waits) kymo_omp_runtime()->end_waiting(visit.region, *(const volatile uint64_t *)visit.key);
    else kymo_omp_runtime()->end(visit.region, 0);
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
