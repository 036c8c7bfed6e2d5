import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arcContext } from '../../../../src/core/groups/attributes/arcContext';
import { eventContext } from '../../../../src/core/groups/attributes/eventContext';
import { functionsOf, joinContexts } from '../../../../src/core/groups/attributes/joinContexts';
import { contextOfAttributes, profileContext } from '../../../../src/core/groups/attributes/profileContext';
import { conceptLattice, type Lattice } from '../../../../src/core/groups/graph/lattice';
import { jaccard, measured } from '../../../../src/core/groups/measures';
import { attributesOf, call, contextOfCalls, eventsOf, profileOfCalls, w1, type Call } from './examples';

const pairsOfW1 = [
  ['0→main', 'MPI_Init→fclose', 'MPI_Init→fopen', 'main→MPI_Init', 'main→fclose', 'main→fopen'],
  ['0→main', 'MPI_Init→fclose', 'MPI_Init→fopen', 'main→MPI_Init'],
];

/** Trees of few functions, so that they repeat and recur. */
const trees: fc.Arbitrary<readonly Call[]> = fc.letrec<{ calls: readonly Call[] }>((tie) => ({
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('main', 'a', 'b', 'c', 'MPI_Send'),
      calls: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constant([]), tie('calls')),
    }),
    { maxLength: 4 },
  ),
})).calls;
const programs = fc.array(trees, { minLength: 1, maxLength: 6 });

function fromEvents(calls: readonly (readonly Call[])[], options = {}) {
  return eventContext(
    calls.flatMap((one, location) => eventsOf(location, one)),
    options,
  ).context;
}

describe('attributes of processes', () => {
  test('A1 sets of functions', () => {
    const functions = ['0→MPI_Init', '0→fclose', '0→fopen', '0→main'];
    expect(attributesOf(contextOfCalls(w1, { kind: 'functions' }))).toEqual([functions, functions]);
  });

  test('A2 pairs with a virtual root', () => {
    expect(attributesOf(contextOfCalls(w1))).toEqual(pairsOfW1);
    expect(attributesOf(fromEvents([[call('f')]]))).toEqual([['0→f']]);
  });

  test('A3 counts, order, times and depth of recursion change nothing', () => {
    const recursive = (depth: number): Call => (depth === 1 ? call('f') : call('f', recursive(depth - 1)));
    const often = [call('main', 'b', 'a', 'a', 'b'), call('main', 'a')];
    const [once, twice, flat, deep, deepest] = attributesOf(
      fromEvents([[call('main', 'a', 'b')], often, [recursive(1)], [recursive(2)], [recursive(1000)]]),
    );
    expect(twice).toEqual(once);
    expect(flat).toEqual(['0→f']);
    expect(deep).toEqual(['0→f', 'f→f']);
    expect(deepest).toEqual(deep);
  });

  test('A4 events, arcs and call trees of a program give the same sets', () => {
    fc.assert(
      fc.property(programs, (calls) => {
        const expected = attributesOf(contextOfCalls(calls));
        expect(attributesOf(profileContext(profileOfCalls(calls)))).toEqual(expected);
        // A process without events is not known from them.
        const running = calls.filter((one) => one.length > 0);
        expect(attributesOf(fromEvents(running))).toEqual(expected.filter((one) => one.length > 0));
      }),
    );
  });

  test('A4 arcs that were never called are not there', () => {
    const process = { name: 'Rank 0', rank: 0, thread: 0 };
    const arcs = [
      { callee: 'main', count: 1 },
      { caller: 'main', callee: 'never', count: 0 },
    ];
    expect(attributesOf(arcContext([{ process, arcs }]))).toEqual([['0→main']]);
  });

  test('A5 functions are the callees of pairs, for 1,000 call trees', () => {
    fc.assert(
      fc.property(programs, (calls) => {
        const pairs = contextOfCalls(calls);
        const callees = attributesOf(pairs).map((list) =>
          [...new Set(list.map((pair) => `0→${pair.split('→')[1]!}`))].sort(),
        );
        expect(attributesOf(contextOfCalls(calls, { kind: 'functions' }))).toEqual(callees);
        expect(attributesOf(functionsOf(pairs))).toEqual(callees);
      }),
      { numRuns: 1000 },
    );
  });

  test('A6 events that do not match are counted, and the others count', () => {
    const { context, problems } = eventContext([
      { location: 1, kind: 'leave', function: 'main' },
      { location: 1, kind: 'enter', function: 'main' },
      { location: 1, kind: 'enter' },
      { location: 1, kind: 'enter', function: 'a' },
      { location: 1, kind: 'enter', function: 'b' },
      { location: 1, kind: 'leave', function: 'a' },
      { location: 1, kind: 'leave', function: 'never' },
      { location: 1, kind: 'enter', function: 'c' },
      { location: 1, kind: 'leave' },
      { location: 1, kind: 'enter', function: 'd' },
    ]);
    expect(attributesOf(context)).toEqual([['0→main', 'a→b', 'main→a', 'main→c', 'main→d']]);
    expect(problems).toEqual({ unmatchedLeaves: 2, namelessEnters: 1, missingLeaves: 3 });
  });

  test('A7 large ids of locations stay distinct', () => {
    const ids = [1, 65_537, 4_294_967_296, 4_294_967_297, 2n ** 53n, 2n ** 53n + 1n, '18446744073709551615'];
    const { context } = eventContext(ids.flatMap((id) => eventsOf(id, [call('main')])));
    expect(context.processes.map(({ name }) => name)).toEqual(ids.map(String));
    expect(context.processes.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(() => eventContext(eventsOf(2 ** 53, []))).not.toThrow();
    expect(() => eventContext(eventsOf(2 ** 53, [call('main')]))).toThrow(RangeError);
  });

  test('A7 locations get the names that definitions give them', () => {
    const describe = (id: string) => ({ name: `Thread ${id}`, thread: Number(id) });
    const { context } = eventContext(eventsOf(3, [call('main')]), { describe });
    expect(context.processes).toEqual([{ name: 'Thread 3', rank: 0, thread: 3 }]);
  });

  test('A8 callees of artificial functions are those of their caller', () => {
    const calls = [[call('PARALLEL', call('PARALLEL', 'X'), 'Y')], [call('main', call('PARALLEL', 'X'))]];
    const spliced = [
      ['0→X', '0→Y'],
      ['0→main', 'main→X'],
    ];
    const asRecorded = [
      ['0→PARALLEL', 'PARALLEL→PARALLEL', 'PARALLEL→X', 'PARALLEL→Y'],
      ['0→main', 'PARALLEL→X', 'main→PARALLEL'],
    ];
    for (const make of [
      (options: object) => contextOfCalls(calls, options),
      (options: object) => fromEvents(calls, options),
      (options: object) => profileContext(profileOfCalls(calls), options),
    ]) {
      expect(attributesOf(make({}))).toEqual(spliced);
      expect(attributesOf(make({ artificial: [] }))).toEqual(asRecorded);
      expect(attributesOf(make({ artificial: ['main'] }))[1]).toEqual(['0→PARALLEL', 'PARALLEL→X']);
    }
  });

  test('A8 circles of artificial functions end', () => {
    const process = { name: 'Rank 0', rank: 0, thread: 0 };
    const arcs = [
      { callee: 'P', count: 1 },
      { caller: 'P', callee: 'Q', count: 1 },
      { caller: 'Q', callee: 'P', count: 1 },
      { caller: 'Q', callee: 'X', count: 1 },
    ];
    expect(attributesOf(arcContext([{ process, arcs }], { artificial: ['P', 'Q'] }))).toEqual([['0→X']]);
  });
});

describe('contexts of profiles', () => {
  test('a profile without visits: functions with inclusive time', () => {
    expect(attributesOf(profileContext(profileOfCalls(w1, { withoutVisits: true })))).toEqual(pairsOfW1);
  });

  test('a profile without visits and without times: all processes are alike', () => {
    const { metrics, ...others } = profileOfCalls(w1);
    const context = profileContext({ ...others, metrics: metrics.slice(0, 0), stored: new Map() });
    expect(attributesOf(context)).toEqual([[], []]);
  });

  test('one location, none, and call paths of different depth', () => {
    expect(attributesOf(profileContext(profileOfCalls([w1[0]!])))).toEqual([pairsOfW1[0]]);
    const empty = profileContext(profileOfCalls([]));
    expect([empty.processes, empty.sets, [...empty.groupOf]]).toEqual([[], [], []]);
    const deep = [[call('main')], [], [call('main', call('a', call('b', call('c'))))]];
    expect(attributesOf(profileContext(profileOfCalls(deep)))).toEqual([
      ['0→main'],
      [],
      ['0→main', 'a→b', 'b→c', 'main→a'],
    ]);
  });

  test('inclusive visits count as they are', () => {
    const profile = profileOfCalls(w1);
    const metrics = profile.metrics.map((one) => ({ ...one, stored: 'inclusive' as const }));
    const visits = profile.stored.get('visits')!;
    const inclusive = visits.slice();
    for (let path = profile.callPaths.count - 1; path > 0; path--)
      for (let location = 0; location < 2; location++)
        inclusive[profile.callPaths.parent[path]! * 2 + location]! += inclusive[path * 2 + location]!;
    const stored = new Map([['visits', inclusive]]);
    expect(attributesOf(profileContext({ ...profile, metrics, stored }))).toEqual(pairsOfW1);
  });

  test('functions of one name in two files are two', () => {
    const profile = profileOfCalls([[call('main', 'a')]], { file: (name) => `${name}.c` });
    expect(attributesOf(profileContext(profile))).toEqual([['0→main', 'main→a']]);
    const regions = profile.regions.map((region) => ({ ...region, name: 'f' }));
    expect(attributesOf(profileContext({ ...profile, regions }))).toEqual([
      ['0→f (main.c)', 'f (main.c)→f (a.c)'],
    ]);
  });

  test('C13 attribute by attribute gives the groups of whole sets, in the order of first members', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 })), (rows) => {
        const attributes = Array.from({ length: 5 }, (_, number) => ({ callee: `f${number}` }));
        const processes = rows.map((_, rank) => ({ name: '', rank, thread: 0 }));
        const context = contextOfAttributes('functions', attributes, processes, (attribute, has) =>
          rows.forEach((row, process) => (has[process] = row[attribute] === true ? 1 : 0)),
        );
        expect(attributesOf(context)).toEqual(
          rows.map((row) => row.flatMap((isIn, number) => (isIn ? [`0→f${number}`] : []))),
        );
        const keys = rows.map(String);
        expect([...context.groupOf]).toEqual(keys.map((key) => [...new Set(keys)].indexOf(key)));
      }),
    );
  });
});

describe('several runs', () => {
  test('D10 the same rank of two equal runs is in one group, and processes know their run', () => {
    const run = profileContext(profileOfCalls(w1));
    const joined = joinContexts([
      { context: run, run: 'before' },
      { context: fromEvents([w1[1]!, w1[0]!]), run: 'after' },
    ]);
    expect([...joined.groupOf]).toEqual([0, 1, 1, 0]);
    expect(joined.processes.map(({ run: name, rank }) => `${name!} ${rank}`)).toEqual([
      'before 0',
      'before 1',
      'after 0',
      'after 1',
    ]);
  });

  test('D10 of pairs and functions, functions are compared', () => {
    const joined = joinContexts([
      { context: contextOfCalls(w1) },
      { context: contextOfCalls(w1, { kind: 'functions' }) },
    ]);
    expect([joined.kind, joined.sets.length]).toEqual(['functions', 1]);
    expect(measured(jaccard, joined.sets[0]!, joined.sets[0]!)).toBe(1);
  });

  test('C10 chunks merged are the whole, whatever their attributes are numbered', () => {
    fc.assert(
      fc.property(programs, fc.array(fc.nat(6), { maxLength: 3 }), (calls, cuts) => {
        const bounds = [0, ...cuts.sort((a, b) => a - b), calls.length];
        const chunks = bounds
          .slice(1)
          .map((end, place) => ({ context: contextOfCalls(calls.slice(bounds[place], end)) }));
        const whole = contextOfCalls(calls);
        const merged = joinContexts(chunks);
        expect(attributesOf(merged)).toEqual(attributesOf(whole));
        expect([...merged.groupOf]).toEqual([...whole.groupOf]);
        // What is made of the groups is then that of the whole: partial lattices need not be merged.
        const sizes = ({ graph }: Extract<Lattice, { isComplete: true }>) =>
          graph.nodes.map(({ own, group, above }) => [own.length, group ?? -1, above.length].join()).sort();
        const lattices = [merged, whole].map((context) => conceptLattice(context));
        const [one, other] = lattices.map((lattice) => (lattice.isComplete ? sizes(lattice) : undefined));
        expect(one).toEqual(other);
      }),
    );
  });
});
