/*
 * Counts the statements in a function's body by the rules of MetaCG's statement collector, so that selections agree with those of
 * PGIS. src/core/source/syntax/statements.ts counts in the same way: a block is the sum of its statements, a null statement 0, `if`
 * 1 + its branches, a loop 1 + its body, `switch` 2 + its body, `case` its statement, the first statement after `default` 0, and
 * every other statement, including labels, 1.
 */
#include "inserter.h"

#include <string.h>

/* Limits of nested statements and of nested functions; deeper ones go the general way. */
enum { deepest = 200, deepest_function = 8 };

struct walk {
  struct scanner *scanner;
  struct token now;
  struct counts *counts;
  unsigned function_depth;
};

static bool statement(struct walk *w, unsigned long *sum, unsigned depth);

static void advance(struct walk *w) { w->now = next_token(w->scanner); }

static bool is_now(const struct walk *w, const char *word) {
  return w->now.kind == TOKEN_WORD && is(token_text(w->scanner, w->now), word);
}

/* Skips the group whose opening bracket is the next token. */
static bool pass_group(struct walk *w, char open) {
  struct group_facts facts = {0};
  if (w->now.symbol != open || !skip_group(w->scanner, open, &facts)) return false;
  w->counts->loops |= facts.loops;
  advance(w);
  return true;
}

/* Words after which a parenthesis is not the parameter list of a function. */
static bool is_operator_word(struct text word) {
  static const char *const words[] = {"return",        "sizeof",        "_Alignof",   "alignof",       "typeof",
                                      "__typeof__",    "__typeof",      "__alignof__", "__attribute__", "__attribute",
                                      "__extension__", "_Generic",      "goto",       "__asm__",       "asm"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (is(word, words[i])) return true;
  }
  return false;
}

/* Skips a nested function (GNU C), which counts as one statement whatever its body; its brace is the next token. */
static bool pass_function(struct walk *w) {
  struct counts inner = {0};
  if (w->function_depth >= deepest_function || !count_body(w->scanner, &inner, w->function_depth + 1)) return false;
  w->counts->nested += 1 + inner.nested;
  advance(w);
  return true;
}

/* Skips an expression, declaration or jump up to its semicolon. The body of a nested function ends it, too. */
static bool pass_simple(struct walk *w) {
  bool assigned = false, word_before = false, call_before = false;
  for (;;) {
    char symbol = w->now.symbol;
    if (w->now.kind == TOKEN_END || w->now.kind == TOKEN_UNUSUAL || symbol == ')' || symbol == ']') return false;
    if (symbol == '}') return true;
    if (symbol == ';') {
      advance(w);
      return true;
    }
    if (symbol == '(' || symbol == '[' || symbol == '{') {
      if (symbol == '{' && call_before && !assigned) return pass_function(w);
      call_before = symbol == '(' && word_before;
      word_before = false;
      if (!pass_group(w, symbol)) return false;
      continue;
    }
    call_before = false;
    word_before = w->now.kind == TOKEN_WORD && !is_operator_word(token_text(w->scanner, w->now));
    assigned |= symbol == '=';
    advance(w);
  }
}

/* Skips `case` or `default` up to its colon. */
static bool pass_label(struct walk *w) {
  size_t conditions = 0;
  for (advance(w);;) {
    char symbol = w->now.symbol;
    if (w->now.kind == TOKEN_END || w->now.kind == TOKEN_UNUSUAL || symbol == ';' || symbol == '}') return false;
    if (symbol == ':' && conditions == 0) break;
    if (symbol == '(' || symbol == '[' || symbol == '{') {
      if (!pass_group(w, symbol)) return false;
      continue;
    }
    if (symbol == '?') conditions++;
    if (symbol == ':') conditions--;
    advance(w);
  }
  advance(w);
  return true;
}

/* Counts the statements of a block. Afterwards the closing brace is the last token read. */
static bool block(struct walk *w, unsigned long *sum, unsigned depth) {
  unsigned long lost = 0;
  bool swallowing = false;
  while (w->now.symbol != '}') {
    if (w->now.kind == TOKEN_END || w->now.kind == TOKEN_UNUSUAL) return false;
    bool otherwise = is_now(w, "default");
    if (otherwise || is_now(w, "case")) {
      if (!pass_label(w)) return false;
      swallowing |= otherwise;
      continue;
    }
    if (!statement(w, swallowing ? &lost : sum, depth)) return false;
    swallowing = false;
  }
  return true;
}

static bool is_label(struct walk *w) {
  if (w->now.kind != TOKEN_WORD) return false;
  struct scanner ahead = *w->scanner;
  return next_token(&ahead).symbol == ':';
}

enum head { HEAD_FAILED, HEAD_GOES_ON, HEAD_DONE };

static enum head goes_on_if(bool passed) { return passed ? HEAD_GOES_ON : HEAD_FAILED; }

static enum head done_if(bool passed) { return passed ? HEAD_DONE : HEAD_FAILED; }

/* Counts `if (…) statement`, and skips `else`, whose statement the caller reads (HEAD_GOES_ON). */
static enum head pass_if(struct walk *w, unsigned long *sum, unsigned depth) {
  advance(w);
  if (!pass_group(w, '(') || !statement(w, sum, depth)) return HEAD_FAILED;
  if (!is_now(w, "else")) return HEAD_DONE;
  advance(w);
  return HEAD_GOES_ON;
}

static bool pass_do(struct walk *w, unsigned long *sum, unsigned depth) {
  advance(w);
  if (!statement(w, sum, depth) || !is_now(w, "while")) return false;
  advance(w);
  return pass_group(w, '(') && pass_simple(w);
}

/* Counts a statement that begins with a word. HEAD_GOES_ON: another statement belongs to it, which the caller counts in `*sum`. */
static enum head pass_keyword(struct walk *w, unsigned long **sum, unsigned long *lost, unsigned depth) {
  struct text word = token_text(w->scanner, w->now);
  if (is(word, "if")) {
    ++**sum;
    return pass_if(w, *sum, depth);
  }
  if (is(word, "for") || is(word, "while") || is(word, "switch")) {
    bool loop = !is(word, "switch");
    w->counts->loops |= loop;
    **sum += loop ? 1 : 2;
    advance(w);
    return goes_on_if(pass_group(w, '('));
  }
  if (is(word, "do")) {
    w->counts->loops = true;
    ++**sum;
    return done_if(pass_do(w, *sum, depth));
  }
  bool otherwise = is(word, "default");
  if (otherwise || is(word, "case")) {
    if (otherwise) *sum = lost;
    return goes_on_if(pass_label(w));
  }
  ++**sum;
  if (!is_label(w)) return done_if(pass_simple(w));
  advance(w);
  advance(w);
  *sum = lost;
  return HEAD_GOES_ON;
}

/*
 * Counts one statement and reads the token behind it. A loop, and not a recursive call, reads the last part of a statement, because
 * chains of `else if` can be long.
 */
static bool statement(struct walk *w, unsigned long *sum, unsigned depth) {
  unsigned long lost = 0;
  if (depth >= deepest) return false;
  for (;;) {
    enum head head = HEAD_DONE;
    if (w->now.symbol == '}') return true;
    if (w->now.symbol == ';') {
      advance(w);
    } else if (w->now.symbol == '{') {
      advance(w);
      if (!block(w, sum, depth + 1)) return false;
      advance(w);
    } else if (w->now.kind == TOKEN_WORD) {
      head = pass_keyword(w, &sum, &lost, depth + 1);
    } else {
      ++*sum;
      head = done_if(pass_simple(w));
    }
    if (head != HEAD_GOES_ON) return head == HEAD_DONE;
  }
}

bool count_body(struct scanner *scanner, struct counts *counts, unsigned depth) {
  struct walk walk = {.scanner = scanner, .counts = counts, .function_depth = depth};
  advance(&walk);
  if (is_now(&walk, "__label__")) counts->doubtful = true;
  return block(&walk, &counts->statements, 0);
}
