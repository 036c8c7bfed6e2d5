/* SHA-256 (FIPS 180-4). Its first 64 bits name a unit. */
#include "inserter.h"

#include <stdio.h>
#include <string.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, unsigned by) { return word >> by | word << (32 - by); }

static void mix(uint32_t state[8], const unsigned char block[64]) {
  uint32_t w[64], v[8];
  for (size_t i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (size_t i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  memcpy(v, state, sizeof v);
  for (size_t i = 0; i < 64; i++) {
    uint32_t high = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25);
    uint32_t one = v[7] + high + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
    uint32_t low = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22);
    uint32_t two = low + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (size_t i = 0; i < 8; i++) state[i] += v[i];
}

static void add(struct hash *hash, const void *data, size_t size) {
  const unsigned char *from = data;
  while (size > 0) {
    size_t at = hash->size % 64, some = 64 - at < size ? 64 - at : size;
    memcpy(hash->block + at, from, some);
    hash->size += some;
    from += some;
    size -= some;
    if (hash->size % 64 == 0) mix(hash->state, hash->block);
  }
}

void hash_begin(struct hash *hash) {
  static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(hash->state, first, sizeof first);
  hash->size = 0;
}

/* Hashes the length before the part, so that text that moves from one part to the next changes the hash. */
void hash_part(struct hash *hash, struct text part) {
  char length[24];
  add(hash, length, (size_t)snprintf(length, sizeof length, "%zu:", part.size));
  add(hash, part.at, part.size);
}

void hash_end(struct hash *hash, char digits[17]) {
  unsigned char length[8];
  uint64_t bits = hash->size * 8;
  for (size_t i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  add(hash, "\x80", 1);
  while (hash->size % 64 != 56) add(hash, "", 1);
  add(hash, length, sizeof length);
  snprintf(digits, 17, "%08lx%08lx", (unsigned long)hash->state[0], (unsigned long)hash->state[1]);
}
