import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyseText, parserFor } from '../parsers';

let parser: Parser;
beforeAll(async () => {
  parser = await parserFor('c++');
});

function countsOf(
  body: string,
): readonly [statements: number, loops: number, depth: number, branches: number] {
  const [only] = analyseText(parser, `void f() {${body}}`, 'c++').unit.functions;
  if (only === undefined) throw new Error('no function');
  return [only.statements, only.loops, only.loopDepth, only.conditionalBranches];
}

describe("own statements by MetaCG's rules", () => {
  it.each([
    // PIRA II, Listing 1: a declaration, a loop, the call in it, a return.
    ['int a = 0; for (int i = 0; i < 10; i++) { foo(a); } return;', 4],
    ['', 0],
    [';', 0],
    [';;;', 0],
    ['{ { ; } }', 0],
    ['int a, b, c;', 1],
    ['a = b, c = d;', 1],
    ['if (a) b; else c;', 3],
    ['if (a) { b; c; }', 3],
    ['if (a) b; else if (c) d; else e;', 5],
    ['if (int a = f(); a) b;', 2],
    ['while (a) b;', 2],
    ['while (a);', 1],
    ['do { b; } while (a);', 2],
    ['for (;;) { for (;;) a; }', 3],
    ['for (auto x : v) a;', 2],
    ['switch (a) { }', 2],
    ['switch (a) { case 1: b; c; break; case 2: d; }', 6],
    ['switch (a) { case 1: case 2: b; break; }', 4],
    // What follows `default:` is lost, but only the first statement of it.
    ['switch (a) { default: b; }', 2],
    ['switch (a) { case 1: b; default: c; d; }', 4],
    ['switch (a) { default: case 1: b; c; }', 3],
    ['switch (a) { case 1: { b; c; } break; }', 5],
    ['try { a; b; } catch (int) { c; } catch (...) { }', 6],
    // Everything else is one, whatever it holds.
    ['l: a;', 1],
    ['goto l;', 1],
    ['auto g = [](int x) { a; b; c; return x; };', 1],
    ['[[fallthrough]];', 1],
    ['struct L { int a; int b; };', 1],
    ['using namespace n;', 1],
    ['throw 1;', 1],
    ['static_assert(true, "");', 1],
  ])('%j is %i', (body, expected) => {
    expect(countsOf(body)[0]).toBe(expected);
  });

  it('looks into OpenMP regions, which are what is to be measured', () => {
    expect(countsOf('\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { a; }\n')).toEqual([
      2, 1, 1, 1,
    ]);
    expect(countsOf('if (a)\n#pragma omp parallel\n{ b; c; }\n')[0]).toBe(3);
  });

  it('counts loops, their nesting and conditional branches', () => {
    expect(countsOf('for (;;) { while (a) b; } do c; while (d); e = f ? g : h;')).toEqual([6, 3, 2, 4]);
  });

  it('leaves out lambdas and local classes, which have counts of their own', () => {
    const { functions } = analyseText(
      parser,
      'void f() { auto g = [] { for (;;) a; }; struct L { void m() { b; } }; }',
      'c++',
    ).unit;
    expect(
      functions.map(({ qualifiedName, statements, loops }) => [qualifiedName, statements, loops]),
    ).toEqual([
      ['f', 2, 0],
      ['f::<lambda:1>', 2, 1],
      ['f::L::m', 1, 0],
    ]);
  });
});
