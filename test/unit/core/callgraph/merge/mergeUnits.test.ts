import fc from 'fast-check';
import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../../src/core/callgraph/callGraph';
import { mergeUnits } from '../../../../../src/core/callgraph/merge/mergeUnits';
import { patchMeasured } from '../../../../../src/core/callgraph/patchMeasured';
import { analyseUnit } from '../../../../../src/core/source/analyse';
import type { Unit, UnitFunction } from '../../../../../src/core/source/unit';
import { parserFor } from '../../source/parsers';

let parser: Parser;
beforeAll(async () => {
  parser = await parserFor('c++');
});

function unitOf(text: string, source = '/w/a.cc', language: 'c' | 'c++' = 'c++'): Unit {
  const { unit } = analyseUnit({ text, language, parser, source, minimumStatements: 10 });
  return { ...unit, hash: source };
}

function edgesOf(graph: CallGraph): string[] {
  const name = (number: number): string => graph.functions[number]?.name ?? '';
  return graph.edges
    .flatMap((list, caller) => list.map(({ callee, kind }) => `${name(caller)} > ${name(callee)} ${kind}`))
    .sort();
}

describe('a graph from names alone', () => {
  it('resolves overloads by arguments, and names by scope', () => {
    const unit =
      unitOf(`namespace n { void f(int); void f(int, int); void f(int) {} void f(int, int) { f(1); } void g() { f(1, 2); ::f(); } }
      void f() { n::f(3); } void h() { f(); }`);
    expect(edgesOf(mergeUnits([unit]))).toEqual(
      [
        'f > n::f direct',
        'h > f direct',
        'n::f > n::f direct',
        'n::g > f direct',
        'n::g > n::f direct',
      ].sort(),
    );
  });

  it('spells namespaces without a name one way, whoever told of the function', () => {
    const unit = unitOf('namespace { struct A { int x; }; int f() { return 1; } } int g() { return f(); }');
    const made = {
      mangledName: '_ZN12_GLOBAL__N_11AC2Ev',
      prettyName: '{anonymous}::A::A()',
      hasBody: true,
      isLocal: true,
      isArtificial: true as const,
      callees: [],
      references: [],
      indirectCalls: 0,
      virtualCalls: [],
    };
    const { functions } = mergeUnits([{ ...unit, compiler: { functions: [made], classes: [], inData: [] } }]);
    expect(functions.map(({ name, isArtificial }) => [name, isArtificial === true]).sort()).toEqual([
      ['(anonymous namespace)::A::A()', true],
      ['(anonymous namespace)::f', false],
      ['g', false],
    ]);
  });

  it('takes virtual calls to every overrider below the static class', () => {
    const unit =
      unitOf(`struct A { virtual int f() = 0; int g() { return f(); } }; struct B : A { int f() override { return 1; } };
      struct C : B { int f() { return 2; } }; struct X { int f() { return 3; } }; int k(A *a, B &b, X &x) { return a->f() + b.f() + x.f(); }`);
    expect(edgesOf(mergeUnits([unit]))).toEqual([
      'A::g > B::f direct',
      'A::g > C::f direct',
      'k > B::f virtual',
      'k > C::f virtual',
      'k > X::f direct',
    ]);
    const graph = mergeUnits([unit]);
    expect(
      graph.functions
        .find(({ name }) => name === 'C::f')
        ?.overrides.map((each) => graph.functions[each]?.name),
    ).toEqual(['B::f']);
  });

  it('sees what a method overrides: virtual ones of its name and number of parameters in all bases, none of its own class', () => {
    const { functions } = mergeUnits([
      unitOf(`struct A { virtual void f(int) {}
        virtual void f() {}
        void g(int) {} };
      struct Other { virtual void f(int) {} };
      struct Beside { virtual void f(int) {} };
      struct B : A, Other {};
      struct C : B { void f(int) override {}
        void f(double) override {}
        void g(int) {} };`),
    ]);
    const shown = ({ name, line }: (typeof functions)[number]): string => `${name}:${line}`;
    const overriding = functions.filter(({ overrides }) => overrides.length > 0);
    expect(
      overriding.map((method) => [shown(method), ...method.overrides.map((at) => shown(functions[at]!))]),
    ).toEqual([
      ['C::f:7', 'A::f:1', 'Other::f:4'],
      ['C::f:8', 'A::f:1', 'Other::f:4'],
    ]);
  });

  it('takes calls through pointers to functions of that type whose address is taken', () => {
    const table = unitOf(
      'static int a(int x) { return x; } static int b(int, int) { return 1; } static int c(int x) { return x; } static double d(int) { return 2; } struct T { int (*f)(int); }; T t[] = { { a } }; void *p = (void *) b; void *q = (void *) d;',
      '/w/t.cc',
    );
    const use = unitOf('struct T { int (*f)(int); }; int use(T *t) { return t->f(1); }', '/w/u.cc');
    expect(edgesOf(mergeUnits([table, use]))).toEqual(['use > a pointer']);
  });

  it('takes a function handed to another library as called from there, but not one handed to the user', () => {
    const unit = unitOf(
      'int cmp(int) { return 1; } void own(int (*f)(int)) { f(1); } void k() { qsort(1, cmp); } void m() { own(cmp); }',
    );
    expect(edgesOf(mergeUnits([unit]))).toEqual(['k > cmp callback', 'm > own direct', 'own > cmp pointer']);
  });

  it('keeps static functions of one name apart, and functions of one header together', () => {
    const header = '# 1 "/w/h.h" 1\ninline void shared() {}\n# 2 "/w/x.cc" 2\n';
    const one = unitOf(`${header}static void s() { shared(); } void a() { s(); }`, '/w/a.cc');
    const two = unitOf(`${header}static void s() {} void b() { s(); }`, '/w/b.cc');
    const graph = mergeUnits(
      [one, two].map((unit, number) => ({
        ...unit,
        functions: unit.functions.map((f) => (f.name === 'shared' ? f : { ...f, file: `/w/${number}.cc` })),
      })),
    );
    expect(graph.functions.filter(({ name }) => name === 's')).toHaveLength(2);
    expect(graph.functions.find(({ name }) => name === 'shared')?.definitions).toEqual([
      ['/w/a.cc', 0],
      ['/w/b.cc', 0],
    ]);
    expect(new Set(graph.functions.map(({ key }) => key)).size).toBe(graph.functions.length);
  });

  it('takes mangled names from symbols by place; a template has one function for each instance', () => {
    const unit = unitOf('template<class T> T f(T x) { return x; }\nint g() { return f(1) + f(2.0); }');
    const symbols = [
      { mangledName: '_Z1fIiET_S0_', name: 'f<int>', file: '/w/a.cc', line: 1 },
      { mangledName: '_Z1fIdET_S0_', name: 'f<double>', file: '/w/a.cc', line: 1 },
      { mangledName: '_Z1gv', name: 'g', file: '/w/a.cc', line: 2 },
    ];
    const graph = mergeUnits([unit], symbols);
    expect(graph.functions.map(({ key }) => key)).toEqual(['_Z1fIiET_S0_', '_Z1fIdET_S0_', '_Z1gv']);
    expect(graph.edges[2]?.map(({ callee }) => callee)).toEqual([0, 1]);
  });
});

describe('a C unit, of which only the source is known, beside C++ units with a compiler graph', () => {
  it('defines what these call, whichever unit comes first', () => {
    const c = unitOf(
      'double alpha(int x) { return x; } static int hidden(int x) { return x; }',
      '/w/b.c',
      'c',
    );
    const none = { isLocal: false, callees: [], references: [], indirectCalls: 0, virtualCalls: [] };
    const main = {
      ...unitOf(
        'extern "C" double alpha(int); extern "C" int hidden(int); int main() { return alpha(1) + hidden(1); }',
      ),
      compiler: {
        functions: [
          { ...none, mangledName: 'main', hasBody: true, callees: ['alpha', 'hidden'] },
          { ...none, mangledName: 'alpha', hasBody: false },
          { ...none, mangledName: 'hidden', hasBody: false },
        ],
        classes: [],
        inData: [],
      },
    };
    for (const units of [
      [c, main],
      [main, c],
    ]) {
      const graph = mergeUnits(units);
      const alpha = graph.functions.filter(({ name }) => name === 'alpha');
      expect(alpha.map(({ key, file, hasBody }) => ({ key, file, hasBody }))).toEqual([
        { key: 'alpha', file: '/w/b.c', hasBody: true },
      ]);
      const called = graph.edges[graph.entry ?? -1]?.map(({ callee }) => graph.functions[callee]);
      expect(called?.map((one) => [one?.name, one?.hasBody])).toEqual([
        ['alpha', true],
        // A static function of another unit is not what is called.
        ['hidden', false],
      ]);
    }
  });
});

describe('any program', () => {
  it('gives edges that are ascending, single and inside the graph', () => {
    const line = fc.constantFrom(
      'void f() { g(); }',
      'struct A { virtual void f(); };',
      'struct B : A { void f() { A::f(); this->f(); } };',
      'void g() { (*p)(1); h(f, g); }',
      'template<class T> void t(T x) { x(); x.f(); }',
      'int main() { A a; t(g); return [&] { return f(); }(); }',
      'struct A : A {};',
      'namespace n { void f() { f(); } }',
    );
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 8 }), { maxLength: 4 }), (files) => {
        const graph = mergeUnits(files.map((lines, number) => unitOf(lines.join('\n'), `/w/${number}.cc`)));
        for (const list of graph.edges) {
          const callees = list.map(({ callee }) => callee);
          expect(callees).toEqual([...new Set(callees)].sort((a, b) => a - b));
          for (const callee of callees) expect(graph.functions[callee]).toBeDefined();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('of 100 000 functions is merged in time that grows with them, long chains and cycles included', () => {
    const functions = Array.from({ length: 100_000 }, (_, number): UnitFunction => ({
      name: `f${number}`,
      qualifiedName: `f${number}`,
      file: '/w/big.c',
      line: number + 1,
      column: 1,
      endLine: number + 1,
      parameters: { minimum: 0, maximum: 0 },
      signature: '',
      statements: 1,
      loops: 0,
      loopDepth: 0,
      conditionalBranches: 0,
      isStatic: false,
      isInline: false,
      isTemplate: false,
      isVirtual: false,
      calls: [{ name: `f${(number + 1) % 100_000}`, form: 'plain', arguments: 0, line: 1, loopDepth: 0 }],
      addressTaken: [],
      probe: false,
    }));
    const unit: Unit = {
      kymoUnit: 1,
      hash: '0',
      source: '/w/big.c',
      language: 'c',
      functions,
      classes: [],
      addressTaken: [],
      parsed: true,
    };
    // Quadratic work would exceed the time limit of a test; `npm run bench growth` shows the growth.
    const graph = mergeUnits([unit]);
    expect(graph.edges.every((list) => list.length === 1)).toBe(true);
  });
});

describe('measured calls', () => {
  it('mark what was known and add what was not', () => {
    const graph = mergeUnits([unitOf('void a() { b(); } void b() {} void c() {}')]);
    const patched = patchMeasured(graph, [
      { caller: 0, callee: 1, calls: 3 },
      { caller: 0, callee: 1, calls: 4 },
      { caller: 1, callee: 2, calls: 1 },
      { caller: 9, callee: 0, calls: 1 },
    ]);
    expect(patched.edges).toEqual([
      [{ callee: 1, kind: 'measured', calls: 7 }],
      [{ callee: 2, kind: 'measured', calls: 1 }],
      [],
    ]);
    expect(graph.edges[0]).toEqual([{ callee: 1, kind: 'direct' }]);
  });
});
