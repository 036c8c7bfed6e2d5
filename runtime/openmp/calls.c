// Finds the runtime, and names regions after the code that calls a library.
#include "calls.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void kymo_layer_say(const char *text) {
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

const struct kymo_layers *kymo_layer_runtime(void) {
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
  if (runtime && runtime->version < 3) runtime = NULL;
  atomic_store_explicit(&found, runtime, memory_order_release);
  return runtime;
}

static const char *base_name(const char *path) {
  const char *last = strrchr(path, '/');
  return last ? last + 1 : path;
}

static bool begins(const char *name, const char *with) { return !strncmp(name, with, strlen(with)); }

// Of what calls for the program: the lines of these libraries are not the user's.
static bool is_in_between(const char *path) {
  const char *name = base_name(path);
  return begins(name, "libomp") || begins(name, "libiomp") || begins(name, "libgomp") || begins(name, "libstdc++.so") || begins(name, "libc++.so");
}

// What reads and writes for the program.
static bool is_io_library(const char *path) {
  const char *name = base_name(path);
  return begins(name, "libgfortran") || begins(name, "libflang_rt") || begins(name, "libFortranRuntime") || begins(name, "libifcore") || begins(name, "libhdf5") || begins(name, "libnetcdf");
}

// The name has the address as linked, and the object's name, which makes it unique. Functions of input and output have theirs alone.
static uint32_t name_region(const char *call, uint32_t kind, const void *address) {
  const struct kymo_layers *runtime = kymo_layer_runtime();
  Dl_info info;
  struct link_map *object = NULL;
  char file[PATH_MAX] = "", name[256];
  bool known = address && dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) && object;
  // Nobody knows the address, or a tail call has left that of the library.
  if (!known || is_in_between(object->l_name)) return runtime->region(call, NULL, 0, kind);
  if (kind == KYMO_REGION_IO && is_io_library(object->l_name)) return runtime->region(call, NULL, 0, kind);
  if ((kind == KYMO_REGION_THREADS || kind == KYMO_REGION_IO) && !runtime->measured(address)) return KYMO_NOT_RECORDED;
  if (kind == KYMO_REGION_IO) return runtime->region(call, NULL, 0, kind);
  const char *path = object->l_name;
  if (!path || !*path) { // the executable
    ssize_t length = readlink("/proc/self/exe", file, sizeof file - 1);
    if (length > 0) file[length] = 0;
    path = file;
  }
  // The call ends at the address; the byte before is part of it.
  snprintf(name, sizeof name, "%s @%.128s:0x%lx", call, base_name(path), (unsigned long)((uintptr_t)address - object->l_addr - 1));
  return runtime->region(name, path, 0, kind);
}

enum { TABLE = 1 << 13, LONGEST = 64 };
static struct {
  _Atomic uintptr_t key;
  _Atomic uint32_t region;
} table[TABLE];

uint32_t kymo_region_of_call(const char *name, unsigned number, uint32_t kind, const void *address) {
  uintptr_t key = ((uintptr_t)address << 6 | number) + 1;
  uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 40);
  for (int steps = 0; steps < LONGEST; ++steps, ++at) {
    uintptr_t found = atomic_load_explicit(&table[at % TABLE].key, memory_order_acquire);
    if (!found) {
      uint32_t region = name_region(name, kind, address);
      if (region && atomic_compare_exchange_strong(&table[at % TABLE].key, &found, key))
        atomic_store_explicit(&table[at % TABLE].region, region, memory_order_release);
      if (!region || !found || found == key) return region;
    }
    if (found != key) continue;
    uint32_t region = atomic_load_explicit(&table[at % TABLE].region, memory_order_acquire);
    return region ? region : name_region(name, kind, address); // Another thread is just adding it.
  }
  return name_region(name, kind, address);
}
