import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, atFloat, atInt, atUint } from '../../../../src/core/at';
import { mostIterationValues, type Digest } from '../../../../src/core/digest/digest';
import { mergeDigests } from '../../../../src/core/digest/mergeDigests';
import { slotCount, withIterations } from './digests';

/** By number: values per iteration, and of each path by the names of its regions. */
function shown({ regions, iterations }: Digest): ReadonlyMap<number, Record<string, number>> {
  if (iterations === undefined) return new Map();
  const { parents, slots, numbers } = iterations;
  const names: string[] = [];
  slots.forEach((slot, path) => {
    const own = regions[slot - slotCount]?.name ?? String(slot);
    names.push(path === 0 ? '' : `${at(names, atInt(parents, path))}/${own}`);
  });
  return new Map(
    Array.from(numbers, (number, row) => {
      const own: Record<string, number> = {};
      for (const column of ['processes', 'preemptedSeconds', 'computingSeconds'] as const)
        own[column] = atFloat(iterations[column], row);
      for (const column of ['visits', 'seconds', 'childEvents'] as const)
        names.forEach((name, path) => {
          own[`${column} of ${name}`] = atFloat(iterations[column], row * names.length + path);
        });
      return [number, own];
    }),
  );
}

const process = fc.record({
  first: fc.nat(5),
  count: fc.integer({ min: 1, max: 8 }),
  functions: fc.nat(slotCount - 1),
});

describe('iterations in digests', () => {
  it('are those that all have, as sums over all, in any tree', () => {
    fc.assert(
      fc.property(fc.array(process, { minLength: 1, maxLength: 8 }), fc.nat(7), (all, cut) => {
        const digests = all.map(({ first, count, functions }, rank) =>
          withIterations(
            rank,
            Array.from({ length: count }, (_, i) => first + i),
            functions,
          ),
        );
        const flat = shown(mergeDigests(digests));
        const parts = [digests.slice(0, cut), digests.slice(cut)].filter(({ length }) => length > 0);
        expect(shown(mergeDigests(parts.map(mergeDigests)))).toEqual(flat);
        const common = [...shown(at(digests, 0)).keys()].filter((number) =>
          digests.every((digest) => shown(digest).has(number)),
        );
        expect([...flat.keys()]).toEqual(common);
        for (const [number, sums] of flat) {
          const expected: Record<string, number> = {};
          for (const digest of digests)
            for (const [name, value] of Object.entries(shown(digest).get(number) ?? {}))
              expected[name] = (expected[name] ?? 0) + value;
          expect(sums).toEqual(expected);
        }
      }),
    );
  });

  it('name the process whose phase took longest', () => {
    const { iterations } = mergeDigests([3, 7, 1].map((rank) => withIterations(rank, [4, 5], 0)));
    expect([...(iterations?.mostRank ?? [])]).toEqual([7, 7]);
    expect([...(iterations?.mostSeconds ?? [])]).toEqual([8, 8]);
  });

  it('of another phase count for nothing, and are missing in the number of processes', () => {
    const other = withIterations(1, [4], 0);
    const otherPhase = { ...other, iterations: { ...other.iterations!, phase: 2 } };
    const { iterations } = mergeDigests([withIterations(0, [4], 0), otherPhase]);
    expect(atFloat(iterations?.processes ?? new Float64Array(), 0)).toBe(1);
  });

  it('are the first of many, as many as fit', () => {
    const numbers = Array.from({ length: 5000 }, (_, i) => i);
    const { iterations } = mergeDigests([withIterations(0, numbers, 3), withIterations(2, numbers, 3)]);
    expect(iterations?.numbers.length).toBe(5000);
    const many = Array.from({ length: 10_000 }, (_, i) => i + 7);
    const { iterations: cut } = mergeDigests([withIterations(0, many, 3), withIterations(2, many, 3)]);
    expect(atUint(cut?.numbers ?? new Uint32Array(), 0)).toBe(7);
    expect((cut?.numbers.length ?? 0) * 5).toBeLessThanOrEqual(mostIterationValues);
    expect(((cut?.numbers.length ?? 0) + 1) * 5).toBeGreaterThan(mostIterationValues);
  });
});
