// libc, called through pointers in data. Include it last. A call as such, or the global offset table's entry for one, would add to the executable's procedure
// linkage table or rearrange it: that table stands before the program's code, and its size decides where in a cache line every loop of the program lies.
#ifndef KYMO_LIBC_H
#define KYMO_LIBC_H

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
// glibc links pthread_atfork and at_quick_exit into each executable; these are the functions that they call.
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);
int __cxa_at_quick_exit(void (*function)(void *), void *object);
#define KYMO_LIBC_ENDS(F) F(__register_atfork) F(__cxa_at_quick_exit)
#else
#define KYMO_LIBC_ENDS(F) F(pthread_atfork) F(at_quick_exit)
#endif

#define KYMO_LIBC(F)                                                                                                                                    \
  F(__errno_location) F(access) F(clock_gettime) F(dl_iterate_phdr) F(fstat) F(getauxval) F(getcwd) F(getenv) F(getpid) F(getppid)             \
  F(memchr) F(memcmp) F(memcpy) F(memmove) F(memrchr) F(memset) F(mmap) F(mprotect) F(munmap) F(nanosleep) F(pthread_key_create) F(pthread_setspecific)    \
  F(qsort) F(raise) F(rename) F(sigaddset) F(sigemptyset) F(sigismember) F(signal) F(sigpending) F(sigprocmask)              \
  F(sigtimedwait) F(strcat) F(strcpy) F(strerror) F(strlen) F(strncat) F(strncpy) F(strrchr) F(strtoul) F(uname) F(unlink) KYMO_LIBC_ENDS(F)

#define KYMO_LIBC_FIELD(name) __typeof__(name) *name;
struct kymo_libc {
  KYMO_LIBC(KYMO_LIBC_FIELD)
};
extern __attribute__((visibility("hidden"))) const struct kymo_libc kymo_libc;

#ifndef KYMO_LIBC_TABLE // libc.c takes the addresses and needs the plain names
#undef errno
#define errno (*kymo_libc.__errno_location())
#define access(...) kymo_libc.access(__VA_ARGS__)
#define clock_gettime(...) kymo_libc.clock_gettime(__VA_ARGS__)
#define dl_iterate_phdr(...) kymo_libc.dl_iterate_phdr(__VA_ARGS__)
#define fstat(...) kymo_libc.fstat(__VA_ARGS__)
#define getauxval(...) kymo_libc.getauxval(__VA_ARGS__)
#define getcwd(...) kymo_libc.getcwd(__VA_ARGS__)
#define getenv(...) kymo_libc.getenv(__VA_ARGS__)
#define getpid(...) kymo_libc.getpid(__VA_ARGS__)
#define getppid(...) kymo_libc.getppid(__VA_ARGS__)
#define memchr(...) kymo_libc.memchr(__VA_ARGS__)
#define memcmp(...) kymo_libc.memcmp(__VA_ARGS__)
#define memcpy(...) kymo_libc.memcpy(__VA_ARGS__)
#define memmove(...) kymo_libc.memmove(__VA_ARGS__)
#define memrchr(...) kymo_libc.memrchr(__VA_ARGS__)
#define memset(...) kymo_libc.memset(__VA_ARGS__)
#define mmap(...) kymo_libc.mmap(__VA_ARGS__)
#define mprotect(...) kymo_libc.mprotect(__VA_ARGS__)
#define munmap(...) kymo_libc.munmap(__VA_ARGS__)
#define nanosleep(...) kymo_libc.nanosleep(__VA_ARGS__)
#define pthread_key_create(...) kymo_libc.pthread_key_create(__VA_ARGS__)
#define qsort(...) kymo_libc.qsort(__VA_ARGS__)
#define raise(...) kymo_libc.raise(__VA_ARGS__)
#define rename(...) kymo_libc.rename(__VA_ARGS__)
#define sigaddset(...) kymo_libc.sigaddset(__VA_ARGS__)
#define sigemptyset(...) kymo_libc.sigemptyset(__VA_ARGS__)
#define sigismember(...) kymo_libc.sigismember(__VA_ARGS__)
#define signal(...) kymo_libc.signal(__VA_ARGS__)
#define sigpending(...) kymo_libc.sigpending(__VA_ARGS__)
#define sigprocmask(...) kymo_libc.sigprocmask(__VA_ARGS__)
#define sigtimedwait(...) kymo_libc.sigtimedwait(__VA_ARGS__)
#define strcat(...) kymo_libc.strcat(__VA_ARGS__)
#define strcpy(...) kymo_libc.strcpy(__VA_ARGS__)
#define strerror(...) kymo_libc.strerror(__VA_ARGS__)
#define strlen(...) kymo_libc.strlen(__VA_ARGS__)
#define strncat(...) kymo_libc.strncat(__VA_ARGS__)
#define strncpy(...) kymo_libc.strncpy(__VA_ARGS__)
#define strrchr(...) kymo_libc.strrchr(__VA_ARGS__)
#define strtoul(...) kymo_libc.strtoul(__VA_ARGS__)
#define uname(...) kymo_libc.uname(__VA_ARGS__)
#define unlink(...) kymo_libc.unlink(__VA_ARGS__)

// Files are read and written by system calls: a library before libc that records what the program reads and writes (io/) does not see them.
#include "arch.h"
static inline long kymo_checked(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}
#define KYMO_CALL(name, a, b, c, d) kymo_checked(kymo_syscall(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0))
#define KYMO_OPEN(path, flags, mode, ...) KYMO_CALL(openat, AT_FDCWD, path, flags, mode)
#define open(...) KYMO_OPEN(__VA_ARGS__, 0, 0)
#define close(file) KYMO_CALL(close, file, 0, 0, 0)
#define read(file, to, size) KYMO_CALL(read, file, to, size, 0)
#define write(file, from, size) KYMO_CALL(write, file, from, size, 0)
#define pread(file, to, size, at) KYMO_CALL(pread64, file, to, size, at)
#define pwrite(file, from, size, at) KYMO_CALL(pwrite64, file, from, size, at)
#endif

#endif
