import { typesIn } from '../../core/trace/messageMarks';
import { at } from '../../core/at';
import { getOrMake } from '../../core/getOrMake';
import type { ContextKey, EntryKeys, MessageKey } from '../../core/trace/callTrace';
import type { TraceSink } from '../../core/trace/build/traceBuilder';
import type { MvtraceHeader } from './read';

/**
 * Writes the calls of one process as a trace in text form (docs/formats/mvtrace.md). The format knows files and lines: a function without a place is a file of
 * its name. Distances as partners become ranks.
 */
export class MvtraceWriter implements TraceSink {
  readonly #files = new Map<string, number>();
  readonly #open: number[] = [];
  #iteration = 0;

  /** @param write gets each line, with its end */
  constructor(
    private readonly table: EntryKeys,
    private readonly header: MvtraceHeader,
    private readonly write: (line: string) => void,
  ) {
    write(`#mvtrace 1\trank=${header.rank}\tnranks=${header.ranks}\n`);
  }

  enter(key: number): void {
    this.#open.push(key);
    const { place } = this.#context(key);
    this.write(`E\t${this.#file(key)}\t${place.line ?? 0}\n`);
  }

  /** @param counters instructions, or none */
  leave(seconds: number, counters: ArrayLike<number>): void {
    const key = this.#open.pop();
    if (key === undefined) return;
    const { place, lastLine } = this.#context(key);
    this.write(`X\t${this.#file(key)}\t${lastLine ?? place.line ?? 0}\t${seconds}\t${counters[0] ?? '-'}\n`);
  }

  message(key: number, bytes: number, marks: number): void {
    const message = at(this.table.keys, key) as MessageKey;
    const types = typesIn(marks);
    const type = types === 0 ? 'byte' : (this.table.types?.[31 - Math.clz32(types)] ?? 'byte');
    const [source, destination] = this.#ends(message);
    this.write(
      `M\t${message.call}\t${source ?? '-'}\t${destination ?? '-'}\t${bytes}\t${type}\t${message.kind === 'collective' ? 1 : 0}\n`,
    );
  }

  iteration(number = this.#iteration + 1): void {
    this.#iteration = number;
    this.write(`I\t${number}\n`);
  }

  #ends({ kind, partner, isRelative }: MessageKey): readonly [number | undefined, number | undefined] {
    const { rank, ranks } = this.header;
    const other =
      isRelative === true && partner !== undefined ? (((rank + partner) % ranks) + ranks) % ranks : partner;
    if (kind === 'collective') return [other, undefined];
    return kind === 'send' ? [rank, other] : [other, rank];
  }

  #context(key: number): ContextKey {
    return at(this.table.keys, key) as ContextKey;
  }

  #file(key: number): number {
    const { name, place } = this.#context(key);
    const path = place.file ?? name;
    return getOrMake(this.#files, path, () => {
      const number = this.#files.size + 1;
      this.write(`F\t${number}\t${path.replaceAll(/[\r\n]/g, ' ')}\n`);
      return number;
    });
  }
}
