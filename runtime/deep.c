// Calls deeper than the limit of the call tree are folded: the node at the limit has one child, the mark, and the mark has one child for
// each slot, whoever called it. So a recursion of any depth needs bounded memory, every visit is counted, and no time is lost.
//
// The time of such a flat node is exclusive, so that the flat nodes of a mark add up to the mark: each event charges the time since the
// previous one to the frame on top. The exclusive time is stored in the node's child for waiting, its `twin`, because `ticks` and the
// extremes of the node itself are inclusive and would count nested visits several times. A maximum that stays 0 sends the end of each visit
// to this file, as for phases (phases.c).
#include "runtime.h"

// The twin is created with its node. It reuses fields that a node for waiting time does not need.
static inline struct kymo_node *twin_of(const struct kymo_node *flat) { return (struct kymo_node *)atomic_load_explicit(&flat->first, memory_order_relaxed); }
#define TWIN_MARK min      // the parent of the flat node
#define TWIN_TICKS events  // exclusive time of the flat node
#define TWIN_MAXIMUM max

struct kymo_node *kymo_mark_of(const struct kymo_node *flat) { return (struct kymo_node *)twin_of(flat)->TWIN_MARK; }
uint64_t kymo_flat_maximum(const struct kymo_node *flat) { return twin_of(flat)->TWIN_MAXIMUM; }
const uint64_t *kymo_flat_ticks(const struct kymo_node *flat) { return &twin_of(flat)->TWIN_TICKS; }

bool kymo_make_flat(struct kymo_thread *t, struct kymo_node *node, struct kymo_node *mark) {
  struct kymo_node *twin = kymo_new_node(t, KYMO_SLOT_WAITING);
  if (!twin) return false;
  twin->TWIN_MARK = (uintptr_t)mark;
  node->slot |= KYMO_FLAT;
  atomic_store(&node->first, (uintptr_t)twin);
  return true;
}

static void charge(struct kymo_thread *t, const struct kymo_node *flat, uint64_t now) {
  uint64_t ticks = now - t->flat_since;
  t->flat_since = now;
  if ((int64_t)ticks < 0) return; // An event on another stack was later.
  twin_of(flat)->TWIN_TICKS += ticks;
  kymo_mark_of(flat)->ticks += ticks;
}

// Called before a visit of a flat node is pushed.
KYMO_HANDLER void kymo_flat_begins(struct kymo_thread *t, struct kymo_node *mark) {
  const struct kymo_node *above = t->top->node;
  uint64_t now = kymo_clock(t);
  if (kymo_is_flat(above->slot)) {
    charge(t, above, now);
  } else {
    ++mark->visits;
    t->flat_since = now;
  }
}

// Called when a visit of a flat node ends; `ticks` is inclusive.
KYMO_HANDLER void kymo_flat_ends(struct kymo_thread *t, struct kymo_node *node, uint64_t ticks, uint64_t now) {
  struct kymo_node *twin = twin_of(node);
  if (ticks > twin->TWIN_MAXIMUM) twin->TWIN_MAXIMUM = ticks;
  charge(t, node, now);
  node->events = 0;
  ++kymo_mark_of(node)->events;
}
