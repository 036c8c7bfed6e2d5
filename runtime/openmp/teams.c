// The threads of a parallel region. Neither library reports when a thread leaves the barrier at the end of the region: it stays inside
// until there is something else to do. So the thread hands its open visits to the runtime (`park`), with the place where the master writes
// when the waiting was over: when the last thread had arrived, and the last task was done. The time from then on belongs to no construct.
#include "layer.h"

#include <stdatomic.h>
#include <stdlib.h>

struct kymo_team {
  struct kymo_team *next;     // of this master
  const void *master;         // identifies the thread
  _Atomic uint32_t users;     // threads that still need `released`, and the master; only the master takes a record with 0 users
  uint32_t parallel, barrier; // regions
  uint32_t *path, length, room; // the call path of the thread that encountered the region
  _Atomic uint64_t arrived;   // other threads that have arrived …
  _Atomic uint64_t arrivals;  // … and the sum of their times, relative to the beginning
  uint64_t begin;
  _Atomic uint64_t last;      // tick of the timer when the last thread arrived, or executed a task after its arrival
  volatile uint64_t released; // the same when it is final; 0: not yet
  struct kymo_team *outer;    // the team of the thread that encountered the region …
  struct kymo_team *before;   // … and the one at whose end it executed the task that encountered the region
  _Atomic uint32_t threads;   // 0: not known
  _Atomic uint32_t waits;     // how often threads have arrived at barriers inside the region
  _Atomic uint64_t barriers[2]; // ticks of the last arrivals at barriers, in turns: nobody can be further than one barrier ahead
};

static __thread struct {
  struct kymo_team *teams;  // Records of this thread's teams are never freed, because others may still refer to them.
  struct kymo_team *team;   // the innermost one
  struct kymo_team *ended;  // the team at whose end this thread is
  struct kymo_team *parked;
} self __attribute__((tls_model("initial-exec")));

static struct kymo_team *take(void) {
  for (struct kymo_team *team = self.teams; team; team = team->next)
    if (!atomic_load_explicit(&team->users, memory_order_acquire)) return team;
  struct kymo_team *team = calloc(1, sizeof *team);
  if (!team) return NULL;
  team->next = self.teams;
  team->master = &self;
  self.teams = team;
  return team;
}

static void keep_path(struct kymo_team *team) {
  team->length = kymo_layer_runtime()->path(team->path, team->room);
  if (team->length <= team->room) return;
  uint32_t room = 2 * team->length, *path = realloc(team->path, room * sizeof *path);
  if (!path) {
    team->length = 0;
    return;
  }
  team->path = path;
  team->room = room;
  team->length = kymo_layer_runtime()->path(path, room);
}

struct kymo_team *kymo_team_begin(const void *address) {
  struct kymo_team *team = take();
  if (!team) return NULL;
  keep_path(team);
  team->parallel = kymo_omp_region(OMP_PARALLEL, address);
  team->barrier = kymo_omp_region(OMP_IMPLICIT_BARRIER, address);
  team->released = 0;
  team->begin = kymo_layer_runtime()->ticks();
  atomic_store(&team->arrived, 0);
  atomic_store(&team->arrivals, 0);
  atomic_store(&team->last, 0);
  atomic_store(&team->waits, 0);
  team->threads = 0;
  team->outer = self.team;
  self.team = team;
  atomic_store_explicit(&team->users, 1, memory_order_release);
  kymo_omp_begin_region(OMP_PARALLEL, team->parallel, team);
  return team;
}

void kymo_team_size(struct kymo_team *team, uint32_t threads) { team->threads = threads; }

bool kymo_team_is_master(const struct kymo_team *team) { return team->master == &self; }

void kymo_team_join(struct kymo_team *team) {
  kymo_team_wake(self.parked);
  atomic_fetch_add(&team->users, 1);
  self.team = team;
  kymo_omp_begin_below(team->path, team->length, team->parallel, team);
}

static uint64_t until_now(_Atomic uint64_t *latest) {
  uint64_t now = kymo_layer_runtime()->ticks(), last = atomic_load(latest);
  while (last < now && !atomic_compare_exchange_weak(latest, &last, now)) {}
  return now;
}

// Alone in its team, a thread waits for nobody: its visit of a barrier takes no time, and what the library takes is time of the region
// around. Until the library is through, an entry without a region stands for the visit.
static void pass_alone(enum kymo_construct construct, uint32_t region) {
  kymo_omp_begin_region(construct, region, NULL);
  kymo_omp_end(construct);
  kymo_omp_begin_region(construct, 0, NULL);
}

void kymo_team_barrier(enum kymo_construct construct, const void *address) {
  struct kymo_team *team = self.team;
  _Atomic uint64_t *last = NULL;
  if (team && team->threads == 1) {
    pass_alone(construct, kymo_omp_region(construct, address));
    return;
  }
  if (team && team->threads) {
    last = &team->barriers[atomic_fetch_add(&team->waits, 1) / team->threads % 2];
    until_now(last);
  }
  kymo_omp_begin(construct, address, last);
}

void kymo_team_worked(void) {
  if (self.ended) until_now(&self.ended->last);
}

void kymo_team_arrive(struct kymo_team *team) {
  kymo_omp_end_inside(team); // constructs that were cancelled
  uint64_t now = until_now(&team->last);
  bool is_alone = team->threads == 1;
  if (is_alone) pass_alone(OMP_IMPLICIT_BARRIER, team->barrier);
  else kymo_omp_begin_region(OMP_IMPLICIT_BARRIER, team->barrier, &team->last);
  bool is_master = kymo_team_is_master(team);
  if (is_master) team->before = self.ended;
  self.ended = team;
  if (!is_master) {
    atomic_fetch_add(&team->arrivals, now - team->begin);
    atomic_fetch_add(&team->arrived, 1);
  }
  if (is_alone || self.parked) return; // Parked: it executes a task at the end of an outer region.
  kymo_layer_runtime()->park(is_master ? team->barrier : team->parallel, &team->released);
  kymo_omp_forget(is_master ? OMP_IMPLICIT_BARRIER : OMP_PARALLEL);
  self.parked = team;
}

void kymo_team_released(struct kymo_team *team) {
  const struct kymo_layers *runtime = kymo_layer_runtime();
  uint64_t last = atomic_load(&team->last), others = atomic_load(&team->arrived);
  team->released = last;
  self.ended = team->before;
  if (self.parked == team) {
    self.parked = NULL;
    runtime->unpark();
  } else {
    kymo_omp_end(OMP_IMPLICIT_BARRIER);
  }
  if (others) runtime->count(KYMO_IDLE, (last - team->begin) * others - atomic_load(&team->arrivals));
}

void kymo_team_end(struct kymo_team *team) {
  if (!team->released) team->released = kymo_layer_runtime()->ticks();
  if (self.parked == team) kymo_team_released(team);
  kymo_omp_end_inside(team);
  kymo_omp_end(OMP_PARALLEL);
  self.team = team->outer;
  atomic_fetch_sub(&team->users, 1);
}

void kymo_team_wake(struct kymo_team *team) {
  if (!team || self.parked != team || kymo_team_is_master(team)) return;
  self.ended = NULL;
  self.parked = NULL;
  kymo_layer_runtime()->unpark();
  atomic_fetch_sub(&team->users, 1);
}
