/*
 * show SOURCE DIRECTORY MINIMUM HASH [mutations [seed]]: runs the inserter's text processing without a compiler, for tests. Writes
 * the text of standard input with probes to standard output. With a number of mutations, it processes that many damaged copies and
 * writes nothing.
 * show merge OBJECT …: merges the NOPs at each patchable entry of object files into one instruction.
 */
#include "inserter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source, *directory, *name;
static unsigned long minimum;
static unsigned state;

static unsigned pick(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return below == 0 ? 0 : (state >> 8) % below;
}

static bool work(struct text whole, struct bytes *out) {
  struct user_text user = {0};
  struct definitions found = {0};
  const struct style style = {.asm_inline = true};
  bool done = read_user_text(whole, source, directory, &user) &&
              find_definitions((struct text){user.text.at, user.text.size}, minimum, &found) &&
              insert_probes(whole, &user, &found, name, style, out);
  release_definitions(&found);
  release_user_text(&user);
  return done;
}

/* Returns a copy with some bytes replaced, removed, repeated, or cut off at the end. The allocation ends with it, so reads beyond fail. */
static void mutate(struct text whole) {
  static const char bytes[] = "{}()[];,=\"'\\#\n/* :?<%>_a0\x80\xff";
  size_t size = pick(4) == 0 ? pick((unsigned)whole.size + 1) : whole.size;
  char *copy = malloc(size == 0 ? 1 : size);
  if (copy == NULL) exit(2);
  memcpy(copy, whole.at, size);
  for (unsigned changes = pick(12); changes > 0 && size > 0; changes--) {
    size_t at = pick((unsigned)size), length = pick(40);
    if (length > size - at) length = size - at;
    switch (pick(3)) {
      case 0: copy[at] = bytes[pick(sizeof bytes - 1)]; break;
      case 1: memmove(copy + at, copy + pick((unsigned)(size - length + 1)), length); break;
      default: memset(copy + at, bytes[pick(sizeof bytes - 1)], length); break;
    }
  }
  struct bytes out = {0};
  work((struct text){copy, size}, &out);
  release(&out);
  free(copy);
}

int main(int count, char **arguments) {
  if (count > 2 && strcmp(arguments[1], "merge") == 0) {
    for (int i = 2; i < count; i++) merge_entry_nops(arguments[i]);
    return 0;
  }
  if (count < 5) return 2;
  source = arguments[1];
  directory = arguments[2];
  minimum = strtoul(arguments[3], NULL, 10);
  name = arguments[4];
  struct bytes whole = {0}, out = {0};
  if (!read_file(0, &whole)) return 2;
  struct text text = {whole.at, whole.size};
  state = count > 6 ? (unsigned)strtoul(arguments[6], NULL, 10) : 1;
  for (long left = count > 5 ? strtol(arguments[5], NULL, 10) : 0; left > 0; left--) mutate(text);
  bool done = count > 5 || (work(text, &out) && write_all(1, out.at, out.size));
  release(&whole);
  release(&out);
  return done ? 0 : 1;
}
