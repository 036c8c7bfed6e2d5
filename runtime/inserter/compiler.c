/*
 * Runs the steps of the compiler. They stay in the process group of the build, so that Ctrl-C and the build tool reach them.
 * KYMO_WRAPPER is off in their environment, so that a wrapper that they call runs the plain compiler. The steps exchange text
 * through memory files.
 */
#include "inserter.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile sig_atomic_t running;
static sigset_t ending, before;

static void end_now(int signal) {
  if (running > 0) kill((pid_t)running, signal);
  _exit(signal == SIGINT ? 130 : 143);
}

void end_with_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = end_now}, now;
  sigemptyset(&ending);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    sigaddset(&ending, signals[i]);
    /* A signal that the parent has set to be ignored stays ignored (nohup). */
    if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
  }
  sigprocmask(SIG_BLOCK, NULL, &before);
  /* If only the shell that started the inserter is killed, the inserter ends, too. */
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

void hold_signals(bool hold) { sigprocmask(hold ? SIG_BLOCK : SIG_SETMASK, hold ? &ending : &before, NULL); }

static bool start(const struct words *words, int input, int output, int messages, pid_t *child) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&files) != 0) return false;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&files);
    return false;
  }
  bool ready = posix_spawnattr_setsigmask(&attributes, &before) == 0 &&
               posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK) == 0 &&
               (input < 0 || posix_spawn_file_actions_adddup2(&files, input, 0) == 0) &&
               (output < 0 || posix_spawn_file_actions_adddup2(&files, output, 1) == 0) &&
               posix_spawn_file_actions_adddup2(&files, messages, 2) == 0;
  /* `words` ends with a null pointer; posix_spawn does not change the strings. */
  ready = ready && posix_spawnp(child, words->at[0], &files, &attributes, (char *const *)(uintptr_t)words->at, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return ready;
}

bool run_compiler(const struct words *words, int input, int output, int messages) {
  pid_t child = 0;
  int status = 0;
  if (words->failed) return false;
  hold_signals(true);
  bool started = start(words, input, output, messages, &child);
  running = started ? child : 0;
  hold_signals(false);
  if (!started) return false;
  pid_t ended;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  running = 0;
  return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int memory_file(void) { return (int)syscall(SYS_memfd_create, "kymo", 1 /* MFD_CLOEXEC */); }

bool read_file(int file, struct bytes *bytes) {
  struct stat facts;
  if (fstat(file, &facts) != 0 || (S_ISREG(facts.st_mode) && lseek(file, 0, SEEK_SET) != 0)) return false;
  char piece[65536];
  for (;;) {
    ssize_t size = read(file, piece, sizeof piece);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0 && !bytes->failed;
    append(bytes, piece, (size_t)size);
  }
}

bool write_all(int file, const char *from, size_t size) {
  while (size > 0) {
    ssize_t some = write(file, from, size);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return false;
    from += some;
    size -= (size_t)some;
  }
  return true;
}
