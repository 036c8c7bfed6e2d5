// Calls deeper than the limit of the call tree are folded: below the node at the limit hangs one mark, and below that one node for each slot, whatever called it.
// So the memory of a recursion of any depth is bounded, every visit is counted, and no time is lost.
//
// The time of such a flat node is exclusive, so that the flat nodes of a mark add up to it: what has gone by since the last of their events belongs to the frame on
// top. That time stands in its node of waiting, its `twin`, because the `ticks` of the node, like its extremes, are of visits with all below them, and so of no use
// as a sum. A maximum that stays 0 sends each end of a visit here, as for phases (phases.c).
#include "runtime.h"

// The twin is made with the node; its fields that no time of waiting needs are taken.
static inline struct kymo_node *twin_of(const struct kymo_node *flat) { return (struct kymo_node *)atomic_load_explicit(&flat->first, memory_order_relaxed); }
#define TWIN_MARK min      // the mark that the flat node hangs under
#define TWIN_TICKS events  // exclusive
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
  if ((int64_t)ticks < 0) return; // another stack's
  twin_of(flat)->TWIN_TICKS += ticks;
  kymo_mark_of(flat)->ticks += ticks;
}

// Before a visit of a flat node is pushed.
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

// Its end; `ticks` with all below it.
KYMO_HANDLER void kymo_flat_ends(struct kymo_thread *t, struct kymo_node *node, uint64_t ticks, uint64_t now) {
  struct kymo_node *twin = twin_of(node);
  if (ticks > twin->TWIN_MAXIMUM) twin->TWIN_MAXIMUM = ticks;
  charge(t, node, now);
  node->events = 0;
  ++kymo_mark_of(node)->events;
}
