import { firstPosition } from '../../../core/firstPosition';
import { at } from '../../../core/at';

/** A part of an object that a process has as code. */
export interface MappedCode {
  /** Addresses in the process. */
  readonly begin: number;
  readonly end: number;
  /** Of the first byte in the file. */
  readonly offset: number;
  /** The path of the file, or `[vdso]` and its like; empty: no file. */
  readonly file: string;
}

/** Where the code of a process comes from, by the lines of `/proc/<pid>/maps` (proc(5)). */
export class CodeMap {
  private readonly mapped: readonly MappedCode[];

  /** Lines that are not as they should be are left out. */
  constructor(text: string) {
    this.mapped = text
      .split('\n')
      .flatMap((line) => mappedCode(line) ?? [])
      .sort((a, b) => a.begin - b.begin);
  }

  at(address: number): MappedCode | undefined {
    const next = firstPosition(this.mapped.length, (position) => at(this.mapped, position).begin > address);
    const candidate = this.mapped[next - 1];
    return candidate !== undefined && address < candidate.end ? candidate : undefined;
  }
}

const line = /^([0-9a-f]{1,16})-([0-9a-f]{1,16}) ..x. ([0-9a-f]{1,16}) \S+ \d+ *(.*)$/;

function mappedCode(text: string): MappedCode | undefined {
  const [, begin = '', end = '', offset = '', file = ''] = line.exec(text) ?? [];
  if (begin === '') return undefined;
  const number = (digits: string): number => Number.parseInt(digits, 16);
  return { begin: number(begin), end: number(end), offset: number(offset), file };
}
