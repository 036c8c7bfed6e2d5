import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeUnits } from '../../../../src/core/callgraph/merge/mergeUnits';
import { LlvmIrReader } from '../../../../src/formats/llvm-ir/parse';
import { parseLlvmIr } from './parseText';

/** Recorded from clang 19 (README.md beside them). */
const recorded = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/llvm-ir', name), 'latin1');
const classes = recorded('classes.ll');
const openmp = recorded('openmp.ll');

describe("clang's IR", () => {
  const graph = parseLlvmIr(classes);
  const named = new Map(graph.functions.map((each) => [each.mangledName, each]));

  it('gives calls, addresses, places and readable names', () => {
    expect(named.get('_Z5totalP5ShapeP5Named')).toEqual({
      mangledName: '_Z5totalP5ShapeP5Named',
      prettyName: 'total(Shape*, Named*)',
      file: '/src/classes.cpp',
      line: 30,
      hasBody: true,
      isLocal: false,
      callees: [
        'atexit',
        '_ZN5inner5applyIZ5totalP5ShapeP5NamedE3$_0EEdT_d',
        '_ZN12_GLOBAL__N_15LocalC2Ev',
        '_ZN12_GLOBAL__N_14halfERKNS_5LocalE',
        '_ZN5inner5applyIPFddEEEdT_d',
        '_ZN12_GLOBAL__N_15LocalD2Ev',
      ],
      references: ['_ZL3byev', '_Z5twiced'],
      indirectCalls: 1,
      virtualCalls: [
        { type: '_ZTS5Shape', slot: 3 },
        { type: '_ZTS5Named', slot: 0 },
      ],
    });
    expect(named.get('_ZZ5totalP5ShapeP5NamedENK3$_0clEd')?.prettyName).toBe('total()::<lambda(double)>');
    expect(named.get('_ZN5inner5applyIPFddEEEdT_d')?.prettyName).toBe(
      'inner::apply<double (*)(double)>(double (*)(double), double) [with F = double (*)(double)]',
    );
  });

  it('knows the class of a virtual call in an unnamed namespace, which has no name there', () => {
    expect(named.get('_ZN12_GLOBAL__N_14halfERKNS_5LocalE')?.virtualCalls).toEqual([
      { type: '_ZTSN12_GLOBAL__N_15LocalE', slot: 2 },
    ]);
  });

  it('gives what no line of source shows, without a place', () => {
    expect(named.get('_GLOBAL__sub_I_classes.cpp')?.callees).toEqual(['__cxx_global_var_init']);
    expect(named.get('__cxx_global_var_init')).toMatchObject({
      references: ['_ZN6CircleD2Ev'],
      callees: ['__cxa_atexit'],
      isLocal: true,
    });
    expect(named.get('_ZN6CircleD2Ev')).toEqual({
      mangledName: '_ZN6CircleD2Ev',
      prettyName: 'Circle::~Circle()',
      hasBody: true,
      isLocal: false,
      callees: ['_ZN5ShapeD2Ev'],
      references: [],
      indirectCalls: 0,
      virtualCalls: [],
    });
  });

  it('tells other names of one function, thunks among them', () => {
    expect(named.get('_ZN5ShapeD1Ev')?.aliasOf).toBe('_ZN5ShapeD2Ev');
    expect(named.get('_ZThn8_NK6Circle4areaEv')).toMatchObject({
      aliasOf: '_ZNK6Circle4areaEv',
      callees: [],
    });
  });

  it('gives classes with their virtual tables', () => {
    expect(graph.classes.find(({ mangledName }) => mangledName === '6Circle')).toEqual({
      mangledName: '6Circle',
      bases: ['5Named', '5Shape'],
      tables: [
        ['_ZN5Named2idEv', '_ZNK6Circle4areaEv', '_ZN6CircleD2Ev', '_ZN6CircleD0Ev'],
        ['_ZThn8_N6CircleD1Ev', '_ZThn8_N6CircleD0Ev', '_ZThn8_NK6Circle4areaEv', '_ZN5Shape5scaleEd'],
      ],
      isComplete: true,
    });
    expect(graph.inData).toEqual(['_Z5twiced']);
  });

  it('leaves out what the compiler calls on its own account', () => {
    expect(graph.functions.filter(({ mangledName }) => /^llvm\.|personality/.test(mangledName))).toEqual([]);
  });

  it('is enough for the targets of virtual calls: overriders of the very class, and of no other', () => {
    const merged = mergeUnits([
      {
        kymoUnit: 1,
        hash: '0123456789abcdef',
        source: '/src/classes.cpp',
        language: 'c++',
        functions: [],
        classes: [],
        addressTaken: [],
        compiler: graph,
        parsed: true,
      },
    ]);
    const targets = (caller: string): readonly (string | undefined)[] => {
      const edges = merged.edges[merged.functions.findIndex((f) => f.mangledName === caller)] ?? [];
      return edges
        .filter(({ kind }) => kind === 'virtual')
        .map(({ callee }) => merged.functions[callee]?.mangledName)
        .sort();
    };
    expect(targets('_ZN5Shape5scaleEd')).toEqual(['_ZNK12_GLOBAL__N_15Local4areaEv', '_ZNK6Circle4areaEv']);
    expect(targets('_ZN12_GLOBAL__N_14halfERKNS_5LocalE')).toEqual(['_ZNK12_GLOBAL__N_15Local4areaEv']);
  });

  it('gives what OpenMP regions do to the function that they stand in', () => {
    const [sweep, ...others] = parseLlvmIr(openmp).functions;
    expect(sweep).toMatchObject({ mangledName: 'sweep', file: '/src/openmp.c', line: 4, indirectCalls: 1 });
    expect(sweep?.callees).toEqual(expect.arrayContaining(['leaf', 'task']));
    expect(others.filter(({ mangledName }) => mangledName.includes('omp_'))).toEqual(
      others.filter(({ mangledName }) => mangledName.startsWith('__kmpc_omp_')),
    );
  });
});

describe('reading IR', () => {
  it('is the same in pieces of any size', () => {
    const whole = parseLlvmIr(classes);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), (size) => {
        const reader = new LlvmIrReader();
        for (let at = 0; at < classes.length; at += size) reader.add(classes.slice(at, at + size));
        expect(reader.finish()).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  it('takes no name out of a string', () => {
    const graph = parseLlvmIr(
      [
        '@.str = private constant [8 x i8] c"ptr @f\\22\\00"',
        '@t = global { [3 x i8], ptr } { [3 x i8] c"@g\\00", ptr @"h \\22\\C3\\A9" }',
        'declare void @f()',
        'declare void @g()',
        'declare void @"h \\22\\C3\\A9"()',
        'define void @main() {',
        '  call void asm sideeffect "call @f(", ""()',
        '}',
      ].join('\n'),
    );
    expect(graph.inData).toEqual(['h "é']);
    expect(graph.functions.map((f) => [f.mangledName, f.callees])).toEqual([
      ['main', []],
      ['h "é', []],
    ]);
  });

  it('ends with scopes, types and aliases that lead to themselves', () => {
    const graph = parseLlvmIr(
      [
        '@a = alias void (), ptr @b',
        '@b = alias void (), ptr @a',
        'define void @_Z1fv() !dbg !1 {',
        '  call void @a()',
        '}',
        '!1 = distinct !DISubprogram(name: "f", scope: !2, type: !3)',
        '!2 = !DINamespace(name: "n", scope: !2)',
        '!3 = !DISubroutineType(types: !4)',
        '!4 = !{null, !5}',
        '!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5)',
      ].join('\n'),
    );
    expect(graph.functions).toHaveLength(1);
    expect(graph.functions[0]?.prettyName).toMatch(/^(?:n::){30}f\(void\*{30}\)$/);
  });

  it('makes an empty graph of anything else, and never throws', () => {
    expect(parseLlvmIr('')).toEqual({ functions: [], classes: [], inData: [] });
    const lines = [...classes.split('\n'), ...openmp.split('\n')];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...lines), fc.string()), { maxLength: 60 }), (some) => {
        expect(() => parseLlvmIr(some.join('\n'))).not.toThrow();
      }),
    );
  });
});
