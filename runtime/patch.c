// Patches the selected sites of one linked object. Nothing but NOPs that the object itself declares is ever overwritten.
//
// All preparations precede the change of the program's code: its pages are patched in a copy, the stubs are filled and made executable, and
// only then does the copy become the code (code.c). If the kernel refuses any step, the program stays unchanged.
#include "session.h"
#include "libc.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

// A segment of code, with a copy of its pages that hold selected sites. The sites are patched in the copy.
struct segment {
  uintptr_t begin, end;
  int protection;
  struct kymo_code code;
};
enum { SEGMENTS = 8 };

struct job {
  struct kymo_object *object;
  const struct kymo_image *image;
  const struct kymo_items *items;
  uintptr_t *sleds; // addresses × 2 + kind, sorted
  size_t sled_count;
  unsigned char *stub, *stubs;
  size_t stub_bytes;
  struct segment segments[SEGMENTS];
  size_t segment_count;
  uint64_t refused;
  struct kymo_switchables switchables;
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

// Returns the range of the object's segments that have all of `flags`: all segments for 0, its code for PF_X.
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

// Maps memory outside of `all` and within reach of `code`. It tries addresses below first, because the heap may grow above.
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
      if (got != MAP_FAILED) munmap(got, bytes); // An old kernel ignores the flag.
    }
  }
  return 0;
}

// Returns the offset of the slot's sampler in the table of each thread. Returns 0, the offset of the calibration's sampler, if the slot is
// not sampled or the object's version is too old for samples.
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

// A site and its place in the copy of the code.
struct spot {
  uintptr_t site;
  unsigned char *at;
};

static bool patch_entry(struct job *job, struct spot spot, uint32_t slot) {
  uintptr_t body = spot.site + KYMO_ENTRY_BYTES, trampoline = (uintptr_t)job->object->trampoline;
  uint32_t sampler = sampler_of(job->object, slot);
  if (sampler ? !kymo_encode_sampled_stub(job->stub, body, slot, sampler, trampoline, (uintptr_t)job->object->thunk_due)
              : !kymo_encode_stub(job->stub, body, slot, trampoline))
    return false;
  if (!kymo_encode_entry(spot.at, spot.site, (uintptr_t)job->stub)) return false;
  job->stub += sampler ? KYMO_SAMPLED_STUB_BYTES : KYMO_STUB_BYTES;
  return true;
}

static bool patch_sled(struct job *job, struct spot spot, uint32_t slot, bool out) {
  uintptr_t key = spot.site * 2 + out;
  if (!job->sled_count || !bsearch(&key, job->sleds, job->sled_count, sizeof key, by_value)) return false;
  const struct kymo_object *o = job->object;
  if (KYMO_SLED_STUB_BYTES > 0 && o->version < 3) return false;
  uint32_t sampler = sampler_of(o, slot);
  void (*thunk)(void) = sampler ? (out ? o->thunk_out_sampled : o->thunk_in_sampled) : (out ? o->thunk_out : o->thunk_in);
  if (!kymo_encode_sled(spot.at, spot.site, sampler && !out ? sampler : slot, (uintptr_t)thunk, job->stub)) return false;
  job->stub += KYMO_SLED_STUB_BYTES;
  return true;
}

// The site is on from the beginning, or off until somebody switches it on.
static void note_switchable(struct job *job, struct spot spot, const struct kymo_item *item) {
  struct kymo_switchables *s = &job->switchables;
  if (s->count == s->room) return;
  bool on = !kymo_is_idle(item->slot);
  if (!on) *spot.at = KYMO_SITE_OFF;
  s->at[s->count++] = (struct kymo_switchable){spot.site, item->slot, (uint16_t)item->kind, on};
}

static void patch_sites(struct job *job, const struct segment *segment) {
  for (size_t i = 0; i < job->items->count; ++i) {
    const struct kymo_item *item = &job->items->at[i];
    uintptr_t site = job->image->base + item->offset, bytes = item->kind == KYMO_ENTRY ? KYMO_ENTRY_BYTES : KYMO_SLED_BYTES;
    if (site < segment->begin || site >= segment->end) continue;
    struct spot spot = {site, segment->code.copy + (site - segment->code.begin)};
    bool good = segment->end - site >= bytes &&
                (item->kind == KYMO_ENTRY ? patch_entry(job, spot, item->slot) : patch_sled(job, spot, item->slot, item->kind == KYMO_OUT));
    job->refused -= good;
    if (good) note_switchable(job, spot, item);
  }
}

// Finds the pages of the segment that hold selected sites. Returns false when there are none.
static bool find_pages(const struct job *job, struct segment *segment) {
  uintptr_t first = UINTPTR_MAX, last = 0, page = page_bytes();
  for (size_t i = 0; i < job->items->count; ++i) {
    uintptr_t site = job->image->base + job->items->at[i].offset;
    if (site < segment->begin || site >= segment->end) continue;
    if (site < first) first = site;
    if (site > last) last = site;
  }
  if (!last) return false;
  uintptr_t end = last + KYMO_SLED_BYTES;
  if (end > segment->end) end = segment->end;
  segment->code.begin = first & ~(page - 1);
  segment->code.bytes = ((end + page - 1) & ~(page - 1)) - segment->code.begin;
  return true;
}

// Code that is not readable cannot be copied, so its sites are not patched.
static bool prepare(struct job *job) {
  for (size_t i = 0; i < job->image->header_count && job->segment_count < SEGMENTS; ++i) {
    const ElfW(Phdr) *header = &job->image->headers[i];
    if (header->p_type != PT_LOAD || (header->p_flags & (PF_X | PF_R)) != (PF_X | PF_R)) continue;
    uintptr_t begin = job->image->base + header->p_vaddr;
    struct segment *segment = &job->segments[job->segment_count];
    *segment = (struct segment){begin, begin + header->p_filesz, PROT_READ | PROT_EXEC | (header->p_flags & PF_W ? PROT_WRITE : 0), {0, 0, 0}};
    if (!find_pages(job, segment)) continue;
    if (!kymo_copy_code(&segment->code)) return false;
    ++job->segment_count;
    patch_sites(job, segment);
  }
  return true;
}

// Makes the stubs executable first, because the entries jump there as soon as the code has changed. The stubs stay mapped if a change
// cannot be undone.
static bool put_in_place(struct job *job) {
  if (job->stubs && !kymo_make_executable(job->stubs, job->stub_bytes)) return false;
  size_t done = 0;
  while (done < job->segment_count && kymo_replace_code(&job->segments[done].code, job->segments[done].protection)) ++done;
  if (done == job->segment_count) return true;
  int refused = errno;
  while (done--)
    if (!kymo_restore_code(&job->segments[done].code)) job->stubs = 0;
  errno = refused;
  return false;
}

static void clean_up(struct job *job, bool patched) {
  if (job->stubs && !patched) kymo_unmap(job->stubs, job->stub_bytes);
  if (job->sleds) kymo_unmap(job->sleds, job->sled_count * sizeof *job->sleds);
  for (size_t i = 0; i < job->segment_count; ++i) kymo_drop_copy(&job->segments[i].code);
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
  job.switchables.object = object;
  kymo_make_switchables(&job.switchables, items->count);
  bool has_stubs = make_stubs(&job), patched = has_stubs && prepare(&job) && put_in_place(&job);
  if (!patched) {
    atomic_fetch_or(&kymo.flags, KYMO_UNPATCHED);
    kymo_say("nothing is measured in ", image->name, has_stubs ? ": its code may not be changed here: " : ": no memory is free near its code",
             has_stubs ? strerror(errno) : 0);
  }
  if (patched) kymo_keep_switchables(&job.switchables);
  else kymo_drop_switchables(&job.switchables);
  clean_up(&job, patched);
  if (patched) report(&job);
}
