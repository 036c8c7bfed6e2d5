import { at } from '../../core/at';
import { getOrMake } from '../../core/getOrMake';
import type { EquivalenceClass } from './equivalenceClasses';

/** What the front end does next: ask processes for the full data of their class, and use data for processes. */
export interface ClassActions<Data> {
  readonly requests: readonly { readonly value: bigint; readonly rank: number }[];
  readonly uses: readonly { readonly ranks: readonly number[]; readonly data: Data }[];
}

interface Known<Data> {
  readonly members: Set<number>;
  /** The process that was asked. */
  representative: number | undefined;
  answer: { readonly data: Data } | undefined;
}

/**
 * Asks one process of each equivalence class for the full data, once, and applies it to all members, also those that are classified later. If
 * the process is lost before it answers, another one is asked.
 */
export class Representatives<Data> {
  private readonly classes = new Map<bigint, Known<Data>>();

  push(classes: readonly EquivalenceClass[]): ClassActions<Data> {
    const requests: { readonly value: bigint; readonly rank: number }[] = [];
    const uses: { readonly ranks: readonly number[]; readonly data: Data }[] = [];
    for (const { value, members } of classes) {
      const known = getOrMake(this.classes, value, (): Known<Data> => ({
        members: new Set(),
        representative: undefined,
        answer: undefined,
      }));
      const ranks = members.filter((rank) => !known.members.has(rank));
      for (const rank of ranks) known.members.add(rank);
      if (ranks.length === 0) continue;
      if (known.answer !== undefined) uses.push({ ranks, data: known.answer.data });
      else if (known.representative === undefined) {
        known.representative = at(ranks, 0);
        requests.push({ value, rank: known.representative });
      }
    }
    return { requests, uses };
  }

  /** The full data of a class. Data that nobody asked for, or that comes a second time, is not used. */
  answer(rank: number, value: bigint, data: Data): ClassActions<Data> {
    const known = this.classes.get(value);
    if (known?.representative !== rank || known.answer !== undefined) return { requests: [], uses: [] };
    known.answer = { data };
    return { requests: [], uses: [{ ranks: [...known.members], data }] };
  }

  /** A process is gone. */
  lose(rank: number): ClassActions<Data> {
    const requests: { readonly value: bigint; readonly rank: number }[] = [];
    for (const [value, known] of this.classes) {
      known.members.delete(rank);
      if (known.representative !== rank || known.answer !== undefined) continue;
      [known.representative] = known.members;
      if (known.representative !== undefined) requests.push({ value, rank: known.representative });
    }
    return { requests, uses: [] };
  }
}
