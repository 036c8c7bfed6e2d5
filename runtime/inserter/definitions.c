/*
 * Finds the functions that are defined at file scope. After preprocessing, brackets are enough for that: a definition has a name
 * and a parameter list before a brace that begins neither an initialiser nor a structure.
 */
#include "inserter.h"

#include <stdlib.h>
#include <string.h>

enum item_kind { ITEM_WORD, ITEM_KEYWORD, ITEM_TAKES_GROUP, ITEM_TAG, ITEM_PARENTHESES, ITEM_BRACKETS, ITEM_SEMICOLON, ITEM_OTHER };

/* A part of a declaration outside of all brackets; a bracketed group is one item. */
struct item {
  enum item_kind kind;
  size_t start, end;
};

enum tag_state { TAG_NONE, TAG_OPEN, TAG_NAMED, TAG_BASE };

struct search {
  struct scanner scanner;
  unsigned long minimum_statements;
  struct definitions *found;
  size_t next_number;
  /* Functions whose declarations forbid probes. */
  struct text *forbidden;
  size_t forbidden_count, forbidden_room;
  /* The declaration that is being read. */
  struct item *items;
  size_t count, room;
  enum tag_state tag;
  bool assigned;
  /* Declarations of K&R parameters between the list and the body: their number, and where to continue if they are no parameters. */
  size_t old_style, old_style_from;
};

/* After more declarations than this before a body, they are taken for ordinary declarations and not for K&R parameters. */
enum { most_old_style = 256 };

static bool is_one_of(struct text word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (is(word, words[i])) return true;
  }
  return false;
}

static enum item_kind kind_of_word(struct text word) {
  static const char *const tags[] = {"struct", "union", "enum"};
  static const char *const take_group[] = {"__attribute__", "__attribute",      "asm",      "__asm",     "__asm__",
                                           "typeof",        "__typeof",         "__typeof__", "typeof_unqual", "_Alignas",
                                           "alignas",       "_Atomic",          "_BitInt",  "__declspec", "_Static_assert",
                                           "static_assert", "_Pragma",          "__pragma"};
  static const char *const others[] = {"auto",    "char",     "const",    "double",     "extern",       "float",     "inline",
                                       "int",     "long",     "register", "restrict",   "short",        "signed",    "static",
                                       "typedef", "unsigned", "void",     "volatile",   "_Bool",        "_Complex",  "_Noreturn",
                                       "__const", "__inline", "__signed__", "__inline__", "_Thread_local", "__thread", "__extension__"};
  if (is_one_of(word, tags, sizeof tags / sizeof *tags)) return ITEM_TAG;
  if (is_one_of(word, take_group, sizeof take_group / sizeof *take_group)) return ITEM_TAKES_GROUP;
  return is_one_of(word, others, sizeof others / sizeof *others) ? ITEM_KEYWORD : ITEM_WORD;
}

/*
 * Tests whether a text contains an attribute or specifier, with or without underscores, that forbids a probe in its function
 * (`untouchablePattern` of src/core/source/declarations/declarations.ts).
 */
static bool forbids_probes(struct text text) {
  static const char *const plain[] = {"constexpr", "consteval"};
  static const char *const attributes[] = {"naked", "always_inline", "no_instrument_function", "gnu_inline",
                                           "error", "device",        "global"};
  for (size_t at = 0; at < text.size; at++) {
    size_t from = at;
    while (at < text.size && is_word_byte((unsigned char)text.at[at])) at++;
    struct text word = {text.at + from, at - from};
    if (word.size < 5) continue;
    if (is_one_of(word, plain, 2)) return true;
    if (word.size > 4 && memcmp(word.at, "__", 2) == 0) word = (struct text){word.at + 2, word.size - 2};
    if (word.size > 2 && memcmp(word.at + word.size - 2, "__", 2) == 0) word.size -= 2;
    if (is_one_of(word, attributes, sizeof attributes / sizeof *attributes)) return true;
  }
  return false;
}

static void begin_declaration(struct search *s) {
  s->count = 0;
  s->tag = TAG_NONE;
  s->assigned = false;
  s->old_style = 0;
}

static bool add_item(struct search *s, enum item_kind kind, size_t start, size_t end) {
  struct item *items = one_more(s->items, s->count, &s->room, sizeof *items);
  if (items == NULL) return false;
  s->items = items;
  items[s->count++] = (struct item){kind, start, end};
  return true;
}

/* Returns the first name in a group: `(*f(int))`, `(f)`. With `with_list`, only a name that a parameter list follows counts. */
static struct text name_in_group(const struct search *s, const struct item *group, bool with_list) {
  struct scanner inside = {{s->scanner.text.at, group->end - 1}, group->start + 1};
  for (;;) {
    struct token token = next_token(&inside);
    if (token.kind == TOKEN_END || token.kind == TOKEN_UNUSUAL) return (struct text){0};
    if (token.kind != TOKEN_WORD) continue;
    enum item_kind kind = kind_of_word(token_text(&inside, token));
    struct scanner ahead = inside;
    bool group_follows = next_token(&ahead).symbol == '(';
    if (kind == ITEM_WORD) return group_follows || !with_list ? token_text(&inside, token) : (struct text){0};
    if (kind == ITEM_TAKES_GROUP && group_follows) {
      inside = ahead;
      if (!skip_group(&inside, '(', NULL)) return (struct text){0};
    }
  }
}

/*
 * Returns the name of the function that the item at `i` declares with its successors, such as `f(int)`, `(f)(int)`,
 * `(*f(int))(int)` or `(*f(int))[3]`; empty when it declares none.
 */
static struct text function_at(const struct search *s, size_t i) {
  const struct item *item = &s->items[i];
  enum item_kind before = i == 0 ? ITEM_OTHER : item[-1].kind;
  enum item_kind next = i + 1 < s->count ? item[1].kind : ITEM_OTHER;
  bool more = i + 2 < s->count && item[2].kind == ITEM_PARENTHESES;
  if (item->kind == ITEM_WORD && next == ITEM_PARENTHESES && !more)
    return (struct text){s->scanner.text.at + item->start, item->end - item->start};
  if (item->kind != ITEM_PARENTHESES || before == ITEM_TAKES_GROUP) return (struct text){0};
  if (next == ITEM_PARENTHESES) return name_in_group(s, item, false);
  return next == ITEM_BRACKETS && before != ITEM_WORD ? name_in_group(s, item, true) : (struct text){0};
}

/* Returns the index of the item that declares a function, or `count`. */
static size_t find_function(const struct search *s) {
  size_t i = 0;
  while (i < s->count && function_at(s, i).size == 0) i++;
  return i;
}

/* Tests whether the parameter list contains only names and declarations follow it. */
static bool looks_old_style(const struct search *s) {
  size_t function = find_function(s);
  if (function + 2 >= s->count) return false;
  enum item_kind following = s->items[function + 2].kind;
  if (following != ITEM_WORD && following != ITEM_KEYWORD && following != ITEM_TAG) return false;
  const struct item *list = &s->items[function + 1];
  struct scanner inside = {{s->scanner.text.at, list->end - 1}, list->start + 1};
  for (bool name_expected = true;; name_expected = !name_expected) {
    struct token token = next_token(&inside);
    if (token.kind == TOKEN_END) return !name_expected;
    bool fits = name_expected ? token.kind == TOKEN_WORD && kind_of_word(token_text(&inside, token)) == ITEM_WORD
                              : token.symbol == ',';
    if (!fits) return false;
  }
}

static bool forbid(struct search *s, struct text name) {
  struct text *names = one_more(s->forbidden, s->forbidden_count, &s->forbidden_room, sizeof *names);
  if (names == NULL) return false;
  s->forbidden = names;
  names[s->forbidden_count++] = name;
  return true;
}

/* Handles the semicolon at the end of a declaration. */
static bool end_declaration(struct search *s, size_t end) {
  size_t from = s->count == 0 ? end : s->items[0].start;
  if (forbids_probes((struct text){s->scanner.text.at + from, end - from})) {
    for (size_t i = 0; i < s->count; i++) {
      struct text name = function_at(s, i);
      if (name.size > 0 && !forbid(s, name)) return false;
    }
  }
  begin_declaration(s);
  return true;
}

static bool semicolon(struct search *s, struct token token) {
  if (s->old_style == 0 && (s->assigned || !looks_old_style(s))) return end_declaration(s, token.end);
  if (s->old_style == 0) s->old_style_from = s->scanner.at;
  if (++s->old_style <= most_old_style) return add_item(s, ITEM_SEMICOLON, token.start, token.end);
  s->scanner.at = s->old_style_from;
  begin_declaration(s);
  return true;
}

/* Reads the body of the function that `items[function]` declares, after its opening brace. */
static bool define(struct search *s, size_t function) {
  struct definitions *found = s->found;
  struct definition *list = one_more(found->at, found->count, &found->room, sizeof *list);
  if (list == NULL) return false;
  found->at = list;
  struct definition *made = &list[found->count++];
  *made = (struct definition){.start = s->items[0].start, .body = s->scanner.at, .name = function_at(s, function)};
  made->number = s->next_number++;
  struct counts counts = {0};
  if (!count_body(&s->scanner, &counts, 0)) {
    s->scanner.at = made->body;
    counts = (struct counts){.doubtful = true};
    if (!skip_group(&s->scanner, '{', NULL)) return false;
  }
  s->next_number += counts.nested;
  made->end = s->scanner.at;
  made->statements = counts.statements;
  made->loops = counts.loops;
  made->untouchable =
      counts.doubtful || forbids_probes((struct text){s->scanner.text.at + made->start, made->body - 1 - made->start});
  begin_declaration(s);
  return true;
}

static bool brace(struct search *s, struct token token) {
  enum item_kind before = s->count == 0 ? ITEM_OTHER : s->items[s->count - 1].kind;
  if (s->old_style > 0 && before != ITEM_SEMICOLON && s->tag == TAG_NONE) {
    /* The declarations were not those of K&R parameters. */
    s->scanner.at = s->old_style_from;
    begin_declaration(s);
    return true;
  }
  bool plain = !s->assigned && s->tag == TAG_NONE;
  size_t function = plain ? find_function(s) : s->count;
  /* Without a type before the name (C90), the text may be something other than a function. */
  if (function > 0 && function < s->count) return define(s, function);
  if (!skip_group(&s->scanner, '{', NULL)) return false;
  bool ends = plain && (before == ITEM_PARENTHESES || before == ITEM_SEMICOLON);
  if (ends) begin_declaration(s);
  s->tag = TAG_NONE;
  return ends || add_item(s, ITEM_OTHER, token.start, s->scanner.at);
}

/* Tracks whether a brace would open the body of a type: `struct __attribute__((x)) name {`, `enum name : type {`. */
static enum tag_state next_tag_state(const struct search *s, enum item_kind kind, char symbol) {
  if (kind == ITEM_TAG) return TAG_OPEN;
  bool attribute = kind == ITEM_TAKES_GROUP ||
                   (kind == ITEM_PARENTHESES && s->count > 0 && s->items[s->count - 1].kind == ITEM_TAKES_GROUP) || symbol == '[';
  if (s->tag == TAG_NONE || attribute) return s->tag;
  if (kind == ITEM_WORD && s->tag == TAG_OPEN) return TAG_NAMED;
  if (symbol == ':') return TAG_BASE;
  return s->tag == TAG_BASE && (kind == ITEM_WORD || kind == ITEM_KEYWORD) ? TAG_BASE : TAG_NONE;
}

static bool take(struct search *s, struct token token) {
  char symbol = token.symbol;
  if (token.kind == TOKEN_UNUSUAL || symbol == ')' || symbol == ']' || symbol == '}') return false;
  if (symbol == ';') return semicolon(s, token);
  if (symbol == '{') return brace(s, token);
  enum item_kind kind = token.kind == TOKEN_WORD ? kind_of_word(token_text(&s->scanner, token)) : ITEM_OTHER;
  size_t end = token.end;
  if (symbol == '(' || symbol == '[') {
    if (!skip_group(&s->scanner, symbol, NULL)) return false;
    end = s->scanner.at;
    kind = symbol == '(' ? ITEM_PARENTHESES : ITEM_BRACKETS;
  }
  s->tag = next_tag_state(s, kind, symbol);
  s->assigned |= symbol == '=';
  return add_item(s, kind, token.start, end);
}

static int by_name(const void *one, const void *other) {
  const struct text *a = one, *b = other;
  int order = memcmp(a->at, b->at, a->size < b->size ? a->size : b->size);
  return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

/* Gives probes to functions with a loop or with many statements, as src/core/source/analyse.ts does. */
static void decide(struct search *s) {
  if (s->forbidden_count > 0) qsort(s->forbidden, s->forbidden_count, sizeof *s->forbidden, by_name);
  for (size_t i = 0; i < s->found->count; i++) {
    struct definition *one = &s->found->at[i];
    if (s->forbidden_count > 0 && bsearch(&one->name, s->forbidden, s->forbidden_count, sizeof one->name, by_name) != NULL)
      one->untouchable = true;
    bool wanted = one->loops ? one->statements * 10 >= s->minimum_statements : one->statements >= s->minimum_statements * 2;
    one->probed = wanted && !one->untouchable;
    s->found->probes += one->probed;
  }
}

bool find_definitions(struct text text, unsigned long minimum_statements, struct definitions *found) {
  struct search search = {.scanner = {text, 0}, .minimum_statements = minimum_statements, .found = found};
  bool done = true;
  for (;;) {
    struct token token = next_token(&search.scanner);
    if (token.kind == TOKEN_END) break;
    done = take(&search, token);
    if (!done) break;
  }
  if (done) decide(&search);
  free(search.items);
  free(search.forbidden);
  return done;
}

void release_definitions(struct definitions *found) {
  free(found->at);
  *found = (struct definitions){0};
}
