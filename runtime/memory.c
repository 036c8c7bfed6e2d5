// Allocates memory with mmap, because handlers may interrupt malloc.
#include "runtime.h"

#include <sys/mman.h>

struct kymo_global kymo;

void *kymo_map(size_t bytes) {
  long result = kymo_syscall(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if ((unsigned long)result > -4096ul) return 0;
  atomic_fetch_add(&kymo.mapped, bytes);
  return (void *)result;
}

void kymo_unmap(void *memory, size_t bytes) {
  kymo_syscall(SYS_munmap, (long)memory, (long)bytes, 0, 0, 0, 0);
  atomic_fetch_sub(&kymo.mapped, bytes);
}

// Sends the next enter of every thread to the slow path, where it sees that recording has stopped.
void kymo_divert_all(void) {
  atomic_store(&kymo.recording, 0);
  for (struct kymo_thread *t = atomic_load(&kymo.threads); t; t = t->next) t->span = 0;
}

KYMO_HANDLER void kymo_out_of_memory(void) {
  if (atomic_fetch_or(&kymo.flags, KYMO_NO_MEMORY) & KYMO_NO_MEMORY) return;
  kymo_divert_all();
  kymo_say("out of memory: measuring stopped, the result has what was recorded until now", 0, 0, 0);
}

enum { CHUNK_HEADER = 64, SMALLEST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

// Chunks double up to a megabyte, so that a small tree takes a few pages and a large one few system calls.
static struct kymo_chunk *new_chunk(struct kymo_chunk *before, size_t bytes) {
  size_t size = before ? before->bytes * 2 : SMALLEST_CHUNK;
  if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
  while (size < bytes + CHUNK_HEADER) size *= 2;
  struct kymo_chunk *chunk = kymo_map(size);
  if (!chunk) return 0;
  chunk->bytes = size;
  chunk->before = before;
  atomic_store(&chunk->used, CHUNK_HEADER);
  return chunk;
}

// `bytes` is a multiple of 64. A signal handler may take memory from the same chunk meanwhile.
void *kymo_take(struct kymo_thread *t, size_t bytes) {
  for (;;) {
    struct kymo_chunk *chunk = atomic_load(&t->chunk);
    if (chunk) {
      size_t at = atomic_fetch_add(&chunk->used, bytes);
      if (at + bytes <= chunk->bytes) return (char *)chunk + at;
      atomic_fetch_sub(&chunk->used, bytes);
    }
    struct kymo_chunk *fresh = new_chunk(chunk, bytes);
    if (!fresh) return 0;
    if (!atomic_compare_exchange_strong(&t->chunk, &chunk, fresh)) kymo_unmap(fresh, fresh->bytes);
  }
}
