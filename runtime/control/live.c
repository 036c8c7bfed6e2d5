// Switches sites on and off while threads run. One byte makes the difference (arch.h), so there is no moment at which a thread could see half of a change.
// The kernel writes it (/proc/self/mem), because memory is never writable and executable at once. Then all processors have to execute an instruction that
// makes them forget what they have fetched (membarrier), before anybody hears that the sites are switched.
#include "live.h"
#include "control.h"
#include "../libc.h"

enum { MEMBARRIER_SYNC = 1 << 5, MEMBARRIER_REGISTER = 1 << 6 };

static struct kymo_switchables *_Atomic tables;
static _Atomic uint32_t busy; // Objects come and go in the program's threads, and the server switches their sites.
static int memory = -1;       // a descriptor of the server's thread
static uint32_t generation;

static long membarrier(long command) { return kymo_syscall(SYS_membarrier, command, 0, 0, 0, 0, 0); }

// Registers the process with the kernel, which takes long only when it has threads already.
const char *kymo_prepare_switching(void) {
  if (!KYMO_CAN_SWITCH) return "patch points of this processor cannot be switched while the program runs";
  if (membarrier(MEMBARRIER_REGISTER)) return "this kernel cannot make all processors see changed code (membarrier)";
  return 0;
}

static uint64_t lock(void) {
  uint64_t signals = kymo_block_signals();
  while (atomic_exchange(&busy, 1)) kymo_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  return signals;
}
static void unlock(uint64_t signals) {
  atomic_store(&busy, 0);
  kymo_restore_signals(signals);
}
void kymo_release_switching(void) { atomic_store(&busy, 0); }

uint32_t kymo_generation(void) { return generation; }

static size_t bytes_of(const struct kymo_switchables *s) { return s->room * sizeof *s->at; }

bool kymo_make_switchables(struct kymo_switchables *sites, size_t room) {
  if (kymo_control.no_switching || !room) return false;
  sites->room = room;
  sites->at = kymo_map(bytes_of(sites));
  if (!sites->at) sites->room = 0;
  return sites->at;
}

void kymo_drop_switchables(const struct kymo_switchables *sites) {
  if (sites->room) kymo_unmap(sites->at, bytes_of(sites));
}

static int by_slot(const void *a, const void *b) {
  const struct kymo_switchable *x = a, *y = b;
  return x->slot != y->slot ? (x->slot > y->slot) - (x->slot < y->slot) : (x->site > y->site) - (x->site < y->site);
}

void kymo_keep_switchables(const struct kymo_switchables *sites) {
  struct kymo_switchables *kept = sites->room ? kymo_map(sizeof *kept) : 0;
  if (!kept) {
    kymo_drop_switchables(sites);
    return;
  }
  *kept = *sites;
  qsort(kept->at, kept->count, sizeof *kept->at, by_slot);
  uint64_t signals = lock();
  kept->next = atomic_load(&tables);
  atomic_store(&tables, kept);
  unlock(signals);
}

void kymo_forget_switchables(const struct kymo_object *object) {
  if (!atomic_load(&tables)) return;
  uint64_t signals = lock();
  struct kymo_switchables *before = 0, *s = atomic_load(&tables);
  while (s && s->object != object) before = s, s = s->next;
  if (s && before) before->next = s->next;
  else if (s) atomic_store(&tables, s->next);
  unlock(signals);
  if (!s) return;
  kymo_drop_switchables(s);
  kymo_unmap(s, sizeof *s);
}

// Opens the memory of the process, and tries it with a byte that stays as it is.
const char *kymo_open_switching(void) {
  static const char refused[] = "the kernel does not let a process change its code here (/proc/self/mem)";
  long file = kymo_syscall(SYS_openat, AT_FDCWD, (long)"/proc/thread-self/mem", O_RDWR | O_CLOEXEC, 0, 0, 0);
  if (kymo_failed(file)) return refused;
  memory = (int)file;
  const struct kymo_switchables *s = atomic_load(&tables);
  if (!s || !s->count) return 0;
  unsigned char byte = 0, there = *(const volatile unsigned char *)s->at[0].site;
  bool good = kymo_syscall(SYS_pread64, memory, (long)&byte, 1, (long)s->at[0].site, 0, 0) == 1 && byte == there &&
              kymo_syscall(SYS_pwrite64, memory, (long)&byte, 1, (long)s->at[0].site, 0, 0) == 1;
  return good ? 0 : refused;
}

static bool write_site(struct kymo_switchable *site, bool on) {
  unsigned char byte = on ? KYMO_SITE_ON : KYMO_SITE_OFF;
  if (kymo_syscall(SYS_pwrite64, memory, (long)&byte, 1, (long)site->site, 0, 0) != 1) return false;
  site->on = on;
  return true;
}

// Of a slot's sites, exits come first when it is switched on, and last when it is switched off, so that a visit that is recorded also ends.
static bool is_in_pass(const struct kymo_switchable *site, bool on, int pass) { return (site->kind == KYMO_OUT) == (on == (pass == 0)); }

static const struct kymo_switchable *first_of(const struct kymo_switchables *s, uint32_t slot) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->at[middle].slot < slot) low = middle + 1;
    else high = middle;
  }
  return s->at + low;
}

static void switch_slot(uint32_t slot, bool on, int pass, struct kymo_switched *done) {
  bool found = false;
  for (struct kymo_switchables *s = atomic_load(&tables); s; s = s->next)
    for (struct kymo_switchable *site = s->at + (first_of(s, slot) - s->at); site < s->at + s->count && site->slot == slot; ++site) {
      found = true;
      if (!is_in_pass(site, on, pass) || site->on == on) continue;
      if (write_site(site, on)) ++done->sites;
      else ++done->failed;
    }
  if (!found && !pass) ++done->unknown;
}

struct kymo_switched kymo_switch_slots(const unsigned char *words, size_t count) {
  struct kymo_switched done = {0, 0, 0, 0, 0};
  uint64_t signals = lock();
  for (int pass = 0; pass < 2; ++pass) {
    uint32_t before = done.sites;
    for (size_t i = 0; i < count; ++i) {
      uint32_t word = kymo_get32(words + 4 * i);
      switch_slot(word & 0x7fffffff, word >> 31, pass, &done);
    }
    if (done.sites != before) membarrier(MEMBARRIER_SYNC);
  }
  unlock(signals);
  generation += done.sites != 0;
  done.generation = generation;
  done.tick = kymo_now();
  return done;
}
