import fc from 'fast-check';
import { at, atFloat, atInt } from '../../../../src/core/at';
import type { Cluster, Digest } from '../../../../src/core/digest/digest';

export const slotCount = 4;

/** What one process has of a call path. */
interface Row {
  readonly parent: number;
  readonly slot: number;
  readonly visits: number;
  readonly seconds: number;
}

/** The digest of one process, whose tree has these rows below the root. Slots from `slotCount` on are regions r0, r1, … in reverse order. */
export function ofProcess(rank: number, rows: readonly Row[], more: Partial<Cluster> = {}): Digest {
  const column = (of: (row: Row) => number, root: number): Float64Array =>
    Float64Array.from([root, ...rows.map(of)]);
  const cluster: Cluster = {
    ranks: [[rank, rank]],
    processes: 1,
    threads: 2,
    cpuSeconds: rank + 1,
    leastIterations: rank,
    mostIterations: rank,
    iterating: 1,
    suspended: rank % 2,
    ended: 0,
    amounts: new Map([
      ['visits', column(({ visits }) => visits, 1)],
      ['seconds', column(({ seconds }) => seconds, 1000)],
    ]),
    ...more,
  };
  return {
    ranks: 64,
    slotCount,
    regions: ['r2', 'r1', 'r0'].map((name) => ({ name, kind: 0, file: '', line: 0 })),
    parents: Int32Array.from([-1, ...rows.map(({ parent }) => parent)]),
    slots: Uint32Array.from([0xffff_ffff, ...rows.map(({ slot }) => slot)]),
    costs: [1, 2],
    clusters: [cluster],
  };
}

/** Of one process: iterations with these numbers of the phase `r0`, in which it calls so many of the functions. */
export function withIterations(rank: number, numbers: readonly number[], functions: number): Digest {
  const width = 2 + functions;
  // The slots of named regions are others in each process.
  const names = rank % 2 === 0 ? ['r0', 'r1'] : ['r1', 'r0'];
  const phase = slotCount + names.indexOf('r0');
  const perIteration = (of: (number: number) => number): Float64Array => Float64Array.from(numbers, of);
  const values = (of: (number: number, path: number) => number): Float64Array =>
    Float64Array.from(
      numbers.flatMap((number) => Array.from({ length: width }, (_, path) => of(number, path))),
    );
  return {
    ...ofProcess(rank, []),
    regions: names.map((name) => ({ name, kind: 1, file: '', line: 0 })),
    iterations: {
      phase,
      parents: Int32Array.from({ length: width }, (_, path) => Math.min(path - 1, 1)),
      slots: Uint32Array.from({ length: width }, (_, path) =>
        path === 0 ? 0xffff_ffff : path === 1 ? phase : path - 2,
      ),
      numbers: Uint32Array.from(numbers),
      processes: perIteration(() => 1),
      preemptedSeconds: perIteration((number) => rank + number),
      computingSeconds: perIteration(() => rank + 1),
      mostSeconds: perIteration(() => rank + 1),
      mostRank: Uint32Array.from(numbers, () => rank),
      visits: values((number, path) => number + path),
      seconds: values((number, path) => (path === 0 ? 0 : rank + number + path)),
      childEvents: values(() => rank),
    },
  };
}

/** Trees of whole numbers, so that sums are exact in any order. */
export const rows: fc.Arbitrary<readonly Row[]> = fc
  .array(
    fc.record({
      above: fc.nat(),
      slot: fc.nat(slotCount + 2),
      visits: fc.nat(5),
      seconds: fc.nat(100),
    }),
    { maxLength: 8 },
  )
  .map((all) => {
    const taken = new Set<string>();
    const kept: Row[] = [];
    for (const { above, slot, visits, seconds } of all) {
      const parent = above % (kept.length + 1);
      if (taken.has(`${parent} ${slot}`)) continue;
      taken.add(`${parent} ${slot}`);
      kept.push({ parent, slot, visits, seconds });
    }
    return kept;
  });

/** Sums over all clusters, by the names of regions from the root on; paths without any value are left out. */
export function totals(digests: readonly Digest[]): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (name: string, value: number): void => {
    if (value !== 0) sums[name] = (sums[name] ?? 0) + value;
  };
  for (const digest of digests) {
    const paths: string[] = [];
    digest.slots.forEach((slot, path) => {
      const region = digest.regions[slot - digest.slotCount]?.name ?? String(slot);
      paths.push(path === 0 ? '' : `${at(paths, atInt(digest.parents, path))}/${region}`);
    });
    for (const { processes, threads, cpuSeconds, suspended, ended, amounts } of digest.clusters) {
      for (const [name, value] of Object.entries({ processes, threads, cpuSeconds, suspended, ended }))
        add(name, value);
      for (const [name, values] of amounts)
        paths.forEach((path, position) => add(`${name} of ${path}`, atFloat(values, position)));
    }
  }
  return sums;
}
