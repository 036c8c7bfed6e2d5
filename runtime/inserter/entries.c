/*
 * Merges the NOPs at each patchable entry of an x86-64 object file into one instruction: gcc writes one NOP for each byte, and each
 * has a cost in every call. src/measurement/wrappers/entryNops.ts does the same. Files of an unexpected form stay unchanged.
 */
#include "inserter.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* An object file in memory; each access checks its offset against the size. */
struct object {
  unsigned char *at;
  size_t size;
  Elf64_Ehdr header;
};

static bool read_at(const struct object *o, uint64_t offset, void *into, size_t size) {
  if (offset > o->size || size > o->size - offset) return false;
  memcpy(into, o->at + offset, size);
  return true;
}

static bool read_section(const struct object *o, size_t index, Elf64_Shdr *section) {
  return index < o->header.e_shnum && read_at(o, o->header.e_shoff + index * sizeof *section, section, sizeof *section);
}

static bool is_named(const struct object *o, const Elf64_Shdr *section, const char *name) {
  Elf64_Shdr names;
  char found[64] = "";
  size_t size = strlen(name) + 1;
  return size <= sizeof found && read_section(o, o->header.e_shstrndx, &names) && read_at(o, names.sh_offset + section->sh_name, found, size) &&
         memcmp(found, name, size) == 0;
}

static bool are_nops(const unsigned char *code, size_t count) {
  while (count > 0 && code[count - 1] == 0x90) count--;
  return count == 0;
}

/* The NOPs at the entry follow those before the function, which preserve the layout, and a landing pad for indirect branches. */
static void merge(unsigned char *code, uint64_t size) {
  enum { before = 58 };
  static const unsigned char pad[] = {0xf3, 0x0f, 0x1e, 0xfa}, merged[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
  if (size >= before + sizeof pad + sizeof merged && are_nops(code, before)) {
    code += before;
    size -= before;
    if (memcmp(code, pad, sizeof pad) == 0) {
      code += sizeof pad;
      size -= sizeof pad;
    }
  }
  if (size >= sizeof merged && are_nops(code, sizeof merged)) memcpy(code, merged, sizeof merged);
}

/* Merges the NOPs to which a relocation record refers. */
static void merge_at(const struct object *o, const Elf64_Shdr *symbols, const Elf64_Rela *record) {
  Elf64_Sym symbol;
  Elf64_Shdr code;
  if (ELF64_R_TYPE(record->r_info) != R_X86_64_64 ||
      !read_at(o, symbols->sh_offset + ELF64_R_SYM(record->r_info) * sizeof symbol, &symbol, sizeof symbol) || symbol.st_shndx >= SHN_LORESERVE ||
      !read_section(o, symbol.st_shndx, &code) || (code.sh_flags & SHF_EXECINSTR) == 0 || code.sh_type != SHT_PROGBITS)
    return;
  uint64_t offset = symbol.st_value + (uint64_t)record->r_addend;
  if (code.sh_offset > o->size || code.sh_size > o->size - code.sh_offset || offset >= code.sh_size) return;
  merge(o->at + code.sh_offset + offset, code.sh_size - offset);
}

static void merge_all(const struct object *o) {
  for (size_t i = 0; i < o->header.e_shnum; i++) {
    Elf64_Shdr table, target, symbols;
    Elf64_Rela record;
    if (!read_section(o, i, &table) || table.sh_type != SHT_RELA || !read_section(o, table.sh_info, &target) ||
        !is_named(o, &target, "__patchable_function_entries") || !read_section(o, table.sh_link, &symbols))
      continue;
    for (uint64_t at = 0; at + sizeof record <= table.sh_size && read_at(o, table.sh_offset + at, &record, sizeof record); at += sizeof record)
      merge_at(o, &symbols, &record);
  }
}

void merge_entry_nops(const char *file) {
  struct stat facts;
  int open_file = open(file, O_RDWR | O_CLOEXEC);
  if (open_file < 0) return;
  if (fstat(open_file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
    struct object object = {.size = (size_t)facts.st_size};
    object.at = mmap(NULL, object.size, PROT_READ | PROT_WRITE, MAP_SHARED, open_file, 0);
    if (object.at != MAP_FAILED) {
      if (read_at(&object, 0, &object.header, sizeof object.header) && memcmp(object.header.e_ident, ELFMAG, SELFMAG) == 0 &&
          object.header.e_ident[EI_CLASS] == ELFCLASS64 && object.header.e_machine == EM_X86_64 && object.header.e_type == ET_REL)
        merge_all(&object);
      munmap(object.at, object.size);
    }
  }
  close(open_file);
}
