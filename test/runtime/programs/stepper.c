// stepper <stride> <program> <words…>: runs the program to the end and sends it SIGUSR1 once in each round, `stride` instructions later
// every time. With a stride of 1, every instruction of a round is interrupted.
//
// The program marks places with int3 and their kind in rax: 1 begins a round, 2 begins a part that is interrupted in the same round at
// another instruction, 0 ends a round. At the end, rax becomes 1 when the round ended before the signal: each instruction was interrupted.
// (Not on aarch64: emulators have no ptrace.)
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { END, ROUND, BESIDES };

static pid_t child;
static int status;

static int went(int request, int number) {
  ptrace(request, child, 0, number);
  waitpid(child, &status, 0);
  return WIFSTOPPED(status);
}

// Runs to the next mark. Returns false when the program has ended.
static int at_mark(struct user_regs_struct *registers) {
  for (int number = 0; went(PTRACE_CONT, number); number = WSTOPSIG(status))
    if (WSTOPSIG(status) == SIGTRAP) {
      ptrace(PTRACE_GETREGS, child, 0, registers);
      return 1;
    }
  return 0;
}

// Executes up to `most` instructions and returns their number, which is smaller when a mark comes first.
static int steps(int most, struct user_regs_struct *registers) {
  for (int done = 0; done < most; ++done) {
    if (!went(PTRACE_SINGLESTEP, 0)) exit(99);
    siginfo_t info;
    ptrace(PTRACE_GETSIGINFO, child, 0, &info);
    if (info.si_code != SI_KERNEL) continue; // This stop is not at a mark.
    ptrace(PTRACE_GETREGS, child, 0, registers);
    return done;
  }
  return most;
}

int main(int count, char **words) {
  struct user_regs_struct registers;
  (void)count;
  child = fork();
  if (!child) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(words[2], words + 2);
    return 98;
  }
  waitpid(child, &status, 0);
  int round = 0, length = 1, stride = atoi(words[1]), running = at_mark(&registers);
  while (running) {
    int mark = (int)registers.rax, due = mark == ROUND ? (round += stride) : mark == BESIDES ? round * 37 % length : 0;
    if (mark == END) {
      registers.rax = 0;
      ptrace(PTRACE_SETREGS, child, 0, &registers);
      running = at_mark(&registers);
      continue;
    }
    int done = steps(due, &registers);
    if (done < due) { // The round has ended.
      if (mark == ROUND) {
        registers.rax = 1;
        ptrace(PTRACE_SETREGS, child, 0, &registers);
      } else continue; // Handles the mark in the next pass.
    } else {
      if (mark == ROUND) length = round;
      kill(child, SIGUSR1);
    }
    running = at_mark(&registers);
  }
  if (WIFSIGNALED(status)) {
    printf("instruction %d: signal %d\n", round, WTERMSIG(status));
    return 97;
  }
  fprintf(stderr, "%d instructions\n", round);
  return WEXITSTATUS(status);
}
