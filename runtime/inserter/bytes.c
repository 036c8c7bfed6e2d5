/* Views of text, and growing text. */
#include "inserter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any unit needs; a larger one goes the general way. */
static const size_t largest = (size_t)1 << 30;

void append(struct bytes *bytes, const char *from, size_t size) {
  if (bytes->failed || size == 0) return;
  if (size > largest - bytes->size) {
    bytes->failed = true;
    return;
  }
  size_t wanted = bytes->size + size + 1;
  if (wanted > bytes->room) {
    size_t room = bytes->room < 4096 ? 4096 : bytes->room;
    while (room < wanted) room *= 2;
    char *grown = realloc(bytes->at, room);
    if (grown == NULL) {
      bytes->failed = true;
      return;
    }
    bytes->at = grown;
    bytes->room = room;
  }
  memcpy(bytes->at + bytes->size, from, size);
  bytes->size += size;
}

void append_text(struct bytes *bytes, const char *text) { append(bytes, text, strlen(text)); }

void append_number(struct bytes *bytes, unsigned long long number) {
  char digits[24];
  int size = snprintf(digits, sizeof digits, "%llu", number);
  append(bytes, digits, (size_t)size);
}

void append_blanks(struct bytes *bytes, size_t count) {
  static const char blanks[] = "                                                                ";
  const size_t most = sizeof blanks - 1;
  while (count > 0 && !bytes->failed) {
    size_t some = count < most ? count : most;
    append(bytes, blanks, some);
    count -= some;
  }
}

void append_json(struct bytes *bytes, struct text text) {
  for (size_t i = 0; i < text.size; i++) {
    unsigned char byte = (unsigned char)text.at[i];
    if (byte == '"' || byte == '\\') {
      append(bytes, "\\", 1);
      append(bytes, text.at + i, 1);
    } else if (byte < 0x20) {
      char escape[8];
      append(bytes, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", byte));
    } else {
      append(bytes, text.at + i, 1);
    }
  }
}

const char *terminated(struct bytes *bytes) {
  append(bytes, "", 1);
  if (bytes->failed) return NULL;
  bytes->size--;
  return bytes->at;
}

void release(struct bytes *bytes) {
  free(bytes->at);
  *bytes = (struct bytes){0};
}

void *one_more(void *array, size_t count, size_t *room, size_t element) {
  if (count < *room) return array;
  size_t wanted = *room < 64 ? 64 : *room * 2;
  if (wanted > largest / element) return NULL;
  void *grown = realloc(array, wanted * element);
  if (grown != NULL) *room = wanted;
  return grown;
}

bool same(struct text a, struct text b) { return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0); }

bool is(struct text text, const char *word) { return same(text, text_of(word)); }

struct text text_of(const char *word) { return (struct text){word, strlen(word)}; }

/* Returns the length of a character in bytes from its first byte, or 0 when no character begins with that byte. */
static size_t utf8_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

bool is_utf8(struct text text) {
  const unsigned char *at = (const unsigned char *)text.at;
  for (size_t i = 0; i < text.size;) {
    size_t length = utf8_length(at[i]);
    if (length == 0 || length > text.size - i) return false;
    for (size_t k = 1; k < length; k++) {
      if ((at[i + k] & 0xc0) != 0x80) return false;
    }
    /* Rejects overlong forms, surrogates, and numbers beyond the last character. */
    if (length == 3 && ((at[i] == 0xe0 && at[i + 1] < 0xa0) || (at[i] == 0xed && at[i + 1] > 0x9f))) return false;
    if (length == 4 && ((at[i] == 0xf0 && at[i + 1] < 0x90) || (at[i] == 0xf4 && at[i + 1] > 0x8f))) return false;
    i += length;
  }
  return true;
}
