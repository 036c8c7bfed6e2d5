/*
 * Writes preprocessed text with probes and with the unit's record at its end. The result is byte for byte that of
 * src/core/probes/probeInsertion.ts. Line markers mark insertions as text of a system header, so that no warning option reports
 * them; the original text keeps its file, line and column.
 */
#include "inserter.h"

#include <string.h>

/* The file, line and flags at an offset, according to the line markers before it. */
struct state {
  struct text whole;
  /* Offset of the next line that may be a marker; beyond the text when there is none. */
  size_t next;
  struct text file;
  unsigned long line;
  struct text flags;
  /* The offset that `line` belongs to. */
  size_t base;
};

static const size_t nowhere = (size_t)-1;

static size_t marker_after(struct text whole, size_t from) {
  if (from >= whole.size) return nowhere;
  const char *found = memmem(whole.at + from, whole.size - from, "\n#", 2);
  return found == NULL ? nowhere : (size_t)(found - whole.at) + 1;
}

/* Advances the state to an offset. Offsets must not decrease. */
static bool advance_to(struct state *state, size_t offset) {
  while (state->next < offset) {
    const char *newline = memchr(state->whole.at + state->next, '\n', state->whole.size - state->next);
    size_t stop = newline == NULL ? state->whole.size : (size_t)(newline - state->whole.at);
    size_t end = stop - state->next > 8192 ? state->next + 8192 : stop;
    struct marker marker;
    enum marker_result result = read_marker((struct text){state->whole.at + state->next, end - state->next}, &marker);
    if (result == MARKER_UNUSUAL) return false;
    if (result == MARKER_READ && marker.has_file && stop < offset) {
      state->line = marker.line;
      state->file = marker.file;
      state->flags = marker.flags;
      state->base = stop + 1;
    }
    state->next = marker_after(state->whole, stop);
  }
  for (size_t at = state->base; at < offset;) {
    const char *newline = memchr(state->whole.at + at, '\n', offset - at);
    if (newline == NULL) break;
    state->line++;
    at = (size_t)(newline - state->whole.at) + 1;
  }
  state->base = offset;
  return true;
}

static void append_place(struct bytes *out, const struct state *state) {
  append_text(out, "# ");
  append_number(out, state->line);
  append_text(out, " \"");
  append(out, state->file.at, state->file.size);
  append_text(out, "\"");
}

/* Appends the flags that apply to the text after a marker: 3 for a system header, 4 for C within C++. */
static void append_flags(struct bytes *out, struct text flags) {
  for (size_t at = 0; at < flags.size;) {
    while (at < flags.size && (flags.at[at] == ' ' || flags.at[at] == '\t')) at++;
    size_t end = at;
    while (end < flags.size && flags.at[end] >= '0' && flags.at[end] <= '9') end++;
    if (end - at == 1 && (flags.at[at] == '3' || flags.at[at] == '4')) {
      append_text(out, " ");
      append(out, flags.at + at, 1);
    }
    at = end;
  }
}

/* Returns the column in bytes, as compilers count it in debug information. */
static size_t column_of(struct text whole, size_t offset) {
  const char *newline = offset == 0 ? NULL : memrchr(whole.at, '\n', offset);
  return newline == NULL ? offset : offset - (size_t)(newline - whole.at) - 1;
}

struct writing {
  struct bytes *out;
  struct state state;
  size_t copied;
};

/* Writes the text before `offset`, and the marker before an insertion. */
static bool open_insertion(struct writing *w, size_t offset) {
  if (!advance_to(&w->state, offset)) return false;
  append(w->out, w->state.whole.at + w->copied, offset - w->copied);
  w->copied = offset;
  append_text(w->out, "\n");
  append_place(w->out, &w->state);
  append_text(w->out, " 3\n");
  return true;
}

static void close_insertion(struct writing *w) {
  append_text(w->out, "\n");
  append_place(w->out, &w->state);
  append_flags(w->out, w->state.flags);
  append_text(w->out, "\n");
  append_blanks(w->out, column_of(w->state.whole, w->copied));
}

static size_t original_offset(const struct user_text *user, size_t offset) {
  const struct line *line = line_at(user, offset);
  return line->original + (offset - line->start);
}

/* Converts the offset of the brace itself, because the text behind it may belong to a line from another place. */
static size_t original_body(const struct user_text *user, const struct definition *one) {
  return original_offset(user, one->body - 1) + 1;
}

static bool may_follow_attribute(struct text text, size_t offset) {
  static const char extension[] = "__extension__";
  enum { size = sizeof extension - 1 };
  if (offset >= text.size || text.at[offset] == '[') return false;
  return text.size - offset < size || memcmp(text.at + offset, extension, size) != 0;
}

static bool insert_around(struct writing *w, const struct user_text *user, const struct definition *one, const char *hash,
                          struct style style) {
  size_t start = original_offset(user, one->start);
  if (!open_insertion(w, start)) return false;
  append_helper(w->out, hash, one->number, style);
  if (may_follow_attribute(w->state.whole, start)) append_without_entry(w->out);
  close_insertion(w);
  if (!open_insertion(w, original_body(user, one))) return false;
  append_guard(w->out, hash, one->number);
  close_insertion(w);
  return true;
}

bool insert_probes(struct text whole, const struct user_text *user, const struct definitions *found, const char *hash,
                   struct style style, struct bytes *out) {
  struct state state = {.whole = whole, .file = text_of("<kymo>"), .line = 1};
  if (whole.size > 0 && whole.at[0] != '#') state.next = marker_after(whole, 0);
  if (whole.size == 0) state.next = nowhere;
  struct writing w = {.out = out, .state = state};
  for (size_t i = 0; i < found->count; i++) {
    if (found->at[i].probed && !insert_around(&w, user, &found->at[i], hash, style)) return false;
  }
  append(out, whole.at + w.copied, whole.size - w.copied);
  if (whole.size > 0 && whole.at[whole.size - 1] != '\n') append_text(out, "\n");
  if (!advance_to(&w.state, whole.size)) return false;
  append_place(out, &w.state);
  append_text(out, " 3\n");
  append_unit_record(out, hash);
  append_text(out, "\n");
  return !out->failed;
}
