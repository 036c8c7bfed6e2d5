import { describe, expect, test } from 'vitest';
import { saidOnce } from '../../../../../src/core/diagnosis/findings/saidOnce';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchNode } from '../../../../../src/core/diagnosis/search/searchRecord';

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
