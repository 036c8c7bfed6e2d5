import { decode, type Cursor } from '../cursor';
import type { ElfFile } from '../elfFile';
import { applyRelocations } from '../relocations';
import { form } from './names';

/** The DWARF sections of a file, loaded (and in object files relocated) on first use. */
export class DebugSections {
  private readonly cursors = new Map<string, Cursor | undefined>();

  constructor(readonly file: ElfFile) {}

  get(name: string): Cursor | undefined {
    if (this.cursors.has(name)) return this.cursors.get(name);
    const section = this.file.section(name);
    if (section !== undefined) applyRelocations(this.file, section);
    const cursor = section === undefined ? undefined : this.file.cursor(section, 'invalid-dwarf');
    this.cursors.set(name, cursor);
    return cursor;
  }

  /** The string at an offset of a string section; undefined when the section is missing. */
  string(section: string, offset: number): string | undefined {
    const cursor = this.get(section);
    if (cursor === undefined) return undefined;
    const end = offset < cursor.bytes.length ? cursor.bytes.indexOf(0, offset) : -1;
    if (end < 0) return cursor.fail(`a string at offset ${offset} does not exist`, cursor.bytes.length);
    return decode(cursor.bytes, offset, end);
  }

  /** The string for a value of one of the direct string forms; `info` is the section of the value. */
  directString(code: number, value: number, info: Cursor): string | undefined {
    if (code === form.string) return info.at(value).string();
    if (code === form.strp) return this.string('.debug_str', value);
    if (code === form.lineStrp) return this.string('.debug_line_str', value);
    return undefined; // The string is in another file (dwz, split DWARF).
  }
}
