import { at } from '../at';
import type { RegionPlace } from '../profile/place';
import type { ContextKey, EntryKey, EntryKeys, MessageKey } from './callTrace';
import { tagMark, typeMark } from './messageMarks';

/** The keys of all traces that are compared. */
export class KeyTable implements EntryKeys {
  readonly keys: EntryKey[] = [];
  readonly types: string[] = [];
  readonly tags: number[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a function: known by its name and place; of its last lines, the largest stays. */
  context(name: string, place: RegionPlace, lastLine?: number): number {
    const identity = `f\0${name}\0${place.file ?? ''}\0${place.line ?? ''}`;
    const number = this.#number(identity, () => ({ kind: 'context', name, place }));
    if (lastLine !== undefined) this.ends(number, lastLine);
    return number;
  }

  /** A function ends in this line, or in one before it. */
  ends(context: number, lastLine: number): void {
    const key = at(this.keys, context);
    if (key.kind !== 'context' || (key.lastLine ?? 0) >= lastLine) return;
    this.keys[context] = { ...key, lastLine } satisfies ContextKey;
  }

  /** Another function of the same name and place. */
  another(context: number): number {
    return this.keys.push(at(this.keys, context)) - 1;
  }

  message(key: MessageKey): number {
    const { kind, call, partner, isRelative, communicator } = key;
    const identity = `${kind}\0${call}\0${partner ?? ''}\0${isRelative === true ? 'r' : ''}\0${communicator ?? ''}`;
    return this.#number(identity, () => key);
  }

  /** The set of just this type of elements. */
  typeSet(name: string): number {
    const known = this.types.indexOf(name);
    const number = known >= 0 ? known : this.types.push(name) - 1;
    return typeMark(number);
  }

  /** The set of just this tag. */
  tagSet(tag: number): number {
    return tagMark(this.tags, tag);
  }

  #number(identity: string, make: () => EntryKey): number {
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    const number = this.keys.push(make()) - 1;
    this.#numbers.set(identity, number);
    return number;
  }
}
