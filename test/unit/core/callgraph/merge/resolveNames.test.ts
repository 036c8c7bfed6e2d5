import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, test } from 'vitest';
import { mergeUnits } from '../../../../../src/core/callgraph/merge/mergeUnits';
import { analyseUnit } from '../../../../../src/core/source/analyse';
import { parserFor } from '../../source/parsers';

let parser: Parser;
beforeAll(async () => {
  parser = await parserFor('c++');
});

/** Overloads stand on lines of their own: the line tells which one is called. */
const program = `void f() {}
void f(int) {}
void f(int, int = 1) {}
static void hidden() {}
namespace n { void f() {} void only() {} namespace in { void f() {} void deep() {} } struct C { void m() {} C(int) {} }; }
struct A { virtual void v() {} virtual void p() = 0; void plain() {} ~A() {}
  A() {}
  A(int) {}
  void over(int) {}
  void over(int, int) {}
  virtual void two(int) {}
  virtual void two() {} };
struct B : A { void v() override {} void p() override {} void two(int) override {} void own() {} };
struct D : B { void v() override {} void plain() {} };
struct X { void v() {} void plain() {} void f(int) {} void use(); };
struct Out : Missing { void v() {} };
template <class T> void each(T t) { t.v(); t->own(); }
`;

/** `name:line`, with the kind where the call is not direct. */
function calleesOf(caller: string, text: string): readonly string[] {
  const source = '/w/a.cc';
  const { unit } = analyseUnit({ text, language: 'c++', parser, source, minimumStatements: 10 });
  const { functions, edges } = mergeUnits([{ ...unit, hash: 'a' }]);
  const position = functions.findIndex(({ name }) => name === caller);
  return (edges[position] ?? []).map(({ callee, kind }) => {
    const { name, line } = functions[callee] ?? {};
    return `${name}:${line}${kind === 'direct' ? '' : ` ${kind}`}`;
  });
}

describe('callees from names alone', () => {
  test.each<readonly [string, readonly string[]]>([
    ['f();', ['f:1']],
    ['f(1);', ['f:2', 'f:3']],
    ['f(1, 2);', ['f:3']],
    ['f(1, 2, 3);', []],
    ['::f();', ['f:1']],
    ['n::f();', ['n::f:5']],
    ['n::in::f();', ['n::in::f:5']],
    // Namespaces may be opened by `using`, or found by the arguments.
    ['in::f();', ['n::in::f:5']],
    ['deep();', ['n::in::deep:5']],
    ['only();', ['n::only:5']],
    ['missing();', []],
    ['n::missing();', []],
    ['hidden();', ['hidden:4']],
    ['each(a);', ['each:17']],
    ['A a;', ['A::~A:6', 'A::A:7']],
    ['A a(1);', ['A::~A:6', 'A::A:8']],
    ['A a(1, 2);', ['A::~A:6']],
    ['n::C c(1);', ['n::C::C:5']],
    ['C c(1);', ['n::C::C:5']],
    ['new A(1);', ['A::A:8']],
    ['delete pa;', ['A::~A:6']],
    ['a.v();', ['A::v:6 virtual', 'B::v:13 virtual', 'D::v:14 virtual']],
    ['b.v();', ['B::v:13 virtual', 'D::v:14 virtual']],
    ['d.v();', ['D::v:14']],
    ['b.A::v();', ['A::v:6']],
    ['pa->A::v();', ['A::v:6']],
    ['unknown->B::v();', ['B::v:13']],
    ['x.v();', ['X::v:15']],
    ['o.v();', ['Out::v:16']],
    ['a.p();', ['B::p:13']],
    ['b.p();', ['B::p:13']],
    ['a.plain();', ['A::plain:6']],
    ['b.plain();', ['A::plain:6']],
    ['d.plain();', ['D::plain:14']],
    ['a.over(1);', ['A::over:9']],
    ['a.over(1, 2);', ['A::over:10']],
    ['a.over();', []],
    ['b.over(1);', ['A::over:9']],
    ['a.two();', ['A::two:12']],
    ['a.two(1);', ['A::two:11 virtual', 'B::two:13 virtual']],
    ['d.own();', ['B::own:13']],
    ['x.f(1);', ['X::f:15']],
    // Whichever call comes first: one that is certain, then one through the class, then one through a pointer.
    ['b.A::v(); a.v();', ['A::v:6', 'B::v:13 virtual', 'D::v:14 virtual']],
    ['a.v(); b.A::v();', ['A::v:6', 'B::v:13 virtual', 'D::v:14 virtual']],
    ['auto q = &only; void (*p)() = hidden; p(); hidden();', ['hidden:4', 'n::only:5 pointer']],
    ['hidden(); auto q = &only; void (*p)() = hidden; p();', ['hidden:4', 'n::only:5 pointer']],
    // Any method of the name fits an unknown object.
    ['unknown.own();', ['B::own:13']],
    ['unknown.over(1);', ['A::over:9']],
    ['unknown.v();', ['A::v:6 virtual', 'B::v:13 virtual', 'D::v:14 virtual', 'X::v:15', 'Out::v:16']],
    // An object of another library has no method here.
    ['std::vector<int> w; w.v();', []],
  ])('%s', (body, callees) => {
    const text = `${program}void go(A *pa, A &a, B &b, D &d, X &x, Out &o) { ${body} }`;
    expect(calleesOf('go', text)).toEqual(callees);
  });

  test('of another unit: static methods, but no static functions', () => {
    const unitOf = (text: string, source: string) => {
      const { unit } = analyseUnit({ text, language: 'c++', parser, source, minimumStatements: 10 });
      return { ...unit, hash: source };
    };
    const { functions, edges } = mergeUnits([
      unitOf('struct S { static void make() {} }; static void own() {} void shared() {}', '/w/a.cc'),
      unitOf('struct S { static void make(); }; void go() { S::make(); own(); shared(); }', '/w/b.cc'),
    ]);
    const callees = edges[functions.findIndex(({ name }) => name === 'go')];
    expect(callees?.map(({ callee }) => functions[callee]?.name)).toEqual(['S::make', 'shared']);
  });

  test.each<readonly [string, string, readonly string[]]>([
    [
      'X::use',
      'void X::use() { f(1); v(); plain(); n::f(); }',
      ['n::f:5', 'X::v:15', 'X::plain:15', 'X::f:15'],
    ],
    [
      'D::go',
      'void D::go() { v(); plain(); own(); A::v(); over(1); f(); two(1); }',
      ['f:1', 'A::v:6', 'A::over:9', 'A::two:11', 'B::two:13', 'B::own:13', 'D::v:14', 'D::plain:14'],
    ],
    ['A::go', 'void A::go() { p(); v(); }', ['A::v:6', 'B::v:13', 'B::p:13', 'D::v:14']],
    [
      'n::in::go',
      'void n::in::go() { f(); only(); deep(); hidden(); }',
      ['hidden:4', 'n::only:5', 'n::in::f:5', 'n::in::deep:5'],
    ],
    ['n::C::go', 'void n::C::go() { m(); f(); only(); }', ['n::f:5', 'n::only:5', 'n::C::m:5']],
    ['n::go', 'namespace n { void go() { C c(1); c.m(); } }', ['n::C::m:5', 'n::C::C:5']],
    [
      'each',
      '',
      ['A::v:6 virtual', 'B::v:13 virtual', 'B::own:13', 'D::v:14 virtual', 'X::v:15', 'Out::v:16'],
    ],
  ])('of %s: %s', (caller, definition, callees) => {
    expect([...calleesOf(caller, program + definition)].sort()).toEqual([...callees].sort());
  });
});
