import { describe, expect, test } from 'vitest';
import { contribution } from '../../../../src/formats/otf2/contribution';

/** Bytes that are recorded of an operation with blocks of 8 bytes, of a rank among so many, with root 0. */
const records: Readonly<Record<string, (rank: number, size: number) => readonly [number, number]>> = {
  BCAST: (rank, size) => [rank === 0 ? 8 * size : 0, 8],
  SCATTER: (rank, size) => [rank === 0 ? 8 * size : 0, 8],
  SCATTERV: (rank, size) => [rank === 0 ? 8 * size : 0, 8],
  GATHER: (rank, size) => [8, rank === 0 ? 8 * size : 0],
  GATHERV: (rank, size) => [8, rank === 0 ? 8 * size : 0],
  REDUCE: (rank, size) => [8, rank === 0 ? 8 * size : 0],
  REDUCE_SCATTER: (_, size) => [8, (8 / size) * size],
  REDUCE_SCATTER_BLOCK: (_, size) => [8 * size, 8 * size],
  ALLGATHER: (_, size) => [8 * size, 8 * size],
  ALLGATHERV: (_, size) => [8 * size, 8 * size],
  ALLREDUCE: (_, size) => [8 * size, 8 * size],
  ALLTOALL: (_, size) => [8 * size, 8 * size],
  ALLTOALLV: (_, size) => [8 * size, 8 * size],
  ALLTOALLW: (_, size) => [8 * size, 8 * size],
  SCAN: (rank, size) => [8 * (size - rank), 8 * (rank + 1)],
  EXSCAN: (rank, size) => [8 * (size - rank - 1), 8 * rank],
};

describe('what a process contributes to a collective operation', () => {
  test.each(Object.keys(records))('%s: the same of all ranks and numbers of processes', (operation) => {
    for (const size of [2, 3, 4, 16])
      for (let rank = 0; rank < size; rank++) {
        const [sent, received] = records[operation]!(rank, size);
        expect([size, rank, contribution(operation, sent, received, size)]).toEqual([size, rank, 8]);
      }
  });
  test('is nothing of a barrier, and all bytes where the number of processes is unknown', () => {
    expect(contribution('BARRIER', 0, 0, 4)).toBe(0);
    expect(contribution('ALLREDUCE', 16, 16, undefined)).toBe(32);
    expect(contribution('EXSCAN', 0, 0, 1)).toBe(0);
  });
});
