/*
 * Stores the user's part of the text with the decisions about its functions (docs/formats.md, "Kept text"), from which the tool
 * makes the unit's part of the call graph on first use. Also adds a line to the log of the build.
 */
#include "inserter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t kept_offset(const struct user_text *user, size_t offset) {
  const struct line *line = line_at(user, offset);
  return line->kept + (offset - line->start);
}

static void append_numbers(struct bytes *out, const size_t *numbers, size_t count) {
  append_text(out, "[");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) append_text(out, ",");
    append_number(out, numbers[i]);
  }
  append_text(out, "]");
}

static void append_heading(struct bytes *out, const struct unit *unit) {
  append_text(out, "{\"kymoText\":1,\"hash\":\"");
  append_text(out, unit->hash);
  append_text(out, "\",\"source\":\"");
  append_json(out, text_of(unit->source));
  append_text(out, "\",\"directory\":\"");
  append_json(out, text_of(unit->directory));
  append_text(out, "\",\"functions\":[");
  const char *text = unit->user->text.at;
  for (size_t i = 0; i < unit->found->count; i++) {
    const struct definition *one = &unit->found->at[i];
    size_t name = kept_offset(unit->user, (size_t)(one->name.at - text));
    size_t numbers[] = {one->number, name, name + one->name.size, kept_offset(unit->user, one->body - 1) + 1,
                        kept_offset(unit->user, one->end - 1) + 1, one->statements, one->probed};
    if (i > 0) append_text(out, ",");
    append_numbers(out, numbers, sizeof numbers / sizeof *numbers);
  }
  append_text(out, "]}\n");
}

static bool make_folder(const char *folder) {
  char path[4096];
  size_t size = strlen(folder);
  if (size == 0 || size >= sizeof path) return false;
  memcpy(path, folder, size + 1);
  for (char *at = path + 1;; at++) {
    if (*at != '/' && *at != 0) continue;
    char was = *at;
    *at = 0;
    if (mkdir(path, 0777) != 0 && errno != EEXIST && was == 0) return false;
    *at = was;
    if (was == 0) return true;
  }
}

/* Other processes see the complete file or none, and a signal leaves no partial file behind. */
static bool write_atomically(const char *file, const struct bytes *bytes, const struct bytes *more) {
  struct bytes temporary = {0};
  append_text(&temporary, file);
  append_text(&temporary, ".");
  append_number(&temporary, (unsigned long long)getpid());
  append_text(&temporary, ".tmp");
  const char *name = terminated(&temporary);
  bool written = false;
  hold_signals(true);
  int made = name == NULL ? -1 : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made >= 0) {
    written = write_all(made, bytes->at, bytes->size) && write_all(made, more->at, more->size);
    written = close(made) == 0 && written && rename(name, file) == 0;
    int reason = errno;
    if (!written) unlink(name);
    errno = reason;
  }
  hold_signals(false);
  release(&temporary);
  return written;
}

static const char *file_in_store(struct bytes *name, const struct unit *unit, const char *suffix) {
  name->size = 0;
  append_text(name, unit->store);
  append_text(name, "/units");
  if (suffix != NULL) {
    append_text(name, "/");
    append_text(name, unit->hash);
    append_text(name, suffix);
  }
  return terminated(name);
}

static bool exists(const char *file) { return file != NULL && access(file, F_OK) == 0; }

void keep_unit(const struct unit *unit) {
  struct bytes name = {0}, heading = {0};
  errno = ENOMEM;
  bool kept = exists(file_in_store(&name, unit, ".json")) || exists(file_in_store(&name, unit, ".text"));
  if (!kept) {
    const char *folder = file_in_store(&name, unit, NULL);
    append_heading(&heading, unit);
    if (!heading.failed && folder != NULL && (exists(folder) || make_folder(folder))) {
      const char *file = file_in_store(&name, unit, ".text");
      kept = file != NULL && write_atomically(file, &heading, &unit->user->kept);
    }
  }
  if (!kept) fprintf(stderr, "kymo: %s: its part of the call graph cannot be kept (%s)\n", unit->source, strerror(errno));
  release(&name);
  release(&heading);
}

void log_unit(const struct unit *unit) {
  const char *file = getenv("KYMO_BUILD_LOG");
  if (file == NULL || file[0] == 0) return;
  struct bytes line = {0};
  append_text(&line, "{\"source\":\"");
  append_json(&line, text_of(unit->source));
  append_text(&line, unit->found->probes > 0 ? "\",\"sites\":\"probes\",\"hash\":\"" : "\",\"sites\":\"text\",\"hash\":\"");
  append_text(&line, unit->hash);
  append_text(&line, "\"}\n");
  int log = line.failed ? -1 : open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  /* A failure here only falsifies the number of units. */
  if (log >= 0) {
    (void)!write(log, line.at, line.size);
    close(log);
  }
  release(&line);
}
