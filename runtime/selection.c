// Reads the selection file (docs/formats.md). The file is not trusted: every line is checked, and patch.c checks every site.
#include "session.h"
#include "control/control.h"
#include "libc.h"

struct reader {
  const char *at, *end;
  uint64_t line;
  const struct kymo_image *image;
  struct kymo_items *items;
  bool mine; // The current lines belong to the image.
  bool ended;
};

static bool refuse(const struct reader *r, const char *why) {
  char number[24];
  char text[64];
  strcpy(text, ": line ");
  strcat(text, kymo_decimal(r->line, number));
  strcat(text, ": ");
  kymo_say("nothing is measured: selection ", kymo_session.selection, text, why);
  return false;
}

static bool word(struct reader *r, const char *expected) {
  size_t length = strlen(expected);
  if ((size_t)(r->end - r->at) <= length || memcmp(r->at, expected, length)) return false;
  if (r->at[length] != ' ' && r->at[length] != '\n') return false;
  r->at += length + (r->at[length] == ' ');
  return true;
}

static bool number(struct reader *r, unsigned radix, uint64_t limit, uint64_t *out) {
  const char *start = r->at;
  uint64_t value = 0;
  for (; r->at < r->end; ++r->at) {
    unsigned digit = *r->at >= '0' && *r->at <= '9' ? (unsigned)(*r->at - '0') : *r->at >= 'a' && *r->at <= 'f' ? (unsigned)(*r->at - 'a' + 10) : 99;
    if (digit >= radix) break;
    if (value > (limit - digit) / radix) return false;
    value = value * radix + digit;
  }
  *out = value;
  return r->at > start;
}

static bool end_of_line(struct reader *r) {
  if (r->at >= r->end || *r->at != '\n') return false;
  ++r->at;
  return true;
}

static bool skip_line(struct reader *r) {
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  if (!newline) return false;
  r->at = newline + 1;
  return true;
}

static bool object_line(struct reader *r) {
  const char *id = r->at;
  while (r->at < r->end && *r->at != ' ' && *r->at != '\n') ++r->at;
  size_t id_length = (size_t)(r->at - id);
  const char *name = r->at < r->end && *r->at == ' ' ? r->at + 1 : r->at;
  if (!skip_line(r)) return false;
  size_t name_length = (size_t)(r->at - 1 - name);
  r->mine = id_length && strlen(r->image->build_id) == id_length && !memcmp(id, r->image->build_id, id_length);
  r->items->object_listed |= r->mine;
  const char *slash = name_length ? memrchr(name, '/', name_length) : 0;
  if (slash) name_length -= (size_t)(slash + 1 - name), name = slash + 1;
  r->items->other_build |= !r->mine && name_length == strlen(r->image->name) && !memcmp(name, r->image->name, name_length);
  return true;
}

static uint64_t *idle; // one bit per slot

bool kymo_is_idle(uint32_t slot) { return idle && idle[slot / 64] >> slot % 64 & 1; }

static size_t idle_bytes(void) { return ((size_t)kymo_session.slots / 64 + 1) * sizeof *idle; }

// Slots whose sites are off at first. These lines follow the phases and the samples; only the first reading of the selection sets them.
static bool idle_lines(struct reader *r, bool first) {
  for (; word(r, "idle"); ++r->line) {
    uint64_t slot;
    if (!number(r, 10, UINT32_MAX, &slot) || slot >= kymo_session.slots || !end_of_line(r)) return refuse(r, "expected a slot below the number of slots");
    if (!first) continue;
    if (!idle) idle = kymo_map(idle_bytes());
    if (!idle) return refuse(r, "out of memory");
    idle[slot / 64] |= 1ull << slot % 64;
  }
  return true;
}

static bool item_line(struct reader *r, enum kymo_site_kind kind) {
  uint64_t slot, offset;
  if (!number(r, 10, UINT32_MAX, &slot) || slot >= kymo_session.slots || r->at >= r->end || *r->at != ' ') return refuse(r, "expected a slot below the number of slots");
  ++r->at;
  if (!number(r, 16, UINT64_MAX, &offset) || !end_of_line(r)) return refuse(r, "expected an offset in hexadecimal digits");
  if (!r->mine) return true;
  if (kymo_control.no_switching && kymo_is_idle((uint32_t)slot)) return true;
  if (r->items->at) r->items->at[r->items->count] = (struct kymo_item){(uintptr_t)offset, (uint32_t)slot, kind};
  ++r->items->count;
  return true;
}

// All `sample` lines precede the first object. Only the first reading of the selection sets them, because threads have tables with one
// sampler for each.
static bool sample_lines(struct reader *r) {
  uint32_t count = KYMO_CALIBRATION_SAMPLE + 1;
  kymo.samples[KYMO_CALIBRATION_SAMPLE] = (struct kymo_sample){0, KYMO_CALIBRATION_SHIFT};
  for (; word(r, "sample"); ++r->line) {
    uint64_t slot, interval;
    if (!number(r, 10, UINT32_MAX, &slot) || slot >= kymo_session.slots || r->at >= r->end || *r->at != ' ') return refuse(r, "expected a slot below the number of slots");
    ++r->at;
    if (!number(r, 10, 1u << KYMO_MOST_SHIFT, &interval) || !end_of_line(r) || (interval & (interval - 1)) || !interval)
      return refuse(r, "expected a power of two from 1 to 65536");
    if (count == KYMO_SAMPLES) return refuse(r, "more than 1024 slots are sampled");
    if (!kymo_session.samples_known) kymo.samples[count] = (struct kymo_sample){(uint32_t)slot, (uint32_t)__builtin_ctzll(interval)};
    kymo_session.all_sampled |= interval == 1;
    ++count;
  }
  if (!kymo_session.samples_known) kymo.sample_count = count;
  kymo_session.samples_known = true;
  return true;
}

// Reads the slots whose visits are the iterations. They precede the samples, and only the first reading sets them, too.
static bool phase_lines(struct reader *r) {
  uint32_t count = 0;
  for (r->line = 4; word(r, "phase"); ++r->line) {
    uint64_t slot;
    if (!number(r, 10, UINT32_MAX, &slot) || slot >= kymo_session.slots || !end_of_line(r)) return refuse(r, "expected a slot below the number of slots");
    if (count == KYMO_PHASES) return refuse(r, "more than 64 slots are phases");
    if (!kymo_session.samples_known) kymo.phases[count] = (uint32_t)slot;
    ++count;
  }
  if (!kymo_session.samples_known) kymo.phase_count = count;
  return true;
}

static bool header(struct reader *r) {
  uint64_t slots;
  r->line = 1;
  if (!word(r, "kymo-selection") || (!word(r, "1") && !word(r, "2") && !word(r, "3") && !word(r, "4")))
    return refuse(r, "not a selection of version 1, 2, 3 or 4");
  if (!skip_line(r)) r->at = r->end;
  r->line = 2;
  if (!word(r, "id") || !number(r, 16, UINT64_MAX, &kymo_session.selection_id) || !end_of_line(r)) return refuse(r, "expected id and 16 hexadecimal digits");
  r->line = 3;
  if (!word(r, "slots") || !number(r, 10, KYMO_FLAT - KYMO_USER_REGIONS, &slots) || !end_of_line(r)) return refuse(r, "expected slots and their number");
  kymo_session.slots = (uint32_t)slots;
  bool first = !kymo_session.samples_known;
  return phase_lines(r) && sample_lines(r) && idle_lines(r, first);
}

static bool pass(struct reader *r) {
  r->mine = false;
  r->items->count = 0;
  if (!header(r)) return false;
  for (; r->at < r->end; ++r->line) {
    bool good;
    if (word(r, "entry")) good = item_line(r, KYMO_ENTRY);
    else if (word(r, "in")) good = item_line(r, KYMO_IN);
    else if (word(r, "out")) good = item_line(r, KYMO_OUT);
    else if (word(r, "object")) good = object_line(r) || refuse(r, "expected object, build id and name");
    else if (r->end - r->at >= 4 && !memcmp(r->at, "end\n", 4)) return true;
    else if (r->end - r->at == 3 && !memcmp(r->at, "end", 3)) return true;
    else return refuse(r, "not understood");
    if (!good) return false;
  }
  return refuse(r, "the file is cut off (no end)");
}

static bool read_all(char **text, size_t *size) {
  struct stat status;
  int file = open(kymo_session.selection, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  *text = 0;
  *size = 0;
  if (!fstat(file, &status) && S_ISREG(status.st_mode) && (*text = kymo_map((size_t)status.st_size + 1))) {
    *size = (size_t)status.st_size + 1;
    size_t used = 0;
    for (ssize_t got; used < (size_t)status.st_size && (got = read(file, *text + used, (size_t)status.st_size - used)) > 0;) used += (size_t)got;
    (*text)[used] = 0;
  }
  close(file);
  return *text != 0;
}

bool kymo_read_selection(const struct kymo_image *image, struct kymo_items *items) {
  char *text;
  size_t size;
  memset(items, 0, sizeof *items);
  if (!read_all(&text, &size)) {
    kymo_say("nothing is measured: cannot read the selection ", kymo_session.selection, 0, 0);
    return false;
  }
  struct reader r = {.at = text, .end = text + strlen(text), .image = image, .items = items};
  bool good = pass(&r);
  if (good && items->count) {
    items->bytes = items->count * sizeof *items->at;
    items->at = kymo_map(items->bytes);
    if (!items->at) kymo_say("nothing is measured: out of memory", 0, 0, 0);
    r.at = text;
    good = items->at && pass(&r);
  }
  kymo_unmap(text, size);
  return good;
}
