// Passes the iterations that the program's threads wrote into the ring on to the clients: the values as they are in the process's file, the nodes as
// definitions of their own, each once per client.
#include "control.h"
#include "../libc.h"

#define NOT_A_PHASE 0xffffffffu
enum { KEY_NODE = 1, KEY_PHASE = 2, KEY_CUT_SHORT = 3, KEY_PREEMPTED = 4, KEY_VALUES = 5, FIRST_ROOM = 1024, MOST_NODES = 1 << 24 };

struct definition {
  uint32_t thread, parent, slot;
  uint32_t depth;        // of a phase: number of visits around it; NOT_A_PHASE
  const uint32_t *above; // their slots, innermost first
};
static struct definition *definitions; // by number − 1; a slot of KYMO_SLOT_NONE: not known yet
static uint32_t definition_room;

static unsigned char *entry; // the iteration that is being read, and the records of its values
static unsigned char *values;

bool kymo_listen_to_iterations(void) {
  if (!kymo_stream.ring) kymo_stream.ring = kymo_map(KYMO_RING_BYTES);
  if (!entry) entry = kymo_map(KYMO_RING_BYTES);
  if (!values) values = kymo_map(KYMO_RING_BYTES);
  if (!kymo_stream.ring || !entry || !values) return false;
  atomic_store(&kymo_stream.read, atomic_load(&kymo_stream.written));
  return true;
}

void kymo_keep_iterations(void) { atomic_store(&kymo_stream.keeping, kymo_listen_to_iterations()); }

static struct definition *definition_at(uint32_t number) {
  if (number > MOST_NODES) return 0;
  if (number > definition_room) {
    uint32_t room = definition_room ? definition_room : FIRST_ROOM;
    while (room < number) room *= 2;
    struct definition *more = kymo_map(room * sizeof *more);
    if (!more) return 0;
    if (definition_room) {
      memcpy(more, definitions, definition_room * sizeof *more);
      kymo_unmap(definitions, definition_room * sizeof *more);
    }
    for (uint32_t i = definition_room; i < room; ++i) more[i].slot = KYMO_SLOT_NONE;
    definitions = more;
    definition_room = room;
  }
  return &definitions[number - 1];
}

// --- nodes that were defined before anybody listened: found in the trees ---

struct step {
  struct kymo_children children;
  const struct kymo_node *node;
  uint32_t left;
};

static void note_phase(struct definition *d, const struct step *steps, size_t depth) {
  uint32_t *above = depth ? kymo_map(depth * sizeof *above) : 0;
  d->depth = above ? (uint32_t)depth : 0;
  for (size_t i = 0; i < d->depth; ++i) above[i] = kymo_plain_slot(steps[depth - i].node->slot);
  d->above = above;
}

static void note_node(const struct kymo_thread *t, const struct kymo_node *node, const struct step *steps, size_t depth) {
  struct definition *d = definition_at(node->number);
  if (!d || d->slot != KYMO_SLOT_NONE) return;
  bool phase = kymo_is_phase(node->slot);
  d->thread = t->number;
  d->parent = phase ? 0 : steps[depth].node->number;
  d->depth = NOT_A_PHASE;
  if (phase) note_phase(d, steps, depth);
  d->slot = phase ? node->slot & ~KYMO_PHASE : kymo_plain_slot(node->slot);
}

static void find_nodes(const struct kymo_thread *t) {
  enum { DEEPEST = 4096 };
  static struct step *steps;
  if (!steps) steps = kymo_map((DEEPEST + 1) * sizeof *steps);
  if (!steps) return;
  size_t depth = 0;
  steps[0] = (struct step){kymo_children_of(t->root), t->root, 256u << 20};
  for (;;) {
    struct step *step = &steps[depth];
    const struct kymo_node *child = step->left ? kymo_next_child(&step->children) : 0;
    if (!child) {
      if (!depth--) return;
      continue;
    }
    --step->left;
    if (child->number) note_node(t, child, steps, depth);
    if (depth < DEEPEST && atomic_load(&child->first) != KYMO_NO_CHILD) {
      struct kymo_children children = kymo_children_of(child);
      steps[++depth] = (struct step){children, child, 256u << (children.first & 31)};
    }
  }
}

// Returns how many nodes from number 1 on are known.
static uint32_t known_up_to(uint32_t numbers) {
  static uint32_t known;
  for (const struct definition *d; known < numbers && (d = definition_at(known + 1)) && d->slot != KYMO_SLOT_NONE;) ++known;
  return known;
}

// A walk may miss nodes whose list is being rearranged, so there are several.
static bool learn_before(uint32_t numbers) {
  enum { ATTEMPTS = 8 };
  for (int i = 0; i < ATTEMPTS && known_up_to(numbers) < numbers; ++i)
    for (const struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) find_nodes(t);
  return known_up_to(numbers) >= numbers;
}

// --- an iteration ---

struct reader {
  const unsigned char *at, *end;
};

static uint64_t number(struct reader *r) {
  uint64_t value = 0;
  for (unsigned shift = 0; r->at < r->end && shift < 64; shift += 7) {
    value |= (uint64_t)(*r->at & 0x7f) << shift;
    if (!(*r->at++ & 0x80)) break;
  }
  return value;
}

static void define(struct reader *r, uint64_t key, uint32_t node) {
  struct definition *d = definition_at(node), ignored;
  if (!d) d = &ignored;
  d->thread = (uint32_t)number(r);
  d->parent = key == KEY_NODE ? (uint32_t)number(r) : 0;
  uint32_t slot = (uint32_t)number(r), depth = key == KEY_PHASE ? (uint32_t)number(r) : 0;
  uint32_t *above = depth ? kymo_map(depth * sizeof *above) : 0;
  for (uint32_t i = 0; i < depth; ++i) {
    uint32_t s = (uint32_t)number(r);
    if (above) above[i] = s;
  }
  d->depth = key == KEY_NODE ? NOT_A_PHASE : above ? depth : 0;
  d->above = above;
  d->slot = slot;
}

struct iteration {
  uint64_t number, lost, position;
  uint32_t nodes; // count of numbers in use
  uint32_t cut_short;
  size_t bytes;   // of values
};

static struct iteration parse(size_t bytes) {
  struct kymo_stream_head head;
  memcpy(&head, entry, sizeof head);
  struct reader r = {entry + sizeof head, entry + bytes};
  struct iteration it = {.number = head.iteration, .lost = head.lost, .nodes = (uint32_t)head.numbers};
  while (r.at < r.end) {
    const unsigned char *begin = r.at;
    uint64_t key = number(&r);
    if (key == KEY_NODE || key == KEY_PHASE) {
      define(&r, key, ++it.nodes);
      continue;
    }
    it.cut_short |= key == KEY_CUT_SHORT;
    for (int i = key == KEY_PREEMPTED ? 1 : key >= KEY_VALUES ? 3 : 0; i; --i) number(&r);
    memcpy(values + it.bytes, begin, (size_t)(r.at - begin));
    it.bytes += (size_t)(r.at - begin);
  }
  return it;
}

static bool put_new_nodes(struct kymo_client *c, uint32_t count) {
  enum { MOST_IN_A_MESSAGE = 8192 };
  while (c->nodes < count) {
    uint32_t part = count - c->nodes < MOST_IN_A_MESSAGE ? count - c->nodes : MOST_IN_A_MESSAGE;
    kymo_begin_message(c, KYMO_NODES, 0);
    kymo_put32(c, c->nodes + 1);
    kymo_put32(c, part);
    for (uint32_t i = 1; i <= part; ++i) {
      const struct definition *d = definition_at(c->nodes + i);
      kymo_put32(c, d->thread);
      kymo_put32(c, d->parent);
      kymo_put32(c, d->slot);
      kymo_put32(c, d->depth);
      if (d->depth != NOT_A_PHASE) kymo_put(c, d->above, d->depth * sizeof *d->above);
    }
    if (!kymo_finish_message(c)) return false;
    c->nodes += part;
  }
  return true;
}

static void forward(struct kymo_client *c, const struct iteration *it) {
  uint64_t lost = c->lost + it->lost - c->lost_in_stream;
  kymo_put_new_threads(c);
  kymo_put_new_regions(c);
  bool fits = kymo_waiting_bytes(c) < KYMO_SAMPLE_QUEUE_BYTES && put_new_nodes(c, it->nodes);
  if (fits) {
    kymo_begin_message(c, KYMO_ITERATION, 0);
    kymo_put64(c, it->number);
    kymo_put64(c, lost);
    kymo_put32(c, it->cut_short);
    kymo_put(c, values, it->bytes);
    fits = kymo_finish_message(c);
  }
  c->lost += !fits;
}

static size_t take_entry(void) {
  struct kymo_stream *s = &kymo_stream;
  uint64_t read = atomic_load(&s->read), bytes = 0;
  if (read == atomic_load(&s->written)) return 0;
  for (size_t i = 0; i < sizeof bytes; ++i) bytes |= (uint64_t)s->ring[(read + i) % KYMO_RING_BYTES] << 8 * i;
  for (uint64_t i = 0; i < bytes; ++i) entry[i] = s->ring[(read + i) % KYMO_RING_BYTES];
  atomic_store(&s->read, read + bytes);
  return bytes;
}

void kymo_forward_iterations(struct kymo_client *clients, size_t count) {
  if (!kymo_stream.ring || atomic_load(&kymo_stream.keeping)) return;
  for (size_t bytes; (bytes = take_entry());) {
    struct kymo_stream_head head;
    memcpy(&head, entry, sizeof head);
    bool known = learn_before((uint32_t)head.numbers);
    struct iteration it = parse(bytes);
    it.position = atomic_load(&kymo_stream.read) - bytes;
    for (size_t i = 0; i < count; ++i) {
      if (clients[i].file < 0 || !clients[i].iterations || clients[i].gone || it.position < clients[i].stream_begin) continue;
      if (known) forward(&clients[i], &it);
      else ++clients[i].lost;
    }
  }
}
