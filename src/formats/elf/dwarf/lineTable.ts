import path from 'node:path';
import type { Cursor } from '../cursor';
import type { DebugSections } from './debugSections';
import { layoutOf, readValue, type Encoding } from './forms';

/** The header of a line table (DWARF 5, §6.2.4). */
export interface LineTable {
  /** Files by the number that `DW_AT_decl_file` and the program use. Absolute if the compiler recorded its working directory. */
  readonly files: readonly (string | undefined)[];
  readonly minimumInstructionLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  /** Number of operands of the standard opcodes, from opcode 1 on. */
  readonly operandCounts: readonly number[];
  readonly addressSize: number;
  readonly program: Cursor;
}

/** Reads the header of the line table at `offset` of `.debug_line`; undefined when the file has none. */
export function readLineTable(
  sections: DebugSections,
  offset: number,
  compilationDirectory: string | undefined,
): LineTable | undefined {
  const table = sections.get('.debug_line');
  if (table === undefined) return undefined;
  const cursor = table.at(offset);
  let length = cursor.u32();
  const offsetSize = length === 0xffffffff ? 8 : 4;
  if (offsetSize === 8) length = cursor.u64();
  if (length > cursor.remaining) table.fail(`a line table claims ${length} bytes`, offset);
  const end = cursor.offset + length;
  const version = cursor.u16();
  if (version < 2 || version > 5) table.fail(`line table version ${version} is not known`, offset);
  const addressSize = version >= 5 ? cursor.u8() : 8;
  if (version >= 5) cursor.skip(1);
  const headerLength = cursor.unsigned(offsetSize);
  const programBegin = cursor.offset + headerLength;
  if (programBegin > end) table.fail(`the header of a line table claims ${headerLength} bytes`, offset);
  const minimumInstructionLength = cursor.u8();
  cursor.skip(version >= 4 ? 2 : 1); // skips instructions per VLIW bundle (from version 4) and the default of is_stmt
  const lineBase = (cursor.u8() << 24) >> 24;
  const lineRange = cursor.u8();
  const operandCounts = Array.from({ length: Math.max(cursor.u8() - 1, 0) }, () => cursor.u8());
  const files =
    version >= 5
      ? newFiles(sections, cursor, { version, offsetSize, addressSize }, compilationDirectory)
      : oldFiles(cursor, compilationDirectory);
  const program = table.at(programBegin, end);
  return { files, minimumInstructionLength, lineBase, lineRange, operandCounts, addressSize, program };
}

function absolute(...parts: readonly (string | undefined)[]): string {
  let joined = '';
  for (const part of parts) {
    if (part === undefined || part === '') continue;
    joined = path.posix.isAbsolute(part) || joined === '' ? part : `${joined}/${part}`;
  }
  return path.posix.normalize(joined);
}

/** DWARF 2 to 4: an empty name ends each list; numbers start at 1, and folder 0 is the compilation's. */
function oldFiles(cursor: Cursor, directory: string | undefined): readonly (string | undefined)[] {
  const directories: (string | undefined)[] = [directory];
  for (let name = cursor.string(); name !== ''; name = cursor.string()) directories.push(name);
  const files: (string | undefined)[] = [undefined];
  for (let name = cursor.string(); name !== ''; name = cursor.string()) {
    const folder = directories[cursor.uleb()];
    cursor.uleb();
    cursor.uleb();
    files.push(absolute(directory, folder, name));
  }
  return files;
}

/** DWARF 5: both lists describe their own columns and start at 0. */
function newFiles(
  sections: DebugSections,
  cursor: Cursor,
  encoding: Encoding,
  directory: string | undefined,
): readonly (string | undefined)[] {
  const directories = readList(sections, cursor, encoding).map((d) => d.name);
  return readList(sections, cursor, encoding).map((file) =>
    file.name === undefined
      ? undefined
      : absolute(directory, directories[0], directories[file.directory], file.name),
  );
}

const content = { path: 1, directoryIndex: 2 } as const;

interface ListEntry {
  readonly name: string | undefined;
  readonly directory: number;
}

function readList(sections: DebugSections, cursor: Cursor, encoding: Encoding): readonly ListEntry[] {
  const columns: { what: number; form: number; size: number }[] = [];
  const columnCount = cursor.u8();
  for (let i = 0; i < columnCount; i++) {
    const what = cursor.uleb();
    const code = cursor.uleb();
    const size = layoutOf(code, encoding);
    if (size === undefined) return cursor.fail(`form 0x${code.toString(16)} is not known`);
    columns.push({ what, form: code, size });
  }
  const count = cursor.uleb();
  if (count > 0 && (count > cursor.remaining || columns.every((c) => c.size === 0))) {
    return cursor.fail(`${count} names cannot fit in ${cursor.remaining} bytes`);
  }
  const entries: ListEntry[] = [];
  for (let i = 0; i < count; i++) {
    let name: string | undefined;
    let directory = 0;
    for (const column of columns) {
      const read = readValue(cursor, column.form, column.size, encoding);
      if (read === undefined) continue;
      if (column.what === content.path) name = sections.directString(read.form, read.value, cursor);
      if (column.what === content.directoryIndex) directory = read.value;
    }
    entries.push({ name, directory });
  }
  return entries;
}
