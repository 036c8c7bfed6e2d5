import { bitSetOf } from '../sets/bitSet';
import { DistinctSets } from '../sets/distinctSets';
import type { AttributeKind, Process, ProcessContext } from '../context';
import { AttributeNumbers } from './attributeNumbers';

/** A context that becomes known process by process; attributes may appear with any of them. */
export class ContextBuilder {
  readonly #numbers: AttributeNumbers;
  readonly #sets = new DistinctSets();
  readonly #processes: Process[] = [];
  readonly #groupOf: number[] = [];

  constructor(kind: AttributeKind) {
    this.#numbers = new AttributeNumbers(kind);
  }

  /** @see AttributeNumbers.of */
  attribute(caller: string | undefined, callee: string): number {
    return this.#numbers.of(caller, callee);
  }

  /** @param attributes numbers that `attribute` gave, in any order, also repeated */
  add(process: Process, attributes: Iterable<number>): void {
    this.#processes.push(process);
    this.#groupOf.push(this.#sets.intern(bitSetOf(attributes, this.#numbers.attributes.length)));
  }

  context(): ProcessContext {
    const { attributes, kind } = this.#numbers;
    return {
      kind,
      attributes,
      processes: this.#processes,
      sets: this.#sets.sets(attributes.length),
      groupOf: Int32Array.from(this.#groupOf),
    };
  }
}
