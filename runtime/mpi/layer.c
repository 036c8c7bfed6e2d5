// Finds the runtime and the MPI library, and begins and ends the visits of calls.
#include "layer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct kymo_layers *kymo_mpi_runtime;

static __thread int inside __attribute__((tls_model("initial-exec"))); // depth of calls of MPI functions on this thread

static void say(const char *text) {
  size_t length = strlen(text);
  while (length) {
    ssize_t written = write(2, text, length);
    if (written <= 0) return;
    text += written;
    length -= (size_t)written;
  }
}

void *kymo_mpi_find(struct kymo_call *call, int profiling) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", profiling ? "P" : "", call->name);
  void *next = dlsym(RTLD_NEXT, name);
  if (!next) {
    say("kymo: the MPI library of this program has no function ");
    say(name);
    say("\n");
    abort();
  }
  call->next[profiling] = next;
  return next;
}

// --- the library that the layer was compiled for ---

#ifdef OPEN_MPI
#define LIBRARY "Open MPI"
#elif defined(MPICH_VERSION) || defined(MPICH_NUMVERSION) || defined(I_MPI_VERSION)
#define LIBRARY "MPICH, Intel MPI or MVAPICH"
#else
#define LIBRARY ""
#endif

// Handles and statuses have another layout in another library.
static bool fits(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0, (*version)(char *, int *) = (int (*)(char *, int *))dlsym(RTLD_NEXT, "PMPI_Get_library_version");
  if (!version || version(text, &length)) return false;
#ifdef OPEN_MPI
  return (void *)MPI_COMM_WORLD != NULL && strstr(text, "Open MPI") != NULL;
#else
  return strstr(text, "Open MPI") == NULL;
#endif
}

// The runtime begins in the constructor of the executable, and libraries may call MPI in theirs, which come before.
static void find_runtime(void) {
  static const struct kymo_layers *(*volatile layers)(void);
  static volatile bool never;
  if (never) return;
  if (!layers) layers = (const struct kymo_layers *(*)(void))dlsym(RTLD_DEFAULT, "kymo_layers");
  const struct kymo_layers *found = layers ? layers() : NULL;
  never = !layers || (found && found->version < 1);
  if (never || !found) return;
  ++inside;
  if (fits()) {
    kymo_mpi_runtime = found;
  } else {
    never = true;
    say("kymo: MPI calls are not recorded: the program runs with another MPI library than it was built with (expected: " LIBRARY ")\n");
  }
  --inside;
}

bool kymo_mpi_begin(struct kymo_call *call, uintptr_t frame) {
  if (inside) return false;
  if (__builtin_expect(!kymo_mpi_runtime, 0)) {
    find_runtime();
    if (!kymo_mpi_runtime) return false;
  }
  if (__builtin_expect(!call->region, 0)) call->region = kymo_mpi_runtime->region(call->name, NULL, 0, KYMO_REGION_MPI);
  if (!kymo_mpi_runtime->begin(call->region, frame)) return false;
  ++inside;
  return true;
}

void kymo_mpi_end(struct kymo_call *call, uintptr_t frame) {
  --inside;
  kymo_mpi_runtime->end(call->region, frame);
}

void kymo_mpi_started(void) {
  int rank, size;
  if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) || PMPI_Comm_size(MPI_COMM_WORLD, &size)) return;
  kymo_mpi_runtime->rank((uint32_t)rank, (uint32_t)size);
}

void kymo_mpi_finishes(void) {}
