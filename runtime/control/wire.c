// Messages into the queue of a client (docs/formats.md, "Control socket"). A message that does not fit is taken back as a whole.
#include "control.h"
#include "../libc.h"

size_t kymo_waiting_bytes(const struct kymo_client *c) { return c->out_end - c->out_begin; }

size_t kymo_message_bytes(const struct kymo_client *c) { return c->out_end - c->frame - KYMO_FRAME_HEAD; }

void kymo_put(struct kymo_client *c, const void *bytes, size_t size) {
  if (c->overrun || size > KYMO_QUEUE_BYTES - c->out_end) {
    c->overrun = true;
    return;
  }
  memcpy(c->out + c->out_end, bytes, size);
  c->out_end += size;
}

void kymo_put32(struct kymo_client *c, uint32_t value) { kymo_put(c, &value, sizeof value); }
void kymo_put64(struct kymo_client *c, uint64_t value) { kymo_put(c, &value, sizeof value); }

void kymo_begin_message(struct kymo_client *c, enum kymo_message type, uint32_t serial) {
  if (c->out_begin) { // Makes room behind what waits.
    memmove(c->out, c->out + c->out_begin, kymo_waiting_bytes(c));
    c->out_end -= c->out_begin;
    c->out_begin = 0;
  }
  c->frame = c->out_end;
  c->overrun = false;
  kymo_put32(c, 0);
  kymo_put32(c, (uint32_t)type | KYMO_CONTROL_VERSION << 16);
  kymo_put32(c, serial);
}

bool kymo_finish_message(struct kymo_client *c) {
  if (c->overrun || kymo_message_bytes(c) > KYMO_MOST_MESSAGE) {
    c->out_end = c->frame;
    return false;
  }
  uint32_t bytes = (uint32_t)kymo_message_bytes(c);
  memcpy(c->out + c->frame, &bytes, sizeof bytes);
  return true;
}

void kymo_refuse(struct kymo_client *c, enum kymo_refusal_code code, const char *why) {
  kymo_begin_message(c, KYMO_REFUSED, c->serial);
  kymo_put32(c, code);
  kymo_put(c, why, strlen(why));
  c->gone |= !kymo_finish_message(c);
}
