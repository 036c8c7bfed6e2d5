// Linked objects report to the runtime here. The first report decides whether the process is measured.
#include "session.h"
#include "trace.h"
#include "libc.h"

struct kymo_session kymo_session;

uint64_t kymo_nanoseconds(int clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// A thread may be interrupted between reading one clock and the other, for longer than a short run takes: the closest of some attempts counts.
struct kymo_instant kymo_instant_now(void) {
  enum { ATTEMPTS = 5 };
  struct kymo_instant best = {0, 0};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < ATTEMPTS; ++i) {
    uint64_t before = kymo_now(), monotonic = kymo_nanoseconds(CLOCK_MONOTONIC), apart = kymo_now() - before;
    if (apart >= least) continue;
    least = apart;
    best = (struct kymo_instant){before + apart / 2, monotonic};
  }
  return best;
}

struct search {
  uintptr_t address;
  struct kymo_image *image;
};

static void read_build_id(struct kymo_image *image, const ElfW(Phdr) *header) {
  const char *note = (const char *)(image->base + header->p_vaddr), *end = note + header->p_memsz;
  while (end - note > (ptrdiff_t)sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *n = (const ElfW(Nhdr) *)note;
    const char *name = note + sizeof *n;
    const unsigned char *bytes = (const unsigned char *)name + ((n->n_namesz + 3u) & ~3u);
    if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && !memcmp(name, "GNU", 4) && n->n_descsz <= 64) {
      for (uint32_t i = 0; i < n->n_descsz; ++i) {
        image->build_id[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        image->build_id[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
      }
      image->build_id[2 * n->n_descsz] = 0;
      return;
    }
    note = (const char *)bytes + ((n->n_descsz + 3u) & ~3u);
  }
}

static int examine(struct dl_phdr_info *info, size_t size, void *data) {
  struct search *search = data;
  struct kymo_image *image = search->image;
  bool here = false;
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    here |= header->p_type == PT_LOAD && search->address - (info->dlpi_addr + header->p_vaddr) < header->p_memsz;
  }
  if (!here) return 0;
  image->base = info->dlpi_addr;
  image->headers = info->dlpi_phdr;
  image->header_count = info->dlpi_phnum;
  const char *path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : program_invocation_name;
  const char *slash = strrchr(path, '/');
  strncpy(image->name, slash ? slash + 1 : path, sizeof image->name - 1);
  for (size_t i = 0; i < info->dlpi_phnum && !image->build_id[0]; ++i)
    if (info->dlpi_phdr[i].p_type == PT_NOTE) read_build_id(image, &info->dlpi_phdr[i]);
  return 1;
}

bool kymo_find_image(const void *address, struct kymo_image *image) {
  struct search search = {(uintptr_t)address, image};
  memset(image, 0, sizeof *image);
  return dl_iterate_phdr(examine, &search) == 1;
}

bool kymo_absolute(const char *path, char out[PATH_MAX]) {
  size_t used = 0;
  if (path[0] != '/') {
    if (!getcwd(out, PATH_MAX - 1)) return false;
    used = strlen(out);
    out[used++] = '/';
  }
  if (used + strlen(path) >= PATH_MAX - 64) return false;
  strcpy(out + used, path);
  return true;
}

static uint32_t number_from(const char *const *names, uint32_t otherwise) {
  for (; *names; ++names) {
    const char *text = getenv(*names);
    char *end;
    if (!text || !*text) continue;
    unsigned long value = strtoul(text, &end, 10);
    if (!*end && value <= UINT32_MAX) return (uint32_t)value;
  }
  return otherwise;
}

static void read_rank(void) {
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK", 0};
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", 0};
  kymo_session.rank = number_from(ranks, 0);
  kymo_session.ranks = number_from(sizes, 1);
}

static uint32_t read_depth_limit(void) {
  enum { DEFAULT_DEPTH = 256 };
  static const char *const names[] = {"KYMO_DEPTH_LIMIT", 0};
  uint32_t limit = number_from(names, DEFAULT_DEPTH);
  return limit ? limit : 1;
}

static bool read_paths(const char *selection) {
  const char *results = getenv("KYMO_RESULTS");
  if (!kymo_absolute(selection, kymo_session.selection)) {
    kymo_say("nothing is measured: the path in KYMO_SELECTION cannot be used: ", selection, 0, 0);
    return false;
  }
  if (!results || !*results) return true;
  if (!kymo_absolute(results, kymo_session.results) || access(kymo_session.results, W_OK | X_OK)) {
    kymo_say("nothing is measured: cannot write to the folder in KYMO_RESULTS: ", results, ": ", strerror(errno));
    return false;
  }
  return true;
}

static void begin(void) {
  pthread_key_t key;
  kymo.pid = getpid();
  kymo_choose_timer();
  if (!kymo_fast_timer) atomic_fetch_or(&kymo.flags, KYMO_CLOCK);
  if (!pthread_key_create(&key, kymo_thread_ends)) {
    kymo.key = key;
    kymo.set_specific = (int (*)(unsigned, const void *))kymo_libc.pthread_setspecific;
  }
  read_rank();
  kymo.depth_limit = read_depth_limit();
  kymo_name_iterations();
  kymo_session.begin_real = kymo_nanoseconds(CLOCK_REALTIME);
  struct kymo_instant begin = kymo_instant_now();
  kymo_session.begin_monotonic = begin.monotonic;
  kymo_session.begin_tick = begin.tick;
  kymo.gap = kymo.short_gap = KYMO_GAP_NANOSECONDS; // kymo_calibrate converts them to ticks.
  kymo_choose_perf();
  kymo_start_tracing();
  atomic_store(&kymo.recording, 1);
  kymo_watch_ends();
  kymo_watch_forks();
}

// The selection must list the executable's build id: one that was made for another program must change neither this program nor its
// libraries.
static bool wanted(void) {
  struct kymo_image image;
  struct kymo_items items;
  const char *selection = getenv("KYMO_SELECTION");
  if (!selection || !*selection) return false;
  const char *refusal = kymo_refusal();
  if (refusal) {
    kymo_say("nothing is measured: ", refusal, 0, 0);
    return false;
  }
  if (!read_paths(selection)) return false;
  kymo_control_prepare();
  if (!kymo_find_image((const void *)kymo_attach, &image)) return false;
  if (!kymo_read_selection(&image, &items)) return false;
  if (items.at) kymo_unmap(items.at, items.bytes);
  if (items.object_listed) return true;
  kymo_say("nothing is measured: the selection is for another build than this executable (build id ", image.build_id[0] ? image.build_id : "missing",
           "): ", kymo_session.selection);
  return false;
}

static void apply(struct kymo_object *object) {
  struct kymo_image image;
  struct kymo_items items;
  if (!kymo_find_image(object, &image) || !kymo_read_selection(&image, &items)) return;
  if (!items.object_listed && items.other_build)
    kymo_say("library left alone: the selection is for another build of it: ", image.name, 0, 0);
  if (!items.at) return;
  kymo_list_extents(&image, &items);
  kymo_patch(object, &image, &items);
  kymo_unmap(items.at, items.bytes);
}

void kymo_attach(struct kymo_object *object) {
  if (object->version < 1 || object->version > KYMO_OBJECT_VERSION) return;
  if (object->version >= 2) {
    object->in_sampled = (void (*)(void))kymo_in_sampled;
    object->out_sampled = (void (*)(void))kymo_out_sampled;
    object->due = (void (*)(void))kymo_due;
    object->self = (intptr_t)((uintptr_t)&kymo_self - kymo_thread_pointer());
  }
  if (!kymo_session.decided) {
    kymo_session.decided = true;
    kymo_session.measuring = wanted();
    if (kymo_session.measuring) begin();
  }
  object->in = (void (*)(void))(kymo_tracing.on ? kymo_traced_in : kymo_in);
  object->out = (void (*)(void))(kymo_tracing.on ? kymo_traced_out : kymo_out);
  object->enter = (void (*)(void))(kymo_tracing.on ? kymo_traced_enter : kymo_enter);
  object->leave = (void (*)(void))(kymo_tracing.on ? kymo_traced_leave : kymo_leave);
  if (!kymo_session.measuring || kymo.quiet) return;
  struct kymo_object *first = atomic_load(&kymo.objects);
  do object->next = first;
  while (!atomic_compare_exchange_weak(&kymo.objects, &first, object));
  if (object->executable) kymo_calibrate(object);
  if (atomic_load(&kymo.recording)) apply(object); // Recording has stopped when memory ran out.
  if (object->executable) kymo_control_start(); // Libraries that the executable needs come before it.
}

// Destructors of libraries run after those of the executable; if they have recorded anything, the result is written again. Unloading a
// library while the program runs does not write the result.
void kymo_detach(struct kymo_object *object) {
  if (!kymo_session.measuring) return;
  kymo_forget_switchables(object);
  if (object->executable || (kymo_session.finished && kymo_something_new())) kymo_finish(0);
  if (object->executable) kymo_control_end(0, false);
  for (struct kymo_object *_Atomic *link = &kymo.objects, *o; (o = atomic_load(link)); link = (struct kymo_object *_Atomic *)&o->next)
    if (o == object && !object->executable) {
      atomic_store(link, object->next);
      break;
    }
}
