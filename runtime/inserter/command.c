/*
 * Command lines of the usual case: `-c` of one C source with options that are known to be harmless. The options have the same
 * meaning as in src/measurement/wrappers/{optionTable,plan}.ts, which also handle every uncertain case.
 */
#include "inserter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum role { ROLE_UNUSUAL, ROLE_BOTH, ROLE_PREPROCESS, ROLE_DEPENDENCY, ROLE_ASSEMBLE, ROLE_LINK, ROLE_COMPILE, ROLE_OUTPUT };

/* How an option takes its value. */
enum value { VALUE_NONE, VALUE_NEXT, VALUE_JOINED_OR_NEXT };

struct option {
  const char *pattern;
  enum role role;
  enum value value;
};

/* The first pattern that matches decides (fnmatch: a star matches any text). */
static const struct option options[] = {
    {"-c", ROLE_COMPILE, VALUE_NONE},
    {"-o", ROLE_OUTPUT, VALUE_NEXT},
    {"-o?*", ROLE_UNUSUAL, VALUE_NONE},
    {"-[IDU]*", ROLE_PREPROCESS, VALUE_JOINED_OR_NEXT},
    {"-[Ll]*", ROLE_LINK, VALUE_JOINED_OR_NEXT},
    {"-MMD", ROLE_DEPENDENCY, VALUE_NONE},
    {"-M[DPG]", ROLE_DEPENDENCY, VALUE_NONE},
    {"-M[FTQ]", ROLE_DEPENDENCY, VALUE_NEXT},
    {"-M[FTQ]?*", ROLE_DEPENDENCY, VALUE_NONE},
    {"-include", ROLE_PREPROCESS, VALUE_NEXT},
    {"-imacros", ROLE_PREPROCESS, VALUE_NEXT},
    {"-isystem", ROLE_PREPROCESS, VALUE_NEXT},
    {"-iquote", ROLE_PREPROCESS, VALUE_NEXT},
    {"-idirafter", ROLE_PREPROCESS, VALUE_NEXT},
    {"-isystem?*", ROLE_PREPROCESS, VALUE_NONE},
    {"-iquote?*", ROLE_PREPROCESS, VALUE_NONE},
    {"-undef", ROLE_PREPROCESS, VALUE_NONE},
    {"-nostdinc", ROLE_PREPROCESS, VALUE_NONE},
    {"-Wa,*", ROLE_ASSEMBLE, VALUE_NONE},
    {"-Wl,*", ROLE_LINK, VALUE_NONE},
    {"-Wp,*", ROLE_UNUSUAL, VALUE_NONE},
    {"-W*", ROLE_BOTH, VALUE_NONE},
    {"-w", ROLE_BOTH, VALUE_NONE},
    {"-O*", ROLE_BOTH, VALUE_NONE},
    {"-g", ROLE_BOTH, VALUE_NONE},
    {"-g[0-3]", ROLE_BOTH, VALUE_NONE},
    {"-ggdb*", ROLE_BOTH, VALUE_NONE},
    {"-gdwarf*", ROLE_BOTH, VALUE_NONE},
    {"-gline-tables-only", ROLE_BOTH, VALUE_NONE},
    {"-std=*", ROLE_BOTH, VALUE_NONE},
    {"-ansi", ROLE_BOTH, VALUE_NONE},
    {"-pedantic*", ROLE_BOTH, VALUE_NONE},
    {"-pipe", ROLE_BOTH, VALUE_NONE},
    {"-pthread", ROLE_BOTH, VALUE_NONE},
    {"-m64", ROLE_BOTH, VALUE_NONE},
    {"-march=*", ROLE_BOTH, VALUE_NONE},
    {"-mtune=*", ROLE_BOTH, VALUE_NONE},
    {"-mcpu=*", ROLE_BOTH, VALUE_NONE},
    {"-mcmodel=*", ROLE_BOTH, VALUE_NONE},
    {"-mabi=*", ROLE_BOTH, VALUE_NONE},
    {"-mprefer-vector-width=*", ROLE_BOTH, VALUE_NONE},
    {"-m[asf]*", ROLE_BOTH, VALUE_NONE},
    {"-mno-*", ROLE_BOTH, VALUE_NONE},
    /* These options write side files, or compile in a way that needs the compiler's own steps. */
    {"-fmodule*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fpch*", ROLE_UNUSUAL, VALUE_NONE},
    {"-finput-charset=*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fexec-charset=*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fdirectives-only", ROLE_UNUSUAL, VALUE_NONE},
    {"-frewrite-*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fsyntax-only", ROLE_UNUSUAL, VALUE_NONE},
    {"-fpreprocessed", ROLE_UNUSUAL, VALUE_NONE},
    {"-ftest-coverage", ROLE_UNUSUAL, VALUE_NONE},
    {"-fprofile*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fauto-profile*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fcs-profile*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fstack-usage", ROLE_UNUSUAL, VALUE_NONE},
    {"-fcallgraph-info*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fdump-*", ROLE_UNUSUAL, VALUE_NONE},
    {"-ftime-*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fsave-*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fopt-info*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fdiagnostics-format*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fdiagnostics-parseable*", ROLE_UNUSUAL, VALUE_NONE},
    {"-flto*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fplugin*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fpass-plugin*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fpatchable-function-entry*", ROLE_UNUSUAL, VALUE_NONE},
    {"-frandom-seed*", ROLE_UNUSUAL, VALUE_NONE},
    {"-fuse-ld=*", ROLE_LINK, VALUE_NONE},
    {"-f?*", ROLE_BOTH, VALUE_NONE},
};

static const struct option *find_option(const char *argument) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (fnmatch(options[i].pattern, argument, 0) == 0) return &options[i];
  }
  return NULL;
}

/* Recognises trial compilations of build systems, which launch.sh passes to the plain compiler. */
static bool is_trial(const char *argument) {
  static const char *const patterns[] = {"conftest.*", "*/conftest.*", "*/CMakeTmp/*", "*/CMakeScratch/*", "*/meson-private/*"};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    if (fnmatch(patterns[i], argument, 0) == 0) return true;
  }
  return false;
}

void add_word(struct words *words, const char *word) {
  const char **at = words->failed ? NULL : one_more(words->at, words->count, &words->room, sizeof *at);
  if (at == NULL) {
    words->failed = true;
    return;
  }
  words->at = at;
  at[words->count++] = word;
}

struct reading {
  struct command *command;
  bool compiles, writes_dependencies, names_file, names_target;
};

static bool take_input(struct command *command, const char *argument) {
  size_t size = strlen(argument);
  if (command->input != NULL || size < 3 || strcmp(argument + size - 2, ".c") != 0 || argument[size - 3] == '/') return false;
  command->input = argument;
  return true;
}

static void note_option(struct reading *reading, const char *argument) {
  if (fnmatch("-MD", argument, 0) == 0 || fnmatch("-MMD", argument, 0) == 0) reading->writes_dependencies = true;
  if (fnmatch("-MF*", argument, 0) == 0) reading->names_file = true;
  if (fnmatch("-M[TQ]*", argument, 0) == 0) reading->names_target = true;
  /* All options of the table that begin with -g ask for debug information, except -g0. */
  if (argument[1] == 'g') reading->command->debug = strcmp(argument, "-g0") != 0;
}

static bool take_option(struct reading *reading, const char *argument, const char *value, const struct option *option) {
  struct command *command = reading->command;
  struct words *steps[2] = {NULL, NULL};
  switch (option->role) {
    case ROLE_UNUSUAL: return false;
    case ROLE_LINK: return true;
    case ROLE_COMPILE: return reading->compiles = true;
    case ROLE_OUTPUT: return (command->output = value) != NULL;
    case ROLE_BOTH:
      steps[0] = &command->preprocess;
      steps[1] = &command->compile;
      break;
    case ROLE_ASSEMBLE: steps[1] = &command->compile; break;
    case ROLE_PREPROCESS:
    case ROLE_DEPENDENCY: steps[0] = &command->preprocess; break;
  }
  note_option(reading, argument);
  for (size_t i = 0; i < 2; i++) {
    if (steps[i] == NULL) continue;
    add_word(steps[i], argument);
    if (value != NULL) add_word(steps[i], value);
  }
  return true;
}

static bool takes_next(const struct option *option, const char *argument) {
  return option->value == VALUE_NEXT || (option->value == VALUE_JOINED_OR_NEXT && argument[2] == 0);
}

static struct text without_suffix(const char *file) {
  const char *slash = strrchr(file, '/'), *base = slash == NULL ? file : slash + 1, *dot = strrchr(base, '.');
  return dot == NULL || dot == base ? text_of(file) : (struct text){file, (size_t)(dot - file)};
}

/* Returns the name of the file in the current folder that the compiler would write for a source. */
static const char *beside(struct bytes *name, const char *input, const char *suffix) {
  const char *slash = strrchr(input, '/');
  struct text stem = without_suffix(slash == NULL ? input : slash + 1);
  append(name, stem.at, stem.size);
  append_text(name, suffix);
  return terminated(name);
}

/* Adds the file and target of `-MD` that the driver would add (GCC manual, "Preprocessor Options"). */
static bool add_dependency_options(struct reading *reading) {
  struct command *command = reading->command;
  if (!reading->writes_dependencies) return true;
  if (!reading->names_file) {
    const char *file;
    if (command->output == NULL) {
      file = beside(&command->dependency_file, command->input, ".d");
    } else {
      struct text stem = without_suffix(command->output);
      append(&command->dependency_file, stem.at, stem.size);
      append_text(&command->dependency_file, ".d");
      file = terminated(&command->dependency_file);
    }
    if (file == NULL) return false;
    add_word(&command->preprocess, "-MF");
    add_word(&command->preprocess, file);
  }
  if (!reading->names_target && command->output != NULL) {
    add_word(&command->preprocess, "-MQ");
    add_word(&command->preprocess, command->output);
  }
  return true;
}

bool read_command(int count, char **arguments, struct command *command) {
  struct reading reading = {.command = command};
  size_t bytes = 0;
  for (int i = 0; i < count; i++) {
    const char *argument = arguments[i];
    bytes += strlen(argument) + 1;
    if (is_trial(argument)) return false;
    if (argument[0] != '-') {
      if (!take_input(command, argument)) return false;
      continue;
    }
    const struct option *option = find_option(argument);
    if (option == NULL) return false;
    bool separate = takes_next(option, argument);
    if (separate && i + 1 >= count) return false;
    const char *value = separate ? arguments[++i] : NULL;
    bytes += value == NULL ? 0 : strlen(value) + 1;
    if ((value != NULL && is_trial(value)) || !take_option(&reading, argument, value, option)) return false;
  }
  /* Longer command lines need a response file. */
  if (!reading.compiles || command->input == NULL || bytes > 90000) return false;
  if (command->output != NULL && (command->output[0] == 0 || command->output[strlen(command->output) - 1] == '/')) return false;
  command->object = command->output != NULL ? command->output : beside(&command->object_name, command->input, ".o");
  return command->object != NULL && add_dependency_options(&reading) && !command->preprocess.failed && !command->compile.failed;
}

void release_command(struct command *command) {
  free(command->preprocess.at);
  free(command->compile.at);
  release(&command->dependency_file);
  release(&command->object_name);
}
