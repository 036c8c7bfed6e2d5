// Touches pages that nobody has touched before: none · threads: in three threads, too · fork: in a child, too · _Fork: in a child whose handlers of fork do not run ·
// close: after it has closed all descriptors but the first three, and opened files of its own · deep: in a recursion below the depth limit
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BARE __attribute__((noinline, patchable_function_entry(0, 0)))
#define SEEN __attribute__((noinline))
enum { PAGE = 4096 };

BARE static char *pages(int count) {
  char *at = mmap(0, (size_t)count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(at, (size_t)count * PAGE, MADV_NOHUGEPAGE);
  return at;
}
BARE static void touch(volatile char *at, int count) {
  for (int i = 0; i < count; ++i) at[i * PAGE] = 1;
}

SEEN void inner(char *at) { touch(at, 300); }
// 200 pages before, and 500 after a call that touches 300.
SEEN void outer(char *at) {
  touch(at, 200);
  inner(at + 200 * PAGE);
  touch(at + 500 * PAGE, 500);
}
SEEN void deep(int depth, char *at) {
  touch(at, 1);
  if (depth > 1) deep(depth - 1, at + PAGE);
  __asm__ volatile("");
}
BARE static void *work(void *unused) {
  (void)unused;
  outer(pages(1000));
  return 0;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "none";
  if (!strcmp(how, "threads")) {
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  } else if (!strcmp(how, "close")) {
    inner(pages(300));
    for (int i = 3; i < 8192; ++i) close(i);
    for (int i = 0; i < 8; ++i) open("/proc/self/stat", O_RDONLY);
  } else if (!strcmp(how, "deep")) {
    deep(400, pages(400));
  } else if (!strcmp(how, "fork") || !strcmp(how, "_Fork")) {
    inner(pages(300));
    pid_t child = strcmp(how, "fork") ? _Fork() : fork();
    int status = 0;
    if (child && (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3)) printf("the child ended with %d\n", status);
  }
  work(0);
  return 3;
}
