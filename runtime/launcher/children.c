#include "children.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The numbers in a /proc of another PID namespace would belong to foreign processes. */
static bool is_our_proc(pid_t self) {
  char text[32];
  ssize_t size = readlink("/proc/self", text, sizeof text - 1);
  if (size <= 0) return false;
  text[size] = 0;
  return atoi(text) == (int)self;
}

struct children open_children(void) {
  struct children all = {.processes = NULL, .parent = getpid()};
  if (is_our_proc(all.parent)) all.processes = opendir("/proc");
  return all;
}

/* The format is: number (name) state parent … (proc_pid_stat(5)). The name itself may contain blanks, parentheses and line ends. */
static bool read_child(const char *number, pid_t parent, struct child *child) {
  char file[64], text[512];
  snprintf(file, sizeof file, "/proc/%.20s/stat", number);
  int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  ssize_t size = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  if (size <= 0) return false;
  text[size] = 0;
  char *name = strchr(text, '('), *end = strrchr(text, ')');
  char state;
  int above;
  if (name == NULL || end == NULL || end < name || sscanf(end + 1, " %c %d", &state, &above) != 2) return false;
  if (above != (int)parent || state == 'Z' || state == 'X') return false;
  *end = 0;
  child->pid = (pid_t)atoi(number);
  snprintf(child->name, sizeof child->name, "%s", name + 1);
  for (char *at = child->name; *at != 0; at++)
    if ((unsigned char)*at < ' ' || *at == 127) *at = '?';
  return true;
}

bool next_child(struct children *all, struct child *child) {
  if (all->processes == NULL) return false;
  for (struct dirent *entry; (entry = readdir(all->processes)) != NULL;) {
    bool is_process = entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
    if (is_process && read_child(entry->d_name, all->parent, child)) return true;
  }
  closedir(all->processes);
  all->processes = NULL;
  return false;
}

bool is_known(const struct pids *pids, pid_t pid) {
  for (size_t i = 0; i < pids->count; i++)
    if (pids->at[i] == pid) return true;
  return false;
}

/* Without memory the process is not remembered, and so gets the signal again. */
void remember(struct pids *pids, pid_t pid) {
  if (pids->count == pids->room) {
    size_t room = pids->room == 0 ? 16 : 2 * pids->room;
    pid_t *grown = realloc(pids->at, room * sizeof *grown);
    if (grown == NULL) return;
    pids->at = grown;
    pids->room = room;
  }
  pids->at[pids->count++] = pid;
}

void forget(struct pids *pids, pid_t pid) {
  for (size_t i = 0; i < pids->count; i++)
    if (pids->at[i] == pid) pids->at[i--] = pids->at[--pids->count];
}
