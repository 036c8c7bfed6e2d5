// The instructions of patched sites.
#include "arch.h"
#include "../libc.h"

enum { INSTRUCTION = 4 };
#define NOP 0xd503201fu

static uint32_t read_word(const unsigned char *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static void write_word(unsigned char *at, uint32_t word) { __atomic_store_n((uint32_t *)(void *)at, word, __ATOMIC_RELAXED); }

int kymo_is_nop(const unsigned char *site, size_t length) {
  if ((uintptr_t)site % INSTRUCTION || length % INSTRUCTION) return 0;
  for (size_t i = 0; i < length; i += INSTRUCTION)
    if (read_word(site + i) != NOP) return 0;
  return 1;
}

// Encodes b, or bl if `link` is set. Returns 0 when the target is out of reach.
static uint32_t branch(const unsigned char *from, uintptr_t target, int link) {
  int64_t distance = (int64_t)(target - (uintptr_t)from);
  enum { LIMIT = 1 << 27 };
  if (distance % INSTRUCTION || distance < -LIMIT || distance >= LIMIT) return 0;
  return (link ? 0x94000000u : 0x14000000u) | ((uint32_t)(distance / INSTRUCTION) & 0x3ffffffu);
}

// stp x16, x30, [sp, #-16]! · movz w16, #low · movk w16, #high, lsl #16 · bl thunk · ldp x16, x30, [sp], #16
int kymo_encode_sled(unsigned char *at, uintptr_t site, uint32_t slot, uintptr_t thunk, unsigned char *stub) {
  uint32_t call = branch((const unsigned char *)site + 3 * INSTRUCTION, thunk, 1);
  (void)stub;
  if (!kymo_is_nop(at, KYMO_SLED_BYTES) || !call) return 0;
  const uint32_t code[] = {0xa9bf7bf0, 0x52800010 | (slot & 0xffff) << 5, 0x72a00010 | slot >> 16 << 5, call, 0xa8c17bf0};
  _Static_assert(sizeof code == KYMO_SLED_BYTES, "a sled has room for the call");
  for (int i = 0; i < KYMO_SLED_BYTES / INSTRUCTION; ++i) write_word(at + i * INSTRUCTION, code[i]);
  return 1;
}

int kymo_encode_entry(unsigned char *at, uintptr_t site, uintptr_t stub) {
  uint32_t jump = branch((const unsigned char *)site, stub, 0);
  if (!kymo_is_nop(at, KYMO_ENTRY_BYTES) || !jump) return 0;
  write_word(at, jump);
  return 1;
}

// --- the place where a body stores its return address ---

static int32_t sign_extended(uint32_t value, int bits) { return (int32_t)(value << (32 - bits)) >> (32 - bits); }

enum { SP = 31, LINK = 30 };

// The effect of an instruction at the beginning of a function on the stack pointer and x30.
struct step {
  int end;       // The effects of this instruction and of later ones are unknown.
  int32_t moved; // change of the stack pointer
  int stored;    // The instruction stores x30, at the offset `at` from the new stack pointer.
  int32_t at;
};

static struct step pair(uint32_t word) { // stp of two general (x) or vector (d, q) registers to [sp, …]
  uint32_t size = word >> 30, vector = word >> 26 & 1;
  if (!vector && size != 2) return (struct step){.end = 1};
  int32_t unit = vector ? 4 << size : 8, offset = sign_extended(word >> 15, 7) * unit;
  int before = (word >> 23 & 3) == 3;
  struct step step = {.moved = before ? offset : 0, .at = before ? 0 : offset};
  if (!vector && (word & 31) == LINK) step.stored = 1;
  if (!vector && (word >> 10 & 31) == LINK) step.stored = 1, step.at += unit;
  return step;
}

static struct step read_step(uint32_t word) {
  if ((word & 0xfffff01f) == 0xd503201f) return (struct step){0};                                  // hints: bti, paciasp, nop
  if ((word >> 26 & 7) == 5) return (struct step){.end = 1};                                       // branches
  if ((word & 0xff8003ff) == 0xd10003ff) {                                                         // sub sp, sp, #
    int32_t bytes = (int32_t)(word >> 10 & 0xfff) << (word >> 22 & 1 ? 12 : 0);
    return (struct step){.moved = -bytes};
  }
  if ((word & 0x3a4003e0) == 0x280003e0 && (word >> 23 & 3) >= 2) return pair(word);               // stp …, [sp, #] and [sp, #]!
  if ((word & 0xffe00fe0) == 0xf8000fe0 || (word & 0xffe00fe0) == 0xfc000fe0)                      // str x or d, [sp, #]!
    return (struct step){.moved = sign_extended(word >> 12, 9), .stored = word >> 24 == 0xf8 && (word & 31) == LINK};
  if ((word & 0xffc003ff) == 0xf90003fe) return (struct step){.stored = 1, .at = (int32_t)(word >> 10 & 0xfff) * 8}; // str x30, [sp, #]
  // Other instructions that change the stack pointer: additions and subtractions, SVE's by vector lengths, addressing with write-back.
  int moves = (word & 31) == SP && ((word & 0x3f800000) == 0x11000000 || (word & 0x3fe00000) == 0x0b200000 || (word >> 25 & 15) == 2);
  int writes_back = (word & 0x3b200400) == 0x38000400 && (word >> 5 & 31) == SP;
  int post = (word & 0x3a000000) == 0x28000000 && (word >> 23 & 1) && (word >> 5 & 31) == SP;
  return (struct step){.end = moves || writes_back || post};
}

// Returns the distance below the frame's `sp` (KYMO_LINK_BELOW_SP) at which the body stores x30, in units of 8, plus 1. Returns 0 when the
// body does not store x30, or the place is not clear.
static uint32_t place_of_link(const unsigned char *body) {
  enum { LOOK_AHEAD = 12 };
  int32_t sp = 0;
  for (int i = 0; i < LOOK_AHEAD; ++i) {
    struct step step = read_step(read_word(body + i * INSTRUCTION));
    if (step.end) return 0;
    sp += step.moved;
    if (!step.stored) continue;
    int32_t below = -(sp + step.at) - KYMO_LINK_BELOW_SP;
    return below < 0 || below % 8 || below / 8 >= 0xffff ? 0 : (uint32_t)below / 8 + 1;
  }
  return 0;
}

// adr x17, body's branch · b trampoline · slot · place of the link · b body
int kymo_encode_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uintptr_t trampoline) {
  uint32_t jump = branch(stub + INSTRUCTION, trampoline, 0), back = branch(stub + 4 * INSTRUCTION, body, 0);
  if (!jump || !back) return 0;
  const uint32_t code[] = {0x10000091, jump, slot, place_of_link((const unsigned char *)body) << 16, back};
  _Static_assert(sizeof code == KYMO_STUB_BYTES, "a stub has room for its instructions");
  memcpy(stub, code, sizeof code);
  return 1;
}

// adr x17, body's branch · b due · sampler · slot · place of the link · b body. The words just before x17 are those of any stub, so that
// `due` can continue in the trampoline.
int kymo_encode_sampled_stub(unsigned char *stub, uintptr_t body, uint32_t slot, uint32_t sampler, uintptr_t trampoline, uintptr_t due) {
  uint32_t jump = branch(stub + INSTRUCTION, due, 0), back = branch(stub + 5 * INSTRUCTION, body, 0);
  (void)trampoline;
  if (!jump || !back) return 0;
  const uint32_t code[] = {0x100000b1, jump, sampler, slot, place_of_link((const unsigned char *)body) << 16, back};
  _Static_assert(sizeof code == KYMO_SAMPLED_STUB_BYTES, "a stub has room for its instructions");
  memcpy(stub, code, sizeof code);
  return 1;
}

int kymo_encode_call(unsigned char *at, uintptr_t call, uintptr_t target) {
  uint32_t changed = branch((const unsigned char *)call, target, 1);
  if (read_word(at) >> 26 != 0x25 || !changed) return 0;
  write_word(at, changed);
  return 1;
}
