import { elf, type ElfFile, type Section } from './elfFile';
import { symbolValues, type SymbolValue } from './symbolTable';

/** Effect of a relocation, for the kinds that occur in data (AMD64 ABI §4.4, AArch64 ELF §5.7). */
type Action =
  | { readonly kind: 'absolute'; readonly size: 4 | 8 }
  | { readonly kind: 'place'; readonly size: 4 | 8 }
  | { readonly kind: 'relative' };

const actions: Readonly<Record<ElfFile['machine'], Readonly<Record<number, Action | undefined>>>> = {
  'x86-64': {
    1: { kind: 'absolute', size: 8 },
    2: { kind: 'place', size: 4 },
    8: { kind: 'relative' },
    10: { kind: 'absolute', size: 4 },
    11: { kind: 'absolute', size: 4 },
    24: { kind: 'place', size: 8 },
  },
  aarch64: {
    257: { kind: 'absolute', size: 8 },
    258: { kind: 'absolute', size: 4 },
    260: { kind: 'place', size: 8 },
    261: { kind: 'place', size: 4 },
    1027: { kind: 'relative' },
  },
};

const relaBytes = 24;

/** Applies the relocations of a relocatable file to a section; its bytes are then those that a linker would write. */
export function applyRelocations(file: ElfFile, section: Section): void {
  if (file.type !== 'relocatable') return;
  const tables = file.sections.filter((s) => s.type === elf.section.rela && s.info === section.index);
  if (tables.length === 0) return;
  const bytes = Uint8Array.from(file.data(section));
  const view = new DataView(bytes.buffer);
  for (const table of tables) {
    const symbols = linkedSymbols(file, table);
    for (const { offset, type, symbol, addend } of relocations(file, table)) {
      const action = actions[file.machine][type];
      if (action === undefined || action.kind === 'relative' || offset + action.size > bytes.length) continue;
      const place = action.kind === 'place' ? section.address + offset : 0;
      const value = (symbols[symbol]?.address ?? 0) + addend - place;
      if (action.size === 4) view.setUint32(offset, value >>> 0, true);
      else view.setBigUint64(offset, BigInt.asUintN(64, BigInt(Math.trunc(value))), true);
    }
  }
  file.replace(section, bytes);
}

/**
 * Values by address of the places in a section to which the dynamic linker will add the load address. Most linkers leave
 * the bytes of a position-independent file at these places zero.
 */
export function relativeValues(file: ElfFile, section: Section): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  if (file.type === 'relocatable') return values;
  for (const table of file.sections) {
    if (table.type !== elf.section.rela || (table.flags & elf.flag.alloc) === 0) continue;
    const symbols = linkedSymbols(file, table);
    for (const { offset, type, symbol, addend } of relocations(file, table)) {
      if (offset < section.address || offset >= section.address + section.size) continue;
      const action = actions[file.machine][type];
      if (action?.kind === 'relative') values.set(offset, addend);
      else if (action?.kind === 'absolute') values.set(offset, (symbols[symbol]?.address ?? 0) + addend);
    }
  }
  return values; // RELR stores the addend in the section itself.
}

interface Relocation {
  readonly offset: number;
  readonly type: number;
  readonly symbol: number;
  readonly addend: number;
}

function* relocations(file: ElfFile, table: Section): Generator<Relocation> {
  const cursor = file.cursor(table);
  while (cursor.remaining >= relaBytes) {
    const offset = cursor.u64();
    const type = cursor.u32();
    const symbol = cursor.u32();
    yield { offset, type, symbol, addend: cursor.i64() };
  }
}

function linkedSymbols(file: ElfFile, table: Section): readonly SymbolValue[] {
  const symbols = file.sections[table.link];
  const isTable =
    symbols !== undefined &&
    (symbols.type === elf.section.symbols || symbols.type === elf.section.dynamicSymbols);
  return isTable ? symbolValues(file, symbols) : [];
}
