// The extents of the code of functions with selected sleds, as the sleds show them: from an enter to the last exit before the next copy of
// the function.
//
// On x86-64 the stack pointer at an enter may lie below the one at a later call: gcc moves the padding of pushed arguments into the
// prologue (`sub $0x28, %rsp` … enter … `push $7; call; pop; pop`). By its stack address alone, such a function looks as if a jump had left
// it. An event that comes from within the function's code shows that it is still running.
#include "session.h"
#include "libc.h"

struct extent {
  uintptr_t enter, last; // sites, as the thunks pass them to the handlers
};

// The extents of one linked object, sorted by `enter`. They are not freed when the object is unloaded; nothing looks them up then.
struct extents {
  struct extents *next;
  size_t count;
  struct extent at[];
};
static struct extents *_Atomic all;

static int by_offset(const void *a, const void *b) {
  const struct kymo_item *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

// `latest` holds for each slot the number of its latest enter, counted from 1.
static void fill(struct extents *extents, const struct kymo_item *items, size_t count, uintptr_t base, uint32_t *latest) {
  for (const struct kymo_item *item = items; item < items + count; ++item) {
    uintptr_t site = base + item->offset + KYMO_SLED_BYTES;
    if (item->kind == KYMO_IN) {
      extents->at[extents->count] = (struct extent){site, site};
      latest[item->slot] = (uint32_t)++extents->count;
    } else if (item->kind == KYMO_OUT && latest[item->slot]) {
      extents->at[latest[item->slot] - 1].last = site;
    }
  }
}

// Without memory there are no extents, and is_stale (stacks.c) decides by the stack address alone.
void kymo_list_extents(const struct kymo_image *image, const struct kymo_items *items) {
  size_t enters = 0, slot_bytes = kymo_session.slots * sizeof(uint32_t);
  for (size_t i = 0; i < items->count; ++i) enters += items->at[i].kind == KYMO_IN;
  if (!KYMO_PADS_ARGUMENTS || !enters) return;
  struct extents *extents = kymo_map(sizeof *extents + enters * sizeof *extents->at);
  struct kymo_item *sorted = kymo_map(items->bytes);
  uint32_t *latest = kymo_map(slot_bytes);
  if (extents && sorted && latest) {
    memcpy(sorted, items->at, items->count * sizeof *sorted);
    qsort(sorted, items->count, sizeof *sorted, by_offset);
    fill(extents, sorted, items->count, image->base, latest);
    extents->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &extents->next, extents)) {}
  } else if (extents) {
    kymo_unmap(extents, sizeof *extents + enters * sizeof *extents->at);
  }
  if (sorted) kymo_unmap(sorted, items->bytes);
  if (latest) kymo_unmap(latest, slot_bytes);
}

bool kymo_is_within(uintptr_t enter, uintptr_t address) {
  for (const struct extents *extents = atomic_load(&all); extents; extents = extents->next) {
    size_t low = 0, high = extents->count;
    while (low < high) {
      size_t middle = (low + high) / 2;
      if (extents->at[middle].enter < enter) low = middle + 1;
      else high = middle;
    }
    if (low < extents->count && extents->at[low].enter == enter) return address > enter && address <= extents->at[low].last;
  }
  return false;
}
