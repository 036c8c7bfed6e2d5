/* Extracts the user's part of preprocessed text by the rules of src/core/source/syntax/userText.ts. */
#include "inserter.h"

#include <stdlib.h>
#include <string.h>

/* An entry of a hash table that records which files are system headers. The table uses open addressing and is never full. */
struct file {
  size_t name, size;
  bool used, system;
};

struct files {
  struct bytes names;
  struct file *at;
  size_t count, room;
};

struct scan {
  struct user_text *user;
  struct files files;
  struct bytes name;
  const char *source, *directory;
  bool in_user_file;
};

void append_resolved(struct bytes *out, const char *directory, struct text file) {
  struct bytes joined = {0};
  if (file.size == 0 || file.at[0] != '/') {
    append_text(&joined, directory);
    append_text(&joined, "/");
  }
  append(&joined, file.at, file.size);
  size_t begin = out->size;
  for (size_t at = 0; at < joined.size && !joined.failed;) {
    if (joined.at[at] == '/') {
      at++;
      continue;
    }
    const char *slash = memchr(joined.at + at, '/', joined.size - at);
    struct text part = {joined.at + at, slash == NULL ? joined.size - at : (size_t)(slash - joined.at) - at};
    at += part.size;
    if (is(part, ".")) continue;
    if (is(part, "..")) {
      while (out->size > begin && out->at[--out->size] != '/') continue;
    } else {
      append_text(out, "/");
      append(out, part.at, part.size);
    }
  }
  if (out->size == begin) append_text(out, "/");
  if (joined.failed) out->failed = true;
  release(&joined);
}

/* Recognises installed headers, which compilers do not always flag as system headers, such as MPI's. */
static bool is_installed(struct text file) {
  static const char *const sources[] = {"src/", "local/src/", "home/"};
  if (file.size < 5 || memcmp(file.at, "/usr/", 5) != 0) return false;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    size_t size = strlen(sources[i]);
    if (file.size >= 5 + size && memcmp(file.at + 5, sources[i], size) == 0) return false;
  }
  return true;
}

/* Returns the first place of a name in a table whose size is a power of two, by its FNV-1a hash. */
static size_t first_slot(struct text name, size_t room) {
  uint64_t key = 14695981039346656037u;
  for (size_t i = 0; i < name.size; i++) key = (key ^ (unsigned char)name.at[i]) * 1099511628211u;
  return (size_t)key & (room - 1);
}

static struct text name_of(const struct files *files, const struct file *file) {
  return (struct text){files->names.at + file->name, file->size};
}

static bool has_room(struct files *files) {
  if (files->count * 2 < files->room) return true;
  size_t room = files->room == 0 ? 256 : files->room * 2;
  struct file *larger = calloc(room, sizeof *larger);
  if (larger == NULL) return false;
  for (size_t i = 0; i < files->room; i++) {
    if (!files->at[i].used) continue;
    size_t slot = first_slot(name_of(files, &files->at[i]), room);
    while (larger[slot].used) slot = (slot + 1) & (room - 1);
    larger[slot] = files->at[i];
  }
  free(files->at);
  files->at = larger;
  files->room = room;
  return true;
}

/* Returns the place of a file, which may still be empty. */
static struct file *find_file(struct files *files, struct text name) {
  if (!has_room(files)) return NULL;
  size_t slot = first_slot(name, files->room);
  while (files->at[slot].used && !same(name_of(files, &files->at[slot]), name)) slot = (slot + 1) & (files->room - 1);
  return &files->at[slot];
}

static bool is_built_in(struct text name) { return name.size >= 2 && name.at[0] == '<' && name.at[name.size - 1] == '>'; }

/*
 * The file's first marker decides whether it is a system header, because flag 3 also marks the expansion of a system header's macro in a
 * user's file.
 */
static bool enter_file(struct scan *scan, struct text name, struct text flags) {
  struct file *file = find_file(&scan->files, name);
  if (file == NULL) return false;
  if (!file->used) {
    bool installed = is_installed(name) && !is_installed(text_of(scan->source));
    *file = (struct file){scan->files.names.size, name.size, true, has_flag(flags, '3') || is_built_in(name) || installed};
    append(&scan->files.names, name.at, name.size);
    scan->files.count++;
  }
  scan->in_user_file = !file->system;
  return !scan->files.names.failed;
}

static bool read_directive(struct scan *scan, struct text line) {
  struct marker marker;
  struct text begin = {line.at, line.size < 4096 ? line.size : 4096};
  enum marker_result result = read_marker(begin, &marker);
  if (result == MARKER_UNUSUAL) return false;
  if (result == MARKER_NONE || !marker.has_file) return true;
  struct bytes *name = &scan->name;
  name->size = 0;
  for (size_t i = 0; i < marker.file.size; i++) {
    if (marker.file.at[i] == '\\' && i + 1 < marker.file.size) i++;
    append(name, marker.file.at + i, 1);
  }
  if (!is_built_in((struct text){name->at, name->size})) {
    struct bytes resolved = {0};
    append_resolved(&resolved, scan->directory, (struct text){name->at, name->size});
    release(name);
    *name = resolved;
  }
  if (name->failed) return false;
  return enter_file(scan, (struct text){name->at, name->size}, marker.flags);
}

static bool is_directive(struct text line) {
  size_t at = 0;
  while (at < line.size && (line.at[at] == ' ' || line.at[at] == '\t')) at++;
  return at < line.size && line.at[at] == '#';
}

static bool add_line(struct user_text *user, struct text line, size_t original) {
  struct line *lines = one_more(user->lines, user->count, &user->room, sizeof *lines);
  if (lines == NULL) return false;
  user->lines = lines;
  lines[user->count++] = (struct line){user->text.size, original, user->kept.size};
  append(&user->text, line.at, line.size);
  return true;
}

static bool scan_lines(struct scan *scan, struct text whole) {
  struct user_text *user = scan->user;
  for (size_t at = 0; at < whole.size;) {
    const char *newline = memchr(whole.at + at, '\n', whole.size - at);
    size_t end = newline == NULL ? whole.size : (size_t)(newline - whole.at) + 1;
    struct text line = {whole.at + at, end - at};
    bool directive = is_directive(line);
    /* gcc and clang write no blanks before a marker. */
    if (directive && line.at[0] == '#' && !read_directive(scan, line)) return false;
    if (!directive && scan->in_user_file && !add_line(user, line, at)) return false;
    if (directive || scan->in_user_file) append(&user->kept, line.at, line.size);
    at = end;
  }
  return !user->text.failed && !user->kept.failed;
}

bool read_user_text(struct text whole, const char *source, const char *directory, struct user_text *user) {
  struct scan scan = {.user = user, .source = source, .directory = directory, .in_user_file = true};
  struct file *own = find_file(&scan.files, text_of(source));
  bool done = false;
  if (own != NULL) {
    *own = (struct file){0, strlen(source), true, false};
    append_text(&scan.files.names, source);
    scan.files.count = 1;
    done = !scan.files.names.failed && scan_lines(&scan, whole);
  }
  free(scan.files.at);
  release(&scan.files.names);
  release(&scan.name);
  return done;
}

void release_user_text(struct user_text *user) {
  release(&user->text);
  release(&user->kept);
  free(user->lines);
  *user = (struct user_text){0};
}

const struct line *line_at(const struct user_text *user, size_t offset) {
  size_t low = 0, high = user->count - 1;
  while (low < high) {
    size_t middle = low + (high - low + 1) / 2;
    if (user->lines[middle].start <= offset) low = middle;
    else high = middle - 1;
  }
  return &user->lines[low];
}
