import { describe, expect, test } from 'vitest';
import { placesOf } from '../../../../../src/core/diagnosis/findings/searchedPlaces';
import { wholeProgram, type ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchNode } from '../../../../../src/core/diagnosis/search/searchRecord';

const node = (Machine: ResourcePath, id: number): SearchNode => ({
  ...{ id, hypothesis: 'Waits', value: 1, truth: 'true', activity: 'inactive', priority: 'where' },
  ...{ threshold: 0.1, conclusions: [], predictedCost: 0, parents: [{ by: 'root', time: 0 }] },
  focus: { ...wholeProgram, Machine },
});
const on = (...Machine: ResourcePath): { readonly Machine: ResourcePath } & typeof wholeProgram => ({
  ...wholeProgram,
  Machine,
});

describe('what a record says of its program', () => {
  test('without a program is what its experiments name: each process counts the same', () => {
    const places = placesOf({
      nodes: [
        [],
        ['a'],
        ['a', 'rank 0'],
        ['a', 'rank 0', 'thread 0'],
        ['a', 'rank 0', 'thread 1'],
        ['b', 'solver{7}'],
      ].map(node),
    });
    expect([places.processes, places.threads, places.base('computing')]).toEqual([2, 3, undefined]);
    expect(places.partOf('computing', on('a'))).toBe(0.5);
    expect(places.partOf('computing', on('a', 'rank 0', 'thread 1'))).toBe(0.25);
    expect(places.partOf('computing', wholeProgram)).toBe(1);
    expect(places.ranks(on('a'))).toEqual([0]);
    expect(places.ranks(on('b'))).toEqual([]);
    expect(placesOf({ nodes: [node([], 0), node(['a'], 1)] })).toMatchObject({ processes: 0, threads: 0 });
  });

  test('is the time of all threads, of the first ones where there are several, or of the longest process', () => {
    const thread = (rank: number, seconds: number, ...more: readonly string[]) => ({
      machine: ['a', `rank ${rank}`, ...more],
      ...{ rank, seconds },
    });
    const base = { run: 'i1.r1', clock: 'cpu', seconds: 28, leftOut: [] } as const;
    const threads = [thread(0, 10, 'thread 0'), thread(0, 10, 'thread 1'), thread(1, 8)];
    const places = placesOf({ nodes: [], program: { base, threads, functions: [] } });
    const seconds = ['computing', 'serial', 'processImbalance'].map((metric) => places.base(metric)?.seconds);
    expect(seconds).toEqual([28, 10, 10]);
    expect(places.partOf('computing', on('a', 'rank 1'))).toBeCloseTo(8 / 28, 12);
    expect(places.partOf('serial', on('a', 'rank 1'))).toBe(0);
    expect(places.partOf('processImbalance', on('a', 'rank 1'))).toBe(1);
    expect([places.processes, places.threads, places.ranks(wholeProgram)]).toEqual([2, 3, [0, 1]]);
  });
});
