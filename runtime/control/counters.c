// Reads the counters of all threads while they run. A counter is one aligned word that its thread changes in one instruction, so no value is ever torn; the
// visits and the ticks of a node may differ by the visits that begin or end meanwhile. Nodes are never freed or moved: those that were found once are read
// directly, so that a list of children that is being rearranged neither hides nor doubles a value. The walk through the trees only finds new nodes.
#include "control.h"
#include "../libc.h"

enum { NONE = 0xffffffffu, SUMMED = 0xffffffffu, MOST_PATHS = 1 << 22, FIRST_ROOM = 256 };

// What a client gets values of: a call path or a function, of one thread or of all.
struct path {
  uint32_t thread; // SUMMED
  uint32_t parent; // number of the path above, from 1; 0: the thread's root; NONE: the path is a function
  uint32_t slot;
  uint32_t zero;
  uint64_t visits, ticks, open;
};

struct known {
  const struct kymo_node *node;
  uint32_t parent;    // known node above + 1; 0: the root
  uint32_t slot;
  bool outermost;     // No node above has the same slot, so its time counts for the function.
  uint32_t paths[2][2]; // numbers of its path, from 1; [functions][by thread]
};

struct table { // a growing array, and a hash table of positions + 1 in it
  void *at;
  size_t count, room, item;
  uint32_t *buckets;
};
static struct table paths = {.item = sizeof(struct path)}, nodes = {.item = sizeof(struct known)};

static struct path *path_at(uint32_t number) { return &((struct path *)paths.at)[number - 1]; }
static struct known *known_at(size_t i) { return &((struct known *)nodes.at)[i]; }

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  return h ^ h >> 32;
}
static uint64_t hash_path(const struct path *p) { return mix((uint64_t)p->thread << 32 | p->parent, p->slot); }
static uint64_t hash_of(const struct table *t, size_t i) { return t == &paths ? hash_path(path_at((uint32_t)i + 1)) : mix((uintptr_t)known_at(i)->node, 0); }

static bool grow(struct table *t) {
  size_t room = t->room ? 2 * t->room : FIRST_ROOM;
  if (room > MOST_PATHS) return false;
  void *at = kymo_map(room * t->item);
  uint32_t *buckets = kymo_map(2 * room * sizeof *buckets);
  if (!at || !buckets) {
    if (at) kymo_unmap(at, room * t->item);
    if (buckets) kymo_unmap(buckets, 2 * room * sizeof *buckets);
    return false;
  }
  if (t->room) {
    memcpy(at, t->at, t->count * t->item);
    kymo_unmap(t->at, t->room * t->item);
    kymo_unmap(t->buckets, 2 * t->room * sizeof *buckets);
  }
  t->at = at;
  t->buckets = buckets;
  t->room = room;
  for (size_t i = 0; i < t->count; ++i) {
    uint64_t h = hash_of(t, i);
    while (buckets[h % (2 * room)]) ++h;
    buckets[h % (2 * room)] = (uint32_t)i + 1;
  }
  return true;
}

static uint32_t find_path(uint32_t thread, uint32_t parent, uint32_t slot) {
  struct path wanted = {.thread = thread, .parent = parent, .slot = slot};
  if (paths.count == paths.room && !grow(&paths)) return 0;
  uint64_t h = hash_path(&wanted);
  for (uint32_t number; (number = paths.buckets[h % (2 * paths.room)]); ++h) {
    const struct path *p = path_at(number);
    if (p->thread == thread && p->parent == parent && p->slot == slot) return number;
  }
  ((struct path *)paths.at)[paths.count++] = wanted;
  return paths.buckets[h % (2 * paths.room)] = (uint32_t)paths.count;
}

static uint32_t *find_known(const struct kymo_node *node) {
  uint64_t h = mix((uintptr_t)node, 0);
  for (; nodes.buckets[h % (2 * nodes.room)]; ++h)
    if (known_at(nodes.buckets[h % (2 * nodes.room)] - 1)->node == node) break;
  return &nodes.buckets[h % (2 * nodes.room)];
}

static bool is_of_function(uint32_t slot) { return !kymo_is_counter(slot) && slot != KYMO_SLOT_DEPTH; }

static bool is_outermost(uint32_t parent, uint32_t slot) {
  for (; parent; parent = known_at(parent - 1)->parent)
    if (known_at(parent - 1)->slot == (slot & ~KYMO_UNTIMED)) return false;
  return true;
}

// Returns the position + 1, or 0 when there is no room.
static uint32_t learn(const struct kymo_node *node, uint32_t parent, uint32_t thread) {
  if (nodes.count == nodes.room && !grow(&nodes)) return 0;
  uint32_t *place = find_known(node);
  if (*place) return *place;
  struct known k = {.node = node, .parent = parent, .slot = kymo_plain_slot(node->slot)};
  k.outermost = !kymo_is_counter(k.slot) && is_outermost(parent, k.slot);
  for (int by_thread = 0; by_thread < 2; ++by_thread) {
    uint32_t above = parent ? known_at(parent - 1)->paths[0][by_thread] : 0;
    k.paths[0][by_thread] = parent && !above ? 0 : find_path(by_thread ? thread : SUMMED, above, k.slot);
    k.paths[1][by_thread] = is_of_function(k.slot) ? find_path(by_thread ? thread : SUMMED, NONE, k.slot) : 0;
  }
  *known_at(nodes.count++) = k;
  return *place = (uint32_t)nodes.count;
}

// --- finding new nodes ---

struct level {
  struct kymo_children children;
  uint32_t known, left; // `left` limits the steps: the thread may rearrange its list so that a walk goes in circles.
};
static struct level *levels;
static size_t level_room;

static struct level *level_at(size_t depth) {
  if (depth < level_room) return &levels[depth];
  size_t room = level_room ? 2 * level_room : FIRST_ROOM;
  struct level *more = kymo_map(room * sizeof *more);
  if (!more) return 0;
  if (level_room) {
    memcpy(more, levels, level_room * sizeof *more);
    kymo_unmap(levels, level_room * sizeof *more);
  }
  levels = more;
  level_room = room;
  return &levels[depth];
}

static struct level level_below(const struct kymo_node *node, uint32_t known) {
  struct kymo_children children = kymo_children_of(node);
  return (struct level){children, known, 256u << (children.first & 31)};
}

static void explore(const struct kymo_thread *t) {
  struct level *level = level_at(0);
  if (!level) return;
  *level = level_below(t->root, 0);
  for (size_t depth = 0;;) {
    struct kymo_node *child = level->left ? kymo_next_child(&level->children) : 0;
    --level->left;
    uint32_t known = child ? learn(child, level->known, t->number) : 0;
    if (!child) {
      if (!depth) return;
      level = &levels[--depth];
    } else if (known && atomic_load(&child->first) != KYMO_NO_CHILD) {
      struct level below = level_below(child, known);
      level = level_at(++depth);
      if (!level) return;
      *level = below;
    }
  }
}

// A walk may miss nodes whose list is being rearranged. So it is repeated some times after the last new node, and now and then after that.
static void explore_all(bool final) {
  enum { QUIET_WALKS = 8, SELDOM = 64 };
  static uint64_t bytes_before;
  static uint32_t quiet, since;
  uint64_t bytes = atomic_load(&kymo.node_bytes);
  if (bytes == bytes_before && quiet >= QUIET_WALKS && ++since < SELDOM && !final) return;
  since = 0;
  size_t before = nodes.count;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) explore(t);
  quiet = bytes == bytes_before && nodes.count == before ? quiet + 1 : 0;
  bytes_before = bytes;
}

// --- reading values ---

static uint64_t value_of(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

static void add_values(struct kymo_counters_query query) {
  for (size_t i = 0; i < nodes.count; ++i) {
    const struct known *k = known_at(i);
    uint32_t number = k->paths[query.functions][query.by_thread];
    if (!number) continue;
    struct path *p = path_at(number);
    p->visits += value_of(&k->node->visits);
    if (!query.functions || k->outermost) p->ticks += value_of(kymo_ticks_at(k->node));
  }
}

static struct kymo_open_visits visits;

// Adds the time of visits that are open. Returns the number of threads that did not stand still.
static uint32_t add_open(struct kymo_counters_query query) {
  uint32_t missing = 0;
  for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) {
    if (atomic_load(&t->state) != KYMO_THREAD_LIVE) continue;
    if (!kymo_read_open(t, &visits)) {
      ++missing;
      continue;
    }
    for (uint32_t i = 0; i < visits.count; ++i) {
      uint32_t known = nodes.room ? *find_known(visits.nodes[i]) : 0;
      const struct known *k = known ? known_at(known - 1) : 0;
      uint32_t number = k && (!query.functions || k->outermost) ? k->paths[query.functions][query.by_thread] : 0;
      int64_t ticks = (int64_t)(visits.now - visits.starts[i]);
      if (number && ticks > 0) path_at(number)->open += (uint64_t)ticks;
    }
  }
  return missing;
}

void kymo_forget_seen(struct kymo_client *c) {
  if (c->seen_room) kymo_unmap(c->seen, c->seen_room * sizeof *c->seen);
  c->seen = 0;
  c->seen_room = 0;
}

static bool make_seen(struct kymo_client *c) {
  if (c->seen_room >= paths.count) return true;
  struct kymo_values_seen *seen = kymo_map(paths.room * sizeof *seen);
  if (!seen) return false;
  if (c->seen_room) memcpy(seen, c->seen, c->seen_room * sizeof *seen);
  kymo_forget_seen(c);
  c->seen = seen;
  c->seen_room = paths.room;
  return true;
}

enum { MOST_IN_A_MESSAGE = 16384 };

static bool put_new_paths(struct kymo_client *c) {
  while (c->paths < paths.count) {
    uint32_t count = (uint32_t)(paths.count - c->paths);
    if (count > MOST_IN_A_MESSAGE) count = MOST_IN_A_MESSAGE;
    kymo_begin_message(c, KYMO_PATHS, 0);
    kymo_put32(c, c->paths + 1);
    kymo_put32(c, count);
    for (uint32_t i = 1; i <= count; ++i) {
      const struct path *p = path_at(c->paths + i);
      kymo_put32(c, p->thread);
      kymo_put32(c, p->parent);
      kymo_put32(c, p->slot);
    }
    if (!kymo_finish_message(c)) return false;
    c->paths += count;
  }
  return true;
}

struct values_message {
  size_t head;
  uint32_t count, missing;
  uint64_t tick;
};

static void begin_values(struct kymo_client *c, struct values_message *m, struct kymo_counters_query query) {
  kymo_begin_message(c, KYMO_VALUES, c->serial);
  kymo_put64(c, m->tick);
  kymo_put32(c, m->missing);
  m->head = c->out_end;
  kymo_put32(c, 0);
  unsigned char what[4] = {query.functions, query.by_thread, query.differences, 0};
  kymo_put(c, what, sizeof what);
  m->count = 0;
}

static bool finish_values(struct kymo_client *c, const struct values_message *m, bool last) {
  if (!c->overrun) {
    memcpy(c->out + m->head, &m->count, sizeof m->count);
    c->out[m->head + 7] = last;
  }
  return kymo_finish_message(c);
}

static bool put_values(struct kymo_client *c, struct kymo_counters_query query, struct values_message m) {
  begin_values(c, &m, query);
  for (uint32_t number = 1; number <= paths.count; ++number) {
    const struct path *p = path_at(number);
    if ((p->parent == NONE) != query.functions || (p->thread != SUMMED) != query.by_thread) continue;
    struct kymo_values_seen none = {0, 0}, *seen = query.differences ? &c->seen[number - 1] : &none;
    if (p->visits == seen->visits && p->ticks == seen->ticks && !p->open) continue;
    if (m.count == MOST_IN_A_MESSAGE) {
      if (!finish_values(c, &m, false)) return false;
      begin_values(c, &m, query);
    }
    ++m.count;
    kymo_put32(c, number);
    kymo_put64(c, p->visits - seen->visits);
    kymo_put64(c, p->ticks - seen->ticks);
    kymo_put64(c, p->open);
    if (query.differences) *seen = (struct kymo_values_seen){p->visits, p->ticks};
  }
  return finish_values(c, &m, true);
}

void kymo_put_counters(struct kymo_client *c, struct kymo_counters_query query, bool final) {
  explore_all(final);
  for (uint32_t number = 1; number <= paths.count; ++number) {
    struct path *p = path_at(number);
    p->visits = p->ticks = p->open = 0;
  }
  add_values(query);
  struct values_message m = {.tick = kymo_now(), .missing = final ? 0 : add_open(query)};
  kymo_put_new_threads(c);
  kymo_put_new_regions(c);
  kymo_put_new_communicators(c);
  if (query.differences && !make_seen(c)) {
    kymo_refuse(c, KYMO_NO_ROOM, "out of memory");
    return;
  }
  c->gone |= !put_new_paths(c) || !put_values(c, query, m); // A client that has so much unread is of no use.
}
