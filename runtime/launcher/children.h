/* Lists the children of this process that have not ended, from /proc, and manages a small set of process numbers. */
#ifndef KYMO_LAUNCHER_CHILDREN_H
#define KYMO_LAUNCHER_CHILDREN_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

struct child {
  pid_t pid;
  /* Name of the program, at most 15 bytes and without control characters. */
  char name[64];
};

/* Only this process can wait for its children. So their numbers are not reused, and a signal never reaches a foreign process. */
struct children {
  DIR *processes;
  pid_t parent;
};

struct children open_children(void);
/* Returns false, and closes /proc, when there are no more children. */
bool next_child(struct children *all, struct child *child);

struct pids {
  pid_t *at;
  size_t count, room;
};

bool is_known(const struct pids *pids, pid_t pid);
void remember(struct pids *pids, pid_t pid);
void forget(struct pids *pids, pid_t pid);

#endif
