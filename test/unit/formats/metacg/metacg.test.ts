import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallGraph, EdgeKind } from '../../../../src/core/callgraph/callGraph';
import { KymoError } from '../../../../src/core/errors';
import { readMetaCg } from '../../../../src/formats/metacg/read';
import { writeMetaCg } from '../../../../src/formats/metacg/write';
import { sharedData } from '../../../shared';

const header = (version: string): object => ({ version, generator: { name: 'x', version: '1', sha: '' } });
const node = (callees: string[], more: object = {}): object => ({
  callees,
  callers: [],
  hasBody: true,
  isVirtual: false,
  doesOverride: false,
  overrides: [],
  overriddenBy: [],
  meta: null,
  ...more,
});

function edgesOf(graph: CallGraph): string[] {
  return graph.edges.flatMap((list, caller) =>
    list.map(
      ({ callee, kind }) =>
        `${graph.functions[caller]?.key ?? ''}>${graph.functions[callee]?.key ?? ''} ${kind}`,
    ),
  );
}

describe('reading', () => {
  it('adds the overriders of called virtual functions, at any distance (version 2)', () => {
    const text = JSON.stringify({
      _MetaCG: header('2.0'),
      _CG: {
        main: node(['A::f']),
        'A::f': node([], {
          isVirtual: true,
          overriddenBy: ['B::f'],
          meta: { numStatements: 3, fileProperties: { origin: 'a.cc', systemInclude: true } },
        }),
        'B::f': node([], { overrides: ['A::f'], overriddenBy: ['C::f'] }),
        'C::f': node(['elsewhere'], { overrides: ['B::f'] }),
      },
    });
    const graph = readMetaCg(text, 'g.mcg');
    expect(edgesOf(graph)).toEqual([
      'main>A::f direct',
      'main>B::f virtual',
      'main>C::f virtual',
      'C::f>elsewhere direct',
    ]);
    expect(graph.functions[1]).toMatchObject({
      statements: 3,
      isSystem: true,
      isVirtual: true,
      file: 'a.cc',
    });
    expect(graph.functions[3]?.overrides).toEqual([1, 2]);
    expect(graph.functions[4]).toMatchObject({ key: 'elsewhere', hasBody: false });
    expect(graph.entry).toBe(0);
  });

  it('keeps functions of one name apart and takes the entry from the metadata (version 4)', () => {
    const text = JSON.stringify({
      _MetaCG: header('4.0'),
      _CG: {
        nodes: {
          7: {
            functionName: 'f',
            origin: 'a.c',
            hasBody: true,
            callees: { 9: {} },
            meta: { overrideMD: { overrides: [], overriddenBy: [8] } },
          },
          8: { functionName: 'f', origin: null, hasBody: true, callees: {}, meta: {} },
          9: { functionName: 'start', origin: null, hasBody: true, callees: { 7: {} }, meta: {} },
        },
        meta: { entryFunction: 9 },
      },
    });
    const graph = readMetaCg(text, 'g.mcg');
    expect(graph.functions.map(({ key }) => key)).toEqual(['f#7', 'f#8', 'start']);
    expect(edgesOf(graph)).toEqual(['f#7>start direct', 'start>f#7 direct', 'start>f#8 virtual']);
    expect(graph.entry).toBe(2);
  });

  it('reads version 1, a plain map', () => {
    const text = JSON.stringify({
      main: {
        callees: ['f'],
        parents: [],
        numStatements: 4,
        hasBody: true,
        isVirtual: false,
        doesOverride: false,
        overriddenFunctions: [],
        overriddenBy: [],
        meta: {},
      },
    });
    const graph = readMetaCg(text, 'g.ipcg');
    expect(graph.functions.map(({ key, statements }) => [key, statements])).toEqual([
      ['main', 4],
      ['f', 0],
    ]);
  });

  it.each([
    ['', 'it is not JSON'],
    ['{"_MetaCG":', 'it is not JSON'],
    ['[]', 'the document must be an object'],
    ['{"_MetaCG":{"version":"3.0"},"_CG":{}}', '“_MetaCG.version” is “3.0”'],
    ['{"_MetaCG":{"version":"2.0"}}', '“_CG” must be an object, not missing'],
    ['{"_MetaCG":{"version":"2.0"},"_CG":{"f":3}}', '“_CG.f” must be an object'],
    ['{"_MetaCG":{"version":"2.0"},"_CG":{"f":{"callees":"g"}}}', '“_CG.f.callees” must be a list'],
    ['{"_MetaCG":{"version":"2.0"},"_CG":{"f":{"callees":[1]}}}', '“_CG.f.callees.0” must be a text'],
    [
      '{"_MetaCG":{"version":"2.0"},"_CG":{"f":{"meta":{"numStatements":-1}}}}',
      '“_CG.f.meta.numStatements” must be a number',
    ],
    ['{"_MetaCG":{"version":"4.0"},"_CG":{"nodes":{"1":{}}}}', '“_CG.nodes.1.functionName” must be a text'],
  ])('refuses %j with the place', (text, message) => {
    expect(() => readMetaCg(text, 'g.mcg')).toThrow(
      expect.objectContaining({
        reason: 'metacg-invalid',
        message: expect.stringContaining(message) as string,
      }) as KymoError,
    );
  });

  it('takes any name, also those of JavaScript', () => {
    const text =
      '{"_MetaCG":{"version":"2.0"},"_CG":{"__proto__":{"callees":["constructor"],"hasBody":true}}}';
    expect(edgesOf(readMetaCg(text, 'g.mcg'))).toEqual(['__proto__>constructor direct']);
  });

  it('never fails otherwise than with a KymoError', () => {
    fc.assert(
      fc.property(fc.json(), (value) => {
        for (const text of [
          value,
          `{"_MetaCG":{"version":"2.0"},"_CG":${value}}`,
          `{"_MetaCG":{"version":"4.0"},"_CG":{"nodes":{"1":${value}}}}`,
        ]) {
          try {
            readMetaCg(text, 'g.mcg');
          } catch (error) {
            expect(error).toBeInstanceOf(KymoError);
          }
        }
      }),
    );
  });
});

const kinds: readonly EdgeKind[] = ['direct', 'virtual', 'pointer', 'callback', 'measured'];
const graphs: fc.Arbitrary<CallGraph> = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc
    .record({
      statements: fc.array(fc.nat(500), { minLength: count, maxLength: count }),
      edges: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.constantFrom(...kinds)), {
        maxLength: 40,
      }),
    })
    .map(({ statements, edges }) => ({
      functions: statements.map((own, number) => ({
        key: number === 0 ? 'main' : `f${number}`,
        name: `shown ${number}`,
        mangledName: number === 0 ? 'main' : `f${number}`,
        file: `/w/${number}.cc`,
        line: number + 1,
        column: 2,
        endLine: number + 9,
        hasBody: number % 5 !== 4,
        statements: own,
        loops: 2,
        loopDepth: 1,
        conditionalBranches: own % 7,
        isVirtual: false,
        overrides: [],
        isSystem: number % 3 === 2,
        definitions: [],
      })),
      edges: statements.map((_, caller) =>
        [...new Map(edges.filter(([from]) => from === caller).map(([, to, kind]) => [to, kind]))]
          .map(([callee, kind]) => ({ callee, kind }))
          .sort((a, b) => a.callee - b.callee),
      ),
      entry: 0,
    })),
);

describe('writing', () => {
  it.each([2, 4] as const)('loses nothing in version %i', (format) => {
    fc.assert(
      fc.property(graphs, (graph) => {
        expect(readMetaCg(writeMetaCg(graph, { format, generatorVersion: '1' }), 'g.mcg')).toEqual(graph);
      }),
    );
  });
});

const lulesh = sharedData('callgraph/lulesh.mcg');
describe.skipIf(lulesh === undefined)('a graph of MetaCG itself', () => {
  it('has the known number of functions, reachable ones and statements below main', () => {
    const graph = readMetaCg(readFileSync(lulesh ?? '', 'utf8'), 'lulesh.mcg');
    const reached = new Set([graph.entry ?? -1]);
    for (const each of reached) for (const { callee } of graph.edges[each] ?? []) reached.add(callee);
    const statements = [...reached].reduce((sum, each) => sum + (graph.functions[each]?.statements ?? 0), 0);
    expect([graph.functions.length, reached.size, statements]).toEqual([3728, 373, 3193]);
  });
});
