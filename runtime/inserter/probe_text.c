/*
 * The text of probes: sleds (space for a patched call, with a record of its address; docs/formats.md) in declarations that are
 * valid in every C standard since C90. src/core/probes/probeText.ts makes the same text.
 */
#include "inserter.h"

#define PREFIX "kymo_probe_"
#define HEAD "static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) "
#define LINE "\\n\\t"

static void append_tag(struct bytes *out, const char *hash, size_t number) {
  append_text(out, hash);
  append_text(out, "_");
  append_number(out, number);
}

/* `kind` is 0 at the entry and 1 at the exit. */
static void append_sled(struct bytes *out, const char *hash, size_t number, unsigned kind, struct style style) {
  append_text(out, "__asm__ __volatile__ ");
  if (style.asm_inline) append_text(out, "__inline__ ");
  append_text(out, "(\".Lkymo%=: ");
  append_text(out, style.aarch64 ? ".rept 5\\n\\tnop\\n\\t.endr" : ".byte 0x0f,0x1f,0x44,0x00,0x00");
  append_text(out, LINE ".pushsection kymo_sleds,\\\"ao\\\",@progbits,.Lkymo%=" LINE ".long .Lkymo%= - ." LINE ".long ");
  append_number(out, number * 2 + kind);
  append_text(out, LINE ".quad 0x");
  append_text(out, hash);
  append_text(out, LINE ".popsection\" : : );");
}

void append_helper(struct bytes *out, const char *hash, size_t number, struct style style) {
  append_text(out, HEAD "char " PREFIX "in_");
  append_tag(out, hash, number);
  append_text(out, "(void) { ");
  append_sled(out, hash, number, 0, style);
  append_text(out, " return 0; }\n" HEAD "void " PREFIX "out_");
  append_tag(out, hash, number);
  append_text(out, "(const char *" PREFIX "p) { (void)" PREFIX "p; ");
  append_sled(out, hash, number, 1, style);
  append_text(out, " }");
}

void append_without_entry(struct bytes *out) { append_text(out, "\n__attribute__((__patchable_function_entry__(0)))"); }

void append_guard(struct bytes *out, const char *hash, size_t number) {
  append_text(out, "const char " PREFIX);
  append_tag(out, hash, number);
  append_text(out, " __attribute__((__unused__, __cleanup__(" PREFIX "out_");
  append_tag(out, hash, number);
  append_text(out, "))) = " PREFIX "in_");
  append_tag(out, hash, number);
  append_text(out, "();");
}

void append_unit_record(struct bytes *out, const char *hash) {
  append_text(out, "__asm__(\".pushsection .kymo.units,\\\"\\\",@progbits\\n\\t.quad 0x");
  append_text(out, hash);
  append_text(out, "\\n\\t.popsection\");");
}
