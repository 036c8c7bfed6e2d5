import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { graphWithProfile } from '../../../../src/core/callgraph/profileGraph';
import { regionKeys } from '../../../../src/core/callgraph/regionKeys';
import { fn } from '../selection/graphs';
import { graphOfProgram, measure, randomProgram } from '../selection/simulatedProgram';

describe('regions of a profile', () => {
  const graph: CallGraph = {
    functions: [
      fn('_Z1fi', { name: 'f(int)', mangledName: '_Z1fi' }),
      fn('g@/src/a.c:7', { name: 'g', file: '/src/a.c', line: 7 }),
      fn('g@/src/b.c:3', { name: 'g', file: '/src/b.c', line: 3 }),
    ],
    edges: [[], [], []],
  };
  const region = (facts: object) => ({ name: 'x', paradigm: 'compiler', role: 'function', ...facts });

  it('are found by mangled name, by name and place, or by place', () => {
    const regions = [
      region({ name: 'int f(int)', mangledName: '_Z1fi' }),
      region({ name: 'g', file: 'build/../a.c', firstLine: 7 }),
      region({ name: 'void g()', file: '/src/b.c', firstLine: 3 }),
      region({ name: 'g' }),
    ];
    expect(regionKeys({ regions }, graph)).toEqual(['_Z1fi', 'g@/src/a.c:7', 'g@/src/b.c:3', 'g']);
  });

  it('are constructs of OpenMP by themselves, not the function that is made of one', () => {
    const place = { file: '/src/a.f90', firstLine: 39 };
    const outlined = '__heat_MOD_norm._omp_fn.0';
    const functions = [
      fn(outlined, {
        name: 'heat::norm [OpenMP region]',
        mangledName: outlined,
        file: '/src/a.f90',
        line: 39,
      }),
    ];
    const constructs = ['!$omp parallel @a.f90:39', '!$omp implicit barrier @a.f90:39'];
    const regions = [
      ...constructs.map((name) => region({ ...place, name, mangledName: name, paradigm: 'openmp' })),
      region({ ...place, name: 'heat::norm [OpenMP region]', mangledName: outlined }),
      // Without a mangled name, a function is found by its place.
      region({ ...place, name: 'norm' }),
    ];
    expect(regionKeys({ regions }, { functions })).toEqual([...constructs, outlined, outlined]);
  });

  it('are those of their own file where a static function of another one has the same name', () => {
    // SQLite's shell has its plug-in's functions, too; the plug-in's are called.
    const mangledName = 'match';
    const own = {
      key: 'match@/s/ext/regexp.c:225',
      name: 'match',
      mangledName,
      file: '/s/ext/regexp.c',
      line: 225,
    };
    const other = {
      key: 'match@/s/shell.c:3970',
      name: 'match',
      mangledName,
      file: '/s/shell.c',
      line: 3970,
    };
    const regions = [
      region({ name: 'match', mangledName, file: 'ext/regexp.c', firstLine: 225 }),
      region({ name: 'match', mangledName, file: 'shell.c', firstLine: 3970 }),
    ];
    for (const functions of [
      [own, other],
      [other, own],
    ])
      expect(regionKeys({ regions }, { functions })).toEqual([own.key, other.key]);
  });

  it('become functions with executed edges where the graph lacks them', () => {
    const program = randomProgram(7);
    const names = new Set(program.functions.map((f) => f.name));
    const graph = graphWithProfile(undefined, measure(program, names));
    const known = graphOfProgram(program);
    const calls = (g: CallGraph): string[] =>
      g.edges
        .flatMap((edges, caller) =>
          edges.map((e) => `${g.functions[caller]!.key}>${g.functions[e.callee]!.key}`),
        )
        .sort();
    const executed = new Set(calls(graph));
    expect(calls(known).filter((call) => executed.has(call))).toEqual([...executed].sort());
    expect(graph.functions.length).toBeGreaterThan(2);
  });
});
