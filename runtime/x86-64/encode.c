// The bytes of patched sites.
#include "arch.h"
#include "../libc.h"

static const unsigned char *nop_end(const unsigned char *p, const unsigned char *end) {
  while (p < end && (*p == 0x66 || *p == 0x2e)) ++p;
  if (p == end) return NULL;
  if (*p == 0x90) return p + 1;
  if (end - p < 3 || p[0] != 0x0f || p[1] != 0x1f) return NULL;
  unsigned mode = p[2] >> 6, rm = p[2] & 7;
  p += 3;
  if (mode == 3) return p;
  if (rm == 4 && p < end) ++p; // SIB
  else if (mode == 0 && rm == 5) p += 4;
  if (mode == 1) p += 1;
  if (mode == 2) p += 4;
  return p <= end ? p : NULL;
}

int kymo_is_nop(const unsigned char *site, size_t length) {
  const unsigned char *end = site + length;
  while (site && site < end) site = nop_end(site, end);
  return site == end;
}

static int displacement(const unsigned char *next, uintptr_t target, int32_t *out) {
  int64_t distance = (int64_t)(target - (uintptr_t)next);
  *out = (int32_t)distance;
  return *out == distance;
}

static void write_jump(unsigned char *at, int32_t distance) {
  unsigned char code[] = {0xe9, 0, 0, 0, 0};
  memcpy(code + 1, &distance, 4);
  memcpy(at, code, sizeof code);
}

int kymo_encode_entry(unsigned char *at, uintptr_t site, uintptr_t stub) {
  int32_t distance;
  if (!kymo_is_nop(at, KYMO_ENTRY_BYTES) || !displacement((const unsigned char *)site + KYMO_ENTRY_BYTES, stub, &distance)) return 0;
  write_jump(at, distance);
  return 1;
}

// lea -128(%rsp),%rsp · push address behind the site · push $slot · call thunk · lea 144(%rsp),%rsp · jmp behind the site · that address
int kymo_encode_sled(unsigned char *at, uintptr_t site, uint32_t slot, uintptr_t thunk, unsigned char *stub) {
  enum { PUSH = 5, SLOT = 11, CALL = 16, BACK = 29, ADDRESS = 40 };
  unsigned char code[KYMO_SLED_STUB_BYTES] = {0x48, 0x8d, 0x64, 0x24, 0x80, 0xff, 0x35, ADDRESS - SLOT, 0, 0, 0, 0x68, 0,    0,    0,   0,
                                              0xe8, 0,    0,    0,    0,    0x48, 0x8d, 0xa4,           0x24, 0x90, 0, 0, 0, 0xe9};
  uintptr_t behind = site + KYMO_SLED_BYTES;
  int32_t to_thunk, to_site, to_stub;
  if (!stub || !kymo_is_nop(at, KYMO_SLED_BYTES) || !displacement(stub + CALL + 5, thunk, &to_thunk) || !displacement(stub + BACK + 5, behind, &to_site) ||
      !displacement((const unsigned char *)behind, (uintptr_t)stub, &to_stub))
    return 0;
  memcpy(code + SLOT + 1, &slot, 4);
  memcpy(code + CALL + 1, &to_thunk, 4);
  memcpy(code + BACK + 1, &to_site, 4);
  memcpy(code + ADDRESS, &behind, 8);
  memcpy(stub, code, sizeof code);
  write_jump(at, to_stub);
  return 1;
}

// push 10(%rip) · push $slot · jmp trampoline · body's address
int kymo_encode_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uintptr_t trampoline) {
  unsigned char code[KYMO_STUB_BYTES] = {0xff, 0x35, 10, 0, 0, 0, 0x68, 0, 0, 0, 0, 0xe9};
  int32_t distance;
  if (!displacement(stub + 16, trampoline, &distance)) return 0;
  memcpy(code + 7, &slot, 4);
  memcpy(code + 12, &distance, 4);
  memcpy(code + 16, &body, 8);
  memcpy(stub, code, sizeof code);
  return 1;
}

// push $sampler · call due · lea 8(%rsp),%rsp · jmp body; for a visit to be timed, `due` returns behind the jump: lea 8(%rsp),%rsp · push
// body's address · push $slot · jmp trampoline. (Every call returns, so the processor's return stack stays in step.)
int kymo_encode_sampled_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uint32_t sampler, uintptr_t trampoline, uintptr_t due) {
  enum { CALL = 5, JUMP = 15, TIMED = 20, PUSH = 25, SLOT = 31, TRAMPOLINE = 36, BODY = 48 };
  static const unsigned char drop[] = {0x48, 0x8d, 0x64, 0x24, 0x08};
  unsigned char code[KYMO_SAMPLED_STUB_BYTES] = {0x68};
  int32_t to_due, to_body, to_trampoline, address = BODY - SLOT;
  if (!displacement(stub + CALL + 5, due, &to_due) || !displacement(stub + JUMP + 5, body, &to_body) ||
      !displacement(stub + TRAMPOLINE + 5, trampoline, &to_trampoline))
    return 0;
  memcpy(code + 1, &sampler, 4);
  code[CALL] = 0xe8;
  memcpy(code + CALL + 1, &to_due, 4);
  memcpy(code + CALL + 5, drop, sizeof drop);
  code[JUMP] = 0xe9;
  memcpy(code + JUMP + 1, &to_body, 4);
  memcpy(code + TIMED, drop, sizeof drop);
  code[PUSH] = 0xff, code[PUSH + 1] = 0x35;
  memcpy(code + PUSH + 2, &address, 4);
  code[SLOT] = 0x68;
  memcpy(code + SLOT + 1, &slot, 4);
  code[TRAMPOLINE] = 0xe9;
  memcpy(code + TRAMPOLINE + 1, &to_trampoline, 4);
  memcpy(code + BODY, &body, 8);
  memcpy(stub, code, sizeof code);
  return 1;
}

int kymo_encode_call(unsigned char *at, uintptr_t call, uintptr_t target) {
  enum { CALL = 5 };
  int32_t distance;
  if (*at != 0xe8 || !displacement((const unsigned char *)call + CALL, target, &distance)) return 0;
  memcpy(at + 1, &distance, sizeof distance);
  return 1;
}
