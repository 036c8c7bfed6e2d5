/* What the parts of the inserter share; README.md says what each is for. */
#ifndef KYMO_INSERTER_H
#define KYMO_INSERTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything that returns bool: false means "not the usual case", and the general way takes over (src/measurement/wrappers). */

/* --- bytes.c: text that is looked at, and text that grows ---------------------------------------------------------------- */

struct text {
  const char *at;
  size_t size;
};

/* `failed` stays once memory or size did not suffice; appending then does nothing. */
struct bytes {
  char *at;
  size_t size, room;
  bool failed;
};

void append(struct bytes *bytes, const char *from, size_t size);
void append_text(struct bytes *bytes, const char *text);
void append_number(struct bytes *bytes, unsigned long long number);
void append_blanks(struct bytes *bytes, size_t count);
/* As the inside of a JSON string. */
void append_json(struct bytes *bytes, struct text text);
/* Zero-terminated (not counted); null when it failed. */
const char *terminated(struct bytes *bytes);
void release(struct bytes *bytes);
/* Room for one more element of an array; null when there is none. */
void *one_more(void *array, size_t count, size_t *room, size_t element);
bool same(struct text a, struct text b);
bool is(struct text text, const char *word);
struct text text_of(const char *word);
bool is_utf8(struct text text);
/* Length in UTF-16 units if the whole text that it is part of is UTF-8, else in bytes. */
size_t shown_width(struct text part, bool utf8);

/* --- tokens.c: C after preprocessing ------------------------------------------------------------------------------------- */

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_OTHER, TOKEN_SYMBOL, TOKEN_UNUSUAL };

struct token {
  enum token_kind kind;
  /* Of symbols; 0 for everything else. */
  char symbol;
  size_t start, end;
};

struct scanner {
  struct text text;
  size_t at;
};

/* What a bracketed group contains. */
struct group_facts {
  bool loops;
};

struct token next_token(struct scanner *scanner);
struct text token_text(const struct scanner *scanner, struct token token);
/* Goes on after the bracket that closes what `open`, just read, has opened. */
bool skip_group(struct scanner *scanner, char open, struct group_facts *facts);
bool is_word_byte(unsigned char byte);
bool is_loop_word(struct text word);

/* --- user_text.c: the user's part of preprocessed text ------------------------------------------------------------------- */

struct line {
  /* Offsets of its first byte in the user text, in the whole text, and in the kept text. */
  size_t start, original, kept;
};

struct user_text {
  /* Lines of user files only, without markers and pragmas. */
  struct bytes text;
  /* The same with all markers and pragmas: what the call graph is made of later. */
  struct bytes kept;
  struct line *lines;
  size_t count, room;
};

bool read_user_text(struct text whole, const char *source, const char *directory, struct user_text *user);
void release_user_text(struct user_text *user);
const struct line *line_at(const struct user_text *user, size_t offset);
/* Absolute name, without "." and "..", of a file as seen from a folder. */
void append_resolved(struct bytes *out, const char *directory, struct text file);

/* --- markers.c: GNU line markers ----------------------------------------------------------------------------------------- */

struct marker {
  unsigned long line;
  bool has_file;
  /* Between the quotes, as it stands there; and the numbers after it. */
  struct text file, flags;
};

/* Text from a '#' to the end of its line. */
enum marker_result { MARKER_NONE, MARKER_READ, MARKER_UNUSUAL } read_marker(struct text line, struct marker *marker);
bool has_flag(struct text flags, char flag);

/* --- definitions.c, statements.c: functions with a body, at file scope --------------------------------------------------- */

struct definition {
  /* Position among all functions with a body, those inside of others included. */
  size_t number;
  /* Offsets in the user text; `body` is just after the opening brace, `end` after the closing one. */
  size_t start, body, end;
  struct text name;
  unsigned long statements;
  bool loops, probed;
  /* Must not or had better not get a probe. */
  bool untouchable;
};

struct definitions {
  struct definition *at;
  size_t count, room, probes;
};

bool find_definitions(struct text text, unsigned long minimum_statements, struct definitions *found);
void release_definitions(struct definitions *found);

struct counts {
  unsigned long statements;
  bool loops;
  /* Labels are declared at its beginning, and must stay there. */
  bool doubtful;
  /* Functions in the body. */
  size_t nested;
};

/* The scanner stands after the opening brace, and afterwards behind the closing one. `depth`: of functions around it. */
bool count_body(struct scanner *scanner, struct counts *counts, unsigned depth);

/* --- insertion.c, probe_text.c: the text with probes --------------------------------------------------------------------- */

struct style {
  bool asm_inline, aarch64;
};

bool insert_probes(struct text whole, const struct user_text *user, const struct definitions *found, const char *hash,
                   struct style style, struct bytes *out);
void append_helper(struct bytes *out, const char *hash, size_t number, struct style style);
/* Where nothing forbids that it stands before a definition: its probes are what is recorded. */
void append_without_entry(struct bytes *out);
void append_guard(struct bytes *out, const char *hash, size_t number);
void append_unit_record(struct bytes *out, const char *hash);

/* --- hash.c: the first 64 bits of a SHA-256 over parts ------------------------------------------------------------------- */

struct hash {
  uint32_t state[8];
  uint64_t size;
  unsigned char block[64];
};

void hash_begin(struct hash *hash);
void hash_part(struct hash *hash, struct text part);
/* 16 hex digits and a zero. */
void hash_end(struct hash *hash, char digits[17]);

/* --- command.c, profile.c: what is asked ---------------------------------------------------------------------------------- */

struct words {
  const char **at;
  size_t count, room;
  bool failed;
};

void add_word(struct words *words, const char *word);

struct command {
  const char *input, *output, *object;
  /* Options of the two steps, in their order. */
  struct words preprocess, compile;
  bool debug;
  /* Names that were put together here. */
  struct bytes dependency_file, object_name;
};

bool read_command(int count, char **arguments, struct command *command);
void release_command(struct command *command);

struct profile {
  char family[8];
  struct style style;
  /* Options for patchable entries: of units with probes, and of others. */
  char entries_probed[64], entries_alone[64];
};

/* What Node.js found out of the compiler, if it is still the same. */
bool read_profile(const char *file, const char *compiler, struct profile *profile);

/* --- compiler.c: running the compiler -------------------------------------------------------------------------------------- */

/* `input`: an open file for its standard input, or -1 for ours. Its messages are appended to the file `messages`. */
bool run_compiler(const struct words *words, int input, int output, int messages);
void end_with_signals(void);
void hold_signals(bool hold);
/* A file without a name. */
int memory_file(void);
bool read_file(int file, struct bytes *bytes);
bool write_all(int file, const char *from, size_t size);

/* --- entries.c: patchable entries of the object file ---------------------------------------------------------------------- */

void merge_entry_nops(const char *object);

/* --- keep.c: what stays for the tool ---------------------------------------------------------------------------------------- */

struct unit {
  const char *store, *source, *directory, *hash;
  unsigned long minimum_statements;
  const struct user_text *user;
  const struct definitions *found;
};

/* A unit that cannot be kept is said and goes on. */
void keep_unit(const struct unit *unit);
void log_unit(const struct unit *unit);

#endif
