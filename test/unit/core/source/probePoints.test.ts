import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, test } from 'vitest';
import { analyseText, parserFor } from './parsers';

let cpp: Parser;
let c: Parser;
beforeAll(async () => {
  cpp = await parserFor('c++');
  c = await parserFor('c');
});

/** Functions of a text with `+` where a probe goes in. */
function marked(text: string, language: 'c' | 'c++'): string {
  const { unit, probePoints } = analyseText(language === 'c' ? c : cpp, text, language);
  const numbers = new Set(probePoints.map(({ functionNumber }) => functionNumber));
  for (const { definitionOffset, bodyOffset, scope } of probePoints) {
    expect(text[bodyOffset - 1]).toBe('{');
    expect(text.slice(definitionOffset, bodyOffset)).not.toMatch(/[;}]/);
    expect(scope).toBe(language);
  }
  return unit.functions
    .map(({ qualifiedName }, number) => `${qualifiedName}${numbers.has(number) ? '+' : '-'}`)
    .join(' ');
}

describe('the functions of a text that get a probe', () => {
  test.each([
    // What the compiler may evaluate gets none.
    ['int f() { auto l = [] { return 1; }; return l(); }', 'f+ f::<lambda:1>+'],
    ['auto l = [] { return 1; };', '<lambda:1>-'],
    ['int x = use([] { return 1; });', '<lambda:1>-'],
    ['int f() { constexpr auto l = [] { return 1; }; return l(); }', 'f+ f::<lambda:1>-'],
    ['int f() { static_assert([] { return true; }()); return 1; }', 'f+ f::<lambda:1>-'],
    ['int f() { A<[] { return 1; }> a; return 1; }', 'f+ f::<lambda:1>-'],
    ['int f() { decltype([] { return 1; }) a; return 1; }', 'f+ f::<lambda:1>-'],
    ['struct S { int a = [] { return 1; }(); int m() { return 1; } };', 'S::<lambda:1>- S::m+'],
    ['int f() { struct L { int m() { return 1; } }; return 1; }', 'f+ f::L::m+'],
    ['constexpr int f() { struct L { int m() { return 1; } }; return 1; }', 'f- f::L::m-'],
    // Coroutines, but not what stands inside or around them.
    ['task f() { auto l = [] { return 1; }; co_await l; }', 'f- f::<lambda:1>+'],
    ['int f() { auto l = []() -> task { co_return; }; return 1; }', 'f+ f::<lambda:1>-'],
    ['task f() { for (;;) { co_yield 1; } }', 'f-'],
    // An error makes what stands around it and beside it doubtful.
    ['int a() { return 1; } ] int f() { return 1; } int b() { return 1; }', 'a- f- b+'],
    ['int a() { return ]; } int f() { return 1; } int b() { return 1; }', 'a- f- b+'],
    ['int a() { return ]; } /* c */ int f() { return 1; } int b() { return 1; }', 'a- f- b+'],
    ['int a() { return ]; } template<class T> int f() { return 1; } int b() { return 1; }', 'a- f- b+'],
    ['namespace n { int a() { return ]; } int f() { return 1; } } int b() { return 1; }', 'n::a- n::f- b-'],
    // Attributes on any declaration of the function, but not words like them.
    [
      'struct S { __attribute__((always_inline)) void f(); void g(); }; void S::f() { a(); } void S::g() { a(); }',
      'S::f- S::g+',
    ],
    ['__device__ void f() { a(); } __global__ void g() { a(); }', 'f- g-'],
    ['void f() { device(); } void always_inline_me() { a(); }', 'f+ always_inline_me+'],
    ['S::S() : a(1) { b(); } T::T() try : a(1) { b(); } catch (...) { c(); }', 'S::S+ T::T-'],
    ['extern "C" { int f(void) { return 1; } }', 'f+'],
  ])('%s', (text, expected) => {
    expect(marked(text, 'c++')).toBe(expected);
  });

  test.each([
    ['int f(void) { { __label__ x; x: a(); } return 1; }', 'f+'],
    ['int f(void) { __label__ x; x: a(); return 1; }', 'f-'],
    ['int f(void) { int g(void) { return 1; } return g(); }', 'f+ f::g-'],
    [
      '__attribute__((always_inline)) int f(void); int f(void) { return 1; } int g(void) { return 1; }',
      'f- g+',
    ],
  ])('in C, %s', (text, expected) => {
    expect(marked(text, 'c')).toBe(expected);
  });
});
