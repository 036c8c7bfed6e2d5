/* The children of this process that have not ended, by /proc, and a small set of process numbers. */
#ifndef KYMO_LAUNCHER_CHILDREN_H
#define KYMO_LAUNCHER_CHILDREN_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

struct child {
  pid_t pid;
  /* Of the program, at most 15 bytes; nothing in it ends a line. */
  char name[64];
};

/* Nobody but this process can wait for its children: their numbers stay theirs, and a signal hits nothing foreign. */
struct children {
  DIR *processes;
  pid_t parent;
};

struct children open_children(void);
/* False at the end, which also closes. */
bool next_child(struct children *all, struct child *child);

struct pids {
  pid_t *at;
  size_t count, room;
};

bool is_known(const struct pids *pids, pid_t pid);
void remember(struct pids *pids, pid_t pid);
void forget(struct pids *pids, pid_t pid);

#endif
