// Starts a program and refuses some of its system calls.
//   refuse filter <rule>… -- <program> <argument>…       with a filter of system calls, like a security policy
//   refuse call <first> <last> -- <program> <argument>…  with ptrace: the calls number <first> to <last> of those that change memory
//                                                        between the reading of the selection and the program's first output;
//                                                        status 99 when there are fewer
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sock_filter code[64];
static unsigned short length;
static void add(struct sock_filter instruction) { code[length++] = instruction; }
static void load(size_t offset) { add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset)); }
static size_t argument(int n) { return offsetof(struct seccomp_data, args) + 8 * (size_t)n; }

// Refuses the call with EACCES if its argument contains all of `bits`.
static void deny(long call, int n, unsigned bits, int more, unsigned more_bits) {
  unsigned char tests = (unsigned char)((bits ? 3 : 0) + (more_bits ? 3 : 0));
  load(offsetof(struct seccomp_data, nr));
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, (unsigned char)(tests + 1)));
  if (bits) {
    load(argument(n));
    add((struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, (unsigned char)(tests - 3 + 1)));
  }
  if (more_bits) {
    load(argument(more));
    add((struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, more_bits));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, more_bits, 0, 1));
  }
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES));
}

static void rule(const char *name) {
  if (!strcmp(name, "execmem")) { // like SELinux's deny_execmem: memory that is or was writable must not become executable
    deny(SYS_mprotect, 2, PROT_EXEC, 0, 0);
    deny(SYS_mmap, 2, PROT_EXEC, 3, MAP_ANONYMOUS);
  } else if (!strcmp(name, "execmod")) { // refuses code that is writable at the same time
    deny(SYS_mprotect, 2, PROT_EXEC | PROT_WRITE, 0, 0);
  } else if (!strcmp(name, "memfd")) {
    deny(SYS_memfd_create, 0, 0, 0, 0);
  } else if (!strcmp(name, "pwrite")) {
    deny(SYS_pwrite64, 0, 0, 0, 0);
  } else if (!strcmp(name, "mremap")) {
    deny(SYS_mremap, 0, 0, 0, 0);
  }
}

static int filtered(char **words) {
  for (; *words && strcmp(*words, "--"); ++words) rule(*words);
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  struct sock_fprog program = {length, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return perror("seccomp"), 98;
  execv(words[1], words + 1);
  return 98;
}

static int changes_memory(const struct user_regs_struct *r) {
  switch (r->orig_rax) {
  case SYS_mmap: case SYS_mprotect: case SYS_mremap: case SYS_memfd_create: case SYS_pwrite64: case SYS_pread64: return 1;
  default: return 0;
  }
}

// Tests whether this call opens the selection.
static int opens_selection(pid_t child, const struct user_regs_struct *r) {
  char path[4096] = "";
  const char *selection = getenv("KYMO_SELECTION");
  if (r->orig_rax != SYS_openat || !selection) return 0;
  for (size_t i = 0; i + 8 < sizeof path; i += 8) {
    long word = ptrace(PTRACE_PEEKDATA, child, (char *)r->rsi + i, 0);
    memcpy(path + i, &word, 8);
    if (memchr(&word, 0, 8)) break;
  }
  return !strcmp(path, selection);
}

static int traced(int first, int last, char **words) {
  pid_t child = fork();
  if (!child) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(words[0], words);
    _exit(98);
  }
  int status, inside = 0, counting = 0, calls = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  for (int pass = 0, refused = 0;; ) {
    ptrace(PTRACE_SYSCALL, child, 0, (long)pass);
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return calls < first ? 99 : WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    pass = WSTOPSIG(status) == (SIGTRAP | 0x80) || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
    struct user_regs_struct r;
    ptrace(PTRACE_GETREGS, child, 0, &r);
    inside = !inside;
    if (inside) {
      if (opens_selection(child, &r)) counting = 1;
      if (r.orig_rax == SYS_write && r.rdi == 1) counting = 0;
      refused = counting && changes_memory(&r) && ++calls >= first && calls <= last;
      if (refused) r.orig_rax = (unsigned long long)-1;
    } else if (refused) {
      r.rax = (unsigned long long)-EACCES;
    } else continue;
    ptrace(PTRACE_SETREGS, child, 0, &r);
  }
}

int main(int count, char **words) {
  if (count > 3 && !strcmp(words[1], "filter")) return filtered(words + 2);
  if (count > 5 && !strcmp(words[1], "call")) return traced(atoi(words[2]), atoi(words[3]), words + 5);
  return 98;
}
