import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ProcessContext } from '../../../../../src/core/groups/context';
import {
  commonAttributes,
  type ConceptGraph,
  conceptGraph,
  newShares,
  nodesUpwards,
} from '../../../../../src/core/groups/graph/conceptGraph';
import { conceptLattice, withoutEmptyNodes } from '../../../../../src/core/groups/graph/lattice';
import {
  commonOf,
  commonSize,
  hasMember,
  membersOf,
  sizeOf,
} from '../../../../../src/core/groups/sets/bitSet';
import { bt, contextOf, many, randomContext, ranks, w6, w8 } from '../contexts';

/** 400 contexts; `npm run test:fuzz` draws others. */
const enough = { numRuns: 400 };

function latticeOf(context: ProcessContext): ConceptGraph {
  const lattice = conceptLattice(context);
  if (!lattice.isComplete) throw new Error(lattice.reason);
  return lattice.graph;
}

/** Intents of all concepts: intersections of any of the sets, that of none being all attributes that occur. */
function intents({ sets }: ProcessContext): ReadonlySet<string> {
  const all = new Set(sets.flatMap((set) => membersOf(set)));
  const found = new Map([[text(all), all]]);
  for (const set of sets)
    for (const one of [...found.values()]) {
      const common = new Set(membersOf(set).filter((attribute) => one.has(attribute)));
      found.set(text(common), common);
    }
  return new Set(found.keys());
}

function text(set: Iterable<number>): string {
  return [...set].sort((a, b) => a - b).join();
}

/** What a node has, itself and inherited. */
function intentOf(graph: ConceptGraph, node: number): string {
  return text(membersOf(nodesUpwards(graph)[node]!).flatMap((upper) => graph.nodes[upper]!.own));
}

/** A graph without its numbers: labels of nodes and of their upper neighbours. */
function shape(graph: ConceptGraph, names: readonly string[], groups: readonly string[]): readonly string[] {
  const labels = graph.nodes.map(
    ({ own, group }) =>
      `${group === undefined ? '' : groups[group]}|${own
        .map((attribute) => names[attribute])
        .sort()
        .join()}`,
  );
  const key = (node: number): string =>
    `${labels[node]}<${intentOf(graph, node)
      .split(',')
      .map((a) => (a === '' ? '' : names[Number(a)]))
      .sort()
      .join()}>`;
  return graph.nodes.map(({ above }, node) => `${key(node)} ${above.map(key).sort().join(' ')}`).sort();
}

function shapeIn(context: ProcessContext, graph: ConceptGraph): readonly string[] {
  const names = context.attributes.map(({ callee }) => callee);
  return shape(
    graph,
    names,
    context.sets.map(
      (set) =>
        `{${membersOf(set)
          .map((attribute) => names[attribute])
          .sort()
          .join()}}`,
    ),
  );
}

describe('the concept lattice', () => {
  test('C1: its nodes are the concepts that brute force finds', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        const graph = latticeOf(context);
        expect(graph.nodes.map((_, node) => intentOf(graph, node)).sort()).toEqual(
          [...intents(context)].sort(),
        );
      }),
      enough,
    );
  });

  test('C1: its edges lead to the next larger intents only', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        const graph = latticeOf(context);
        const upwards = nodesUpwards(graph);
        graph.nodes.forEach(({ above }, node) => {
          for (const upper of above)
            expect(above.filter((other) => hasMember(upwards[other]!, upper))).toEqual([upper]);
          const reached = membersOf(upwards[node]!).map(
            (upper) => new Set(intentOf(graph, upper).split(',')),
          );
          const own = new Set(intentOf(graph, node).split(','));
          // All concepts with fewer of the attributes are reached.
          const parts = graph.nodes.filter((_, other) =>
            intentOf(graph, other)
              .split(',')
              .every((attribute) => attribute === '' || own.has(attribute)),
          );
          expect(reached).toHaveLength(parts.length);
        });
      }),
    );
  });

  test('C1: W6 has 4 nodes and 4 edges, W11 4 nodes open and 2 closed', () => {
    const graph = latticeOf(w6);
    expect(graph.nodes).toHaveLength(4);
    expect(graph.nodes.flatMap(({ above }) => above)).toHaveLength(4);
    expect(latticeOf(contextOf(ranks(['A', 'A>B'], ['B']))).nodes).toHaveLength(4);
    expect(latticeOf(contextOf(ranks(['A', 'A>B', 'B'], ['B']))).nodes).toHaveLength(2);
  });

  test('C2: every group and every attribute is on one node', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        for (const graph of [latticeOf(context), conceptGraph(context)]) {
          const attributes = graph.nodes.flatMap(({ own }) => own).sort((a, b) => a - b);
          expect(attributes).toEqual([...context.attributes.keys()]);
          const groups = graph.nodes
            .flatMap(({ group }) => (group === undefined ? [] : [group]))
            .sort((a, b) => a - b);
          expect(groups).toEqual([...context.sets.keys()]);
        }
      }),
      enough,
    );
  });

  test('C3: the order of the processes makes no difference', () => {
    const withOrder = fc.tuple(randomContext, fc.array(fc.nat(), { minLength: 10, maxLength: 10 }));
    fc.assert(
      fc.property(withOrder, ([context, keys]) => {
        const order = [...context.sets.keys()].sort((a, b) => keys[a]! - keys[b]! || a - b);
        const permuted = { ...context, sets: order.map((group) => context.sets[group]!) };
        expect(shapeIn(permuted, latticeOf(permuted))).toEqual(shapeIn(context, latticeOf(context)));
        expect(shapeIn(permuted, conceptGraph(permuted))).toEqual(shapeIn(context, conceptGraph(context)));
      }),
      enough,
    );
  });

  test('C4: later processes may bring attributes, whether the first one has all or not', () => {
    for (const rows of [
      [['A', 'B'], ['A', 'C'], ['D']],
      [['A'], ['A', 'B'], ['A', 'B', 'C']],
      [['A', 'B', 'C'], ['A'], ['D', 'A'], ['E'], []],
    ]) {
      const context = contextOf(ranks(...rows), 'functions');
      const graph = latticeOf(context);
      expect(graph.nodes.map((_, node) => intentOf(graph, node)).sort()).toEqual(
        [...intents(context)].sort(),
      );
    }
  });

  test('C5: without empty nodes, the others reach the same ones', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        const whole = latticeOf(context);
        const small = withoutEmptyNodes(whole);
        const label = (graph: ConceptGraph, node: number): string =>
          `${graph.nodes[node]!.group ?? ''}|${graph.nodes[node]!.own.join()}`;
        const reach = (graph: ConceptGraph): readonly string[] =>
          nodesUpwards(graph)
            .map(
              (set, node) =>
                `${label(graph, node)}: ${membersOf(set)
                  .map((upper) => label(graph, upper))
                  .filter((name) => name !== '|')
                  .sort()
                  .join(' ')}`,
            )
            .filter((line) => !line.startsWith('|:'))
            .sort();
        expect(reach(small)).toEqual(reach(whole));
        expect(commonAttributes(small)).toEqual(commonAttributes(whole));
      }),
      enough,
    );
    expect(latticeOf(w8).nodes).toHaveLength(5);
    expect(latticeOf(w8).nodes.flatMap(({ above }) => above)).toHaveLength(5);
    expect(withoutEmptyNodes(latticeOf(w8)).nodes).toHaveLength(4);
  });

  test('C6: common attributes read from the graph are those of the sets', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        const groups = context.sets.length;
        const common = commonAttributes(conceptGraph(context));
        context.sets.forEach((one, i) =>
          context.sets.forEach((other, j) => expect(common[i * groups + j]).toBe(commonSize(one, other))),
        );
      }),
      enough,
    );
  });

  test('C6: similarities of W7, W8 and W10', () => {
    const similarities = (context: ProcessContext): readonly string[] => {
      const common = commonAttributes(conceptGraph(context));
      const groups = context.sets.length;
      const size = (i: number, j: number): number => common[i * groups + j]!;
      return [...context.sets.keys()].flatMap((j) =>
        [...Array(j).keys()].map((i) => (size(i, j) / (size(i, i) + size(j, j) - size(i, j))).toFixed(3)),
      );
    };
    const all = many(663, (index) => `a${index}`);
    const w7 = contextOf(
      ranks([...all, ...many(111, (index) => `b${index}`)], ...many(63, String).map(() => all)),
    );
    expect(similarities(w7)).toEqual(['0.857']);
    // Rank 0, threads, other ranks: threads to 0; others to 0; others to threads.
    expect(similarities(w8)).toEqual(['0.241', '0.774', '0.304']);
    expect(similarities(bt)).toEqual(['0.444', '0.992', '0.448']);
  });

  test('C7: the published sizes of lattices', () => {
    const equal = contextOf(ranks(['A', 'B'], ['A', 'B'], ['A', 'B']));
    const wrf = contextOf(ranks(['A', 'B'], ...many(63, String).map(() => ['A'])));
    for (const [context, nodes, groups] of [
      [equal, 1, 1],
      [wrf, 2, 2],
      [bt, 5, 3],
    ] as const) {
      expect(latticeOf(context).nodes).toHaveLength(nodes);
      expect(context.sets).toHaveLength(groups);
    }
  });
});

describe('the graph without a lattice', () => {
  test('C8: is the lattice without its empty nodes', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        expect(shapeIn(context, conceptGraph(context))).toEqual(
          shapeIn(context, withoutEmptyNodes(latticeOf(context))),
        );
      }),
      enough,
    );
  });

  test('C8: nodes come after those above them, whose positions ascend', () => {
    fc.assert(
      fc.property(randomContext, (context) => {
        for (const graph of [
          conceptGraph(context),
          latticeOf(context),
          withoutEmptyNodes(latticeOf(context)),
        ])
          graph.nodes.forEach(({ above }, node) => {
            expect([...above].sort((a, b) => a - b)).toEqual(above);
            expect(above.every((upper) => upper < node)).toBe(true);
          });
      }),
    );
  });

  test('C11: two to the twentieth concepts stop at the limit; groups, matrix and graph are there', () => {
    const all = many(20, (index) => `f${index}`);
    const context = contextOf(ranks(...all.map((missing) => all.filter((name) => name !== missing))));
    const lattice = conceptLattice(context);
    expect(lattice).toMatchObject({ isComplete: false, nodes: 5000, groups: 20 });
    if (lattice.isComplete) return;
    expect(lattice.reason).toBe(
      `The concept lattice has more than 5000 nodes; ${lattice.inserted} of 20 groups were inserted.`,
    );
    // After n of the sets there are 2^n concepts.
    expect(lattice.inserted).toBe(12);
    const graph = conceptGraph(context);
    expect(graph.nodes).toHaveLength(40);
    expect(commonAttributes(graph)[1]).toBe(18);
    expect(context.sets).toHaveLength(20);
  });

  test('C11: a lattice with as many nodes as the limit is complete', () => {
    expect(conceptLattice(w8, 5).isComplete).toBe(true);
    expect(conceptLattice(w8, 4)).toMatchObject({ isComplete: false, nodes: 4 });
  });

  it('gives the shares of W8', () => {
    expect(
      newShares(conceptGraph(w8))
        .map((share) => (100 * share).toFixed(1))
        .sort(),
    ).toEqual(['24.1', '47.7', '21.0', '7.3'].sort());
  });

  it('has no node for attributes without processes, and none at all without processes', () => {
    const one = contextOf(ranks(['A']));
    const graph = conceptGraph({ sets: one.sets, attributes: [...one.attributes, { callee: 'never' }] });
    expect(graph.nodes).toEqual([{ own: [0], group: 0, above: [] }]);
    expect(conceptGraph({ sets: [], attributes: [{ callee: 'never' }] }).nodes).toEqual([]);
    expect(newShares({ nodes: [] })).toEqual([]);
    expect(newShares(conceptGraph(contextOf(ranks([]))))).toEqual([0]);
  });

  it('of 4096 irregular processes has at most a node for each group and attribute', () => {
    const { sets, context } = irregular(4096, 655, 216);
    const graph = conceptGraph(context);
    expect(graph.nodes.length).toBeLessThanOrEqual(655 + 216);
    expect(graph.nodes.filter(({ group }) => group !== undefined)).toHaveLength(216);
    const common = commonAttributes(graph);
    expect(common[217]).toBe(sizeOf(sets[1]!));
    expect(common[1]).toBe(sizeOf(commonOf(sets[0]!, sets[1]!)));
  });
});

/** Half of the attributes are of all groups, the others of about half of these: the same ones each time. */
function irregular(processes: number, attributes: number, groups: number) {
  let state = 1;
  const next = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  const rows = many(groups, String).map(() =>
    many(attributes, (index) => `f${index}`).filter((_, index) => index < attributes / 2 || next() < 0.5),
  );
  const context = contextOf(
    many(processes, String).map((_, rank) => ({ rank, has: rows[rank % groups]! })),
    'functions',
  );
  return { context, sets: context.sets };
}
