// Changes code without making memory writable and executable at the same time: the changes are made in a copy.
//
// The kernel then writes the changed blocks over the code (/proc/self/mem), whose protection stays as it is. If the kernel refuses that,
// the copy is made executable and replaces the code in one call (mremap). If the kernel refuses that as well, the program stays unchanged.
#include "session.h"
#include "libc.h"

enum { BLOCK = 4096 }; // lies within one page, so that the kernel writes all of it or nothing

bool kymo_copy_code(struct kymo_code *code) {
  code->copy = kymo_map(code->bytes);
  if (!code->copy) {
    errno = ENOMEM;
    return false;
  }
  memcpy(code->copy, (const void *)code->begin, code->bytes);
  return true;
}

void kymo_drop_copy(struct kymo_code *code) {
  if (code->copy) kymo_unmap(code->copy, code->bytes);
  code->copy = 0;
}

// Exchanges the blocks that differ between the copy and the code, so that a second call undoes the first. Returns the offset that it
// reached.
static size_t exchange(int memory, const struct kymo_code *code, size_t end) {
  unsigned char before[BLOCK];
  for (size_t at = 0; at < end; at += BLOCK) {
    unsigned char *copy = code->copy + at, *there = (unsigned char *)code->begin + at;
    if (!memcmp(copy, there, BLOCK)) continue;
    memcpy(before, there, BLOCK);
    if (pwrite(memory, copy, BLOCK, (off_t)(uintptr_t)there) != BLOCK) return at;
    memcpy(copy, before, BLOCK);
  }
  return end;
}

// Under an emulator, /proc/self/mem may be the memory of the emulator instead.
static bool is_this_memory(int memory, const struct kymo_code *code) {
  unsigned char there[BLOCK];
  return pread(memory, there, BLOCK, (off_t)code->begin) == BLOCK && !memcmp(there, (const void *)code->begin, BLOCK);
}

static bool write_over(const struct kymo_code *code) {
  int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory < 0) return false;
  bool good = is_this_memory(memory, code);
  if (good) {
    size_t reached = exchange(memory, code, code->bytes);
    good = reached == code->bytes;
    if (!good) {
      size_t back = exchange(memory, code, reached);
      // take_place needs the complete new code in the copy, including the blocks that could not be undone.
      memcpy(code->copy + back, (const void *)(code->begin + back), reached - back);
    }
  }
  close(memory);
  return good;
}

static bool take_place(struct kymo_code *code, int protection) {
  if (mprotect(code->copy, code->bytes, protection)) return false;
  long result = kymo_syscall(SYS_mremap, (long)code->copy, (long)code->bytes, (long)code->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (long)code->begin, 0);
  if (result < 0) errno = (int)-result;
  else code->copy = 0;
  return result >= 0;
}

bool kymo_replace_code(struct kymo_code *code, int protection) {
  if (!write_over(code) && !take_place(code, protection)) return false;
  kymo_flush_code(code->begin, code->begin + code->bytes);
  return true;
}

bool kymo_restore_code(const struct kymo_code *code) { return code->copy && write_over(code); }

// A mapping of a memfd may become executable where anonymous memory may not (SELinux: execmem).
static bool map_file(unsigned char *code, size_t bytes) {
  long file = kymo_syscall(SYS_memfd_create, (long)"kymo", 1 /* MFD_CLOEXEC */, 0, 0, 0, 0);
  if (file < 0) return false;
  bool good = write((int)file, code, bytes) == (ssize_t)bytes &&
              mmap(code, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, (int)file, 0) == code;
  close((int)file);
  return good;
}

bool kymo_make_executable(unsigned char *code, size_t bytes) {
  if (mprotect(code, bytes, PROT_READ | PROT_EXEC)) {
    int refused = errno;
    if (!map_file(code, bytes)) {
      errno = refused;
      return false;
    }
  }
  kymo_flush_code((uintptr_t)code, (uintptr_t)code + bytes);
  return true;
}
