/* Reads GNU line markers: `# <line> "<file>" <flags>` (GCC manual, "Preprocessor Output"), also in the form `#line`. */
#include "inserter.h"

#include <string.h>

static size_t skip(struct text line, size_t at, const char *bytes) {
  while (at < line.size && line.at[at] != 0 && strchr(bytes, line.at[at]) != NULL) at++;
  return at;
}

static const char blanks[] = " \t";
static const char digits[] = "0123456789";

static void read_file_name(struct text line, size_t at, struct marker *marker) {
  size_t quote = skip(line, at, blanks);
  if (quote == at || quote >= line.size || line.at[quote] != '"') return;
  size_t end = quote + 1;
  while (end < line.size && line.at[end] != '"' && line.at[end] != '\n') end += line.at[end] == '\\' ? 2 : 1;
  if (end >= line.size || line.at[end] != '"') return;
  marker->has_file = true;
  marker->file = (struct text){line.at + quote + 1, end - quote - 1};
  size_t after = end + 1, flags = after;
  for (;;) {
    size_t number = skip(line, after, blanks);
    size_t stop = skip(line, number, digits);
    if (number == after || stop == number) break;
    after = stop;
  }
  marker->flags = (struct text){line.at + flags, after - flags};
}

enum marker_result read_marker(struct text line, struct marker *marker) {
  *marker = (struct marker){0};
  size_t at = 1;
  if (line.size >= 5 && memcmp(line.at, "#line", 5) == 0) at = 5;
  size_t number = skip(line, at, blanks);
  size_t end = skip(line, number, digits);
  if (number == at || end == number) return MARKER_NONE;
  /* No file has a billion lines. */
  if (end - number > 9) return MARKER_UNUSUAL;
  for (size_t i = number; i < end; i++) marker->line = marker->line * 10 + (unsigned long)(line.at[i] - '0');
  read_file_name(line, end, marker);
  return MARKER_READ;
}

bool has_flag(struct text flags, char flag) {
  for (size_t at = 0; at < flags.size;) {
    at = skip(flags, at, blanks);
    size_t end = skip(flags, at, digits);
    if (end - at == 1 && flags.at[at] == flag) return true;
    if (end == at) return false;
    at = end;
  }
  return false;
}
