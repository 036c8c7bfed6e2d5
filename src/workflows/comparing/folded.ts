import { at } from '../../core/at';
import type { Side } from '../../core/compare/sides';
import { getOrMake } from '../../core/getOrMake';
import { present } from '../../core/present';
import type { KeyTable } from '../../core/trace/keyTable';
import { isWaiting } from '../../core/trace/waiting';

/** What a measurement says of its functions. */
export interface Recording {
  /** Whether it was to record a function (`withRecorded`); undefined: it does not say. */
  readonly isRecorded?: Side['isRecorded'];
}

/** Functions that this measurement recorded and another one was not to (a filter left them out, or a compiler has none of their calls): they are left out of this one too. */
export class Folded {
  readonly #names = new Set<string>();
  readonly #known = new Map<number, boolean>();

  constructor(
    private readonly own: Recording,
    private readonly inputs: readonly Recording[],
    private readonly table: KeyTable,
  ) {}

  /** Whether there may be some. */
  get isAny(): boolean {
    return (
      this.own.isRecorded !== undefined && this.inputs.some(({ isRecorded }) => isRecorded !== undefined)
    );
  }

  get names(): readonly string[] {
    return [...this.#names].sort();
  }

  has(number: number): boolean {
    return getOrMake(this.#known, number, () => {
      const key = at(this.table.keys, number);
      if (key.kind !== 'context' || isWaiting(key)) return false;
      const { name } = key;
      const seen = { key: '', name, ...present({ file: key.place.file }) };
      const isFolded =
        this.own.isRecorded?.(seen) === true &&
        this.inputs.some(({ isRecorded }) => isRecorded?.(seen) === false);
      if (isFolded) this.#names.add(name);
      return isFolded;
    });
  }
}
