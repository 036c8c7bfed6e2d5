import { describe, expect, it } from 'vitest';
import type { CallGraph, CallGraphFunction } from '../../../../src/core/callgraph/callGraph';
import { addSymbolFunctions } from '../../../../src/measurement/symbols/addSymbolFunctions';
import { GraphIndex } from '../../../../src/measurement/symbols/graphIndex';
import type { FunctionSymbol } from '../../../../src/measurement/symbols/objectSymbols';
import { fn } from '../../core/selection/graphs';

const symbol = (mangledName: string, rest: Partial<FunctionSymbol> = {}): FunctionSymbol => ({
  mangledName,
  name: mangledName,
  simpleName: mangledName,
  inlinedCopies: 0,
  address: 0x1000,
  entry: 0x1000,
  ...rest,
});
const graph = (...functions: CallGraphFunction[]): CallGraph => ({
  functions,
  edges: functions.map(() => []),
});

describe('finding the function of a symbol', () => {
  it('by its mangled name, C names and places that are not known included', () => {
    const index = new GraphIndex(graph(fn('a', { mangledName: 'a' }), fn('b', { mangledName: '_Z1bv' })));
    expect(index.ofSymbol(symbol('a'))).toBe(0);
    expect(index.ofSymbol(symbol('_Z1bv', { file: '/x.cpp', line: 3 }))).toBe(1);
    expect(index.ofSymbol(symbol('c'))).toBeUndefined();
  });

  it('local functions of one name in several files are told apart', () => {
    const index = new GraphIndex(
      graph(
        fn('init@/a.c:3', { name: 'init', mangledName: 'init', file: '/a.c', line: 3 }),
        fn('init@/b.c:3', { name: 'init', mangledName: 'init', file: '/b.c', line: 3 }),
      ),
    );
    expect(index.ofSymbol(symbol('init', { file: '/b.c', line: 3 }))).toBe(1);
    expect(index.ofSymbol(symbol('init', { file: '/c.c', line: 3 }))).toBeUndefined();
    expect(index.ofSymbol(symbol('init'))).toBeUndefined();
  });

  it('by place and name: instances of a template belong to its definition', () => {
    const place = { file: '/h.h', line: 7 };
    const index = new GraphIndex(graph(fn('n::sum@/h.h:7', { name: 'n::sum', ...place })));
    const instance = symbol('_ZN1n3sumIiEEvv', { simpleName: 'sum<int>', ...place });
    expect(index.ofSymbol(instance)).toBe(0);
    expect(index.isOf(0, instance)).toBe(true);
    expect(index.ofSymbol({ ...instance, simpleName: 'guard' })).toBeUndefined();
    expect(index.ofSymbol({ ...instance, file: '/other/h.h' })).toBeUndefined();
  });

  it('constructors and destructors with several names: never the deleting destructor when there is another', () => {
    const index = new GraphIndex(
      graph(
        fn('d0', { mangledName: '_ZN1AD0Ev' }),
        fn('d1', { mangledName: '_ZN1AD1Ev' }),
        fn('c1', { mangledName: '_ZN1AC1Ev' }),
      ),
    );
    expect(index.ofSymbol(symbol('_ZN1AD2Ev'))).toBe(1);
    expect(index.ofSymbol(symbol('_ZN1AD0Ev'))).toBe(0);
    expect(index.ofSymbol(symbol('_ZN1AC2Ev'))).toBe(2);
  });
});

describe('functions without a fragment', () => {
  it('are added once, with unique keys, and without what cannot be measured', () => {
    const start = graph(fn('init', { mangledName: 'init', file: '/a.c', line: 1 }));
    const symbols = [
      symbol('init', { file: '/a.c', line: 1 }),
      symbol('init', { file: '/b.f90', line: 9 }),
      symbol('inlined', { file: '/b.f90', line: 20, inlinedCopies: 1 }),
      symbol('MAIN__', { file: '/b.f90', line: 1 }),
      symbol('main', { file: '/b.f90', line: 2 }),
      symbol('_ZNSt6vectorIiE4growEv', { file: '/usr/include/c++/12/vector', line: 5 }),
    ].map(({ entry, ...rest }) =>
      rest.inlinedCopies > 0 || entry === undefined ? rest : { ...rest, entry },
    );
    const extended = addSymbolFunctions(start, symbols);
    expect(extended.functions.map((f) => [f.key, f.isSystem])).toEqual([
      ['init', false],
      ['init@/b.f90:9', false],
      ['MAIN__', false],
      ['_ZNSt6vectorIiE4growEv', true],
    ]);
    expect(extended.edges).toHaveLength(4);
    expect(extended.functions[extended.entry ?? -1]?.key).toBe('MAIN__');
    expect(addSymbolFunctions(extended, symbols)).toBe(extended);
  });

  it('give what is only declared a body and a place: a Fortran procedure that C++ calls', () => {
    const start = graph(
      fn('main', { mangledName: 'main', file: '/a.cpp', line: 1 }),
      fn('relax_', { mangledName: 'relax_', name: 'void relax_(double*)', hasBody: false }),
    );
    const symbols = [symbol('relax_', { name: 'relax', file: '/b.f90', line: 3 })];
    const extended = addSymbolFunctions(start, symbols);
    expect(extended.functions).toHaveLength(2);
    expect(extended.functions[1]).toMatchObject({
      key: 'relax_',
      hasBody: true,
      file: '/b.f90',
      line: 3,
      isSystem: false,
    });
    expect(addSymbolFunctions(extended, symbols)).toBe(extended);
  });
});
