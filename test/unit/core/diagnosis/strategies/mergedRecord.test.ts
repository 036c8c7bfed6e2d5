import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printFocus } from '../../../../../src/core/diagnosis/resources/focusText';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import type {
  ParentEdge,
  SearchNode,
  SearchRecord,
} from '../../../../../src/core/diagnosis/search/searchRecord';
import { mergedRecord } from '../../../../../src/core/diagnosis/strategies/mergedRecord';
import { readSearch, writeSearch } from '../../../../../src/formats/kymo-search/searchFile';
import { smallProgram } from '../virtual/smallProgram';
import { VirtualRun } from '../virtual/virtualRun';

const rules = { minTimeToTrue: 4, minTimeToFalse: 4, completeAfter: 5 };
function searched(): SearchRecord {
  const run = new VirtualRun({ spec: smallProgram(3), strategy: 'centralised', samplingInterval: 1, rules });
  run.run();
  return run.frontEnd.record!;
}
const whole = searched();
const { hypotheses } = whole;
const empty: SearchRecord = { ...whole, end: 0, nodes: [], notices: [] };

function node(
  id: number,
  focus: Partial<Focus>,
  parents: readonly ParentEdge[],
  more: object = {},
): SearchNode {
  return {
    ...{ id, hypothesis: 'CPUBound', focus: { ...wholeProgram, ...focus }, parents, truth: 'unknown' },
    ...{ activity: 'inactive', priority: 'where', threshold: 0.3, conclusions: [], predictedCost: 0 },
    ...more,
  };
}
const record = (end: number, ...nodes: readonly SearchNode[]): SearchRecord => ({ ...empty, end, nodes });
const machine = (...Machine: readonly string[]): Partial<Focus> => ({ Machine });
const where = (from: number, time: number): ParentEdge => ({ node: from, by: 'where', time });
const root = (time: number): ParentEdge => ({ by: 'root', time });
const keyOf = ({ hypothesis, focus }: SearchNode): string => `${hypothesis} ${printFocus(focus)}`;

/** Searches of which each knows a part: what an agent begins with is a part that the front end only has made, or the one of another agent. */
function split({ nodes }: SearchRecord, isDelegated: readonly boolean[]): readonly SearchRecord[] {
  const owners: number[] = [];
  let agents = 0;
  for (const { id, parents } of nodes) {
    const from = parents[0]?.node;
    owners.push(from === undefined ? 0 : isDelegated[id] === true ? ++agents : owners[from]!);
  }
  return Array.from({ length: agents + 1 }, (_, agent): SearchRecord => {
    const ids = new Map<number, number>();
    // In an agent, what it was given comes first.
    const isGiven = (one: SearchNode): boolean =>
      owners[one.id] !== 0 &&
      one.parents[0]?.node !== undefined &&
      owners[one.parents[0].node] !== owners[one.id];
    const knows = (one: SearchNode): boolean =>
      owners[one.id] === agent || (isGiven(one) && owners[one.parents[0]!.node!] === agent);
    const own = nodes.filter(knows);
    for (const { id } of own) ids.set(id, ids.size);
    return record(
      whole.end,
      ...own.map((one): SearchNode => {
        const parents = one.parents.flatMap((edge): readonly ParentEdge[] => {
          const from = edge.node === undefined ? undefined : ids.get(edge.node);
          return edge.node === undefined ? [edge] : from === undefined ? [] : [{ ...edge, node: from }];
        });
        const id = ids.get(one.id)!;
        if (owners[one.id] === agent)
          return { ...one, id, parents: isGiven(one) ? [root(one.parents[0]!.time), ...parents] : parents };
        return node(id, one.focus, parents, { hypothesis: one.hypothesis });
      }),
    );
  });
}

describe('the record of a search by several', () => {
  test('has each experiment once, with what the one that tested it knows, below what led to it', () => {
    const delegated = fc.array(fc.boolean(), {
      minLength: whole.nodes.length,
      maxLength: whole.nodes.length,
    });
    fc.assert(
      fc.property(delegated, (isDelegated) => {
        const [own, ...agents] = split(whole, isDelegated);
        const merged = mergedRecord(own!, agents);
        const keys = merged.nodes.map(keyOf);
        expect(new Set(keys).size).toBe(keys.length);
        expect([...keys].sort()).toEqual(whole.nodes.map(keyOf).sort());
        const values = ({ nodes }: SearchRecord): readonly string[] =>
          nodes.map((one) => JSON.stringify([keyOf(one), one.truth, one.value, one.conclusions])).sort();
        expect(values(merged)).toEqual(values(whole));
        // All that any of them knows of how an experiment was reached, and no root that was given.
        const edges = new Set([own!, ...agents].flatMap((one) => edgesOf(one)));
        for (const { parents } of merged.nodes)
          if (parents.length > 1) expect(parents.every(({ by }) => by !== 'root')).toBe(true);
        expect(new Set(edgesOf(merged))).toEqual(edges);
        const text = writeSearch(merged);
        expect(readSearch(text, 'search.json').nodes).toEqual(merged.nodes);
      }),
    );
  });

  test('is that of a search alone where there are no others', () => {
    expect(mergedRecord(whole, [])).toEqual(whole);
  });

  test('is in the order in which experiments were made, whoever made them', () => {
    const own = record(
      9,
      node(0, {}, [root(0)], { truth: 'true', value: 0.5 }),
      node(1, machine('a', 'rank 0'), [where(0, 8)]),
    );
    const agent = record(
      12,
      node(0, machine('a'), [root(2)], { value: 0.5 }),
      node(1, machine('a', 'rank 0'), [where(0, 5)], { value: 0.7 }),
      node(2, machine('a', 'rank 1'), [where(0, 5), where(3, 9)]),
      node(3, machine('a', 'rank 1', 'thread 1'), [where(2, 7)]),
    );
    const merged = mergedRecord(own, [agent]);
    expect(merged.end).toBe(12);
    expect(
      merged.nodes.map(({ id, focus: { Machine }, parents, value }) => [id, Machine, parents, value]),
    ).toEqual([
      [0, [], [root(0)], 0.5],
      [1, ['a'], [root(2)], 0.5],
      [2, ['a', 'rank 0'], [where(1, 5), where(0, 8)], 0.7],
      [3, ['a', 'rank 1'], [where(1, 5), where(4, 9)], undefined],
      [4, ['a', 'rank 1', 'thread 1'], [where(3, 7)], undefined],
    ]);
    expect(() => readSearch(writeSearch(merged), 'search.json')).not.toThrow();
  });

  test('has parents before what was made of them at the same time', () => {
    const own = record(8, node(0, {}, [root(0)]), node(1, machine('a', 'rank 0'), [where(0, 8)]));
    const agent = record(
      8,
      node(0, machine('a'), [root(2)]),
      node(1, machine('b'), [where(0, 5)]),
      node(2, machine('a', 'rank 0'), [where(1, 5)]),
    );
    const { nodes } = mergedRecord(own, [agent]);
    expect(nodes.map(({ focus }) => focus.Machine)).toEqual([[], ['a'], ['b'], ['a', 'rank 0']]);
    expect(nodes[3]?.parents).toEqual([where(2, 5), where(0, 8)]);
  });

  test('says of an experiment that it is stale if any of them does, and has the notices of all in order', () => {
    const notice = (time: number): SearchRecord['notices'][number] => ({ time, message: `at ${time}` });
    const own = { ...record(4, node(0, machine('a'), [root(0)], { stale: true })), notices: [notice(3)] };
    const agent = {
      ...record(4, node(0, machine('a'), [root(0)], { value: 1 })),
      notices: [notice(2), notice(4)],
    };
    const merged = mergedRecord(own, [agent]);
    expect(merged.nodes).toMatchObject([{ value: 1, stale: true, parents: [root(0)] }]);
    expect(merged.notices.map(({ time }) => time)).toEqual([2, 3, 4]);
    expect(merged.hypotheses).toBe(hypotheses);
  });
});

/** Of nodes that others lead to: by which, how and when. */
function edgesOf({ nodes }: SearchRecord): readonly string[] {
  return nodes.flatMap((one) =>
    one.parents.flatMap(({ node: from, by, time }) =>
      from === undefined ? [] : [`${keyOf(nodes[from]!)} > ${keyOf(one)} ${by} ${time}`],
    ),
  );
}
