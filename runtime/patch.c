// Patches the selected sites of one linked object. Nothing but NOPs that the object itself declares is ever overwritten.
#include "session.h"
#include "libc.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

struct text {
  uintptr_t begin, end;
  int protection;
};

struct job {
  struct kymo_object *object;
  const struct kymo_image *image;
  const struct kymo_items *items;
  uintptr_t *sleds; // addresses × 2 + kind, sorted
  size_t sled_count;
  unsigned char *stub, *stubs;
  size_t stub_bytes;
  uint64_t refused;
};

static int by_value(const void *a, const void *b) {
  uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
  return (x > y) - (x < y);
}

static uintptr_t page_bytes(void) { return getauxval(AT_PAGESZ); }

static bool list_sleds(struct job *job) {
  const struct kymo_sled *sled = job->object->sleds;
  job->sled_count = (size_t)(job->object->sleds_end - sled);
  if (!job->sled_count) return true;
  job->sleds = kymo_map(job->sled_count * sizeof *job->sleds);
  if (!job->sleds) return false;
  for (size_t i = 0; i < job->sled_count; ++i) job->sleds[i] = ((uintptr_t)&sled[i].site + (uintptr_t)(intptr_t)sled[i].site) * 2 + (sled[i].number & 1);
  qsort(job->sleds, job->sled_count, sizeof *job->sleds, by_value);
  return true;
}

struct span {
  uintptr_t low, high;
};

// What the object takes up in memory, all of it or only its code.
static struct span extent(const struct kymo_image *image, uint32_t flags) {
  struct span span = {UINTPTR_MAX, 0};
  for (size_t i = 0; i < image->header_count; ++i) {
    const ElfW(Phdr) *header = &image->headers[i];
    if (header->p_type != PT_LOAD || (header->p_flags & flags) != flags) continue;
    uintptr_t begin = image->base + header->p_vaddr;
    if (begin < span.low) span.low = begin;
    if (begin + header->p_memsz > span.high) span.high = begin + header->p_memsz;
  }
  return span;
}

// Free address space outside of `all` and within reach of `code`, below first: above may lie the heap, which grows.
static unsigned char *map_near(struct span all, struct span code, size_t bytes) {
  enum { STEP = 1 << 20 };
  for (int above = 0; above < 2; ++above) {
    for (uintptr_t distance = STEP;; distance += distance < 64 * STEP ? STEP : 16 * STEP) {
      if (!above && all.low < distance + bytes + 65536) break;
      uintptr_t where = above ? all.high + distance : all.low - distance - bytes;
      where &= ~(page_bytes() - 1);
      if ((above ? where + bytes - code.low : code.high - where) > KYMO_REACH) break;
      void *got = mmap((void *)where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (got == (void *)where) return got;
      if (got != MAP_FAILED) munmap(got, bytes); // a kernel that does not know the flag
    }
  }
  return 0;
}

// Offset of the slot's sampler in the table of each thread; 0 (the calibration's): it is not sampled, or this object was built before there were samples.
static uint32_t sampler_of(const struct kymo_object *object, uint32_t slot) {
  if (!KYMO_CAN_SAMPLE || object->version < 2) return 0;
  for (uint32_t i = KYMO_CALIBRATION_SAMPLE + 1; i < kymo.sample_count; ++i)
    if (kymo.samples[i].slot == slot) return i * (uint32_t)sizeof(struct kymo_sampler);
  return 0;
}

static bool make_stubs(struct job *job) {
  size_t bytes = 0;
  for (size_t i = 0; i < job->items->count; ++i) {
    const struct kymo_item *item = &job->items->at[i];
    if (item->kind != KYMO_ENTRY) bytes += KYMO_SLED_STUB_BYTES;
    else bytes += sampler_of(job->object, item->slot) ? KYMO_SAMPLED_STUB_BYTES : KYMO_STUB_BYTES;
  }
  if (!bytes) return true;
  job->stub_bytes = (bytes + page_bytes() - 1) & ~(page_bytes() - 1);
  job->stub = job->stubs = map_near(extent(job->image, 0), extent(job->image, PF_X), job->stub_bytes);
  if (job->stubs) atomic_fetch_add(&kymo.mapped, job->stub_bytes);
  return job->stubs != 0;
}

static bool patch_entry(struct job *job, unsigned char *site, uint32_t slot) {
  if (!job->stub) return false;
  uintptr_t body = (uintptr_t)site + KYMO_ENTRY_BYTES, trampoline = (uintptr_t)job->object->trampoline;
  uint32_t sampler = sampler_of(job->object, slot);
  if (sampler ? !kymo_encode_sampled_stub(job->stub, body, slot, sampler, trampoline, (uintptr_t)job->object->thunk_due)
              : !kymo_encode_stub(job->stub, body, slot, trampoline))
    return false;
  if (!kymo_encode_entry(site, (uintptr_t)job->stub)) return false;
  job->stub += sampler ? KYMO_SAMPLED_STUB_BYTES : KYMO_STUB_BYTES;
  return true;
}

static bool patch_sled(struct job *job, unsigned char *site, uint32_t slot, bool out) {
  uintptr_t key = (uintptr_t)site * 2 + out;
  if (!job->sled_count || !bsearch(&key, job->sleds, job->sled_count, sizeof key, by_value)) return false;
  const struct kymo_object *o = job->object;
  if (KYMO_SLED_STUB_BYTES > 0 && o->version < 3) return false;
  uint32_t sampler = sampler_of(o, slot);
  void (*thunk)(void) = sampler ? (out ? o->thunk_out_sampled : o->thunk_in_sampled) : (out ? o->thunk_out : o->thunk_in);
  if (!kymo_encode_sled(site, (uintptr_t)site, sampler && !out ? sampler : slot, (uintptr_t)thunk, job->stub)) return false;
  job->stub += KYMO_SLED_STUB_BYTES;
  return true;
}

static void patch_sites(struct job *job, struct text text) {
  for (size_t i = 0; i < job->items->count; ++i) {
    const struct kymo_item *item = &job->items->at[i];
    uintptr_t site = job->image->base + item->offset, bytes = item->kind == KYMO_ENTRY ? KYMO_ENTRY_BYTES : KYMO_SLED_BYTES;
    if (site < text.begin || site >= text.end) continue;
    bool good = text.end - site >= bytes &&
                (item->kind == KYMO_ENTRY ? patch_entry(job, (unsigned char *)site, item->slot)
                                          : patch_sled(job, (unsigned char *)site, item->slot, item->kind == KYMO_OUT));
    job->refused -= good;
  }
}

// Pages that hold sites of this segment. They stay executable while they are written (the runtime's own code may be among them), and are never left writable.
static void patch_segment(struct job *job, struct text text) {
  uintptr_t first = UINTPTR_MAX, last = 0, page = page_bytes();
  for (size_t i = 0; i < job->items->count; ++i) {
    uintptr_t site = job->image->base + job->items->at[i].offset;
    if (site < text.begin || site >= text.end) continue;
    if (site < first) first = site;
    if (site > last) last = site;
  }
  if (!last) return;
  uintptr_t begin = first & ~(page - 1), end = last + KYMO_SLED_BYTES;
  if (end > text.end) end = text.end;
  end = (end + page - 1) & ~(page - 1);
  if (mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC)) {
    kymo_say("nothing is measured in ", job->image->name, ": its code cannot be made writable (mprotect is refused here)", 0);
    job->refused = 0;
    return;
  }
  patch_sites(job, text);
  mprotect((void *)begin, end - begin, text.protection);
  kymo_flush_code(begin, end);
}

static void report(const struct job *job) {
  char number[24];
  if (!job->refused) return;
  kymo_say(kymo_decimal(job->refused, number), " selected sites are not sites of ", job->image->name, "; they are left alone");
}

void kymo_patch(struct kymo_object *object, const struct kymo_image *image, const struct kymo_items *items) {
  struct job job = {.object = object, .image = image, .items = items, .refused = items->count};
  struct span code = extent(image, PF_X);
  if (code.high - code.low > KYMO_REACH) {
    kymo_say("nothing is measured in ", image->name, ": its code is larger than a call of this processor reaches", 0);
    return;
  }
  if (!list_sleds(&job)) {
    kymo_out_of_memory();
    return;
  }
  if (!make_stubs(&job)) kymo_say("patch points are left alone, no memory is free near the code of ", image->name, 0, 0);
  for (size_t i = 0; i < image->header_count; ++i) {
    const ElfW(Phdr) *header = &image->headers[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    uintptr_t begin = image->base + header->p_vaddr;
    int protection = PROT_EXEC | (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0);
    patch_segment(&job, (struct text){begin, begin + header->p_filesz, protection});
  }
  if (job.stubs) {
    mprotect(job.stubs, job.stub_bytes, PROT_READ | PROT_EXEC);
    kymo_flush_code((uintptr_t)job.stubs, (uintptr_t)job.stubs + job.stub_bytes);
  }
  if (job.sleds) kymo_unmap(job.sleds, job.sled_count * sizeof *job.sleds);
  report(&job);
}
