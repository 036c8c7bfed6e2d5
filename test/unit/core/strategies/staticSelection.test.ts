import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { condense } from '../../../../src/core/callgraph/condense';
import { cutoffThreshold } from '../../../../src/core/selection/cutoff';
import { inclusiveStatements } from '../../../../src/core/callgraph/inclusiveStatements';
import { callersOf, pathsToMain, reachableFrom } from '../../../../src/core/callgraph/reachability';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { selectedKeys } from '../../../../src/core/selection/selection';
import { analyseStatements, staticSelection } from '../../../../src/core/strategies/staticSelection';
import { sharedData } from '../../../shared';
import { anyGraph, fn, graphOf, readMcg } from '../selection/graphs';

function naiveInclusive(graph: CallGraph, start: number): number {
  const reached = reachableFrom(graph, [start]);
  return graph.functions.reduce((sum, f, index) => sum + (reached[index] === 1 ? f.statements : 0), 0);
}

describe('statements weighed by loops', () => {
  const graph = graphOf(
    [
      fn('main', { statements: 20, loops: 1, loopDepth: 1 }),
      fn('setUp', { statements: 90 }),
      fn('kernel', { statements: 2, loops: 2, loopDepth: 2 }),
      fn('inner', { statements: 1 }),
      fn('deep', { statements: 1, loops: 90, loopDepth: 90 }),
    ],
    [
      ['main', 'setUp'],
      ['main', 'kernel'],
      ['kernel', 'inner'],
    ],
  );

  it('count a hundred times for each loop around them, in their function and around its calls, up to six', () => {
    const { inclusive } = analyseStatements(graph, 'unique-median', true);
    expect([...inclusive]).toEqual([2000 + 9000 + 2e6 + 1e6, 9000, 3e6, 1e6, 1e12]);
  });

  it('select the kernel in place of what is long and runs once, and the reason states the weights', () => {
    expect(selectedKeys(staticSelection(graph, 'unique-median'))).toEqual(['main', 'setUp']);
    const weighed = staticSelection(graph, 'unique-median', true);
    expect(selectedKeys(weighed)).toEqual(['main', 'kernel']);
    const reason = weighed.decisions.get('kernel')?.reason ?? { rule: 'expand' };
    expect(reason).toMatchObject({ rule: 'statements', value: 3e6, loops: true });
    expect(explainReason(reason)).toContain('statements, as often as loops execute them, in it');
    const plain = staticSelection(graph).decisions.get('kernel')?.reason;
    expect(plain).toEqual({ rule: 'too-small', value: 3, threshold: expect.any(Number) as number });
  });
});

describe('inclusive statements', () => {
  it('count a shared callee once and are exact in cycles', () => {
    const graph = graphOf(
      [
        fn('main', { statements: 1 }),
        fn('a', { statements: 10 }),
        fn('b', { statements: 100 }),
        fn('c', { statements: 1000 }),
      ],
      [
        ['main', 'a'],
        ['main', 'b'],
        ['a', 'c'],
        ['b', 'c'],
        ['c', 'b'],
      ],
    );
    expect([...inclusiveStatements(graph)]).toEqual([1111, 1110, 1100, 1100]);
  });

  it('equal a search per function on any graph', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        expect([...inclusiveStatements(graph)]).toEqual(
          graph.functions.map((_, i) => naiveInclusive(graph, i)),
        );
      }),
    );
  });

  it('handle a deep chain without recursion', () => {
    const size = 50_000;
    const graph: CallGraph = {
      functions: Array.from({ length: size }, (_, i) => fn(`f${i}`, { statements: i % 100 === 0 ? 1 : 0 })),
      edges: Array.from({ length: size }, (_, i) =>
        i + 1 < size ? [{ callee: i + 1, kind: 'direct' as const }] : [],
      ),
    };
    expect(inclusiveStatements(graph)[0]).toBe(500);
  });

  it('condensation numbers callees before callers', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const { component } = condense(graph);
        graph.edges.forEach((edges, caller) =>
          edges.forEach((e) => expect(component[e.callee]!).toBeLessThanOrEqual(component[caller]!)),
        );
      }),
    );
  });
});

describe('cut-offs', () => {
  it('follow PGIS: distinct median, median, half of the maximum rounded down', () => {
    const values = [7, 1, 1, 1, 3, 3, 9];
    expect(cutoffThreshold(values, 'unique-median')).toBe(7);
    expect(cutoffThreshold(values, 'median')).toBe(3);
    expect(cutoffThreshold(values, 'half-max')).toBe(4);
    expect(cutoffThreshold([], 'median')).toBe(0);
  });
});

describe('all paths to main', () => {
  it('are what main reaches and what reaches the target', () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(79), (graph, pick) => {
        const target = pick % graph.functions.length;
        const reachable = reachableFrom(graph, [0]);
        const on = pathsToMain(callersOf(graph), reachable, [target]);
        graph.functions.forEach((_, node) => {
          const expected =
            reachable[node] === 1 && reachable[target] === 1 && reachableFrom(graph, [node])[target] === 1;
          expect(on[node] === 1).toBe(expected);
        });
      }),
    );
  });
});

describe('golden table of PGIS', () => {
  const golden = [
    {
      file: 'lulesh.mcg',
      nodes: 3728,
      reachable: 373,
      main: 3193,
      rules: { 'unique-median': [44, 40], median: [2, 195], 'half-max': [1596, 2] },
    },
    {
      file: 'amg2013.mcg',
      nodes: 1206,
      reachable: 687,
      main: 33520,
      rules: { 'unique-median': [212, 150], median: [24, 351], 'half-max': [16760, 6] },
    },
  ] as const;
  for (const { file, nodes, reachable, main, rules } of golden) {
    const path = sharedData(`callgraph/${file}`);
    it.skipIf(path === undefined)(file, () => {
      const graph = readMcg(path!);
      expect(graph.functions).toHaveLength(nodes);
      for (const cutoff of ['unique-median', 'median', 'half-max'] as const) {
        const analysis = analyseStatements(graph, cutoff);
        expect(analysis.reachable.reduce((sum, r) => sum + r, 0)).toBe(reachable);
        expect(analysis.inclusive[graph.entry!]).toBe(main);
        const selected = selectedKeys(staticSelection(graph, cutoff)).length;
        expect([analysis.threshold, selected]).toEqual(rules[cutoff]);
      }
    });
  }
});
