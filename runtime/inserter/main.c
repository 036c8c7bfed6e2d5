/*
 * inserter PROFILE CACHE COMPILER ARGUMENT …: compiles one C source with probes. Status 0: the unit is compiled, and the compiler's
 * messages have been printed. Status 125: it was not the usual case or something failed. Then the inserter has printed nothing, and
 * the caller takes the general way.
 */
#include "inserter.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { not_here = 125 };

/* Increase this when the text of probes, their numbers or the kept text change, so that the same source gets another hash. */
static const char version[] = "inserter 4";

struct job {
  const char *compiler;
  char *directory;
  struct profile profile;
  struct command command;
  struct bytes source, store;
  unsigned long minimum_statements;
  int messages, preprocessed, probed;
  struct bytes whole, text;
  struct user_text user;
  struct definitions found;
  char hash[17];
};

static bool read_minimum(unsigned long *minimum) {
  const char *given = getenv("KYMO_MINIMUM_STATEMENTS");
  *minimum = 10;
  if (given == NULL) return true;
  size_t size = strspn(given, "0123456789");
  if (size == 0 || size > 6 || given[size] != 0) return false;
  *minimum = strtoul(given, NULL, 10);
  return true;
}

static bool is_usual_place(const char *directory) {
  return strstr(directory, "/CMakeFiles/") == NULL && strstr(directory, "/meson-private/") == NULL;
}

static bool has_standard_files(void) {
  for (int file = 0; file < 3; file++) {
    if (fcntl(file, F_GETFD) < 0) return false;
  }
  return true;
}

static bool read_environment(struct job *job, const char *cache) {
  const char *probes = getenv("KYMO_PROBES"), *store = getenv("KYMO_STORE");
  if ((probes != NULL && strcmp(probes, "off") == 0) || !has_standard_files() || !read_minimum(&job->minimum_statements)) return false;
  job->directory = getcwd(NULL, 0);
  if (job->directory == NULL || !is_usual_place(job->directory)) return false;
  append_resolved(&job->source, job->directory, text_of(job->command.input));
  if (store != NULL && store[0] != 0) {
    append_text(&job->store, store);
  } else {
    append_text(&job->store, cache);
    append_text(&job->store, "/store");
  }
  return terminated(&job->source) != NULL && terminated(&job->store) != NULL && is_utf8((struct text){job->source.at, job->source.size}) &&
         is_utf8(text_of(job->directory));
}

/* The messages go through a file, so the inserter must ask for colours where the compiler itself would use them. */
static bool wants_colours(void) {
  const char *terminal = getenv("TERM");
  return isatty(2) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static void begin_words(const struct job *job, const struct words *options, struct words *words) {
  add_word(words, job->compiler);
  if (wants_colours()) add_word(words, "-fdiagnostics-color=always");
  for (size_t i = 0; i < options->count; i++) add_word(words, options->at[i]);
}

static void add_all(struct words *words, const char *const *more) {
  for (; *more != NULL; more++) add_word(words, *more);
  add_word(words, NULL);
}

static bool is_gcc(const struct job *job) { return strcmp(job->profile.family, "gcc") == 0; }

static bool preprocess(struct job *job) {
  struct words words = {0};
  begin_words(job, &job->command.preprocess, &words);
  const char *const rest[] = {"-E", "-x", "c", job->command.input, is_gcc(job) ? NULL : "-Qunused-arguments", NULL};
  add_all(&words, rest);
  bool done = run_compiler(&words, -1, job->preprocessed, job->messages) && read_file(job->preprocessed, &job->whole);
  free(words.at);
  return done && !job->whole.failed;
}

/* The options are those of src/measurement/wrappers/{unitCompiler,entryOptions}.ts. */
static bool compile(struct job *job) {
  struct words words = {0};
  begin_words(job, &job->command.compile, &words);
  add_word(&words, is_gcc(job) ? "-Wno-implicit-fallthrough" : "-Qunused-arguments");
  add_word(&words, is_gcc(job) ? "-Wno-misleading-indentation" : "-Wno-gnu-line-marker");
  if (!job->command.debug) {
    add_word(&words, "-g");
    if (is_gcc(job)) add_word(&words, "-fno-var-tracking");
  }
  add_word(&words, job->found.probes > 0 ? job->profile.entries_probed : job->profile.entries_alone);
  if (is_gcc(job)) add_word(&words, "-fno-ipa-ra");
  const char *const rest[] = {"-c", "-o", job->command.object, "-x", "cpp-output", "-", NULL};
  add_all(&words, rest);
  bool done = write_all(job->probed, job->text.at, job->text.size) && lseek(job->probed, 0, SEEK_SET) == 0 &&
              run_compiler(&words, job->probed, -1, job->messages);
  free(words.at);
  if (done && is_gcc(job)) merge_entry_nops(job->command.object);
  return done;
}

static void name_unit(struct job *job) {
  struct hash hash;
  char numbers[64];
  snprintf(numbers, sizeof numbers, "%lu %zu", job->minimum_statements, job->found.probes);
  hash_begin(&hash);
  hash_part(&hash, text_of(version));
  hash_part(&hash, text_of(job->compiler));
  for (size_t i = 0; i < job->command.compile.count; i++) hash_part(&hash, text_of(job->command.compile.at[i]));
  hash_part(&hash, (struct text){job->source.at, job->source.size});
  hash_part(&hash, text_of(numbers));
  /* Text of system headers does not affect the unit's part of the call graph, so the hash does not include it. */
  hash_part(&hash, (struct text){job->user.kept.at, job->user.kept.size});
  hash_end(&hash, job->hash);
}

static bool insert(struct job *job) {
  struct text whole = {job->whole.at, job->whole.size};
  if (!read_user_text(whole, job->source.at, job->directory, &job->user)) return false;
  if (!find_definitions((struct text){job->user.text.at, job->user.text.size}, job->minimum_statements, &job->found)) return false;
  name_unit(job);
  return insert_probes(whole, &job->user, &job->found, job->hash, job->profile.style, &job->text);
}

static void show_messages(const struct job *job) {
  struct bytes messages = {0};
  if (read_file(job->messages, &messages)) write_all(2, messages.at, messages.size);
  release(&messages);
}

static bool run(struct job *job, const char *profile, const char *cache, int count, char **arguments) {
  if (!read_command(count, arguments, &job->command) || !read_environment(job, cache)) return false;
  if (!read_profile(profile, job->compiler, &job->profile) || setenv("KYMO_WRAPPER", "off", 1) != 0) return false;
  job->messages = memory_file();
  job->preprocessed = memory_file();
  job->probed = memory_file();
  if (job->messages < 0 || job->preprocessed < 0 || job->probed < 0) return false;
  end_with_signals();
  if (!preprocess(job) || !insert(job) || !compile(job)) return false;
  struct unit unit = {job->store.at, job->source.at, job->directory, job->hash, job->minimum_statements, &job->user, &job->found};
  keep_unit(&unit);
  log_unit(&unit);
  show_messages(job);
  return true;
}

static void release_job(struct job *job) {
  free(job->directory);
  release_command(&job->command);
  release(&job->source);
  release(&job->store);
  release(&job->whole);
  release(&job->text);
  release_user_text(&job->user);
  release_definitions(&job->found);
}

int main(int count, char **arguments) {
  /* The tool runs this after building the program, to check that it works on this machine. */
  if (count == 2 && strcmp(arguments[1], "--version") == 0) return puts(version) < 0;
  if (count < 5) return not_here;
  struct job job = {.compiler = arguments[3]};
  bool done = run(&job, arguments[1], arguments[2], count - 4, arguments + 4);
  release_job(&job);
  return done ? 0 : not_here;
}
