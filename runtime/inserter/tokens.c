/* Splits preprocessed C into tokens, with just enough detail to separate words, strings and brackets. */
#include "inserter.h"

#include <string.h>

/* Limit of nested brackets, deeper than in any program. */
enum { deepest = 1024 };

bool is_word_byte(unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         byte == '$' || byte >= 0x80;
}

static bool is_digit(unsigned char byte) { return byte >= '0' && byte <= '9'; }

static unsigned char byte_at(const struct scanner *s, size_t at) {
  return at < s->text.size ? (unsigned char)s->text.at[at] : 0;
}

/* Skips blanks, and the comments that `-C` preserves. Returns false for a comment without end. */
static bool skip_blanks(struct scanner *s) {
  for (;;) {
    unsigned char byte = byte_at(s, s->at);
    if (byte == ' ' || (byte >= '\t' && byte <= '\r')) {
      s->at++;
    } else if (byte == '/' && byte_at(s, s->at + 1) == '/') {
      const char *end = memchr(s->text.at + s->at, '\n', s->text.size - s->at);
      s->at = end == NULL ? s->text.size : (size_t)(end - s->text.at);
    } else if (byte == '/' && byte_at(s, s->at + 1) == '*') {
      const char *from = s->text.at + s->at + 2;
      const char *end = memmem(from, s->text.size - s->at - 2, "*/", 2);
      if (end == NULL) return false;
      s->at = (size_t)(end - s->text.at) + 2;
    } else {
      return true;
    }
  }
}

/* Skips a quoted text. Returns false when it is not closed on its line. */
static bool skip_quoted(struct scanner *s, char quote) {
  for (s->at++; s->at < s->text.size; s->at++) {
    char byte = s->text.at[s->at];
    if (byte == '\n') return false;
    if (byte == '\\') {
      s->at++;
    } else if (byte == quote) {
      s->at++;
      return true;
    }
  }
  return false;
}

/* Skips a preprocessing number (C11 6.4.8), with the digit separators of C23. */
static void skip_number(struct scanner *s) {
  for (;;) {
    unsigned char byte = byte_at(s, s->at);
    unsigned char before = s->at == 0 ? 0 : byte_at(s, s->at - 1);
    bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
    bool sign = (byte == '+' || byte == '-') && exponent;
    bool separator = byte == '\'' && is_digit(before) && is_word_byte(byte_at(s, s->at + 1));
    if (!(is_word_byte(byte) || byte == '.' || sign || separator)) return;
    s->at++;
  }
}

/* Skips letters, digits and universal character names. */
static void skip_word(struct scanner *s) {
  for (;;) {
    unsigned char byte = byte_at(s, s->at), following = byte_at(s, s->at + 1);
    if (byte == '\\' && (following == 'u' || following == 'U')) {
      s->at += 2;
    } else if (is_word_byte(byte)) {
      s->at++;
    } else {
      return;
    }
  }
}

/* Recognises the alternative spellings of brackets and of '#'. */
static bool is_digraph(unsigned char first, unsigned char second) {
  return (first == '<' && (second == '%' || second == ':')) || ((first == '%' || first == ':') && second == '>') ||
         (first == '%' && second == ':');
}

static enum token_kind read_symbol(struct scanner *s) {
  unsigned char byte = byte_at(s, s->at);
  if (byte == 0 || strchr("{}()[];,=*:?.<>+-!~&|^%/", byte) == NULL) return TOKEN_UNUSUAL;
  if (is_digraph(byte, byte_at(s, s->at + 1))) return TOKEN_UNUSUAL;
  s->at++;
  return TOKEN_SYMBOL;
}

struct token next_token(struct scanner *s) {
  struct token token = {TOKEN_UNUSUAL, 0, s->at, s->at};
  if (!skip_blanks(s)) return token;
  token.start = s->at;
  if (s->at >= s->text.size) {
    token.kind = TOKEN_END;
    token.end = s->at;
    return token;
  }
  unsigned char byte = byte_at(s, s->at), following = byte_at(s, s->at + 1);
  if (is_digit(byte) || (byte == '.' && is_digit(following))) {
    skip_number(s);
    token.kind = TOKEN_OTHER;
  } else if (is_word_byte(byte) || (byte == '\\' && (following == 'u' || following == 'U'))) {
    skip_word(s);
    token.kind = TOKEN_WORD;
  } else if (byte == '"' || byte == '\'') {
    if (skip_quoted(s, (char)byte)) token.kind = TOKEN_OTHER;
  } else {
    token.kind = read_symbol(s);
    if (token.kind == TOKEN_SYMBOL) token.symbol = (char)byte;
  }
  token.end = s->at;
  return token;
}

struct text token_text(const struct scanner *s, struct token token) {
  return (struct text){s->text.at + token.start, token.end - token.start};
}

bool is_loop_word(struct text word) { return is(word, "for") || is(word, "while") || is(word, "do"); }

bool skip_group(struct scanner *s, char open, struct group_facts *facts) {
  char expected[deepest];
  size_t depth = 0;
  for (char opened = open;;) {
    if (opened != 0) {
      if (depth == deepest) return false;
      expected[depth++] = opened == '(' ? ')' : opened == '[' ? ']' : '}';
    }
    struct token token = next_token(s);
    if (token.kind == TOKEN_END || token.kind == TOKEN_UNUSUAL) return false;
    opened = token.symbol == '(' || token.symbol == '[' || token.symbol == '{' ? token.symbol : 0;
    if (token.symbol == ')' || token.symbol == ']' || token.symbol == '}') {
      if (expected[--depth] != token.symbol) return false;
      if (depth == 0) return true;
    }
    if (token.kind == TOKEN_WORD && facts != NULL && is_loop_word(token_text(s, token))) facts->loops = true;
  }
}
