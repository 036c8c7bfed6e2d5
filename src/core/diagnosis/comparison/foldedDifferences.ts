import type { Step } from '../folding/folding';
import { foldSource } from '../folding/foldSource';
import { countOf } from '../folding/runs';
import { Numbering, searchSource } from '../folding/searchSource';
import type { SearchRecord } from '../search/searchRecord';

/** A place of the folded graphs where two searches have different numbers of experiments. */
export interface FoldedDifference {
  /** From the top hypothesis to the experiment. */
  readonly path: readonly Step[];
  /** Experiments of the first and of the second search there. */
  readonly counts: readonly [number, number];
}

/**
 * In what the folded graphs of two searches differ: nothing means that both found the same behaviour for as many hosts and processes,
 * whatever these are called.
 */
export function foldedDifferences(first: SearchRecord, second: SearchRecord): readonly FoldedDifference[] {
  const [before, after] = [countsOf(first), countsOf(second)];
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const counts = [before.get(key)?.count ?? 0, after.get(key)?.count ?? 0] as const;
    const path = (before.get(key) ?? after.get(key))?.path ?? [];
    return counts[0] === counts[1] ? [] : [{ path, counts }];
  });
}

function countsOf(
  record: SearchRecord,
): ReadonlyMap<string, { readonly path: readonly Step[]; readonly count: number }> {
  const { entries } = foldSource(searchSource(record, new Numbering()), { strictSignatures: false });
  return new Map([...entries].map(([key, { path, runs }]) => [key, { path, count: countOf(runs) }]));
}

/** `CPUBound, host *, process om3, function om3.c/main: 8 experiments are true in the first search, 7 in the second.` */
export function foldedDifferenceText({ path, counts: [before, after] }: FoldedDifference): string {
  const where = path.map(({ level, label }) => (level === 'hypothesis' ? label : `${level} ${label}`.trim()));
  const { truth } = path.at(-1) ?? {};
  const are = `${before === 1 ? 'experiment is' : 'experiments are'} ${truth ?? 'only passed through'}`;
  return `${where.join(', ')}: ${before} ${are} in the first search, ${after} in the second.`;
}
