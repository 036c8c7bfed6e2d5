/* A program that starts processes: `compute`, `daemons` (which outlive it), `wait` (until a signal ends it). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void compute(void) {
  struct timespec spent;
  do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  while (spent.tv_sec == 0 && spent.tv_nsec < 100000000);
}

/* Prints its process number and runs without end. */
static void stay(void) {
  char text[32];
  int size = snprintf(text, sizeof text, "%d\n", (int)getpid());
  int file = open("pids", O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (write(file, text, size) != size) _exit(1);
  for (;;) pause();
}

/* Detaches twice, like a daemon. `action` never returns to the caller. */
static void detach(void (*action)(void)) {
  pid_t child = fork();
  if (child != 0) {
    waitpid(child, NULL, 0);
    return;
  }
  setsid();
  if (fork() == 0) {
    action();
    _exit(0);
  }
  _exit(0);
}

static void stubborn(void) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  setsid();
  stay();
}
/* The streams stay open, so that readers of the program's output wait for this process. */
static void odd_name(void) {
  prctl(PR_SET_NAME, "with a\xff \n)\xfe");
  stay();
}
static void group(void) {
  setpgid(0, 0);
  stay();
}
static int numbers_known(void) {
  char text[256];
  int lines = 0, file = open("pids", O_RDONLY);
  ssize_t size = file < 0 ? 0 : read(file, text, sizeof text);
  close(file);
  for (ssize_t i = 0; i < size; i++) lines += text[i] == '\n';
  return lines;
}
static void three_daemons(void) {
  detach(stubborn);
  detach(odd_name);
  if (fork() == 0) group();
  while (numbers_known() < 3) usleep(1000);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  if (strcmp(what, "compute") == 0) {
    detach(compute);
    if (fork() == 0) {
      compute();
      return 0;
    }
    compute();
    while (wait(NULL) > 0) {}
    return 0;
  }
  if (strcmp(what, "daemons") == 0) {
    three_daemons();
    printf("done\n");
    return 3;
  }
  three_daemons();
  stubborn();
}
