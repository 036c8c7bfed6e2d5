import type { Cursor } from '../cursor';
import { readAbbreviations, type Abbreviation, type Abbreviations } from './abbreviations';
import type { DebugSections } from './debugSections';
import { readValue, skipValue, type Encoding } from './forms';
import { attribute, form } from './names';

/** One entry with the attributes that the reader stores, as `name, form, value` triples. */
export class Entry {
  constructor(
    readonly tag: number,
    private readonly triples: readonly number[],
  ) {}

  value(name: number): number | undefined {
    const index = this.find(name);
    return index < 0 ? undefined : this.triples[index + 2];
  }

  form(name: number): number {
    const index = this.find(name);
    return index < 0 ? 0 : (this.triples[index + 1] ?? 0);
  }

  has(name: number): boolean {
    return this.find(name) >= 0;
  }

  private find(name: number): number {
    for (let i = 0; i < this.triples.length; i += 3) if (this.triples[i] === name) return i;
    return -1;
  }
}

/** One unit of `.debug_info`. */
export class CompilationUnit {
  /** The unit's own entry, which has bases and names. */
  readonly root: Entry;

  constructor(
    private readonly sections: DebugSections,
    private readonly info: Cursor,
    /** Offsets of the header and after the last entry. */
    readonly begin: number,
    readonly end: number,
    readonly firstEntry: number,
    readonly encoding: Encoding,
    /** False for type units, which have no code. */
    readonly hasCode: boolean,
    readonly abbreviations: Abbreviations,
  ) {
    const cursor = info.at(firstEntry, end);
    const first = this.abbreviation(cursor);
    this.root = first === undefined ? new Entry(0, []) : this.readEntry(cursor, first);
  }

  /** Whether the code is described in a `.dwo` file, which this reader does not open. */
  get isSplit(): boolean {
    return this.root.has(attribute.dwoName) || this.root.has(attribute.gnuDwoName);
  }

  get lineTable(): number | undefined {
    return this.root.value(attribute.stmtList);
  }

  get directory(): string | undefined {
    return this.string(this.root, attribute.compDir);
  }

  cursor(offset = this.firstEntry): Cursor {
    if (offset < this.firstEntry || offset >= this.end) {
      this.info.fail('a reference leads out of its unit', offset);
    }
    return this.info.at(offset, this.end);
  }

  /** The abbreviation of the entry at the cursor; undefined at the end mark of a list of children. */
  abbreviation(cursor: Cursor): Abbreviation | undefined {
    const place = cursor.offset;
    const code = cursor.uleb();
    if (code === 0) return undefined;
    return this.abbreviations.get(code) ?? cursor.fail(`abbreviation ${code} is not defined`, place);
  }

  readEntry(cursor: Cursor, abbreviation: Abbreviation): Entry {
    const triples: number[] = [];
    for (const { name, form: code, size, constant, wanted } of abbreviation.attributes) {
      if (!wanted) {
        skipValue(cursor, size, this.encoding);
        continue;
      }
      const read =
        code === form.implicitConst
          ? { form: code, value: constant }
          : readValue(cursor, code, size, this.encoding);
      if (read !== undefined) triples.push(name, read.form, read.value);
    }
    return new Entry(abbreviation.tag, triples);
  }

  skipEntry(cursor: Cursor, abbreviation: Abbreviation): void {
    if (abbreviation.fixedSize >= 0) cursor.skip(abbreviation.fixedSize);
    else for (const { size } of abbreviation.attributes) skipValue(cursor, size, this.encoding);
  }

  string(entry: Entry, name: number): string | undefined {
    const value = entry.value(name);
    if (value === undefined) return undefined;
    const code = entry.form(name);
    const isIndex =
      code === form.strx || code === form.gnuStrIndex || (code >= form.strx1 && code <= form.strx4);
    if (!isIndex) return this.sections.directString(code, value, this.info);
    const { offsetSize } = this.encoding;
    const offsets = this.sections.get('.debug_str_offsets');
    if (offsets === undefined) return undefined;
    const base = this.root.value(attribute.strOffsetsBase) ?? 0;
    return this.sections.string('.debug_str', offsets.at(base + value * offsetSize).unsigned(offsetSize));
  }

  /** Value of an address attribute, given directly or as an index of `.debug_addr`. */
  address(entry: Entry, name: number): number | undefined {
    const value = entry.value(name);
    if (value === undefined) return undefined;
    const code = entry.form(name);
    if (code === form.addr) return value;
    const isIndex =
      code === form.addrx || code === form.gnuAddrIndex || (code >= form.addrx1 && code <= form.addrx4);
    return isIndex ? this.indexedAddress(value) : undefined;
  }

  indexedAddress(index: number): number | undefined {
    const table = this.sections.get('.debug_addr');
    const { addressSize } = this.encoding;
    return table?.at((this.root.value(attribute.addrBase) ?? 0) + index * addressSize).unsigned(addressSize);
  }

  /** Offset in `.debug_info` of the entry that an attribute refers to; undefined for an entry of another file. */
  reference(entry: Entry, name: number): number | undefined {
    const value = entry.value(name);
    if (value === undefined) return undefined;
    const code = entry.form(name);
    if (code === form.refAddr) return value;
    return code >= form.ref1 && code <= form.refUdata ? this.begin + value : undefined;
  }
}

const unitTypes = { type: 2, skeleton: 4, splitCompile: 5, splitType: 6 } as const;

/** The units of the file in order. Throws `invalid-dwarf` for damaged headers. */
export function* readUnits(sections: DebugSections): Generator<CompilationUnit> {
  const info = sections.get('.debug_info');
  const abbreviationBytes = sections.get('.debug_abbrev');
  if (info === undefined || abbreviationBytes === undefined) return;
  const tables = new Map<string, Abbreviations>();
  let begin = 0;
  while (begin < info.bytes.length) {
    const header = info.at(begin);
    let length = header.u32();
    const offsetSize = length === 0xffffffff ? 8 : 4;
    if (offsetSize === 8) length = header.u64();
    const end = header.offset + length;
    if (end > info.bytes.length) info.fail(`a unit claims ${length} bytes: cut off or damaged`, begin);
    const { encoding, unitType, abbreviationOffset } = readEncoding(header, offsetSize);
    const key = `${abbreviationOffset} ${offsetSize} ${encoding.addressSize} ${encoding.version}`;
    const table = tables.get(key) ?? readAbbreviations(abbreviationBytes.at(abbreviationOffset), encoding);
    tables.set(key, table);
    const hasCode = unitType !== unitTypes.type && unitType !== unitTypes.splitType;
    if (header.offset < end) {
      yield new CompilationUnit(sections, info, begin, end, header.offset, encoding, hasCode, table);
    }
    begin = end;
  }
}

function readEncoding(
  header: Cursor,
  offsetSize: 4 | 8,
): { readonly encoding: Encoding; readonly unitType: number; readonly abbreviationOffset: number } {
  const version = header.u16();
  if (version < 2 || version > 5) header.fail(`DWARF version ${version} is not known`);
  const unitType = version >= 5 ? header.u8() : 0;
  const early = version >= 5 ? header.u8() : 0;
  const abbreviationOffset = header.unsigned(offsetSize);
  const addressSize = version >= 5 ? early : header.u8();
  if (addressSize !== 4 && addressSize !== 8) header.fail(`addresses of ${addressSize} bytes`);
  if (unitType === unitTypes.skeleton || unitType === unitTypes.splitCompile) header.skip(8);
  if (unitType === unitTypes.type || unitType === unitTypes.splitType) header.skip(8 + offsetSize);
  return { encoding: { version, offsetSize, addressSize }, unitType, abbreviationOffset };
}
