/*
 * Starts one program for the tool and stays the ancestor of all its processes.
 *
 *     launcher GRACE-MILLISECONDS PROCESSOR PROGRAM ARGUMENT …
 *
 * PROCESSOR is the number of the only processor that the program may use, or "any". The program gets a session of its own and
 * inherits everything else from the launcher: streams, folder, environment, limits. File descriptor 3 is a socket to the tool.
 * The launcher reports each event there in one line (README.md). When the tool closes its end or dies, the launcher ends the
 * program. Orphans become children of the launcher (PR_SET_CHILD_SUBREAPER), whatever session or group they moved to. So the
 * launcher can end all processes, and it knows the CPU time of all.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "children.h"

enum { channel = 3 };

/* A process that ends by itself within this time after the program is not reported as left behind. */
static const int quiet_milliseconds = 300;
/* SIGKILL takes a moment to end a process. After this time, the launcher reports the process as stuck. */
static const int kill_milliseconds = 2000;
/* The interval at which the launcher looks for orphans, because they arrive without a signal. */
static const int look_milliseconds = 10;

struct run {
  pid_t command;
  int status;
  bool ended;
  /* The tool has asked for the end, or has died. */
  bool stopped;
  /* The launcher has no children any more. */
  bool alone;
  int signals;
  double begin;
  struct pids asked;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void report_end(const struct run *run) {
  bool exited = WIFEXITED(run->status);
  int number = exited ? WEXITSTATUS(run->status) : WTERMSIG(run->status);
  dprintf(channel, "%s %d %.6f\n", exited ? "exit" : "signal", number, now() - run->begin);
}

static void report_usage(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_CHILDREN, &usage) != 0) return;
  dprintf(channel, "used %ld %ld\n", usage.ru_maxrss, usage.ru_oublock);
  long long seconds = (long long)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
  long long microseconds = (long long)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  dprintf(channel, "cpu %.6f\n", (double)seconds + (double)microseconds / 1e6);
}

static void reap(struct run *run) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    run->alone = pid < 0;
    if (pid <= 0) return;
    forget(&run->asked, pid);
    if (pid != run->command) continue;
    run->ended = true;
    run->status = status;
    report_end(run);
  }
}

/* Waits for an event, at most for the given time (without limit if it is negative), and records it in `run`. */
static void follow(struct run *run, int milliseconds) {
  struct pollfd events[2] = {{.fd = run->signals, .events = POLLIN}, {.fd = run->stopped ? -1 : channel, .events = POLLIN}};
  if (poll(events, 2, milliseconds) > 0) {
    struct signalfd_siginfo info;
    char byte;
    if (events[0].revents != 0 && read(run->signals, &info, sizeof info) == (ssize_t)sizeof info)
      if (info.ssi_signo != SIGCHLD) run->stopped = true;
    if (events[1].revents != 0 && read(channel, &byte, 1) <= 0) run->stopped = true;
  }
  reap(run);
}

/* Sends SIGTERM once, or SIGKILL again and again, to all children until they have ended or the time is over. */
static void end_children(struct run *run, int signal, int milliseconds) {
  double last = now() + milliseconds / 1e3;
  while (!run->alone && now() < last) {
    struct child child;
    for (struct children all = open_children(); next_child(&all, &child);) {
      bool first = !is_known(&run->asked, child.pid);
      if (signal == SIGTERM && !first) continue;
      if (first && !run->stopped) dprintf(channel, "left %s\n", child.name);
      if (first) remember(&run->asked, child.pid);
      kill(child.pid, signal);
    }
    follow(run, look_milliseconds);
  }
}

static void sweep(struct run *run, int grace_milliseconds) {
  for (double last = now() + quiet_milliseconds / 1e3; !run->alone && !run->stopped && now() < last;)
    follow(run, look_milliseconds);
  if (!run->ended) {
    /* Nobody has waited for the program, so its number still belongs to its group. */
    kill(-run->command, SIGTERM);
    remember(&run->asked, run->command);
  }
  end_children(run, SIGTERM, grace_milliseconds);
  end_children(run, SIGKILL, kill_milliseconds);
  struct child child;
  for (struct children all = open_children(); !run->alone && next_child(&all, &child);)
    dprintf(channel, "stuck %s\n", child.name);
}

/* Binds the program to its processor. If that processor is not available, the program may use any. */
static void stay_on(const char *processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  if (strcmp(processor, "any") == 0) return;
  CPU_SET((size_t)atoi(processor), &only);
  (void)sched_setaffinity(0, sizeof only, &only);
}

/* Replaces the child with the program. If that fails, the error number goes to the descriptor `failure`. */
static void become(const char *processor, char **command, pid_t launcher, const sigset_t *mask, int failure) {
  setsid();
  stay_on(processor);
  /* If the launcher is killed, the program is killed, too. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(127);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execvp(command[0], command);
  int number = errno;
  if (write(failure, &number, sizeof number) < 0) _exit(126);
  _exit(127);
}

/* Returns 0, or the error number for which the program could not be started. */
static int start(struct run *run, const char *processor, char **command, const sigset_t *mask) {
  int pipes[2];
  int number = 0;
  if (pipe2(pipes, O_CLOEXEC) != 0) return errno;
  pid_t launcher = getpid();
  run->begin = now();
  run->command = fork();
  if (run->command < 0) return errno;
  if (run->command == 0) become(processor, command, launcher, mask, pipes[1]);
  close(pipes[1]);
  ssize_t size;
  do size = read(pipes[0], &number, sizeof number);
  while (size < 0 && errno == EINTR);
  close(pipes[0]);
  return size == (ssize_t)sizeof number ? number : 0;
}

/* Closes the launcher's copies of the streams. So their readers see the end when the program and its children have ended. */
static void release_streams(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream = 0; stream <= 2; stream++) {
    if (nothing < 0 || dup2(nothing, stream) < 0) close(stream);
  }
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "--version") == 0) return puts("1") < 0;
  if (count < 4) return 2;
  struct run run = {0};
  sigset_t watched, before;
  sigemptyset(&watched);
  static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&watched, numbers[i]);
  sigprocmask(SIG_BLOCK, &watched, &before);
  run.signals = signalfd(-1, &watched, SFD_CLOEXEC);
  fcntl(channel, F_SETFD, FD_CLOEXEC);
  if (run.signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 2;
  int failure = start(&run, words[2], words + 3, &before);
  /* The tool may have died before the launcher reports to it. */
  signal(SIGPIPE, SIG_IGN);
  if (failure != 0) return dprintf(channel, "failed %d\n", failure) < 0;
  release_streams();
  dprintf(channel, "started %d\n", (int)run.command);
  while (!run.ended && !run.stopped) follow(&run, -1);
  sweep(&run, atoi(words[1]));
  report_usage();
  return 0;
}
