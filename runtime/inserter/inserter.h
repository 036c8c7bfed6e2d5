/* The interfaces between the files of the inserter; README.md describes each file. */
#ifndef KYMO_INSERTER_H
#define KYMO_INSERTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unless stated otherwise, false means "not the usual case": the general way takes over (src/measurement/wrappers). */

/* --- bytes.c: views of text, and growing text ---------------------------------------------------------------------------- */

struct text {
  const char *at;
  size_t size;
};

/* `failed` is set when memory runs out or the text gets too large. From then on, appending does nothing. */
struct bytes {
  char *at;
  size_t size, room;
  bool failed;
};

void append(struct bytes *bytes, const char *from, size_t size);
void append_text(struct bytes *bytes, const char *text);
void append_number(struct bytes *bytes, unsigned long long number);
void append_blanks(struct bytes *bytes, size_t count);
/* Appends the text with the escapes of a JSON string, without quotes. */
void append_json(struct bytes *bytes, struct text text);
/* Returns the text with a terminating zero, which `size` does not count; null when the text has failed. */
const char *terminated(struct bytes *bytes);
void release(struct bytes *bytes);
/* Makes room for one more element of an array; null when there is no memory. */
void *one_more(void *array, size_t count, size_t *room, size_t element);
bool same(struct text a, struct text b);
bool is(struct text text, const char *word);
struct text text_of(const char *word);
bool is_utf8(struct text text);

/* --- tokens.c: C after preprocessing ------------------------------------------------------------------------------------- */

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_OTHER, TOKEN_SYMBOL, TOKEN_UNUSUAL };

struct token {
  enum token_kind kind;
  /* The character of a symbol; 0 for all other tokens. */
  char symbol;
  size_t start, end;
};

struct scanner {
  struct text text;
  size_t at;
};

/* Facts about the contents of a bracketed group. */
struct group_facts {
  bool loops;
};

struct token next_token(struct scanner *scanner);
struct text token_text(const struct scanner *scanner, struct token token);
/* Skips the group that the bracket `open`, just read, has opened, including the closing bracket. */
bool skip_group(struct scanner *scanner, char open, struct group_facts *facts);
bool is_word_byte(unsigned char byte);
bool is_loop_word(struct text word);

/* --- user_text.c: the user's part of preprocessed text ------------------------------------------------------------------- */

struct line {
  /* Offsets of the line's first byte in the user text, in the whole text, and in the kept text. */
  size_t start, original, kept;
};

struct user_text {
  /* Lines of user files only, without markers and pragmas. */
  struct bytes text;
  /* The same lines with all markers and pragmas. The tool makes the call graph from them later. */
  struct bytes kept;
  struct line *lines;
  size_t count, room;
};

bool read_user_text(struct text whole, const char *source, const char *directory, struct user_text *user);
void release_user_text(struct user_text *user);
const struct line *line_at(const struct user_text *user, size_t offset);
/* Appends the absolute name of a file, relative to the folder, without "." and "..". */
void append_resolved(struct bytes *out, const char *directory, struct text file);

/* --- markers.c: GNU line markers ----------------------------------------------------------------------------------------- */

struct marker {
  unsigned long line;
  bool has_file;
  /* The text between the quotes, with its escapes, and the numbers after it. */
  struct text file, flags;
};

/* `line` is the text from a '#' to the end of its line. */
enum marker_result { MARKER_NONE, MARKER_READ, MARKER_UNUSUAL } read_marker(struct text line, struct marker *marker);
bool has_flag(struct text flags, char flag);

/* --- definitions.c, statements.c: functions with a body, at file scope --------------------------------------------------- */

struct definition {
  /* Position among all functions with a body, including nested functions. */
  size_t number;
  /* Offsets in the user text; `body` is just after the opening brace, `end` just after the closing one. */
  size_t start, body, end;
  struct text name;
  unsigned long statements;
  bool loops, probed;
  /* The function must not or should not get a probe. */
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
  /* The body begins with declarations of labels, which must stay at its beginning. */
  bool doubtful;
  /* Number of functions in the body. */
  size_t nested;
};

/* Before the call, the scanner is behind the opening brace; afterwards, behind the closing one. `depth` counts the functions around it. */
bool count_body(struct scanner *scanner, struct counts *counts, unsigned depth);

/* --- insertion.c, probe_text.c: the text with probes --------------------------------------------------------------------- */

struct style {
  bool asm_inline, aarch64;
};

bool insert_probes(struct text whole, const struct user_text *user, const struct definitions *found, const char *hash,
                   struct style style, struct bytes *out);
void append_helper(struct bytes *out, const char *hash, size_t number, struct style style);
/* Appends an attribute that prevents a patchable entry, because the function has probes. The definition must allow attributes before it. */
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
/* Writes 16 hex digits and a terminating zero. */
void hash_end(struct hash *hash, char digits[17]);

/* --- command.c, profile.c: command lines and compilers -------------------------------------------------------------------- */

struct words {
  const char **at;
  size_t count, room;
  bool failed;
};

void add_word(struct words *words, const char *word);

struct command {
  const char *input, *output, *object;
  /* Options of the two steps, in the order of the command line. */
  struct words preprocess, compile;
  bool debug;
  /* Storage for names that the command line does not contain. */
  struct bytes dependency_file, object_name;
};

bool read_command(int count, char **arguments, struct command *command);
void release_command(struct command *command);

struct profile {
  char family[8];
  struct style style;
  /* Options for patchable entries in units with probes, and in other units. */
  char entries_probed[64], entries_alone[64];
};

/* Reads the facts that the tool has stored about the compiler, if the compiler has not changed. */
bool read_profile(const char *file, const char *compiler, struct profile *profile);

/* --- compiler.c: running the compiler -------------------------------------------------------------------------------------- */

/* `input` and `output` are open files, or -1 for the inserter's own streams. `messages` is the file for the compiler's messages. */
bool run_compiler(const struct words *words, int input, int output, int messages);
void end_with_signals(void);
void hold_signals(bool hold);
/* Makes a file in memory, without a name. */
int memory_file(void);
bool read_file(int file, struct bytes *bytes);
bool write_all(int file, const char *from, size_t size);

/* --- entries.c: patchable entries of the object file ---------------------------------------------------------------------- */

void merge_entry_nops(const char *object);

/* --- keep.c: the unit's text for the tool ----------------------------------------------------------------------------------- */

struct unit {
  const char *store, *source, *directory, *hash;
  unsigned long minimum_statements;
  const struct user_text *user;
  const struct definitions *found;
};

/* Prints a message when the text cannot be stored; the compilation continues. */
void keep_unit(const struct unit *unit);
void log_unit(const struct unit *unit);

#endif
