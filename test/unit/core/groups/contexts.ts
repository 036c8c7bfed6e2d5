import fc from 'fast-check';
import type { AttributeKind, FunctionPair, ProcessContext } from '../../../../src/core/groups/context';
import { bitSetOf } from '../../../../src/core/groups/sets/bitSet';

/** `main>solve` is a pair, `main` a function or a pair without a caller. */
export interface GivenProcess {
  readonly rank: number;
  readonly thread?: number;
  readonly run?: string;
  readonly has: readonly string[];
}

export function contextOf(given: readonly GivenProcess[], kind: AttributeKind = 'pairs'): ProcessContext {
  const numbers = new Map<string, number>();
  for (const { has } of given)
    for (const name of has) if (!numbers.has(name)) numbers.set(name, numbers.size);
  const keys = new Map<string, number>();
  const sets: ProcessContext['sets'][number][] = [];
  const groupOf = Int32Array.from(given, ({ has }) => {
    const set = bitSetOf(
      has.map((name) => numbers.get(name)!),
      numbers.size,
    );
    const known = keys.get(set.join());
    if (known !== undefined) return known;
    keys.set(set.join(), sets.length);
    return sets.push(set) - 1;
  });
  return {
    kind,
    attributes: [...numbers.keys()].map(pairOf),
    processes: given.map(({ rank, thread = 0, run }) => ({
      name: `Rank_${rank},_thread_${thread}`,
      rank,
      thread,
      ...(run === undefined ? {} : { run }),
    })),
    sets,
    groupOf,
  };
}

function pairOf(name: string): FunctionPair {
  const [callee = '', caller] = name.split('>').reverse();
  return caller === undefined ? { callee } : { caller, callee };
}

/** Ranks 0, 1, … with the given attributes. */
export function ranks(...has: readonly (readonly string[])[]): readonly GivenProcess[] {
  return has.map((names, rank) => ({ rank, has: names }));
}

export function many(count: number, name: (index: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, index) => name(index));
}

/** W6 of the specification (its Table 3.1), as functions. */
export const w6 = contextOf(ranks(['A'], ['B', 'C'], ['A', 'B', 'C'], ['B', 'C']), 'functions');

/** W8 (WRF): 4 processes with 3 threads each; 109 pairs of all, 216 of the processes, 95 of the first, 33 of the threads. */
export const w8 = contextOf(
  [0, 1, 2, 3].flatMap((rank) => {
    const all = many(109, (index) => `common_${index}`);
    const process = [...all, ...many(216, (index) => `process_${index}`)];
    const first = [...process, ...many(95, (index) => `first_${index}`)];
    const thread = [...all, ...many(33, (index) => `thread_${index}`)];
    return [
      { rank, has: rank === 0 ? first : process },
      ...[1, 2, 3].map((number) => ({ rank, thread: number, has: thread })),
    ];
  }),
);

/** As BT-MZ (W10): 126 pairs, 56 of all; threads begin where the processes' parallel region does; the first process prints results. */
export const bt = contextOf(
  [0, 1, 2, 3].flatMap((rank) => {
    const region = many(56, (index) => `!$omp parallel @bt.f:7>kernel_${index}`);
    const process = [
      'main',
      ...many(66, (index) => `main>phase_${index}`),
      'phase_0>!$omp parallel @bt.f:7',
      ...region,
    ];
    return [
      { rank, has: rank === 0 ? [...process, 'main>print_results'] : process },
      ...[1, 2, 3].map((thread) => ({ rank, thread, has: ['!$omp parallel @bt.f:7', ...region] })),
    ];
  }),
);

/** Up to ten processes with some of up to eight functions. */
export const randomContext = fc
  .tuple(
    fc.integer({ min: 1, max: 8 }),
    fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 10 }),
  )
  .map(([attributes, rows]) =>
    contextOf(
      ranks(
        ...rows.map((bits) =>
          many(attributes, (index) => `f${index}`).filter((_, index) => (bits >> index) & 1),
        ),
      ),
      'functions',
    ),
  );
