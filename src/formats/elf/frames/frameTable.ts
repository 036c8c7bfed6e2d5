import { at, atFloat, atUint } from '../../../core/at';
import { firstPosition } from '../../../core/firstPosition';
import type { Cursor } from '../cursor';
import type { ElfFile } from '../elfFile';
import { pointerReader, type PointerReader } from './pointers';

/** What the frames of some functions have in common: a CIE. */
export interface CommonFrame {
  readonly codeAlignment: number;
  readonly dataAlignment: number;
  readonly returnRegister: number;
  /** Of the code to which a signal's handler returns: its caller was interrupted and has not called it. */
  readonly isSignal: boolean;
  readonly pointer: PointerReader;
  readonly hasAugmentation: boolean;
  /** At the instructions. */
  readonly initial: Cursor;
}

/** How the frame of a function is found at each of its instructions: an FDE. */
export interface FrameDescription {
  /** Linked address. */
  readonly begin: number;
  readonly common: CommonFrame;
  readonly instructions: Cursor;
}

/** The frame descriptions of an executable or a library (`.eh_frame`; LSB Core 5.0, 10.6, and DWARF 5, 6.4), by address. */
export class FrameTable {
  private constructor(
    private readonly section: Cursor,
    private readonly begins: Float64Array,
    private readonly ends: Float64Array,
    /** Of the entry's content, behind the reference to its CIE. */
    private readonly offsets: Uint32Array,
    private readonly entryEnds: Uint32Array,
    private readonly commons: readonly CommonFrame[],
  ) {}

  /** Entries that cannot be read are left out. @throws KymoError<ElfErrorReason> when the section is cut off */
  static read(file: ElfFile): FrameTable {
    const section = file.section('.eh_frame');
    const cursor = file.cursor(section ?? nothing);
    const address = section?.address ?? 0;
    const commons = new Map<number, CommonFrame | undefined>();
    const common = (offset: number): CommonFrame | undefined => {
      if (!commons.has(offset)) commons.set(offset, readCommon(cursor, offset, address));
      return commons.get(offset);
    };
    const entries: Entry[] = [];
    while (cursor.remaining >= 4) {
      const entry = readEntry(cursor, common);
      if (entry !== undefined) entries.push(entry);
    }
    entries.sort((a, b) => a.begin - b.begin);
    return new FrameTable(
      cursor,
      Float64Array.from(entries, ({ begin }) => begin),
      Float64Array.from(entries, ({ end }) => end),
      Uint32Array.from(entries, ({ offset }) => offset),
      Uint32Array.from(entries, ({ entryEnd }) => entryEnd),
      entries.map((entry) => entry.common),
    );
  }

  get size(): number {
    return this.begins.length;
  }

  /** The description of the function around a linked address. @throws KymoError<ElfErrorReason> */
  find(address: number): FrameDescription | undefined {
    const next = firstPosition(this.size, (position) => atFloat(this.begins, position) > address);
    const position = next - 1;
    if (position < 0 || address >= atFloat(this.ends, position)) return undefined;
    const common = at(this.commons, position);
    const instructions = this.section.at(atUint(this.offsets, position), atUint(this.entryEnds, position));
    common.pointer(instructions);
    common.pointer(instructions, 'size');
    if (common.hasAugmentation) instructions.skip(instructions.uleb());
    return { begin: atFloat(this.begins, position), common, instructions };
  }
}

interface Entry {
  readonly begin: number;
  readonly end: number;
  readonly offset: number;
  readonly entryEnd: number;
  readonly common: CommonFrame;
}

/** Steps over an entry. @returns undefined for what describes no code, or in a way that is not known */
function readEntry(cursor: Cursor, common: (offset: number) => CommonFrame | undefined): Entry | undefined {
  const entryEnd = entryEndOf(cursor);
  const offset = cursor.offset;
  if (entryEnd <= offset) return undefined;
  const entry = cursor.at(offset, entryEnd);
  cursor.offset = entryEnd;
  const back = entry.u32();
  const owner = back === 0 || back > offset ? undefined : common(offset - back);
  if (owner === undefined) return undefined;
  const content = entry.offset;
  const begin = owner.pointer(entry);
  const size = owner.pointer(entry, 'size');
  return size > 0 ? { begin, end: begin + size, offset: content, entryEnd, common: owner } : undefined;
}

function entryEndOf(cursor: Cursor): number {
  const short = cursor.u32();
  const length = short === 0xffff_ffff ? cursor.u64() : short;
  if (length > cursor.remaining) cursor.fail(`an entry of ${length} bytes`);
  return cursor.offset + length;
}

/** @returns undefined when it is not known how to read it */
function readCommon(section: Cursor, offset: number, address: number): CommonFrame | undefined {
  const head = section.at(offset);
  const end = entryEndOf(head);
  const cursor = section.at(head.offset, end);
  if (cursor.u32() !== 0) return undefined;
  const version = cursor.u8();
  const augmentation = cursor.string();
  if ((version !== 1 && version !== 3) || !/^(?:z[RPLSBG]*)?$/.test(augmentation)) return undefined;
  const codeAlignment = cursor.uleb();
  const dataAlignment = cursor.sleb();
  const returnRegister = version === 1 ? cursor.u8() : cursor.uleb();
  const hasAugmentation = augmentation !== '';
  const encoding = hasAugmentation ? pointerEncoding(cursor, augmentation, address) : 0;
  const pointer = encoding === undefined ? undefined : pointerReader(encoding, address);
  if (pointer === undefined) return undefined;
  const isSignal = augmentation.includes('S');
  return {
    codeAlignment,
    dataAlignment,
    returnRegister,
    isSignal,
    pointer,
    hasAugmentation,
    initial: cursor,
  };
}

/** Reads the data of an augmentation, and leaves the cursor behind them. */
function pointerEncoding(cursor: Cursor, augmentation: string, address: number): number | undefined {
  const size = cursor.uleb();
  const end = cursor.offset + size;
  let encoding: number | undefined = 0;
  for (const letter of augmentation.slice(1)) {
    if (letter === 'R') encoding = cursor.u8();
    else if (letter === 'L') cursor.skip(1);
    else if (letter === 'P') {
      const personality = pointerReader(cursor.u8(), address);
      if (personality === undefined) encoding = undefined;
      else personality(cursor);
    }
  }
  cursor.offset = Math.min(end, cursor.end);
  return encoding;
}

/** In place of a section that the file does not have. */
const nothing = {
  ...{ index: -1, name: '.eh_frame', type: 0, flags: 0, address: 0, fileOffset: 0, size: 0 },
  ...{ link: 0, info: 0, entrySize: 0 },
};
