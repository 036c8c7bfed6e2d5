import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallGraph } from '../../../../../src/core/diagnosis/resources/callGraph';
import { Resources } from '../../../../../src/core/diagnosis/resources/resources';

const known: Readonly<Record<string, readonly string[]>> = {
  'Machine ': ['c1', 'c2'],
  'Machine c1': ['p1'],
  'SyncObject ': ['Message', 'Barrier'],
};
const started = () => new Resources((tree, of) => known[`${tree} ${of.join('/')}`] ?? []);

describe('resources of a running program', () => {
  test('P1: they are those known at the start, and new ones where their parent is known', () => {
    const resources = started();
    expect(resources.children('Machine', [])).toEqual(['c1', 'c2']);
    expect(resources.add('Machine', [], 'c1', 0)).toBe('known');
    expect(resources.add('Machine', ['c1', 'p1'], 'thread 1', 1)).toBe('added');
    expect(resources.add('Machine', ['c1', 'p1'], 'thread 1', 2)).toBe('known');
    expect(resources.children('Machine', ['c1', 'p1'])).toEqual(['thread 1']);
    expect(resources.children('Machine', ['c1', 'p2'])).toEqual([]);
    expect(resources.add('Machine', ['c3'], 'p9', 3)).toBe('unknown parent');
    expect(resources.add('Machine', [], 'c3', 3)).toBe('added');
    expect(resources.add('Machine', ['c3'], 'p9', 3)).toBe('added');
    expect(resources.children('SyncObject', ['c3'])).toEqual([]);
  });

  test('P1: names known later without an event are there as well', () => {
    const names = ['p1'];
    const resources = new Resources(() => names);
    expect(resources.children('Machine', [])).toEqual(['p1']);
    names.push('p2');
    expect(resources.children('Machine', [])).toEqual(['p1', 'p2']);
  });

  test('P2: 1000 tags per second: the burst and what the rate allows until then are registered, and the first refused one says so', () => {
    const resources = started();
    const counts: Record<string, number> = {};
    for (let tag = 0; tag < 10_000; tag++) {
      const discovery = resources.add('SyncObject', ['Message'], `tag ${tag}`, tag / 1000);
      counts[discovery] = (counts[discovery] ?? 0) + 1;
    }
    expect(counts).toEqual({ added: 102, 'newly suppressed': 1, suppressed: 9897 });
  });

  test('P2: while children are suppressed there is nothing to refine, other resources are not concerned, and 60 s of quiet end it', () => {
    const resources = started();
    const flood = (time: number) => {
      const results = Array.from({ length: 200 }, (_, tag) =>
        resources.add('SyncObject', ['Message'], `tag ${time} ${tag}`, time),
      );
      return results.filter((result) => result === 'added').length;
    };
    expect(flood(10)).toBe(100);
    expect(resources.children('SyncObject', ['Message'])).toEqual([]);
    expect(resources.add('SyncObject', ['Barrier'], 'world', 10)).toBe('added');
    expect(resources.children('SyncObject', ['Barrier'])).toEqual(['world']);
    expect(resources.add('SyncObject', ['Message'], 'another', 50)).toBe('suppressed');
    expect(resources.add('SyncObject', ['Message'], 'tag 10 1', 80)).toBe('known');
    expect(resources.revived(109.9)).toEqual([]);
    expect(resources.revived(110)).toEqual([{ tree: 'SyncObject', path: ['Message'] }]);
    expect(resources.revived(110)).toEqual([]);
    expect(resources.children('SyncObject', ['Message'])).toHaveLength(100);
    expect(flood(111)).toBe(100);
    expect(resources.revived(171)).toHaveLength(1);
  });

  test('P2: 20 per second for ever are registered, 21 are not', () => {
    for (const [rate, result] of [
      [20, 'added'],
      [21, 'suppressed'],
    ] as const) {
      const resources = started();
      let last = '';
      for (let tag = 0; tag < 10_000; tag++) last = resources.add('SyncObject', [], `${tag}`, tag / rate);
      expect(last).toBe(result);
    }
  });

  test('P2: never more than burst and rate, however they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 400 }), (gaps) => {
        const resources = started();
        let time = 0;
        let added = 0;
        gaps.forEach((gap, child) => {
          time += gap / 1000;
          if (resources.add('SyncObject', [], `${child}`, time) === 'added') added += 1;
          expect(added).toBeLessThanOrEqual(100 + 20 * time + 1e-9);
        });
      }),
    );
  });
});

describe('the call graph', () => {
  const calls = () =>
    new CallGraph({
      entries: [['a.c', 'main']],
      callees: ([, name]) => (name === 'main' ? [['a.c', 'f']] : []),
    });

  test('P6: calls that are found while the program runs are added to those known before, each once', () => {
    const graph = calls();
    expect(graph.callees([])).toEqual([['a.c', 'main']]);
    expect(graph.add(['a.c', 'main'], ['a.c', 'f'])).toBe(false);
    expect(graph.add(['a.c', 'main'], ['b.c', 'f'])).toBe(true);
    expect(graph.add(['a.c', 'main'], ['b.c', 'f'])).toBe(false);
    expect(graph.callees(['a.c', 'main'])).toEqual([
      ['a.c', 'f'],
      ['b.c', 'f'],
    ]);
    expect(graph.add(['b.c', 'f'], ['a.c', 'main'])).toBe(true);
    expect(graph.callees(['b.c', 'f'])).toEqual([['a.c', 'main']]);
  });
});
