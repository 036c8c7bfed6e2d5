import { describe, expect, test } from 'vitest';
import { grouped } from '../../../../../src/core/diagnosis/findings/refined';
import { groupsSaidOnce, saidOnce } from '../../../../../src/core/diagnosis/findings/saidOnce';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchNode, SearchStrategy } from '../../../../../src/core/diagnosis/search/searchRecord';

const rank0 = ['host', 'rank 0'];
const outer = ['a.c', 'outer'];
const inner = ['a.c', 'inner'];

function node(id: number, focus: Partial<Focus>, value: number, parents: readonly number[] = []): SearchNode {
  return {
    ...{ id, hypothesis: 'Waits', value, truth: 'true', activity: 'inactive', priority: 'where' },
    ...{ threshold: 0.1, conclusions: [], predictedCost: 0 },
    focus: { ...wholeProgram, ...focus },
    parents:
      parents.length === 0
        ? [{ by: 'root', time: 0 }]
        : parents.map((parent) => ({ by: 'where', time: 0, node: parent })),
  };
}

/** `outer` calls `inner`, which the search found on the whole machine. */
const calls = [node(0, { Code: outer }, 0.5), node(1, { Code: inner }, 0.5, [0])];
const left = (...refined: readonly SearchNode[]): readonly number[] =>
  saidOnce(refined, { nodes: [...calls, ...refined] }).map(({ id }) => id);
const send = ['Message', 'MPI_Send'];

describe('findings of the same time', () => {
  test('a function, and one that it calls, with the same object: the function that waits is named', () => {
    const less = node(2, { Code: outer, Machine: rank0, SyncObject: send }, 0.251);
    const more = node(3, { Code: inner, Machine: rank0, SyncObject: send }, 0.251);
    expect(left(less, more)).toEqual([3]);
    expect(left(more, less)).toEqual([3]);
  });

  test('one refined in the code and one in the objects: the one that names both', () => {
    const byCode = node(2, { Code: inner, Machine: rank0 }, 0.3);
    const byObject = node(3, { Machine: rank0, SyncObject: send }, 0.3);
    const both = node(4, { Code: inner, Machine: rank0, SyncObject: send }, 0.299);
    expect(left(byCode, byObject, both)).toEqual([4]);
  });

  test('on another part of the machine, of another hypothesis, or of another time it is something else', () => {
    const own = { Code: outer, Machine: rank0, SyncObject: send };
    const less = node(2, own, 0.25);
    const focus = { ...own, Code: inner };
    expect(left(less, node(3, { ...focus, Machine: ['host', 'rank 1'] }, 0.25))).toEqual([2, 3]);
    expect(left(less, { ...node(3, focus, 0.25), hypothesis: 'Computes' })).toEqual([2, 3]);
    expect(left(less, node(3, focus, 0.2))).toEqual([2, 3]);
  });

  test('functions without a call between them, and different objects, are different places', () => {
    const own = { Machine: rank0, SyncObject: send };
    expect(
      left(node(2, { ...own, Code: outer }, 0.2), node(3, { ...own, Code: ['a.c', 'other'] }, 0.2)),
    ).toEqual([2, 3]);
    const barrier = { Code: inner, Machine: rank0, SyncObject: ['Collective', 'MPI_Barrier'] };
    expect(left(node(2, { ...own, Code: inner }, 0.2), node(3, barrier, 0.2))).toEqual([2, 3]);
  });

  test('functions that call each other are both named', () => {
    const own = { Machine: rank0, SyncObject: send };
    const circle = node(4, { Code: outer }, 0.4, [1]);
    const refined = [node(2, { ...own, Code: outer }, 0.2), node(3, { ...own, Code: inner }, 0.2)];
    const nodes = [...calls, ...refined, circle];
    expect(saidOnce(refined, { nodes }).map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe('findings of a search in a running program', () => {
  const rank1 = ['host', 'rank 1'];
  const reduce = ['Collective', 'MPI_Allreduce'];
  const places = (strategy: SearchStrategy, ...refined: readonly SearchNode[]): readonly string[] => {
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const record = { nodes: [...calls, ...refined], strategy };
    const groups = groupsSaidOnce(grouped(refined), record, ({ nodes }) =>
      mean(nodes.map(({ value = 0 }) => value)),
    );
    return groups.map(({ nodes }) => nodes.map(({ id }) => id).join());
  };
  const all = node(2, { Code: inner, SyncObject: reduce }, 0.308);
  const ranks = [
    node(3, { Code: inner, Machine: rank0, SyncObject: ['Collective'] }, 0.299),
    node(4, { Code: inner, Machine: rank1 }, 0.31),
  ];

  test('what all processes wait for is not said again, less precisely, of some of them', () => {
    expect(places('partially distributed', all, ...ranks)).toEqual(['2']);
    expect(places('partially distributed', ...ranks)).toEqual(['3', '4']);
    expect(places('recorded', all, ...ranks)).toEqual(['2', '3', '4']);
  });

  test('processes that wait longer, or for something else, are named', () => {
    const longer = node(5, { Code: inner, Machine: rank1 }, 0.4);
    const other = node(6, { Code: inner, Machine: rank1, SyncObject: ['Message'] }, 0.3);
    expect(places('truly distributed', all, longer, other)).toEqual(['2', '5', '6']);
    const shorter = node(7, { Code: inner, Machine: rank0, SyncObject: ['Collective'] }, 0.25);
    expect(places('truly distributed', all, longer, shorter)).toEqual(['2', '5']);
    // What all wait for does not stand for what some of them wait for, more precisely.
    const some = { ...all, focus: { ...all.focus, Machine: rank0 } };
    const less = node(8, { Code: inner }, 0.3);
    expect(places('truly distributed', some, less)).toEqual(['2', '8']);
  });

  test('of a function and one that it calls, measured at two times, the one that waits is named', () => {
    const less = node(9, { Code: outer, SyncObject: reduce }, 0.28);
    expect(places('centralised', all, less)).toEqual(['2']);
    expect(places('recorded', all, less)).toEqual(['2', '9']);
  });
});
