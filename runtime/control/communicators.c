// Communicators that the MPI layer meets, for those who watch. The program's threads append to a list, which only grows; the server reads it.
#include "control.h"
#include "../libc.h"

struct communicator {
  struct communicator *_Atomic next;
  uint32_t size;
  unsigned char bytes[]; // as in the trace (docs/formats.md)
};
static struct communicator *_Atomic first;
static struct communicator *_Atomic last;
static char *room, *room_end;
static _Atomic uint32_t busy;

static struct communicator *make(const void *bytes, uint32_t size) {
  enum { PIECE = 1 << 14 };
  size_t needed = (sizeof(struct communicator) + size + 7) & ~(size_t)7;
  if ((size_t)(room_end - room) < needed) {
    size_t piece = needed > PIECE ? needed : PIECE;
    room = kymo_map(piece);
    room_end = room ? room + piece : 0;
    if (!room) return 0;
  }
  struct communicator *c = (struct communicator *)room;
  room += needed;
  c->size = size;
  memcpy(c->bytes, bytes, size);
  return c;
}

void kymo_control_communicator(const void *bytes, uint32_t size) {
  if (!kymo.watchable || size > KYMO_MOST_MESSAGE / 2) return;
  uint64_t signals = kymo_block_signals();
  while (atomic_exchange(&busy, 1)) kymo_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  struct communicator *c = make(bytes, size), *before = atomic_load(&last);
  if (c) {
    atomic_store(before ? &before->next : &first, c);
    atomic_store(&last, c);
  }
  atomic_store(&busy, 0);
  kymo_restore_signals(signals);
}

// `communicator` of the client is the last one that it has.
void kymo_put_new_communicators(struct kymo_client *client) {
  for (;;) {
    struct communicator *sent = client->communicator, *c = sent ? atomic_load(&sent->next) : atomic_load(&first);
    if (!c) return;
    kymo_begin_message(client, KYMO_COMMUNICATORS, 0);
    kymo_put(client, c->bytes, c->size);
    if (!kymo_finish_message(client)) return;
    client->communicator = c;
  }
}
