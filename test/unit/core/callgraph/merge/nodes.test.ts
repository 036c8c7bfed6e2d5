import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../../src/core/callgraph/callGraph';
import type { FunctionSymbol } from '../../../../../src/core/callgraph/functionSymbol';
import { mergeUnits } from '../../../../../src/core/callgraph/merge/mergeUnits';
import { analyseUnit } from '../../../../../src/core/source/analyse';
import type { CompilerFunction, CompilerGraph, Unit } from '../../../../../src/core/source/unit';
import { parserFor } from '../../source/parsers';

let cpp: Parser;
let c: Parser;
beforeAll(async () => {
  cpp = await parserFor('c++');
  c = await parserFor('c');
});

function unitOf(
  text: string,
  compiled: readonly CompilerFunction[] = [],
  { source = '/w/a.cc', inData = [] }: { readonly source?: string; readonly inData?: readonly string[] } = {},
): Unit {
  const language = source.endsWith('.c') ? 'c' : 'c++';
  const parser = language === 'c' ? c : cpp;
  const { unit } = analyseUnit({ text, language, parser, source, minimumStatements: 10 });
  const compiler: CompilerGraph = { functions: compiled, classes: [], inData };
  return { ...unit, hash: source, ...(compiled.length === 0 ? {} : { compiler }) };
}

function compiled(mangledName: string, facts: Partial<CompilerFunction> = {}): CompilerFunction {
  return {
    mangledName,
    hasBody: true,
    isLocal: false,
    callees: [],
    references: [],
    indirectCalls: 0,
    virtualCalls: [],
    ...facts,
  };
}

const symbol = (mangledName: string, name: string, line: number, prettyName?: string): FunctionSymbol => ({
  mangledName,
  name,
  file: '/w/a.cc',
  line,
  ...(prettyName === undefined ? {} : { prettyName }),
});

/** `key name line body|none [system] [artificial] > callees` */
function shown({ functions, edges }: CallGraph): readonly string[] {
  return functions.map(({ key, name, line, hasBody, isSystem, isArtificial }, position) => {
    const facts = [key, name, line ?? '-', hasBody ? 'body' : 'none'];
    if (isSystem) facts.push('system');
    if (isArtificial === true) facts.push('artificial');
    const callees = edges[position]?.map(({ callee, kind }) => `${functions[callee]?.key} ${kind}`) ?? [];
    return `${facts.join(' ')} > ${callees.join(', ')}`;
  });
}

describe("the compiler's functions and those of the sources", () => {
  it('are joined by place and name, overloads on one line by their parameters', () => {
    const unit = unitOf('void f(int) {} void f(double) {} void g() {}\nint main() { f(1); f(2.0); g(); }', [
      compiled('_Z1fd', { prettyName: 'void f(double)', file: '/w/a.cc', line: 1 }),
      compiled('_Z1fi', { prettyName: 'void f(int)', file: '/w/a.cc', line: 1 }),
      compiled('_Z1gv', { prettyName: 'void g()', file: '/w/a.cc', line: 1 }),
      compiled('main', {
        prettyName: 'int main()',
        file: '/w/a.cc',
        line: 2,
        callees: ['_Z1fi', '_Z1fd', 'printf'],
      }),
      compiled('printf', { hasBody: false }),
    ]);
    const graph = mergeUnits([unit]);
    expect(shown(graph)).toEqual([
      '_Z1fd f 1 body > ',
      '_Z1fi f 1 body > ',
      '_Z1gv g 1 body > ',
      'main main 2 body > _Z1fd direct, _Z1fi direct, printf direct',
      'printf printf - none system > ',
    ]);
    expect(graph.entry).toBe(3);
    expect(graph.functions.map(({ column }) => column)).toEqual([21, 6, 39, 5, undefined]);
  });

  it('are joined without a place by name and parameters within the unit', () => {
    const unit = unitOf('namespace n { void f(int) {} void f(double) {} }\nvoid f(int) {}', [
      compiled('_ZN1n1fEd', { prettyName: 'void n::f(double)' }),
      compiled('_Z1fi', { prettyName: 'void f(int)' }),
      compiled('_ZN1n1fEc', { prettyName: 'void n::f(char)' }),
    ]);
    expect(shown(mergeUnits([unit]))).toEqual([
      '_ZN1n1fEd n::f 1 body > ',
      '_Z1fi f 2 body > ',
      // No source has these parameters.
      '_ZN1n1fEc void n::f(char) - body system > ',
      // The compiler left it out.
      'n::f@/w/a.cc:1 n::f 1 body > ',
    ]);
  });

  it('of C are joined by place whatever the compiler calls them', () => {
    const unit = unitOf(
      'static int f(void) { return 1; }\nint g(void) { return f(); }',
      [
        compiled('f.1234', { isLocal: true, file: '/w/a.c', line: 1 }),
        compiled('renamed', { file: '/w/a.c', line: 2, callees: ['f.1234'] }),
      ],
      { source: '/w/a.c' },
    );
    expect(shown(mergeUnits([unit]))).toEqual(['f.1234 f 1 body > ', 'renamed g 2 body > f.1234 direct']);
  });

  it('joins constructors by their parameters, for the compiler makes more of them at the line of the class', () => {
    const unit = unitOf('struct S { S(int) {} };', [
      compiled('_ZN1SC2ERKS_', {
        prettyName: 'S::S(const S&)',
        file: '/w/a.cc',
        line: 1,
        isArtificial: true,
      }),
      compiled('_ZN1SC2Ei', { prettyName: 'S::S(int)', file: '/w/a.cc', line: 1 }),
      compiled('_ZN1SC1Ei', { hasBody: false, aliasOf: '_ZN1SC2Ei' }),
      compiled('main', { callees: ['_ZN1SC1Ei', '_ZN1SC1ERKS_'] }),
    ]);
    expect(shown(mergeUnits([unit]))).toEqual([
      '_ZN1SC1ERKS_ S::S(const S&) - body artificial > ',
      '_ZN1SC1Ei S::S 1 body > ',
      'main main - body system > _ZN1SC1ERKS_ direct, _ZN1SC1Ei direct',
    ]);
  });

  it('takes another name of a function for the function, where the compiler lists that', () => {
    const unit = unitOf('void target() {}', [
      compiled('_Z6targetv', { prettyName: 'void target()' }),
      compiled('alias', { aliasOf: '_Z6targetv' }),
      compiled('second', { aliasOf: 'alias' }),
      compiled('foreign', { aliasOf: 'elsewhere' }),
      compiled('caller', { callees: ['second', 'foreign'] }),
    ]);
    expect(shown(mergeUnits([unit]))).toEqual([
      '_Z6targetv target 1 body > ',
      'elsewhere elsewhere - body system > ',
      'caller caller - body system > _Z6targetv direct, elsewhere direct',
    ]);
  });

  it('knows the lambda that an instance of a template calls from the compiler, functions from what is passed', () => {
    const text =
      'template <class T> void each(T t) { t(1); }\nvoid f(int) {}\nvoid g(int) {}\nint main() { each(f); each([](int) {}); void *p = (void *)g; }';
    const lambda = { prettyName: 'main()::<lambda(int)>', file: '/w/a.cc', line: 4, isLocal: true };
    const each = (argument: string) => ({
      prettyName: `void each(T) [with T = ${argument}]`,
      file: '/w/a.cc',
      line: 1,
    });
    const unit = unitOf(text, [
      compiled('main', { prettyName: 'int main()', file: '/w/a.cc', line: 4, callees: ['_Zf', '_Zl'] }),
      compiled('_Zf', { ...each('void (*)(int)'), indirectCalls: 1 }),
      compiled('_Zl', { ...each('main()::<lambda(int)>'), callees: ['_ZlE'] }),
      compiled('_ZlE', lambda),
    ]);
    const callees = (key: string) =>
      shown(mergeUnits([unit]))
        .find((line) => line.startsWith(`${key} `))
        ?.replace(/^.*> /, '');
    expect(callees('_Zf')).toMatch(/^\S*f\S* pointer$/);
    expect(callees('_Zl')).toBe('_ZlE direct');
    // Where the compiler says nothing, it may be either.
    const { functions, edges } = mergeUnits([unitOf(text)]);
    const ofTemplate = edges[functions.findIndex(({ name }) => name === 'each')] ?? [];
    expect(ofTemplate.map(({ callee }) => functions[callee]?.name)).toEqual(['f', 'main::<lambda:4>']);
  });

  it('takes lambdas of one signature and line in the order of their numbers', () => {
    const at = { prettyName: 'main()::<lambda(int)>', file: '/w/a.cc', line: 1, isLocal: true };
    const unit = unitOf(
      'int main() { use([](int a) { one(); }, [](int b) { two(); }, [](int d) { three(); }); }',
      [
        compiled('_ZZ4mainENKUliE1_clEi', at),
        compiled('_ZZ4mainENKUliE_clEi', at),
        compiled('_ZZ4mainENKUliE0_clEi', at),
        compiled('_ZZ4mainENKUliE7_clEi', at),
      ],
    );
    const graph = mergeUnits([unit]);
    expect(graph.functions.slice(0, 4).map(({ mangledName, column }) => [mangledName, column])).toEqual([
      ['_ZZ4mainENKUliE1_clEi', 62],
      ['_ZZ4mainENKUliE_clEi', 18],
      ['_ZZ4mainENKUliE0_clEi', 40],
      // There is no eighth one: rather the first than none.
      ['_ZZ4mainENKUliE7_clEi', 18],
    ]);
  });

  it('keeps local functions of two units apart, and one that a header defines together', () => {
    const local = (line: number) => compiled('_ZL1sv', { prettyName: 'void s()', isLocal: true, line });
    const header = '# 1 "/w/h.h" 1\nstatic void s() {}\n# 2 "/w/x.cc" 2\n';
    const main = (name: string) => compiled(name, { callees: ['_ZL1sv'] });
    const place = { file: '/w/h.h' };
    const together = mergeUnits([
      unitOf(header, [{ ...local(1), ...place }, main('a')], { source: '/w/x.cc' }),
      unitOf(header, [{ ...local(1), ...place }, main('b')], { source: '/w/y.cc' }),
    ]);
    expect(shown(together)).toEqual([
      '_ZL1sv s 1 body > ',
      'a a - body system > _ZL1sv direct',
      'b b - body system > _ZL1sv direct',
    ]);
    const apart = mergeUnits([
      unitOf('static void s() {}', [{ ...local(1), file: '/w/x.cc' }, main('a')], { source: '/w/x.cc' }),
      unitOf('static void s() {}', [{ ...local(1), file: '/w/y.cc' }, main('b')], { source: '/w/y.cc' }),
    ]);
    expect(shown(apart)).toEqual([
      '_ZL1sv@/w/x.cc:1 s 1 body > ',
      'a a - body system > _ZL1sv@/w/x.cc:1 direct',
      '_ZL1sv@/w/y.cc:1 s 1 body > ',
      'b b - body system > _ZL1sv@/w/y.cc:1 direct',
    ]);
  });

  it('belong to the user where the compiler made them for a class or for global variables', () => {
    const unit = unitOf('namespace n { class S { int a; }; }', [
      compiled('_ZN1n1SC1Ev', { prettyName: 'n::S::S()' }),
      compiled('_ZN1n1S1gEv', { prettyName: 'void n::S::g()', hasBody: false }),
      compiled('_ZN1n1TC1Ev', { prettyName: 'n::T::T()' }),
      compiled('_Z1fv', { prettyName: 'void f()' }),
      compiled('_GLOBAL__sub_I_a'),
      compiled('_GLOBAL__D_a'),
      compiled('_Z41__static_initialization_and_destruction_0v'),
      compiled('__cxx_global_var_init.1'),
      compiled('__cxx_global_array_dtor'),
    ]);
    const { functions } = mergeUnits([unit]);
    expect(functions.filter(({ isSystem }) => isSystem).map(({ key }) => key)).toEqual([
      '_ZN1n1S1gEv',
      '_ZN1n1TC1Ev',
      '_Z1fv',
    ]);
  });

  it('of an instance of a template show its arguments', () => {
    const place = { file: '/w/a.cc', line: 1 };
    const unit = unitOf('template<class T> void f(T) {}', [
      compiled('_Z1fIiEvT_', { ...place, prettyName: 'void f(T) [with T = int]' }),
      compiled('_Z1fIdEvT_', { ...place, prettyName: 'void f(T) [with T = double]' }),
    ]);
    expect(shown(mergeUnits([unit]))).toEqual([
      '_Z1fIiEvT_ f [T = int] 1 body > ',
      '_Z1fIdEvT_ f [T = double] 1 body > ',
    ]);
  });
});

describe('calls between units', () => {
  it('reach functions that the calling unit does not list, but no local ones', () => {
    const graph = mergeUnits([
      unitOf('', [compiled('main', { callees: ['shared', 'hidden', '_ZN1SC2Ev'] })], { source: '/w/a.cc' }),
      unitOf('', [compiled('shared'), compiled('hidden', { isLocal: true }), compiled('_ZN1SC1Ev')], {
        source: '/w/b.cc',
      }),
    ]);
    expect(shown(graph)).toEqual([
      'main main - body system > shared direct, _ZN1SC1Ev direct',
      'shared shared - body system > ',
      'hidden hidden - body system > ',
      '_ZN1SC1Ev _ZN1SC1Ev - body system > ',
    ]);
  });

  it('of C, of which only the source is known, reach what only a compiler knows', () => {
    const graph = mergeUnits([
      unitOf('int main(void) { return made(1) + other() + missing(); }', [], { source: '/w/a.c' }),
      unitOf('', [compiled('made'), compiled('other', { isLocal: true })], { source: '/w/b.cc' }),
    ]);
    expect(shown(graph)).toEqual([
      'made made - body system > ',
      'other other - body system > ',
      'main main 1 body > made direct',
    ]);
  });

  it('through a virtual table reach a method that is local to another unit', () => {
    const table = { mangledName: '1A', bases: [], tables: [['_ZN1A1fEv', '_ZN1A1gEv']], isComplete: true };
    const derived = {
      mangledName: '1B',
      bases: ['1A'],
      tables: [['_ZN1B1fEv', '_ZN1A1gEv']],
      isComplete: true,
    };
    const caller = unitOf('', [compiled('main', { virtualCalls: [{ type: 'A', slot: 0 }] })], {
      source: '/w/a.cc',
    });
    const methods = unitOf('', [compiled('_ZN1A1fEv'), compiled('_ZN1B1fEv', { isLocal: true })], {
      source: '/w/b.cc',
    });
    const withClasses = (unit: Unit): Unit => ({
      ...unit,
      compiler: { functions: unit.compiler?.functions ?? [], classes: [table, derived], inData: [] },
    });
    const graph = mergeUnits([withClasses(caller), withClasses(methods)]);
    expect(shown(graph)).toEqual([
      'main main - body system > _ZN1A1fEv virtual, _ZN1B1fEv virtual',
      '_ZN1A1fEv _ZN1A1fEv - body system > ',
      '_ZN1B1fEv _ZN1B1fEv - body system > ',
    ]);
    expect(graph.functions.map(({ isVirtual, overrides }) => [isVirtual, overrides])).toEqual([
      [false, []],
      [false, []],
      [true, [1]],
    ]);
  });

  it('through a pointer reach what has its address in data or in a body', () => {
    const text = 'int a(int) { return 1; } int b(int) { return 2; } int d(int) { return 3; }';
    const tables = unitOf(
      text,
      [
        compiled('_Z1ai', { prettyName: 'int a(int)', references: ['_Z1bi'] }),
        compiled('_Z1bi', { prettyName: 'int b(int)' }),
        compiled('_Z1di', { prettyName: 'int d(int)' }),
      ],
      { source: '/w/t.cc', inData: ['_Z1ai', 'unknown'] },
    );
    const call = (indirectCalls: number) =>
      unitOf('int go(int (*p)(int)) { return p(1); }', [
        compiled('_Z2goPFiiE', { prettyName: 'int go(int (*)(int))', indirectCalls }),
      ]);
    expect(shown(mergeUnits([tables, call(1)])).at(-1)).toBe(
      '_Z2goPFiiE go 1 body > _Z1ai pointer, _Z1bi pointer',
    );
    // The compiler saw that there is no such call.
    expect(shown(mergeUnits([tables, call(0)])).at(-1)).toBe('_Z2goPFiiE go 1 body > ');
  });
});

describe('symbols of the executable', () => {
  it('give the names of functions on one line by scope and parameters', () => {
    const unit = unitOf('void f(int) {} void f(double) {} namespace n { void f(int) {} }\nvoid g() {}');
    const symbols = [
      symbol('_ZN1n1fEi', 'f', 1, 'n::f(int)'),
      symbol('_Z1fd', 'f', 1, 'f(double)'),
      symbol('_Z1fi', 'f', 1, 'f(int)'),
      symbol('_Z1gv', 'other', 2),
      symbol('_Z1hv', 'g', 3),
    ];
    const { functions } = mergeUnits([unit], symbols);
    expect(functions.map(({ key, column }) => [key, column])).toEqual([
      ['_Z1fi', 6],
      ['_Z1fd', 21],
      ['_ZN1n1fEi', 53],
      // Another name, and another line.
      ['g@/w/a.cc:2', 6],
    ]);
  });

  it('name conversions to pointers, however the compiler orders the words', () => {
    const unit = unitOf(
      'struct T {};\nstruct S { operator const T *() const { return 0; }\noperator T &() { return *t; } };\nint main() {}',
    );
    const symbols = [
      // gcc in the debug information, and demangled.
      symbol('_ZNK1ScvPK1TEv', 'operator const T*', 2, 'S::operator T const*() const'),
      symbol('_ZN1ScvR1TEv', 'operator T&', 3, 'S::operator T&()'),
    ];
    expect(shown(mergeUnits([unit], symbols))).toEqual([
      '_ZNK1ScvPK1TEv S::operator T* 2 body > ',
      '_ZN1ScvR1TEv S::operator T& 3 body > ',
      'main main 4 body > ',
    ]);
  });

  it('name lambdas, operators and the one constructor with these parameters', () => {
    const unit = unitOf(
      'struct S { S(int, int) {} };\nauto l = [] { return 1; };\nbool operator<(S, S) { return 1; }\nint main() {}',
    );
    const symbols = [
      symbol('_ZN1SC2ERKS_', 'S', 1, 'S::S(S const&)'),
      symbol('_ZN1SC2Eii', 'S', 1, 'S::S(int, int)'),
      symbol('_ZNKUlvE_clEv', 'operator()', 2),
      symbol('_Zlt1SS_', 'operator<', 3),
    ];
    expect(shown(mergeUnits([unit], symbols))).toEqual([
      '_ZN1SC1Eii S::S 1 body > ',
      '_ZNKUlvE_clEv <lambda:2> 2 body > ',
      '_Zlt1SS_ operator< 3 body > ',
      'main main 4 body > ',
    ]);
  });
});
