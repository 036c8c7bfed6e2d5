import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FunctionCountGraph } from '../../../../../src/core/diagnosis/deepStart/functionCountGraph';
import { selectStarters } from '../../../../../src/core/diagnosis/deepStart/selectStarters';
import type { ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import { code, graphOf, hiddenSamples, sample, tenSamples } from './samples';

const names = (paths: readonly ResourcePath[]): string => paths.map(([, name]) => name).join(' ');

describe('deep starters', () => {
  const scopes: readonly ResourcePath[] = [[], ['c1'], ['c2'], ['c2', 'p4']];
  it.each([
    [0.2, 'E write', 'E', 'E write', 'E write'],
    [0.4, 'E', 'E', 'E write', 'E write'],
    [0.6, 'solve', 'E', 'main', 'main'],
    [0.8, 'main', 'solve', 'main', 'main'],
  ])('T3, T4: above %d in the program, on c1, on c2 and in p4', (threshold, ...expected) => {
    const graph = graphOf(tenSamples);
    expect(scopes.map((machine) => names(selectStarters(graph, threshold, machine)))).toEqual(expected);
  });

  it('T4: the scope of a thread is its process', () => {
    const graph = graphOf(tenSamples);
    expect(names(selectStarters(graph, 0.4, ['c2', 'p4', 'thread 0']))).toBe('E write');
  });

  it('T3: a function that many call is one although no caller is', () => {
    const graph = graphOf(hiddenSamples);
    expect('BCDE'.split('').map((name) => graph.count(code(name), []))).toEqual([10, 10, 10, 24]);
    expect(names(selectStarters(graph, 0.6, []))).toBe('E');
  });

  it('T3: of functions that call each other, the one that was seen deepest', () => {
    const graph = graphOf([sample('h', 'p', 'main a b a b'), sample('h', 'p', 'main b a')]);
    expect(names(selectStarters(graph, 0.5, []))).toBe('b');
    const further = graphOf([sample('h', 'p', 'main a b leaf'), sample('h', 'p', 'main b a leaf')]);
    expect(names(selectStarters(further, 0.5, []))).toBe('leaf');
    // The deepest of them is not above the threshold: the deepest that is.
    const rare = graphOf([
      sample('h', 'p', 'main a'),
      sample('h', 'p', 'main a'),
      sample('h', 'p', 'main a b a b'),
    ]);
    expect(names(selectStarters(rare, 0.5, []))).toBe('a');
  });

  it('T3: one of two that call each other at the same depth, whichever was sampled first', () => {
    const stacks = ['main a b', 'main b a'];
    for (const order of [stacks, stacks.toReversed()])
      expect(names(selectStarters(graphOf(order.map((stack) => sample('h', 'p', stack))), 0.5, []))).toBe(
        'a',
      );
  });

  it('T3: none without samples', () => {
    expect(selectStarters(new FunctionCountGraph(), 0, [])).toEqual([]);
    expect(selectStarters(graphOf(tenSamples), 0, ['elsewhere'])).toEqual([]);
  });

  it('T3: a share that is exactly the threshold is not above it', () => {
    const shares = fc
      .tuple(fc.nat({ max: 200 }), fc.integer({ min: 1, max: 200 }))
      .filter(([count, total]) => count <= total);
    fc.assert(
      fc.property(shares, ([count, total]) => {
        const samples = Array.from({ length: total }, (_, i) =>
          sample('h', 'p', i < count ? 'main f' : 'main'),
        );
        expect(names(selectStarters(graphOf(samples), count / total, []))).not.toContain('f');
        if (count > 0)
          expect(names(selectStarters(graphOf(samples), (count - 0.5) / total, []))).toContain('f');
      }),
    );
  });

  it('T3: are above the threshold, with none above it below them, unless both call each other; every path above it leads to one', () => {
    const anyStack = fc.array(fc.constantFrom(...['f', 'g', 'h', 'i', 'j'].map(code)), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.array(anyStack, { minLength: 1, maxLength: 25 }),
        fc.constantFrom(0.1, 0.2, 0.4, 0.6),
        (stacks, threshold) => {
          const graph = graphOf(stacks.map((functions) => ({ machine: ['h', 'p'], functions })));
          const above = graph.functions.filter(
            ({ path }) => graph.count(path, []) / graph.total([]) > threshold,
          );
          const starters = new Set(selectStarters(graph, threshold, []));
          for (const starter of starters) {
            expect(above.map(({ path }) => path)).toContain(starter);
            for (const { path } of above)
              if (path !== starter && reaches(graph, starter, path))
                expect(reaches(graph, path, starter) && !starters.has(path)).toBe(true);
          }
          for (const { path } of above)
            expect([...starters].some((starter) => path === starter || reaches(graph, path, starter))).toBe(
              true,
            );
        },
      ),
    );
  });
});

function reaches(graph: FunctionCountGraph, from: ResourcePath, to: ResourcePath): boolean {
  const seen = new Set<ResourcePath>();
  const open = [from];
  for (const each of open)
    for (const callee of graph.calleesOf(each)) {
      if (callee === to) return true;
      if (!seen.has(callee)) open.push(callee);
      seen.add(callee);
    }
  return false;
}
