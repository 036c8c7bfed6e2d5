import { expect, test } from 'vitest';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import { KeptTraces } from '../../../../src/workflows/comparing/keptTraces';
import { call, handTrace } from '../../core/trace/handTrace';

/** How often each of some traces is read, when all are asked for twice. @param sizes their rows */
function readsWith(room: number, sizes = [2, 2, 2]): readonly number[] {
  let allKept = 0;
  const kept = new KeptTraces(() => allKept++, room);
  const reads = sizes.map(() => 0);
  const sources = reads.map((_, rank) =>
    kept.source(rank, () => {
      reads[rank]! += 1;
      return handTrace(
        new KeyTable(),
        Array.from({ length: sizes[rank]! }, () => call('a')),
        { rank },
      );
    }),
  );
  for (const turn of [0, 1])
    for (const source of sources) expect([turn, source.read().rank]).toEqual([turn, source.rank]);
  expect(allKept).toBe(reads.every((count) => count === 1) ? 1 : 0);
  return reads;
}

test('traces are read once where there is room for all, and else whenever they are needed', () => {
  expect(readsWith(6)).toEqual([1, 1, 1]);
  expect(readsWith(5)).toEqual([2, 2, 2]);
  expect(readsWith(0)).toEqual([2, 2, 2]);
  // A large one at first does not say that all are.
  expect(readsWith(20, [4, 1, 1, 1, 1, 1, 1, 1])).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  // That the second one is not kept either is seen by what the first two have.
  expect(readsWith(20, [4, 4, 1, 1, 1, 1, 1, 1])).toEqual([2, 2, 2, 2, 2, 2, 2, 2]);
});
