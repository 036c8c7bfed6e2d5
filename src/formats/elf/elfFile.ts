import type { NamedSource } from '../byteSource';
import { gnuCompressedName, inflateGnuSection, inflateSection } from './compressed';
import { Cursor, decode, type CursorPlace } from './cursor';
import { elfError, type ElfErrorReason } from './elfError';

/** ELF constants that the readers need (System V ABI, gABI 4.1 and the processor supplements). */
export const elf = {
  machine: { x86_64: 62, aarch64: 183 },
  type: { relocatable: 1, executable: 2, dynamic: 3 },
  section: { symbols: 2, strings: 3, rela: 4, dynamic: 6, note: 7, nobits: 8, dynamicSymbols: 11, relr: 19 },
  flag: { alloc: 2, executable: 4, compressed: 0x800 },
} as const;

export interface Section {
  readonly index: number;
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  /** Linked address. All sections of a relocatable file have address 0; the reader assigns consecutive addresses to them. */
  readonly address: number;
  readonly fileOffset: number;
  /** Bytes in the file (in memory for sections without bytes). */
  readonly size: number;
  readonly link: number;
  readonly info: number;
  readonly entrySize: number;
}

/** An open ELF64 little-endian file for x86-64 or aarch64: its sections; their bytes are read on request. */
export class ElfFile {
  private readonly loaded = new Map<number, Uint8Array>();
  private readonly executableSections: readonly Section[];

  private constructor(
    private readonly source: NamedSource,
    readonly machine: 'x86-64' | 'aarch64',
    readonly type: 'relocatable' | 'executable' | 'dynamic',
    readonly sections: readonly Section[],
  ) {
    this.executableSections = sections.filter(
      (s) => (s.flags & elf.flag.executable) !== 0 && (s.flags & elf.flag.alloc) !== 0,
    );
  }

  /** Throws a `KymoError<ElfErrorReason>`. */
  static open(source: NamedSource): ElfFile {
    const header = readHeader(source);
    const sections = readSections(source, header);
    return new ElfFile(
      source,
      header.machine,
      header.type,
      header.type === 'relocatable' ? laidOut(sections) : sections,
    );
  }

  get file(): string {
    return this.source.file;
  }

  section(name: string): Section | undefined {
    const named = (exactName: string): Section | undefined =>
      this.sections.find((s) => s.name === exactName && s.type !== elf.section.nobits);
    return named(name) ?? named(gnuCompressedName(name));
  }

  sectionsNamed(name: string): readonly Section[] {
    return this.sections.filter((s) => s.name === name && s.type !== elf.section.nobits);
  }

  /** Decompressed bytes of a section; they stay in memory until `release`. */
  data(section: Section): Uint8Array {
    const cached = this.loaded.get(section.index);
    if (cached !== undefined) return cached;
    let bytes = readRange(this.source, section.fileOffset, section.size, `section ${section.name}`);
    if ((section.flags & elf.flag.compressed) !== 0) bytes = inflateSection(bytes, this.placeOf(section));
    else if (section.name.startsWith('.zdebug_')) bytes = inflateGnuSection(bytes, this.placeOf(section));
    this.loaded.set(section.index, bytes);
    return bytes;
  }

  /** Replaces the bytes of a section, e.g. by relocated ones. */
  replace(section: Section, bytes: Uint8Array): void {
    this.loaded.set(section.index, bytes);
  }

  release(): void {
    this.loaded.clear();
  }

  cursor(section: Section, reason: ElfErrorReason = 'invalid-elf'): Cursor {
    return new Cursor(this.data(section), this.placeOf(section, reason));
  }

  private placeOf(section: Section, reason: ElfErrorReason = 'invalid-elf'): CursorPlace {
    return { file: this.file, what: section.name, fileOffset: section.fileOffset, reason };
  }

  /** Whether an address lies in code. */
  isCode(address: number): boolean {
    return this.codeSection(address) !== undefined;
  }

  /** Bytes of code from an address on, at most `count`; fewer if the section ends earlier or has no bytes in the file. */
  code(address: number, count: number): Uint8Array {
    const section = this.codeSection(address);
    if (section === undefined || section.type === elf.section.nobits) return new Uint8Array();
    const begin = address - section.address;
    return this.data(section).subarray(begin, begin + count);
  }

  /** File offset of a byte of code; undefined if the file does not contain it uncompressed. */
  codeOffset(address: number): number | undefined {
    const section = this.codeSection(address);
    if (section === undefined || section.type === elf.section.nobits) return undefined;
    const isPlain = (section.flags & elf.flag.compressed) === 0;
    return isPlain ? section.fileOffset + address - section.address : undefined;
  }

  private codeSection(address: number): Section | undefined {
    return this.executableSections.find((s) => address >= s.address && address < s.address + s.size);
  }

  /** Hex digits of the build id; undefined for a file linked without `--build-id`. */
  buildId(): string | undefined {
    for (const section of this.sections) {
      if (section.type !== elf.section.note) continue;
      const cursor = this.cursor(section);
      while (cursor.remaining >= 12) {
        const [nameSize, size, type] = [cursor.u32(), cursor.u32(), cursor.u32()];
        const name = cursor.offset;
        cursor.skip(Math.min(Math.ceil(nameSize / 4) * 4, cursor.remaining));
        const content = cursor.offset;
        if (type === 3 && nameSize === 4 && decode(cursor.bytes, name, name + 3) === 'GNU') {
          cursor.skip(size);
          return Buffer.from(cursor.bytes.subarray(content, content + size)).toString('hex');
        }
        cursor.skip(Math.min(Math.ceil(size / 4) * 4, cursor.remaining));
      }
    }
    return undefined;
  }
}

interface Header {
  readonly machine: ElfFile['machine'];
  readonly type: ElfFile['type'];
  readonly sectionOffset: number;
  readonly sectionCount: number;
  readonly sectionEntrySize: number;
  readonly namesIndex: number;
}

function readRange(source: NamedSource, offset: number, length: number, what: string): Uint8Array {
  if (!(offset >= 0 && length >= 0 && offset + length <= source.size)) {
    throw elfError(
      'invalid-elf',
      source.file,
      Math.min(offset, source.size),
      `${what} needs bytes ${offset} to ${offset + length}, but the file has ${source.size}: cut off or damaged`,
    );
  }
  return source.read(offset, length);
}

const headerSize = 64;

function readHeader(source: NamedSource): Header {
  const { file } = source;
  const bytes = source.read(0, Math.min(headerSize, source.size));
  if (bytes.length < 4 || Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== '\x7fELF') {
    const expected = 'not an ELF file: expected an executable, a library or an object file';
    throw elfError('not-elf', file, 0, expected);
  }
  const cursor = new Cursor(bytes, { file, what: 'ELF header', fileOffset: 0, reason: 'invalid-elf' }, 4);
  const [bits, order] = [cursor.u8(), cursor.u8()];
  if (bits !== 2 || order !== 1) {
    throw elfError('unsupported-elf', file, 4, 'only 64-bit little-endian files are read');
  }
  const field = (offset: number): Cursor => cursor.at(offset);
  const machine = field(18).u16();
  if (machine !== elf.machine.x86_64 && machine !== elf.machine.aarch64) {
    throw elfError('unsupported-elf', file, 18, `machine ${machine}: only x86-64 and aarch64 are read`);
  }
  const type = field(16).u16();
  const kind = ([undefined, 'relocatable', 'executable', 'dynamic'] as const)[type];
  if (kind === undefined) {
    throw elfError('unsupported-elf', file, 16, `file type ${type}: expected program, library or object`);
  }
  return {
    machine: machine === elf.machine.x86_64 ? 'x86-64' : 'aarch64',
    type: kind,
    sectionOffset: field(40).u64(),
    sectionEntrySize: field(58).u16(),
    sectionCount: field(60).u16(),
    namesIndex: field(62).u16(),
  };
}

interface RawSection extends Omit<Section, 'name'> {
  readonly nameOffset: number;
}

function readSections(source: NamedSource, header: Header): readonly Section[] {
  if (header.sectionOffset === 0) return [];
  if (header.sectionEntrySize !== 64) {
    throw elfError('invalid-elf', source.file, 58, `section headers of ${header.sectionEntrySize} bytes`);
  }
  const table = (count: number): Cursor =>
    new Cursor(readRange(source, header.sectionOffset, count * 64, 'the section table'), {
      file: source.file,
      what: 'section table',
      fileOffset: header.sectionOffset,
      reason: 'invalid-elf',
    });
  // Files with 0xff00 or more sections store both numbers in the first entry.
  const first = readSection(table(1), 0);
  const count = header.sectionCount === 0 ? first.size : header.sectionCount;
  const namesIndex = header.namesIndex === 0xffff ? first.link : header.namesIndex;
  const cursor = table(count);
  const raw: RawSection[] = [];
  for (let index = 0; index < count; index++) raw.push(readSection(cursor, index));
  const names = raw[namesIndex];
  const strings =
    names?.type !== elf.section.strings
      ? new Uint8Array(0)
      : readRange(source, names.fileOffset, names.size, 'the section names');
  return raw.map(({ nameOffset, ...section }) => ({ ...section, name: stringAt(strings, nameOffset) }));
}

function readSection(cursor: Cursor, index: number): RawSection {
  const [nameOffset, type] = [cursor.u32(), cursor.u32()];
  // Flags above 2^31 are specific to the processor; no reader here uses them.
  const flags = cursor.u32();
  cursor.skip(4);
  const [address, fileOffset, size] = [cursor.u64(), cursor.u64(), cursor.u64()];
  const [link, info] = [cursor.u32(), cursor.u32()];
  cursor.skip(8);
  const entrySize = cursor.u64();
  return { index, nameOffset, type, flags, address, fileOffset, size, link, info, entrySize };
}

/** The string at an offset of a string table; empty beyond its end. */
export function stringAt(strings: Uint8Array, offset: number): string {
  if (offset >= strings.length) return '';
  const end = strings.indexOf(0, offset);
  return decode(strings, offset, end < 0 ? strings.length : end);
}

function laidOut(sections: readonly Section[]): readonly Section[] {
  let next = 0x1000;
  return sections.map((section) => {
    if ((section.flags & elf.flag.alloc) === 0) return section;
    const address = next;
    next = Math.ceil((next + section.size + 1) / 64) * 64;
    return { ...section, address };
  });
}
