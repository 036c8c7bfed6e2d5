/*
 * Reads the profile of the compiler, which src/measurement/wrappers/inserterProgram.ts writes. Each line is one item: this program,
 * the compiler, its size, its modification time in nanoseconds, its family, the form of `asm`, the architecture, and the options that
 * give functions their patchable entries, in units with probes and in other units.
 */
#include "inserter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum { program_line, compiler_line, size_line, time_line, family_line, style_line, architecture_line, probed_line, alone_line, line_count };

/* Finds a program by its path, or by its name in PATH. */
static const char *find_program(const char *name, struct bytes *place) {
  if (strchr(name, '/') != NULL) return name;
  const char *at = getenv("PATH");
  while (at != NULL) {
    const char *colon = strchr(at, ':');
    size_t size = colon == NULL ? strlen(at) : (size_t)(colon - at);
    place->size = 0;
    if (size == 0) append_text(place, ".");
    append(place, at, size);
    append_text(place, "/");
    append_text(place, name);
    const char *candidate = terminated(place);
    struct stat facts;
    if (candidate == NULL) return NULL;
    if (access(candidate, X_OK) == 0 && stat(candidate, &facts) == 0 && S_ISREG(facts.st_mode)) return candidate;
    at = colon == NULL ? NULL : colon + 1;
  }
  return NULL;
}

/* Tests for environment variables that make MPI's wrappers or gcc choose other programs. */
static bool chooses_otherwise(void) {
  static const char *const names[] = {"OMPI_", "MPICH_", "I_MPI_", "GCC_EXEC_PREFIX=", "COMPILER_PATH="};
  for (char **variable = environ; *variable != NULL; variable++) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      size_t size = strlen(names[i]);
      if (strncmp(*variable, names[i], size) != 0) continue;
      const char *rest = *variable + size;
      if (i > 2 || strncmp(rest, "CC=", 3) == 0) return true;
    }
  }
  return false;
}

static bool is_unchanged(const char *const lines[line_count], const char *compiler) {
  struct bytes place = {0};
  struct stat facts;
  const char *found = find_program(compiler, &place);
  bool unchanged = false;
  if (found != NULL && strcmp(found, lines[compiler_line]) == 0 && stat(found, &facts) == 0) {
    char size[32], time[64];
    snprintf(size, sizeof size, "%lld", (long long)facts.st_size);
    snprintf(time, sizeof time, "%lld%09ld", (long long)facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
    unchanged = strcmp(size, lines[size_line]) == 0 && strcmp(time, lines[time_line]) == 0;
  }
  release(&place);
  return unchanged;
}

static bool understand(const char *const lines[line_count], struct profile *profile) {
  const char *family = lines[family_line], *architecture = lines[architecture_line];
  if (strcmp(family, "gcc") != 0 && strcmp(family, "clang") != 0) return false;
  snprintf(profile->family, sizeof profile->family, "%s", family);
  snprintf(profile->entries_probed, sizeof profile->entries_probed, "%s", lines[probed_line]);
  snprintf(profile->entries_alone, sizeof profile->entries_alone, "%s", lines[alone_line]);
  profile->style.asm_inline = strcmp(lines[style_line], "inline") == 0;
  profile->style.aarch64 = strcmp(architecture, "aarch64") == 0;
  return profile->style.aarch64 || strcmp(architecture, "x86-64") == 0;
}

bool read_profile(const char *file, const char *compiler, struct profile *profile) {
  char text[8192];
  const char *lines[line_count];
  FILE *stream = fopen(file, "re");
  if (stream == NULL) return false;
  size_t size = fread(text, 1, sizeof text - 1, stream);
  fclose(stream);
  text[size] = 0;
  char *at = text;
  for (size_t i = 0; i < line_count; i++) {
    char *end = strchr(at, '\n');
    if (end == NULL) return false;
    *end = 0;
    lines[i] = at;
    at = end + 1;
  }
  return !chooses_otherwise() && is_unchanged(lines, compiler) && understand(lines, profile);
}
