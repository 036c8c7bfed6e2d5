import { at } from '../at';
import type { ProbePoint } from '../source/analyse';
import {
  mayFollowAttribute,
  probeGuard,
  probeHelper,
  unitRecord,
  withoutEntry,
  type ProbeStyle,
} from './probeText';

/** File, line and flags that hold at an offset of preprocessed text, from the line markers before it. */
interface MarkerState {
  /** Between the quotes, as it stands in the marker. */
  readonly file: string;
  readonly line: number;
  /** ` 3`, ` 3 4` or nothing. */
  readonly flags: string;
}

/** How the bytes of a unit became text: UTF-8, or one character per byte. */
export type TextEncoding = 'utf8' | 'latin1';

/**
 * Inserts probes at the given places of preprocessed text, and the unit's record at its end. Line markers ascribe the insertions to a
 * system header, so that no warning option reports them; the original text keeps its file, line and column. gcc and clang count columns
 * in bytes, so that the blanks before the rest of a divided line replace each byte, not each character.
 */
export function insertProbes(
  text: string,
  points: readonly ProbePoint[],
  hash: string,
  style: ProbeStyle,
  encoding: TextEncoding = 'utf8',
): string {
  const insertions = points
    .flatMap((point) => [
      {
        offset: point.definitionOffset,
        added: [
          probeHelper(point.scope, hash, point.functionNumber, style),
          mayFollowAttribute(text, point.definitionOffset) ? withoutEntry : '',
        ]
          .filter((part) => part !== '')
          .join('\n'),
      },
      { offset: point.bodyOffset, added: probeGuard(point.scope, hash, point.functionNumber, style) },
    ])
    .filter(({ added }) => added !== '')
    .sort((a, b) => a.offset - b.offset);
  const markers = new MarkerScan(text);
  const pieces: string[] = [];
  let from = 0;
  for (const { offset, added } of insertions) {
    const state = markers.at(offset);
    const place = `# ${String(state.line)} "${state.file}"`;
    const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
    const column = encoding === 'latin1' ? offset - lineStart : utf8Length(text, lineStart, offset);
    pieces.push(
      text.slice(from, offset),
      `\n${place} 3\n${added}\n${place}${state.flags}\n`,
      ' '.repeat(column),
    );
    from = offset;
  }
  pieces.push(text.slice(from), text.endsWith('\n') || text === '' ? '' : '\n');
  const end = markers.at(text.length);
  pieces.push(`# ${String(end.line)} "${end.file}" 3\n${unitRecord(hash)}\n`);
  return pieces.join('');
}

/** Number of bytes of the characters in [begin, end) of a text in UTF-8. */
function utf8Length(text: string, begin: number, end: number): number {
  let bytes = 0;
  for (let index = begin; index < end; index++) {
    const unit = text.charCodeAt(index);
    // The four bytes of a character beyond the basic plane are two for each of its surrogates.
    const isSurrogate = (unit & 0xf800) === 0xd800;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate ? 2 : 3;
  }
  return bytes;
}

const marker = /^#(?:line)?[ \t]+(\d+)[ \t]+"((?:[^"\\]|\\.)*)"((?:[ \t]+\d+)*)/;

/** Reads the line markers once, from front to back; offsets must ascend. */
class MarkerScan {
  private next = 0;
  private file = '<kymo>';
  private line = 1;
  private flags = '';
  /** The offset that `line` belongs to. */
  private base = 0;

  constructor(private readonly text: string) {
    if (!text.startsWith('#')) this.next = this.following(0);
  }

  at(offset: number): MarkerState {
    while (this.next < offset) {
      const end = this.text.indexOf('\n', this.next);
      const stop = end < 0 ? this.text.length : end;
      const match = marker.exec(this.text.slice(this.next, Math.min(stop, this.next + 8192)));
      if (match !== null && stop < offset) {
        this.line = Number(match[1]);
        this.file = at(match, 2);
        this.flags = at(match, 3)
          .split(/\s+/)
          .filter((flag) => flag === '3' || flag === '4')
          .map((flag) => ` ${flag}`)
          .join('');
        this.base = stop + 1;
      }
      this.next = this.following(stop);
    }
    this.line += this.newlines(this.base, offset);
    this.base = offset;
    return { file: this.file, line: this.line, flags: this.flags };
  }

  private following(from: number): number {
    const newline = this.text.indexOf('\n#', from);
    return newline < 0 ? Infinity : newline + 1;
  }

  private newlines(from: number, to: number): number {
    let count = 0;
    for (
      let newline = this.text.indexOf('\n', from);
      newline >= 0 && newline < to;
      newline = this.text.indexOf('\n', newline + 1)
    ) {
      count++;
    }
    return count;
  }
}
