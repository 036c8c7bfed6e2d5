// The I/O layer: functions before those of the C library that read and write files, each call of which is a visit with its bytes.
#include "../openmp/calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static void *find(void *volatile *next, const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) {
    char text[128];
    snprintf(text, sizeof text, "the C library of this program has no function %s", name);
    kymo_layer_say(text);
    abort(); // The program could not have been started without the layer.
  }
  return *next = found;
}

// `errno` is the program's: a call that succeeds does not change it.
static uint32_t begin(const char *name, unsigned number, const void *address, uintptr_t frame) {
  int before = errno;
  const struct kymo_layers *runtime = kymo_layer_runtime();
  uint32_t region = runtime ? kymo_region_of_call(name, number, KYMO_REGION_IO, address) : 0;
  if (region == KYMO_NOT_RECORDED || (region && !runtime->begin(region, frame))) region = 0;
  errno = before;
  return region;
}

static void end(uint32_t region, uintptr_t frame, enum kymo_counter counter, ssize_t bytes) {
  int after = errno;
  const struct kymo_layers *runtime = kymo_layer_runtime();
  if (bytes > 0) runtime->count(counter, (uint64_t)bytes);
  runtime->end(region, frame);
  errno = after;
}

// --- one definition for each function ---

enum { READ, WRITE, PREAD, PWRITE, READV, WRITEV, PREADV, PWRITEV, FSYNC, FDATASYNC, OPEN, CLOSE, FREAD, FWRITE, FFLUSH, FOPEN, FCLOSE };

// The function behind is looked up when the program starts: a signal handler may be the first that writes.
#define NEXT(function)                           \
  static void *volatile next_##function;         \
  __attribute__((constructor)) static void find_##function(void) { next_##function = dlsym(RTLD_NEXT, #function); }
#define NEXT_OF(function) (next_##function ? next_##function : find(&next_##function, #function))

// A thread that is cancelled, or jumps out of a handler, leaves the visit to the runtime.
#define VISIT(number, name, call, counter, bytes)                                            \
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);                                   \
  uint32_t region = begin(name, number, __builtin_return_address(0), frame);                 \
  __typeof__(call) result = call;                                                            \
  if (region) end(region, frame, counter, bytes);                                            \
  return result;

#define CALLS(number, name, type, function, parameters, arguments, counter, bytes)           \
  NEXT(function)                                                                             \
  __attribute__((visibility("default"))) type function parameters {                          \
    type(*next) parameters = (type(*) parameters)NEXT_OF(function);                          \
    VISIT(number, name, next arguments, counter, bytes)                                      \
  }

#define READS(number, name, function, parameters, arguments) CALLS(number, name, ssize_t, function, parameters, arguments, KYMO_BYTES_READ, result)
#define WRITES(number, name, function, parameters, arguments) CALLS(number, name, ssize_t, function, parameters, arguments, KYMO_BYTES_WRITTEN, result)
#define WAITS(number, name, function, parameters, arguments) CALLS(number, name, int, function, parameters, arguments, KYMO_COUNTERS, 0)

READS(READ, "read", read, (int file, void *to, size_t size), (file, to, size))
READS(PREAD, "pread", pread, (int file, void *to, size_t size, off_t at), (file, to, size, at))
READS(PREAD, "pread", pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at))
READS(READV, "readv", readv, (int file, const struct iovec *parts, int count), (file, parts, count))
READS(PREADV, "preadv", preadv, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at))
READS(PREADV, "preadv", preadv64, (int file, const struct iovec *parts, int count, off64_t at), (file, parts, count, at))
WRITES(WRITE, "write", write, (int file, const void *from, size_t size), (file, from, size))
WRITES(PWRITE, "pwrite", pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at))
WRITES(PWRITE, "pwrite", pwrite64, (int file, const void *from, size_t size, off64_t at), (file, from, size, at))
WRITES(WRITEV, "writev", writev, (int file, const struct iovec *parts, int count), (file, parts, count))
WRITES(PWRITEV, "pwritev", pwritev, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at))
WRITES(PWRITEV, "pwritev", pwritev64, (int file, const struct iovec *parts, int count, off64_t at), (file, parts, count, at))
WAITS(FSYNC, "fsync", fsync, (int file), (file))
WAITS(FDATASYNC, "fdatasync", fdatasync, (int file), (file))
WAITS(CLOSE, "close", close, (int file), (file))

CALLS(FREAD, "fread", size_t, fread, (void *to, size_t size, size_t count, FILE *file), (to, size, count, file), KYMO_BYTES_READ, (ssize_t)(result * size))
CALLS(FWRITE, "fwrite", size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file), (from, size, count, file), KYMO_BYTES_WRITTEN, (ssize_t)(result * size))
WAITS(FFLUSH, "fflush", fflush, (FILE * file), (file))
WAITS(FCLOSE, "fclose", fclose, (FILE * file), (file))
CALLS(FOPEN, "fopen", FILE *, fopen, (const char *path, const char *mode), (path, mode), KYMO_COUNTERS, 0)
CALLS(FOPEN, "fopen", FILE *, fopen64, (const char *path, const char *mode), (path, mode), KYMO_COUNTERS, 0)

// What programs call instead that are built with _FORTIFY_SOURCE. `room` is the size of the memory at `to`.
#ifdef __GLIBC__
READS(READ, "read", __read_chk, (int file, void *to, size_t size, size_t room), (file, to, size, room))
READS(PREAD, "pread", __pread_chk, (int file, void *to, size_t size, off_t at, size_t room), (file, to, size, at, room))
READS(PREAD, "pread", __pread64_chk, (int file, void *to, size_t size, off64_t at, size_t room), (file, to, size, at, room))
CALLS(FREAD, "fread", size_t, __fread_chk, (void *to, size_t room, size_t size, size_t count, FILE *file), (to, room, size, count, file), KYMO_BYTES_READ, (ssize_t)(result * size))
#endif

#define OPENS(function)                                                                      \
  NEXT(function)                                                                             \
  __attribute__((visibility("default"))) int function(const char *path, int flags, ...) {    \
    int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))NEXT_OF(function); \
    mode_t mode = 0;                                                                         \
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {                               \
      va_list rest;                                                                          \
      va_start(rest, flags);                                                                 \
      mode = va_arg(rest, mode_t);                                                           \
      va_end(rest);                                                                          \
    }                                                                                        \
    VISIT(OPEN, "open", next(path, flags, mode), KYMO_COUNTERS, 0)                           \
  }
OPENS(open)
OPENS(open64)
