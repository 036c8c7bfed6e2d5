import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { nearestCallers } from '../../../../src/core/callgraph/nearestCallers';
import { callersOf } from '../../../../src/core/callgraph/reachability';
import { anyGraph } from '../selection/graphs';

/** Function by function: backwards over callers to the first ones that hold their time. */
function searched(graph: CallGraph, holders: ReadonlySet<number>, start: number): readonly number[] {
  const callers = callersOf(graph);
  const seen = new Set([start]);
  const queue = [start];
  const found: number[] = [];
  for (const node of queue)
    for (const caller of callers[node] ?? []) {
      if (seen.has(caller)) continue;
      seen.add(caller);
      (holders.has(caller) ? found : queue).push(caller);
    }
  return found;
}

const holdersOf = (graph: CallGraph): fc.Arbitrary<ReadonlySet<number>> =>
  fc.subarray([...graph.functions.keys()]).map((some) => new Set(some));

describe('nearest callers that hold the time of others', () => {
  it('are those that a search from each function finds, the first by rank, on any graph', () => {
    const cases = anyGraph.chain((graph) =>
      fc.record({
        graph: fc.constant(graph),
        holders: holdersOf(graph),
        most: fc.integer({ min: 1, max: 6 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ graph, holders, most }) => {
        const rank = (index: number): number => (index * 7919) % 31;
        const found = nearestCallers(graph, (index) => holders.has(index), { rank, most });
        graph.functions.forEach((_, index) => {
          const expected = holders.has(index)
            ? []
            : [...searched(graph, holders, index)].sort((a, b) => rank(a) - rank(b) || a - b).slice(0, most);
          expect(found[index]).toEqual(expected);
        });
      }),
    );
  });
});
