// The call tree of a thread: finds and makes the child of a node.
//
// Children are a list with the one used last in front. More than sixteen are hashed; a smaller table would cost more memory than the time
// that it saves is worth, and 64 bytes per node are guaranteed. A measured signal handler may come in between: while another call has
// claimed `moving`, the handler only reads, and inserts in front. In the worst case it does not find a child that is just being moved, and
// makes a second one for the same slot; readers add such duplicates up (docs/formats.md). Tables are replaced with signals blocked.
#include "runtime.h"
#include "layers.h"

enum { LIST_LIMIT = 16, FIRST_BUCKETS_LOG2 = 3, LOAD = 8 };

typedef struct kymo_node *_Atomic bucket;

static inline bool is_list(uintptr_t first) { return !(first & 63); }
static inline uint32_t buckets_log2(uintptr_t first) { return (uint32_t)(first & 63); }
static inline bucket *buckets(uintptr_t first) { return (bucket *)(first & ~(uintptr_t)63); }
// The cache line before the buckets holds the number of children in them.
enum { TABLE_HEADER = 64 };
static inline uint32_t *bucketed(uintptr_t first) { return (uint32_t *)((char *)buckets(first) - TABLE_HEADER); }
static inline uint32_t hash(uint32_t slot, uint32_t log2) { return slot * 2654435769u >> (32 - log2); }

struct kymo_node *kymo_new_node(struct kymo_thread *t, uint32_t slot) {
  struct kymo_node *node = kymo_take(t, sizeof *node);
  if (!node) return 0;
  atomic_fetch_add(&kymo.node_bytes, sizeof *node);
  node->min = UINT64_MAX;
  node->slot = slot;
  atomic_store_explicit(&node->first, KYMO_NO_CHILD, memory_order_relaxed);
  return node;
}

static void insert(_Atomic uintptr_t *head, struct kymo_node *node) {
  uintptr_t first = atomic_load(head);
  do atomic_store_explicit(&node->next, first == KYMO_NO_CHILD ? 0 : (struct kymo_node *)first, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(head, &first, (uintptr_t)node));
}

static void insert_hashed(bucket *table, uint32_t log2, struct kymo_node *node) {
  insert((_Atomic uintptr_t *)&table[hash(node->slot & ~(KYMO_PHASE | KYMO_FLAT), log2)], node);
}

// Relinks nodes one by one. A reader in between may miss some nodes, but never runs in a circle.
static void rehash(bucket *table, uint32_t log2, struct kymo_node *node, const struct kymo_node *end) {
  while (node && node != end) {
    struct kymo_node *next = atomic_load(&node->next);
    insert_hashed(table, log2, node);
    node = next;
  }
}

static bool widen(struct kymo_thread *t, struct kymo_node *parent, uintptr_t first, uint32_t children) {
  uint32_t log2 = is_list(first) ? FIRST_BUCKETS_LOG2 : buckets_log2(first) + 1;
  size_t bytes = TABLE_HEADER + (sizeof(bucket) << log2);
  char *room = kymo_take(t, bytes);
  if (!room) return false;
  atomic_fetch_add(&kymo.node_bytes, bytes);
  bucket *table = (bucket *)(room + TABLE_HEADER);
  uintptr_t fresh = (uintptr_t)table | log2;
  *bucketed(fresh) = children;
  if (is_list(first)) {
    const struct kymo_node *done = 0;
    do {
      rehash(table, log2, (struct kymo_node *)first, done);
      done = (struct kymo_node *)first;
    } while (!atomic_compare_exchange_strong(&parent->first, &first, fresh));
    return true;
  }
  uint32_t count = 1u << buckets_log2(first);
  for (int pass = 0; pass < 2; ++pass) { // The second pass moves what a signal handler has inserted meanwhile.
    for (uint32_t i = 0; i < count; ++i) rehash(table, log2, atomic_exchange(&buckets(first)[i], 0), 0);
    atomic_store(&parent->first, fresh);
  }
  return true;
}

// Between reading `first` and the insertion, the table may be replaced. Then the node has to move on, because nobody searches the old
// table.
static void link_child(struct kymo_node *parent, struct kymo_node *node) {
  uintptr_t first = atomic_load(&parent->first);
  if (kymo_is_flat(parent->slot)) { // Its twin stays the first (deep.c); the others are quantities, which are fewer than a list may have.
    insert((_Atomic uintptr_t *)&((struct kymo_node *)first)->next, node);
    return;
  }
  while (first == KYMO_NO_CHILD || is_list(first)) {
    atomic_store_explicit(&node->next, first == KYMO_NO_CHILD ? 0 : (struct kymo_node *)first, memory_order_relaxed);
    if (atomic_compare_exchange_weak(&parent->first, &first, (uintptr_t)node)) return;
  }
  ++*bucketed(first);
  insert_hashed(buckets(first), buckets_log2(first), node);
  if (atomic_load(&parent->first) == first) return;
  uint64_t signals = kymo_block_signals();
  uintptr_t now = atomic_load(&parent->first);
  bucket *old = &buckets(first)[hash(node->slot & ~(KYMO_PHASE | KYMO_FLAT), buckets_log2(first))];
  rehash(buckets(now), buckets_log2(now), atomic_exchange(old, 0), 0);
  kymo_restore_signals(signals);
}

// Completes a move whose call may never continue, so that the child is in its list again.
void kymo_finish_moving(struct kymo_thread *t) {
  _Atomic uintptr_t *head = t->moving_to;
  if (head) {
    const struct kymo_node *child = (const struct kymo_node *)atomic_load(head);
    while (child && child != t->moved) child = atomic_load(&child->next);
    if (!child) insert(head, t->moved);
  }
  t->moving_to = 0;
  t->moving = 0;
}

// `here` is an address in the caller's stack frame. If the lists are claimed from the same address, a jump has left that call, and the
// claim can be taken over. A call that claimed them from another address may still continue.
static bool claim_lists(struct kymo_thread *t, const void *here) {
  uintptr_t claimed = t->moving;
  if (KYMO_UNLIKELY(claimed)) {
    if (claimed != (uintptr_t)here) return false;
    uint64_t signals = kymo_block_signals();
    if (t->moving == claimed) kymo_finish_moving(t);
    kymo_restore_signals(signals);
  }
  return kymo_claim_lists(t, here);
}

// --- the depth of a node: counts frames up to one whose node is in the cache of depths ---

enum { DEPTH_BITS = 22 };

// An entry of the cache is one word, so that a signal handler always reads a consistent one: nodes are aligned to 64 bytes and addresses
// have 48 bits, which leaves 22 bits for the depth.
static inline uint64_t *remembered(struct kymo_thread *t, const struct kymo_node *node) { return &t->depths[((uintptr_t)node >> 6) % KYMO_DEPTHS]; }
static inline uint64_t line_of(const struct kymo_node *node) { return (uint64_t)(uintptr_t)node >> 6 << DEPTH_BITS; }

static uint32_t depth_of(struct kymo_thread *t, const struct kymo_frame *frame) {
  uint32_t steps = 0;
  const struct kymo_frame *up; // Read once: an interrupted walk may continue when the frames have been reused, and then ends at the limit.
  for (; (up = frame->up) && steps < kymo.depth_limit; frame = up, ++steps) {
    uint64_t known = *remembered(t, frame->node);
    if (known && known >> DEPTH_BITS << DEPTH_BITS == line_of(frame->node)) return steps + (uint32_t)(known & ((1u << DEPTH_BITS) - 1));
  }
  return steps;
}

static void remember(struct kymo_thread *t, const struct kymo_node *node, uint32_t depth) { *remembered(t, node) = line_of(node) | depth; }

// --- making a child ---

_Static_assert(KYMO_SLOT_WAITING - KYMO_SLOT_COUNTER > KYMO_COUNTERS && KYMO_COUNTERS + 1 < LIST_LIMIT, "quantities are a list");

static KYMO_HANDLER __attribute__((noinline)) struct kymo_node *add(struct kymo_thread *t, struct kymo_node *parent, uint32_t slot, uint32_t siblings) {
  struct kymo_node *node = kymo_new_node(t, slot);
  if (!node || (parent->slot == KYMO_SLOT_DEPTH && !kymo_make_flat(t, node, parent))) {
    kymo_out_of_memory();
    return 0;
  }
  uintptr_t first = atomic_load(&parent->first);
  bool wide = first != KYMO_NO_CHILD && !is_list(first);
  uint32_t children = wide ? *bucketed(first) : siblings;
  if (children >= (wide ? (uint32_t)LOAD << buckets_log2(first) : LIST_LIMIT) && claim_lists(t, &first)) {
    uint64_t signals = kymo_block_signals();
    if (!widen(t, parent, atomic_load(&parent->first), children)) kymo_out_of_memory();
    t->moving = 0;
    kymo_restore_signals(signals);
  }
  link_child(parent, node);
  return node;
}

// Finds the child of the slot, or the mark of the depth limit, which stands for all slots, and moves it to the front of the list. Returns
// NULL when there is none; `*seen` then is the number of children that it has compared.
static inline struct kymo_node *find(struct kymo_thread *t, struct kymo_node *parent, uint32_t slot, uint32_t *seen) {
  uintptr_t first = atomic_load_explicit(&parent->first, memory_order_relaxed);
  *seen = 0;
  if (first == KYMO_NO_CHILD) return 0;
  _Atomic uintptr_t *head = &parent->first;
  if (!is_list(first)) {
    head = (_Atomic uintptr_t *)&buckets(first)[hash(slot, buckets_log2(first))];
    first = atomic_load_explicit(head, memory_order_relaxed);
  }
  struct kymo_node *before = 0, *node = (struct kymo_node *)first;
  while (node && !kymo_same_slot(node->slot, slot) && (KYMO_LIKELY(node->slot != KYMO_SLOT_DEPTH) || kymo_is_counter(slot))) {
    before = node;
    node = atomic_load_explicit(&node->next, memory_order_relaxed);
    ++*seen;
  }
  if (!node || !before || kymo_is_counter(slot) || !claim_lists(t, seen)) return node; // Counters alternate.
  if (atomic_load_explicit(head, memory_order_relaxed) == first && atomic_load_explicit(&before->next, memory_order_relaxed) == node) {
    t->moved = node;
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&t->moving_to, head, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&before->next, atomic_load_explicit(&node->next, memory_order_relaxed), memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (t->moving_to) { // Otherwise kymo_finish_moving has put the node back, to write the result.
      // Only this thread changes its lists, so the swap needs no lock, which would cost as much as the rest of the search.
      for (;; first = atomic_load_explicit(head, memory_order_relaxed)) {
        atomic_store_explicit(&node->next, (struct kymo_node *)first, memory_order_relaxed);
        if (KYMO_LIKELY(kymo_swap(head, (const void *)first, node))) break;
      }
    }
    atomic_store_explicit(&t->moving_to, 0, memory_order_relaxed);
  }
  atomic_signal_fence(memory_order_seq_cst);
  t->moving = 0;
  return node;
}

static KYMO_HANDLER struct kymo_node *find_or_add(struct kymo_thread *t, struct kymo_node *parent, uint32_t slot) {
  uint32_t siblings;
  struct kymo_node *node = find(t, parent, slot, &siblings);
  return node ? node : add(t, parent, slot, siblings);
}

struct kymo_node *kymo_step(struct kymo_thread *t, struct kymo_node *parent, uint32_t slot) {
  struct kymo_node *node = find_or_add(t, parent, slot);
  return node && (node->slot == KYMO_SLOT_DEPTH || kymo_is_flat(node->slot)) ? 0 : node;
}

// Adds a missing child to the frame's node. At the depth limit that child is the mark.
static KYMO_HANDLER __attribute__((noinline)) struct kymo_node *add_below(struct kymo_thread *t, struct kymo_frame *frame, uint32_t slot, uint32_t siblings) {
  if (kymo_is_counter(slot)) return add(t, frame->node, slot, siblings);
  uint32_t depth = depth_of(t, frame);
  if (depth >= kymo.depth_limit) {
    atomic_fetch_or(&kymo.flags, KYMO_DEPTH_HIT);
    return add(t, frame->node, KYMO_SLOT_DEPTH, siblings);
  }
  struct kymo_node *node = add(t, frame->node, kymo_becomes_phase(t, frame, slot) ? slot | KYMO_PHASE : slot, siblings);
  if (node) remember(t, node, depth + 1);
  return node;
}

// The slots of phase and flat nodes never equal the slot of a site. So the fast path does not find them, and each begin of an iteration and
// each visit of a flat node calls this function.
KYMO_HANDLER struct kymo_node *kymo_child(struct kymo_thread *t, struct kymo_frame *frame, uint32_t slot) {
  struct kymo_node *parent = frame->node;
  if (KYMO_UNLIKELY(parent->slot == KYMO_SLOT_DEPTH)) return &t->trash;
  uint32_t siblings;
  struct kymo_node *node;
  if (KYMO_UNLIKELY(kymo_is_flat(parent->slot) && !kymo_is_counter(slot))) {
    node = kymo_mark_of(parent);
  } else {
    node = find(t, parent, slot, &siblings);
    if (!node) node = add_below(t, frame, slot, siblings);
  }
  if (KYMO_UNLIKELY(node && node->slot == KYMO_SLOT_DEPTH)) node = find_or_add(t, node, slot);
  if (KYMO_UNLIKELY(node && kymo_is_phase(node->slot))) kymo_phase_begins(t);
  if (KYMO_UNLIKELY(node && kymo_is_flat(node->slot)) && !(slot & KYMO_UNTIMED)) kymo_flat_begins(t, kymo_mark_of(node));
  return node;
}

struct kymo_children kymo_children_of(const struct kymo_node *node) {
  uintptr_t first = atomic_load(&node->first);
  return (struct kymo_children){first, is_list(first) ? (struct kymo_node *)first : 0, 0};
}

struct kymo_node *kymo_next_child(struct kymo_children *children) {
  if (!is_list(children->first) && children->first != KYMO_NO_CHILD)
    while (!children->next && children->bucket < 1u << buckets_log2(children->first))
      children->next = atomic_load(&buckets(children->first)[children->bucket++]);
  struct kymo_node *node = children->next;
  if (node) children->next = atomic_load(&node->next);
  return node;
}
