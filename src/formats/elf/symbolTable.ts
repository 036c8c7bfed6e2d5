import { elf, stringAt, type ElfFile, type Section } from './elfFile';

export interface ElfSymbol {
  readonly name: string;
  /** Linked address. */
  readonly address: number;
  /** Size in bytes; 0 when the table does not give it. */
  readonly size: number;
  readonly binding: 'local' | 'global' | 'weak';
}

/** Address and section of a symbol, for relocations. */
export interface SymbolValue {
  readonly address: number;
  readonly section: number;
}

/** The functions defined in the file, in the order of the table: of `.symtab`, or of `.dynsym` in a stripped file. */
export function functionSymbols(file: ElfFile): {
  readonly symbols: readonly ElfSymbol[];
  readonly table: 'symtab' | 'dynsym' | 'none';
} {
  const full = file.sections.find((s) => s.type === elf.section.symbols);
  const dynamic = file.sections.find((s) => s.type === elf.section.dynamicSymbols);
  const table = full ?? dynamic;
  if (table === undefined) return { symbols: [], table: 'none' };
  return { symbols: readFunctions(file, table), table: full === undefined ? 'dynsym' : 'symtab' };
}

const symbolBytes = 24;
const functionTypes: ReadonlySet<number> = new Set([2, 10]); // STT_FUNC, STT_GNU_IFUNC

function readFunctions(file: ElfFile, table: Section): readonly ElfSymbol[] {
  const strings = linkedStrings(file, table);
  const cursor = file.cursor(table);
  const symbols: ElfSymbol[] = [];
  while (cursor.remaining >= symbolBytes) {
    const nameOffset = cursor.u32();
    const info = cursor.u8();
    cursor.skip(1);
    const section = cursor.u16();
    const value = cursor.u64();
    const size = cursor.u64();
    if (section === 0 || !functionTypes.has(info & 0xf)) continue;
    const name = stringAt(strings, nameOffset);
    if (name === '') continue;
    const binding = info >> 4 === 0 ? 'local' : info >> 4 === 2 ? 'weak' : 'global';
    symbols.push({ name, address: value + base(file, section), size, binding });
  }
  return symbols;
}

/** Names that the dynamic linker must find in other files, without weak ones, which may stay undefined. */
export function importedNames(file: ElfFile): readonly string[] {
  const table = file.sections.find((s) => s.type === elf.section.dynamicSymbols);
  if (table === undefined) return [];
  const strings = linkedStrings(file, table);
  const cursor = file.cursor(table);
  const names: string[] = [];
  while (cursor.remaining >= symbolBytes) {
    const name = cursor.u32();
    const binding = cursor.u8() >> 4;
    cursor.skip(1);
    const section = cursor.u16();
    cursor.skip(16);
    if (section === 0 && binding === 1 && name !== 0) names.push(stringAt(strings, name));
  }
  return names;
}

/** Values of all symbols of a table, by symbol number. */
export function symbolValues(file: ElfFile, table: Section): readonly SymbolValue[] {
  const cursor = file.cursor(table);
  const values: SymbolValue[] = [];
  while (cursor.remaining >= symbolBytes) {
    cursor.skip(6);
    const section = cursor.u16();
    values.push({ address: cursor.u64() + base(file, section), section });
    cursor.skip(8);
  }
  return values;
}

function linkedStrings(file: ElfFile, table: Section): Uint8Array {
  const strings = file.sections[table.link];
  return strings?.type === elf.section.strings ? file.data(strings) : new Uint8Array(0);
}

/** In a relocatable file, symbol values are relative to their section. */
function base(file: ElfFile, section: number): number {
  return file.type === 'relocatable' ? (file.sections[section]?.address ?? 0) : 0;
}
