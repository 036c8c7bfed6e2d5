import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { inclusiveStatements } from '../../../../src/core/callgraph/inclusiveStatements';
import { fn } from '../selection/graphs';

describe('size', () => {
  it('inclusive statements of 100 000 functions are at least their own (their time: bench/growth)', () => {
    let state = 99;
    const below = (n: number): number => (state = (state * 48271) % 2147483647) % n;
    const size = 100_000;
    const graph: CallGraph = {
      functions: Array.from({ length: size }, (_, i) => fn(`f${i}`, { statements: below(30) })),
      edges: Array.from({ length: size }, (_, i) =>
        [
          ...new Set(
            Array.from({ length: 4 }, () => Math.min(size - 1, i + 1 + below(below(2) === 0 ? 50 : size))),
          ),
        ].map((callee) => ({ callee, kind: 'direct' as const })),
      ),
    };
    const sums = inclusiveStatements(graph);
    expect(sums[size - 1]).toBe(graph.functions[size - 1]!.statements);
    fc.assert(fc.property(fc.nat(size - 1), (i) => sums[i]! >= graph.functions[i]!.statements));
  });
});
