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

static bool compare(void) {
  char text[8192 + 1] = ""; // The other library's limit counts: Open MPI has 256 bytes, MPICH 8192.
  int length = 0, (*version)(char *, int *) = (int (*)(char *, int *))dlsym(RTLD_NEXT, "PMPI_Get_library_version");
  if (!version || version(text, &length)) return false;
#ifdef OPEN_MPI
  return (void *)MPI_COMM_WORLD != NULL && strstr(text, "Open MPI") != NULL;
#else
  return strstr(text, "Open MPI") == NULL;
#endif
}

bool kymo_mpi_fits(void) {
  static volatile int known; // 1: it fits, 2: it does not
  if (!known) known = compare() ? 1 : 2;
  return known == 1;
}

static void say_foreign(void) {
  say("kymo: MPI calls are not recorded: the program runs with another MPI library than it was built with (expected: " LIBRARY ")\n");
}

__attribute__((constructor)) static void step_aside(void) {
  // The programs that start the ranks have no MPI library.
  if (!dlsym(RTLD_NEXT, "PMPI_Get_library_version") || kymo_mpi_fits()) return;
  for (const struct kymo_jump *jump = kymo_mpi_jumps; jump->name; ++jump) {
    void *next = dlsym(RTLD_NEXT, jump->name);
    if (next) *jump->to = next;
  }
  if (getenv("KYMO_SELECTION")) say_foreign();
}

// The runtime begins in the constructor of the executable, and libraries may call MPI in theirs, which come before.
static void find_runtime(void) {
  static const struct kymo_layers *(*volatile layers)(void);
  static volatile bool never;
  if (never) return;
  if (!layers) layers = (const struct kymo_layers *(*)(void))dlsym(RTLD_DEFAULT, "kymo_layers");
  const struct kymo_layers *found = layers ? layers() : NULL;
  never = !layers || (found && found->version < 2);
  if (never || !found) return;
  ++inside;
  if (kymo_mpi_fits()) {
    kymo_mpi_runtime = found;
    kymo_mpi_traces = found->version >= 5 && found->traces(0);
    kymo_mpi_defines = kymo_mpi_traces || (found->version >= 6 && found->watched());
  } else {
    never = true;
    say_foreign();
  }
  --inside;
}

// The visit under way on this thread. Its span, if one is needed, is filled when it ends.
static __thread struct {
  bool recorded, logs;
  uint64_t timer, clock;
  void *place;
  struct kymo_call *call;
  struct kymo_span *span;
} visit __attribute__((tls_model("initial-exec")));

bool kymo_mpi_begin(struct kymo_call *call, uintptr_t frame) {
  if (inside) return false;
  if (__builtin_expect(!kymo_mpi_runtime, 0)) {
    find_runtime();
    if (!kymo_mpi_runtime) return false;
  }
  if (__builtin_expect(!call->region, 0)) call->region = kymo_mpi_runtime->region(call->name, NULL, 0, KYMO_REGION_MPI);
  visit.recorded = kymo_mpi_runtime->begin(call->region, frame);
  visit.place = visit.recorded ? kymo_mpi_runtime->last_event(&visit.timer, &visit.clock) : NULL;
  visit.call = call;
  visit.span = NULL;
  visit.logs = false;
  ++inside;
  return true;
}

void kymo_mpi_end(struct kymo_call *call, uintptr_t frame) {
  --inside;
  if (!visit.recorded) return;
  kymo_mpi_runtime->end(call->region, frame);
  if (!visit.span && !visit.logs) return;
  uint64_t timer, clock;
  kymo_mpi_runtime->last_event(&timer, &clock);
  if (visit.span) visit.span->length = clock - visit.clock;
  if (visit.logs) kymo_mpi_visit_ends((struct kymo_span){visit.timer, clock - visit.clock, visit.place});
}

void kymo_mpi_visit_logs(void) { visit.logs = true; }

// Most visits of a call have the path of the one before.
static struct kymo_count *remembered(struct kymo_call *call, enum kymo_counter counter) {
  if (call->place != visit.place) {
    memset(call->counts, 0, sizeof call->counts);
    call->place = visit.place;
  }
  if (!call->counts[counter]) call->counts[counter] = kymo_mpi_runtime->counter(visit.place, counter);
  return call->counts[counter];
}

void kymo_mpi_count(enum kymo_counter counter, MPI_Count amount) {
  if (!visit.place || amount <= 0) return;
  struct kymo_count *count = kymo_mpi_concurrent ? kymo_mpi_runtime->counter(visit.place, counter) : remembered(visit.call, counter);
  if (!count) return;
  ++count->times;
  count->amount += (uint64_t)amount;
}

void kymo_mpi_trace(enum kymo_layer_event event, const uint64_t *words, uint32_t count) {
  if (visit.recorded) kymo_mpi_runtime->trace(event, words, count);
}

uint32_t kymo_mpi_iteration(void) { return kymo_mpi_runtime->version >= 4 ? kymo_mpi_runtime->iteration() : 0; }

uint64_t kymo_mpi_entered(void) { return visit.timer; }

void kymo_mpi_fill(struct kymo_span *span) {
  if (!visit.recorded) {
    *span = (struct kymo_span){0, 0, NULL};
    return;
  }
  *span = (struct kymo_span){visit.timer, 0, visit.place};
  visit.span = span;
}
