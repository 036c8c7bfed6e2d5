// Reads and writes by each function, and prints what a recording must have: `= <function> <visits> <bytes read> <bytes written>`
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static char bytes[1 << 16];
static int pipes[2];

__attribute__((noinline)) static void files(const char *path) {
  struct iovec parts[2] = {{bytes, 100}, {bytes + 100, 23}};
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0640);
  for (int i = 0; i < 10; ++i) write(file, bytes, 48);
  pwrite(file, bytes, 4096, 480);
  writev(file, parts, 2);
  pwritev(file, parts, 2, 0);
  fsync(file);
  fdatasync(file);
  lseek(file, 4000, SEEK_SET);
  while (read(file, bytes, 500) > 0) { // 500 bytes and the last 76, then the end
  }
  pread(file, bytes, 1000, 4000);
  readv(file, parts, 2); // at the end
  preadv(file, parts, 2, 7);
  close(file);
}

__attribute__((noinline)) static void streams(const char *path) {
  FILE *file = fopen(path, "w+");
  for (int i = 0; i < 5; ++i) fwrite(bytes, 8, 3, file);
  fflush(file);
  rewind(file);
  fread(bytes, 7, 100, file); // 17 whole ones of 120 bytes
  fclose(file);
}

// `errno` is that of the call, and a call that succeeds leaves it alone.
__attribute__((noinline)) static void errors(void) {
  errno = 0;
  ssize_t failed = read(-1, bytes, 1);
  int first = errno;
  errno = ERANGE;
  write(pipes[1], bytes, 1);
  int second = errno;
  int missing = open("/no/such/file", O_RDONLY);
  printf("read %zd, EBADF %d, kept %d, open %d, ENOENT %d\n", failed, first == EBADF, second == ERANGE, missing, errno == ENOENT);
}

// A handler writes, also while another call of the layer is under way.
static void handler(int signal) {
  (void)signal;
  write(pipes[1], bytes, 3);
}

__attribute__((noinline)) static void signals(void) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 20; ++i) raise(SIGUSR1);
}

static void *waits_for_ever(void *nothing) {
  int never[2];
  if (pipe(never)) return nothing;
  read(never[0], bytes, 1);
  return nothing;
}

static void *writes(void *nothing) {
  for (int i = 0; i < 100; ++i) write(pipes[1], bytes, 2);
  return nothing;
}

__attribute__((noinline)) static void threads(void) {
  pthread_t cancelled, other;
  void *result;
  pthread_create(&cancelled, 0, waits_for_ever, 0);
  usleep(20000);
  pthread_cancel(cancelled);
  pthread_join(cancelled, &result);
  pthread_create(&other, 0, writes, 0);
  pthread_join(other, 0);
  printf("cancelled %d\n", result == PTHREAD_CANCELED);
}

int main(int count, char **words) {
  if (count < 2 || pipe(pipes)) return 1;
  files(words[1]);
  streams(words[1]);
  errors();
  signals();
  threads();
  unlink(words[1]);
  // 10 to the file, 1 of errors, 20 of handlers, 100 of the thread
  puts("= write 131 0 741");
  puts("= pwrite 1 0 4096");
  puts("= writev 1 0 123");
  puts("= pwritev 1 0 123");
  puts("= fsync 1 0 0");
  puts("= fdatasync 1 0 0");
  // 3 of the file, 1 that fails, 1 that is cancelled
  puts("= read 5 576 0");
  puts("= pread 1 576 0");
  puts("= readv 1 0 0");
  puts("= preadv 1 123 0");
  puts("= open 2 0 0");
  puts("= close 1 0 0");
  puts("= fopen 1 0 0");
  puts("= fwrite 5 0 120");
  puts("= fflush 1 0 0");
  puts("= fread 1 119 0");
  puts("= fclose 1 0 0");
  return 3;
}
