import fc from 'fast-check';
import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyseUnit } from '../../../../src/core/source/analyse';
import { analyseText, parserFor } from './parsers';

let cpp: Parser;
let c: Parser;
beforeAll(async () => {
  cpp = await parserFor('c++');
  c = await parserFor('c');
});

const preprocessed = [
  '# 0 "unit.cc"',
  '# 1 "/usr/include/stdio.h" 1 3 4',
  'inline int hidden(int a) { return a; }',
  '# 3 "unit.cc" 2',
  '#pragma once',
  'int f(int a) {',
  '# 4 "unit.cc" 3 4',
  '  (void) sizeof (a);',
  '# 4 "unit.cc"',
  '  return g(a); }',
  '# 10 "sub/part.h" 1',
  'namespace n { int h() { return f(1); } }',
  '',
].join('\n');

describe('places', () => {
  it('leads from preprocessed text to the lines of the user, without system headers', () => {
    const { unit, probePoints } = analyseUnit({
      text: preprocessed,
      language: 'c++',
      parser: cpp,
      source: '/w/unit.cc',
      directory: '/w',
      minimumStatements: 0,
    });
    expect(
      unit.functions.map(({ qualifiedName, file, line, column, endLine }) => [
        qualifiedName,
        file,
        line,
        column,
        endLine,
      ]),
    ).toEqual([
      ['f', '/w/unit.cc', 4, 5, 4],
      ['n::h', '/w/sub/part.h', 10, 19, 10],
    ]);
    expect(probePoints.map(({ bodyOffset }) => preprocessed.slice(bodyOffset - 1, bodyOffset))).toEqual([
      '{',
      '{',
    ]);
    expect(
      probePoints.map(({ definitionOffset }) => preprocessed.slice(definitionOffset, definitionOffset + 5)),
    ).toEqual(['int f', 'int h']);
  });
});

describe('functions', () => {
  it('understands K&R definitions', () => {
    const { unit, probePoints } = analyseText(c, 'int f(a, b) int a; char *b; { return g(a); }', 'c');
    expect(unit.functions[0]).toMatchObject({
      name: 'f',
      parameters: { minimum: 2, maximum: 2 },
      signature: 'int,char*',
    });
    expect(probePoints).toHaveLength(1);
  });

  it('names members, operators, destructors and conversions', () => {
    const text = `namespace n { template<class T> struct A { A(); ~A() {} int operator()(int) const { return 1; } operator double() { return 1; } void g(int x = 3, ...); }; }
      template<class T> n::A<T>::A() {} template<class T> void n::A<T>::g(int x, ...) {} int *(*h(int k))(double) { return 0; }`;
    expect(analyseText(cpp, text, 'c++').unit.functions.map((f) => f.qualifiedName)).toEqual([
      'n::A::~A',
      'n::A::operator()',
      'n::A::operator double',
      'n::A::A',
      'n::A::g',
      'h',
    ]);
  });

  it('tells calls from calls through pointers, with the type of the pointer', () => {
    const text = `typedef double (*op)(double, double); struct S { op f; double (S::*m)(int); void r(); double go(); };
      void S::r() { go(); f(1, 2); (this->*m)(3); } double k(op o, S &s, S *p) { p->r(); s.f(1, 2); return o(1, 2); }`;
    const [r, k] = analyseText(cpp, text, 'c++').unit.functions;
    const shown = (calls = r?.calls ?? []): unknown =>
      calls.map(({ name, form, type, toMember }) => [name, form, type, toMember]);
    expect(shown()).toEqual([
      ['go', 'plain', undefined, undefined],
      ['f', 'pointer', 'double,double', undefined],
      ['m', 'pointer', 'int', true],
    ]);
    expect(shown(k?.calls)).toEqual([
      ['r', 'member', 'S', undefined],
      ['f', 'pointer', 'double,double', undefined],
      ['o', 'pointer', 'double,double', undefined],
    ]);
  });

  it('sees addresses in arguments, tables and assignments, but not locals of the same name', () => {
    const text =
      'int cmp(int); int other(int); struct T { int (*f)(int); } t = { cmp }; void g(int other) { sort(1, cmp); h(other); x = &cmp; }';
    const { unit } = analyseText(cpp, text, 'c++');
    expect(unit.addressTaken.map(({ name }) => name)).toEqual(['cmp']);
    expect(
      unit.functions[0]?.addressTaken.map(({ name, passedTo, position }) => [name, passedTo, position]),
    ).toEqual([['cmp', 'sort', 1]]);
  });
});

describe('probes', () => {
  it.each([
    ['constexpr int f() { return a; }', 'c++'],
    ['consteval int f() { return a; }', 'c++'],
    ['__attribute__((always_inline)) inline int f() { return a; }', 'c++'],
    ['[[gnu::naked]] void f() { a; }', 'c++'],
    ['void f() __attribute__((no_instrument_function)); void f() { a; }', 'c++'],
    ['task f() { co_return; }', 'c++'],
    ['S::S() try : a(1) { b; } catch (...) { c; }', 'c++'],
    ['void f() { a ]; }', 'c++'],
    ['constexpr auto x = [] { return 1; };', 'c++'],
    ['constexpr int g() { auto l = [] { return 1; }; return l(); }', 'c++'],
    ['void f(void) { __label__ x; x: a; }', 'c'],
  ] as const)('never into %j', (text, language) => {
    const { probePoints } = analyseText(language === 'c' ? c : cpp, text, language);
    expect(probePoints).toEqual([]);
  });

  it('not into functions inside C functions', () => {
    const { unit, probePoints } = analyseText(
      c,
      'int f(void) { int g(void) { return 1; } return g(); }',
      'c',
    );
    expect(probePoints.map(({ functionNumber }) => unit.functions[functionNumber]?.name)).toEqual(['f']);
  });

  it('into small functions only when they loop', () => {
    const text =
      'void small() { a; b; c; d; e; } void loop() { for (;;) a; } void big() { a; b; c; d; e; f; g; h; i; j; }';
    const { unit } = analyseUnit({
      text,
      language: 'c++',
      parser: cpp,
      source: '/w/u.cc',
      minimumStatements: 5,
    });
    expect(unit.functions.map(({ probe }) => probe)).toEqual([false, true, true]);
  });
});

const pieces = [
  'int f(',
  ')',
  '{',
  '}',
  ';',
  'class A',
  ':',
  '::',
  'if',
  '(',
  'x',
  '"',
  "'",
  '\n',
  '# 3 "a.h" 1 3\n',
  '# 1 "b.c"\n',
  '#pragma x\n',
  '->*',
  'operator',
  '<',
  '>',
  'template',
  '\u{1F600}',
  'switch',
  'case 1:',
  'default:',
  '[&]',
  '...',
  '/*',
  '*/',
  '=',
  '~',
  'new T*[',
  '\\',
];

describe('any text at all', () => {
  it('is analysed without an error, and every place lies in the text', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 80 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (given, isC) => {
        const { unit, probePoints } = analyseText(isC ? c : cpp, given, isC ? 'c' : 'c++');
        for (const each of unit.functions) {
          expect(each.line).toBeGreaterThanOrEqual(1);
          expect(each.column).toBeGreaterThanOrEqual(1);
          expect(each.statements).toBeGreaterThanOrEqual(0);
        }
        for (const { bodyOffset, definitionOffset, functionNumber } of probePoints) {
          expect(given[bodyOffset - 1]).toBe('{');
          expect(definitionOffset).toBeLessThan(bodyOffset);
          expect(unit.functions[functionNumber]?.probe).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('may nest deeper than the stack', () => {
    const deep = `void f() { ${'('.repeat(20_000)}1${')'.repeat(20_000)}; ${'{'.repeat(5_000)}${'}'.repeat(5_000)} }`;
    expect(() => analyseText(cpp, deep, 'c++')).not.toThrow();
    expect(() => analyseText(cpp, 'struct A { '.repeat(3_000), 'c++')).not.toThrow();
  });
});
