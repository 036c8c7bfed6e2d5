// Finds libgomp's own functions.
#include "gomp.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path) {
  const char *last = strrchr(path, '/');
  return last ? last + 1 : path;
}

static int is_gomp(struct dl_phdr_info *info, size_t size, void *name) {
  (void)size;
  if (strncmp(base_name(info->dlpi_name), "libgomp.so", 10)) return 0;
  *(const char **)name = info->dlpi_name;
  return 1;
}

static void *look_up(const char *function) {
  void *next = dlsym(RTLD_NEXT, function);
  if (next) return next;
  // A program that inherits the layer may open the library itself, where RTLD_NEXT does not look.
  const char *library = NULL;
  if (!dl_iterate_phdr(is_gomp, &library)) return NULL;
  void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  return handle ? dlsym(handle, function) : NULL;
}

void *kymo_gomp_find(void *volatile *cache, const char *name) {
  void *next = look_up(name);
  if (!next) {
    char text[128];
    snprintf(text, sizeof text, "the OpenMP library of this program has no function %s", name);
    kymo_layer_say(text);
    abort();
  }
  return *cache = next;
}

// LLVM's library has these functions, too, and reports them by OMPT.
static bool is_gnu(void) {
  static _Atomic int known; // 1: no, 2: yes
  int answer = atomic_load_explicit(&known, memory_order_relaxed);
  if (__builtin_expect(answer != 0, 1)) return answer == 2;
  Dl_info info;
  void *barrier = look_up("GOMP_barrier");
  bool reports = barrier && dladdr(barrier, &info) && (strstr(base_name(info.dli_fname), "omp5") || strstr(base_name(info.dli_fname), "libomp")) ;
  if (barrier) atomic_store(&known, reports ? 1 : 2);
  return barrier && !reports;
}

bool kymo_gomp_records(void) { return kymo_layer_runtime() && is_gnu(); }
