import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { patchMeasured } from '../../../../src/core/callgraph/patchMeasured';
import { graphWithProfile } from '../../../../src/core/callgraph/profileGraph';
import {
  callersOf,
  entryOf,
  pathsToMain,
  reachableFrom,
  reachableFromEntry,
  shortestWay,
} from '../../../../src/core/callgraph/reachability';
import { keysAmong, plainName, qualifiedName, regionKey } from '../../../../src/core/callgraph/regionKeys';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Region } from '../../../../src/core/profile/profile';
import { anyGraph, fn, graphOf } from '../selection/graphs';

const region = (name: string, facts: Partial<Region> = {}): Region => ({
  name,
  paradigm: 'compiler',
  role: 'function',
  ...facts,
});

describe('the key of a region', () => {
  const keyIn = (functions: Parameters<typeof keysAmong>[0]['functions'], one: Region) =>
    keysAmong({ functions })(one);
  const at = (file: string, line: number) => ({ file, line });

  it('is that of the function with its mangled name', () => {
    const functions = [fn('k', { mangledName: '_Z1fv', name: 'f()' })];
    expect(keyIn(functions, region('f()', { mangledName: '_Z1fv' }))).toBe('k');
    expect(keyIn(functions, region('_Z1fv'))).toBe('k');
  });

  it('is told by the place where two have the mangled name', () => {
    const functions = [
      fn('a', { mangledName: 'f', name: 'f', ...at('/x/a.c', 3) }),
      fn('b', { mangledName: 'f', name: 'f', ...at('/x/b.c', 3) }),
    ];
    expect(keyIn(functions, region('f', { file: '/elsewhere/b.c', firstLine: 3 }))).toBe('b');
    expect(keyIn(functions, region('f'))).toBe('f');
    expect(keyIn(functions, region('f', { file: '/x/b.c', firstLine: 4 }))).toBe('f@/x/b.c:4');
  });

  it('is told by name and place, then by the place alone where one function is there, then by the name', () => {
    const functions = [
      fn('one', { name: 'int ns::f(int)', ...at('a.c', 3) }),
      fn('two', { name: 'g', ...at('a.c', 3) }),
      fn('three', { name: 'h', ...at('a.c', 9) }),
      fn('four', { name: 'only' }),
      fn('five', { name: 'twice' }),
      fn('six', { name: 'twice' }),
    ];
    const place = { file: '/w/a.c', firstLine: 3 };
    expect(keyIn(functions, region('f', place))).toBe('one');
    expect(keyIn(functions, region('g', place))).toBe('two');
    expect(keyIn(functions, region('other', place))).toBe('other@/w/a.c:3');
    expect(keyIn(functions, region('other', { file: '/w/a.c', firstLine: 9 }))).toBe('three');
    expect(keyIn(functions, region('only'))).toBe('four');
    expect(keyIn(functions, region('only', { file: '/w/a.c', firstLine: 0 }))).toBe('four');
    expect(keyIn(functions, region('twice'))).toBe('twice');
  });

  it('of a function that is known from the profile alone has the mangled name, or name and place', () => {
    expect(regionKey(region('f()', { mangledName: '_Z1fv', file: 'a.c', firstLine: 1 }))).toBe('_Z1fv');
    expect(regionKey(region('f', { file: 'a.c', firstLine: 1 }))).toBe('f@a.c:1');
    expect(regionKey(region('f', { file: 'a.c' }))).toBe('f');
    expect(regionKey(region('f', { firstLine: 1 }))).toBe('f');
  });

  test.each([
    ['double ns::Grid<int>::at(int) const', 'ns::Grid::at', 'at'],
    ['ns::Grid::at [T = int]', 'ns::Grid::at', 'at'],
    ['ns::Grid::at [with T = int]', 'ns::Grid::at', 'at'],
    ['main', 'main', 'main'],
    ['char *name(int)', 'name', 'name'],
    ['Map<Pair<int, int>, A>::find(int)', 'Map::find', 'find'],
    ['(anonymous namespace)::f(int)', 'f', 'f'],
  ])('%s is %s', (name, qualified, plain) => {
    expect(qualifiedName(name)).toBe(qualified);
    expect(plainName(name)).toBe(plain);
  });
});

describe('executed calls in a graph', () => {
  const graph = graphOf(
    [fn('main'), fn('f'), fn('g')],
    [
      ['main', 'f'],
      ['main', 'g'],
    ],
  );

  it('are marked with their number, and added where the sources do not show them', () => {
    const { edges } = patchMeasured(graph, [
      { caller: 0, callee: 2, calls: 3 },
      { caller: 0, callee: 2, calls: 4 },
      { caller: 2, callee: 1, calls: 5 },
      { caller: 0, callee: 0, calls: 1 },
      { caller: 0, callee: 9, calls: 1 },
      { caller: 9, callee: 0, calls: 1 },
    ]);
    expect(edges).toEqual([
      [
        { callee: 0, kind: 'measured', calls: 1 },
        { callee: 1, kind: 'direct' },
        { callee: 2, kind: 'measured', calls: 7 },
      ],
      [],
      [{ callee: 1, kind: 'measured', calls: 5 }],
    ]);
    // A second run adds to the first one.
    expect(patchMeasured({ ...graph, edges }, [{ caller: 0, callee: 2, calls: 1 }]).edges[0]?.[2]).toEqual({
      callee: 2,
      kind: 'measured',
      calls: 8,
    });
    expect(patchMeasured(graph, [])).toEqual(graph);
  });

  const profileWith = (visits: readonly number[] | undefined) => {
    const builder = new ProfileBuilder();
    if (visits !== undefined) builder.metric(standardMetrics.visits);
    const regions = [
      region('main'),
      region('f'),
      region('extra', { file: '/a.c', firstLine: 7, lastLine: 9, mangledName: '_Z5extrav' }),
      region('MPI_Send', { paradigm: 'mpi' }),
      region('user region', { paradigm: 'user', firstLine: 0, lastLine: -1 }),
      region('unknown one', { paradigm: 'unknown' }),
    ].map((one) => builder.region(one));
    const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
    for (const thread of [0, 1]) builder.location({ name: 't', rank: 0, thread, process, kind: 'thread' });
    const [main, f, extra, mpi, user, unknown] = regions as [number, number, number, number, number, number];
    const paths: number[] = [];
    for (const [above, own] of [
      [undefined, main],
      [0, f],
      [1, extra],
      [2, mpi],
      [0, user],
      [4, unknown],
    ] as const)
      paths.push(builder.callPath(above === undefined ? undefined : paths[above], own));
    visits?.forEach((value, path) =>
      [0, 1].forEach((location) => builder.set('visits', path, location, value * (location + 1))),
    );
    return builder.build();
  };

  it('come from a profile with the functions that the graph lacks; those of libraries stay out', () => {
    const joined = graphWithProfile(graph, profileWith([1, 2, 3, 4, 0, 6]));
    expect(joined.functions.map(({ key }) => key)).toEqual([
      'main',
      'f',
      'g',
      '_Z5extrav',
      'user region',
      'unknown one',
    ]);
    expect(joined.functions.slice(0, 3)).toEqual(graph.functions);
    expect(joined.functions[3]).toEqual({
      key: '_Z5extrav',
      name: 'extra',
      mangledName: '_Z5extrav',
      file: '/a.c',
      line: 7,
      endLine: 9,
      hasBody: true,
      statements: 0,
      loops: 0,
      loopDepth: 0,
      conditionalBranches: 0,
      isVirtual: false,
      overrides: [],
      isSystem: false,
      definitions: [],
    });
    expect(joined.functions[4]).not.toHaveProperty('line');
    expect(joined.functions[4]).not.toHaveProperty('endLine');
    expect(joined.edges).toEqual([
      [
        { callee: 1, kind: 'measured', calls: 6 },
        { callee: 2, kind: 'direct' },
      ],
      [{ callee: 3, kind: 'measured', calls: 9 }],
      [],
      [],
      [{ callee: 5, kind: 'measured', calls: 18 }],
      [],
    ]);
  });

  it('of a profile that counts no visits are one call for each call path', () => {
    const alone = graphWithProfile(undefined, profileWith(undefined));
    expect(alone.functions.map(({ name }) => name)).toEqual([
      'main',
      'f',
      'extra',
      'user region',
      'unknown one',
    ]);
    expect(alone.edges[0]).toEqual([
      { callee: 1, kind: 'measured', calls: 1 },
      { callee: 3, kind: 'measured', calls: 1 },
    ]);
  });
});

describe('ways in a graph', () => {
  const naive = (graph: ReturnType<typeof graphOf>, from: number): Set<number> => {
    const seen = new Set([from]);
    for (const node of seen) for (const { callee } of graph.edges[node] ?? []) seen.add(callee);
    return seen;
  };

  it('lead to what a plain search finds, and back', () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(), (graph, pick) => {
        const start = pick % graph.functions.length;
        const reached = naive(graph, start);
        const bytes = reachableFrom(graph, [start]);
        bytes.forEach((byte, index) => {
          expect(byte).toBe(reached.has(index) ? 1 : 0);
        });
        const callers = callersOf(graph);
        const fromEntry = reachableFromEntry(graph);
        const onPath = pathsToMain(callers, fromEntry, [start]);
        onPath.forEach((byte, index) => {
          const isOn = fromEntry[start] === 1 && fromEntry[index] === 1 && naive(graph, index).has(start);
          expect(byte).toBe(isOn ? 1 : 0);
        });
        const way = shortestWay(
          start,
          (node) => node === 0,
          (node) => callers[node] ?? [],
        );
        expect(way !== undefined).toBe(fromEntry[start] === 1);
        expect(way?.[0] ?? start).toBe(start);
        expect(way?.at(-1) ?? 0).toBe(0);
        way?.forEach((node, step) => {
          if (step > 0) expect(callers[way[step - 1] ?? -1]).toContain(node);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('takes the shortest', () => {
    const next = (node: number) => [[1, 2], [3], [4], [4], []][node] ?? [];
    expect(shortestWay(0, (node) => node === 4, next)).toEqual([0, 2, 4]);
    expect(shortestWay(4, (node) => node === 0, next)).toBeUndefined();
  });

  test.each([
    [fn('main'), 1],
    [fn('k', { name: 'int main()', mangledName: 'main' }), 1],
    [fn('MAIN__'), 1],
    [fn('k', { mangledName: '_Z4main' }), 1],
    [fn('k', { mangledName: '_ZSt4mainiPPc' }), 1],
    [fn('main', { mangledName: '_ZN1a4mainEv' }), undefined],
    [fn('domain'), undefined],
  ])('begin at the entry function: %#', (one, entry) => {
    const graph = { functions: [fn('f'), one], edges: [[], []] };
    expect(entryOf(graph)).toBe(entry);
    expect(entryOf({ ...graph, entry: 0 })).toBe(0);
    expect([...reachableFromEntry(graph)]).toEqual(entry === undefined ? [1, 1] : [0, 1]);
  });
});
