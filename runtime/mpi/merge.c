// One file for the results of all processes of a job (docs/formats.md, "Result of a job"). Each process writes its part at the place that a
// prefix sum over the processes gives it; rank 0 writes where the parts are.
#include "layer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, PATH = 4096 + 128 };

struct header {
  char magic[8];
  uint32_t ranks, unused;
  uint64_t directory; // offset of the places
};
struct place {
  uint64_t offset, result, partners, iterations, waits; // and sizes of the four parts, which follow each other; 0: there is none
};
// What the process exchanged with another one.
struct partner {
  int32_t peer, tag;
  uint32_t received, comm;
  uint64_t messages, bytes, waited;
};

// What a call path waited in an iteration.
struct waited {
  uint32_t iteration, node, counter, unused;
  uint64_t ticks;
};

// The caller frees the list. What is not in the file of the iterations cannot be told.
static struct waited *waits_of_this(size_t *count) {
  size_t all, used = 0;
  const struct kymo_wait *waits = kymo_mpi_waits(&all);
  struct waited *waited = malloc((all + 1) * sizeof *waited);
  for (size_t i = 0; waited && i < all; ++i) {
    uint32_t node = kymo_mpi_runtime->iteration_node(waits[i].place);
    if (node) waited[used++] = (struct waited){waits[i].iteration - 1, node, waits[i].counter, 0, waits[i].ticks};
  }
  *count = used;
  return waited;
}

// The caller frees the list.
static struct partner *partners_of_this(size_t *count) {
  const struct kymo_stream *streams = kymo_mpi_streams(count);
  struct partner *partners = malloc((*count + 1) * sizeof *partners);
  if (!partners) *count = 0;
  for (size_t i = 0; i < *count; ++i)
    partners[i] = (struct partner){streams[i].peer, streams[i].tag, streams[i].received, streams[i].comm, streams[i].messages, streams[i].bytes, streams[i].waited};
  return partners;
}

static bool put(int file, const void *data, size_t bytes, uint64_t offset) {
  for (size_t done = 0; done < bytes;) {
    ssize_t written = pwrite(file, (const char *)data + done, bytes - done, (off_t)(offset + done));
    if (written <= 0) return false;
    done += (size_t)written;
  }
  return true;
}

static bool copy(int file, int from, uint64_t bytes, uint64_t offset) {
  enum { BLOCK = 1 << 20 };
  char *buffer = malloc(BLOCK);
  uint64_t done = 0;
  while (buffer && done < bytes) {
    ssize_t got = pread(from, buffer, BLOCK, (off_t)done);
    if (got <= 0 || !put(file, buffer, (size_t)got, offset + done)) break;
    done += (uint64_t)got;
  }
  free(buffer);
  return done == bytes;
}

static uint64_t size_of(int file) {
  struct stat status;
  return file < 0 || fstat(file, &status) ? 0 : (uint64_t)status.st_size;
}

static bool write_part(int file, struct place place, int result, const struct partner *partners, int iterations, const struct waited *waits) {
  uint64_t at = place.offset;
  if (!copy(file, result, place.result, at)) return false;
  at += place.result;
  if (!put(file, partners, place.partners, at)) return false;
  at += place.partners;
  return copy(file, iterations, place.iterations, at) && put(file, waits, place.waits, at + place.iterations);
}

// Rank 0 makes the file; the others open it.
static int open_file(int rank, char name[PATH]) {
  int file = -1;
  char host[64] = "host";
  if (rank == 0) {
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; ++c)
      if (*c == '/' || *c < ' ') *c = '_';
    snprintf(name, PATH, "%s/%s.%ld.job", kymo_mpi_runtime->folder(), host, (long)getpid());
  }
  MPI_Request request;
  if (PMPI_Ibcast(name, PATH, MPI_CHAR, 0, kymo_mpi_job, &request) || !kymo_mpi_wait(request)) name[0] = 0;
  char temporary[PATH + 4];
  snprintf(temporary, sizeof temporary, "%s.tmp", name);
  if (rank == 0) file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (!kymo_mpi_all_agree(rank != 0 || file >= 0)) return file;
  return rank == 0 ? file : open(temporary, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
}

static bool write_directory(int file, const struct place *places, int ranks, uint64_t end) {
  struct header header = {"KYMOJOB2", (uint32_t)ranks, 0, end};
  return places && put(file, places, (size_t)ranks * sizeof *places, end) && put(file, &header, sizeof header, 0);
}

// A limit on the size of files must not kill the program.
static void block_size_signal(sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &set, before);
}

static void swallow_size_signal(const sigset_t *before) {
  sigset_t set;
  struct timespec none = {0, 0};
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  if (!sigismember(before, SIGXFSZ)) sigtimedwait(&set, NULL, &none);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

// All of it, or nothing: then each process writes its own file when it ends.
bool kymo_mpi_merge(int result) {
  static char name[PATH], temporary[PATH + 4];
  int rank, ranks;
  MPI_Request request;
  sigset_t signals;
  block_size_signal(&signals);
  PMPI_Comm_rank(kymo_mpi_job, &rank);
  PMPI_Comm_size(kymo_mpi_job, &ranks);
  int file = open_file(rank, name), iterations = open(kymo_mpi_runtime->iterations(), O_RDONLY | O_CLOEXEC);
  size_t count, wait_count;
  struct partner *partners = partners_of_this(&count);
  struct waited *waits = waits_of_this(&wait_count);
  struct place place = {0, size_of(result), count * sizeof *partners, size_of(iterations), wait_count * sizeof *waits}, *places = NULL;
  uint64_t bytes = (place.result + place.partners + place.iterations + place.waits + PAGE - 1) / PAGE * PAGE, end = 0;
  // Parts begin on pages of their own, so that no two hosts write to the same one.
  if (PMPI_Iexscan(&bytes, &place.offset, 1, MPI_UINT64_T, MPI_SUM, kymo_mpi_job, &request) || !kymo_mpi_wait(request)) result = -1;
  place.offset = (rank ? place.offset : 0) + PAGE;
  bool good = file >= 0 && result >= 0 && write_part(file, place, result, partners, iterations, waits);
  end = place.offset + bytes;
  if (rank == 0) places = malloc((size_t)ranks * sizeof *places);
  good &= kymo_mpi_reduce(&end, 1, MPI_UINT64_T, MPI_MAX, kymo_mpi_job);
  if (rank != 0 && file >= 0) good &= close(file) == 0;
  if (kymo_mpi_all_agree(good && (rank != 0 || places))) {
    good = !PMPI_Igather(&place, sizeof place, MPI_BYTE, places, sizeof place, MPI_BYTE, 0, kymo_mpi_job, &request) && kymo_mpi_wait(request);
    good &= rank != 0 || write_directory(file, places, ranks, end);
  } else
    good = false;
  snprintf(temporary, sizeof temporary, "%s.tmp", name);
  if (rank == 0 && file >= 0) {
    good &= close(file) == 0;
    if (!good || rename(temporary, name)) unlink(temporary), good = false;
  }
  if (iterations >= 0) close(iterations);
  free(places);
  free(partners);
  free(waits);
  swallow_size_signal(&signals);
  good = kymo_mpi_all_agree(good);
  if (good && iterations >= 0) unlink(kymo_mpi_runtime->iterations());
  return good;
}
