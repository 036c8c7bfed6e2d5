// Facts of communicators, which are asked once for each, and what names one in all its processes.
#include "layer.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256, LOGGED = 64 /* communicators of the same processes whose meetings are logged */ };
struct entry {
  MPI_Comm comm;
  struct kymo_comm facts;
  struct entry *next;
};
static struct entry *volatile buckets[BUCKETS], *gone;
static volatile int busy;

static unsigned bucket_of(MPI_Comm comm) {
  uintptr_t bits = 0;
  memcpy(&bits, &comm, sizeof comm);
  return (unsigned)((bits * 0x9e3779b97f4a7c15u) >> 56);
}

// Ranks in MPI_COMM_WORLD of a group's processes; the group is freed.
static int *world_ranks(MPI_Group group, int size) {
  MPI_Group world;
  int *own = malloc((size_t)size * sizeof *own), *all = malloc((size_t)size * sizeof *all);
  if (own && all && !PMPI_Comm_group(MPI_COMM_WORLD, &world)) {
    for (int i = 0; i < size; ++i) own[i] = i, all[i] = -1;
    PMPI_Group_translate_ranks(group, size, own, world, all);
    for (int i = 0; i < size; ++i)
      if (all[i] == MPI_UNDEFINED) all[i] = -1;
    PMPI_Group_free(&world);
  }
  free(own);
  PMPI_Group_free(&group);
  return all;
}

static uint32_t hash_of(const int *world, int size) {
  uint32_t hash = 2166136261u;
  for (int i = 0; world && i < size; ++i) hash = (hash ^ (uint32_t)world[i]) * 16777619u;
  return hash;
}

// How many communicators of these processes came before. It is the same for all of them, because they make communicators together.
static uint32_t number_of(uint32_t group) {
  static struct { uint32_t group, count; } *groups;
  static size_t used, room;
  for (size_t i = 0; i < used; ++i)
    if (groups[i].group == group) return groups[i].count++;
  if (used == room) {
    void *more = realloc(groups, (room ? 2 * room : 64) * sizeof *groups);
    if (!more) return LOGGED;
    groups = more;
    room = room ? 2 * room : 64;
  }
  groups[used].group = group;
  groups[used++].count = 1;
  return 0;
}

static struct entry *look_up(MPI_Comm comm) {
  struct entry *entry = buckets[bucket_of(comm)];
  while (entry && entry->comm != comm) entry = entry->next;
  return entry;
}

static bool all_of_this_world(const struct kymo_comm *facts) {
  for (int i = 0; i < facts->others; ++i)
    if (!facts->world || facts->world[i] < 0) return false;
  return true;
}

static void identify(struct kymo_comm *facts, MPI_Comm comm) {
  MPI_Group group;
  if (facts->inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group)) return;
  facts->world = world_ranks(group, facts->others);
  uint32_t hash = hash_of(facts->world, facts->others);
  int *local = NULL;
  if (facts->inter && !PMPI_Comm_group(comm, &group)) { // Each side sees the other one.
    local = world_ranks(group, facts->size);
    hash ^= hash_of(local, facts->size);
  }
  kymo_mpi_lock(&busy);
  uint32_t number = number_of(hash);
  kymo_mpi_unlock(&busy);
  facts->id = (hash ^ number) * 2654435761u;
  if (kymo_mpi_defines)
    facts->traced = facts->inter ? kymo_mpi_define_comm(comm, facts->id, local, facts->size, facts->world, facts->others)
                                 : kymo_mpi_define_comm(comm, facts->id, facts->world, facts->size, NULL, 0);
  facts->traced &= kymo_mpi_traces;
  free(local);
  if (number < LOGGED && !facts->inter && facts->size > 1 && all_of_this_world(facts)) facts->meetings = calloc(1, sizeof *facts->meetings);
}

const struct kymo_comm *kymo_mpi_comm(MPI_Comm comm) {
  static const struct kymo_comm nobody;
  struct entry *entry = look_up(comm); // Entries are complete before they are linked, and freed only with their communicator.
  if (__builtin_expect(entry != NULL, 1)) return &entry->facts;
  int inter = 0;
  struct kymo_comm facts = nobody;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) || PMPI_Comm_size(comm, &facts.size) || PMPI_Comm_rank(comm, &facts.rank)) return &nobody;
  facts.inter = inter != 0;
  facts.others = facts.size;
  if (facts.inter && PMPI_Comm_remote_size(comm, &facts.others)) return &nobody;
  entry = malloc(sizeof *entry);
  if (!entry) return &nobody;
  identify(&facts, comm);
  *entry = (struct entry){comm, facts, NULL};
  kymo_mpi_lock(&busy);
  entry->next = buckets[bucket_of(comm)];
  __atomic_store_n(&buckets[bucket_of(comm)], entry, __ATOMIC_RELEASE);
  kymo_mpi_unlock(&busy);
  return &entry->facts;
}

void kymo_mpi_forget(MPI_Comm comm) {
  kymo_mpi_lock(&busy);
  for (struct entry *volatile *link = &buckets[bucket_of(comm)]; *link; link = (struct entry *volatile *)&(*link)->next)
    if ((*link)->comm == comm) {
      struct entry *old = *link;
      *link = old->next;
      if (old->facts.meetings && old->facts.meetings->count) {
        old->next = gone;
        gone = old;
      } else {
        free((void *)old->facts.world);
        free(old->facts.meetings);
        free(old);
      }
      break;
    }
  kymo_mpi_unlock(&busy);
}

static int by_id(const void *a, const void *b) {
  uint32_t left = (*(const struct kymo_comm *const *)a)->id, right = (*(const struct kymo_comm *const *)b)->id;
  return left < right ? -1 : left > right;
}

static size_t collect(const struct entry *entry, const struct kymo_comm **into, size_t count) {
  for (; entry; entry = entry->next)
    if (entry->facts.meetings && entry->facts.meetings->count) {
      if (into) into[count] = &entry->facts;
      ++count;
    }
  return count;
}

static size_t collect_all(const struct kymo_comm **into) {
  size_t count = collect(gone, into, 0);
  for (int i = 0; i < BUCKETS; ++i) count = collect(buckets[i], into, count);
  return count;
}

size_t kymo_mpi_met_comms(const struct kymo_comm ***comms) {
  size_t count = collect_all(NULL);
  *comms = malloc((count + 1) * sizeof **comms);
  if (!*comms) return 0;
  collect_all(*comms);
  qsort(*comms, count, sizeof **comms, by_id);
  return count;
}
