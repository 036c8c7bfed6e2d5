import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { UnitAddress } from '../../../../src/core/source/unit';
import { analyseText, parserFor } from './parsers';

let parser: Parser;
beforeAll(async () => {
  parser = await parserFor('c++');
});

const declarations =
  'int f(int); int g(int); struct C { int m(); static int s(int); }; namespace n { int f(int); }';

/** `name [receiver position]` */
function shown({ name, passedTo, position }: UnitAddress): string {
  return passedTo === undefined ? name : `${name} ${passedTo} ${position}`;
}

describe('the functions whose address a function takes, and what receives them', () => {
  test.each<readonly [string, readonly string[]]>([
    ['use(f);', ['f use 0']],
    ['use(&f);', ['f use 0']],
    ['use((f));', ['f use 0']],
    ['use(1, f, g);', ['f use 1', 'g use 2']],
    ['use(f, f);', ['f use 0', 'f use 1']],
    ['use(/* c */ f);', ['f use 0']],
    ['use(f); other(f);', ['f use 0', 'f other 0']],
    ['use(f); use(f); x = f;', ['f use 0']],
    ['x = f; use(f);', ['f', 'f use 0']],
    ['s.use(f);', ['f use 0']],
    ['n::use(f);', ['f n::use 0']],
    ['(*pp)(f);', ['f']],
    ['use(&C::m);', ['C::m use 0']],
    ['use(C::s);', ['C::s use 0']],
    ['use(unknown);', []],
    ['use([](int a) { return a; });', ['go::<lambda:2> use 0']],
    ['x = [] { return 1; };', ['go::<lambda:2>']],
    ['x = f;', ['f']],
    ['p[0] = &f;', ['f']],
    ['int (*p)(int) = f;', ['f']],
    ['Op p = f;', ['f Op 0']],
    ['Op p{1, f};', ['f Op 1']],
    ['T t = { f, g };', ['f T 0', 'g T 1']],
    ['T t = { .call = f };', ['f']],
    ['T t[] = { { f }, { g, 1 } };', ['f', 'g']],
    ['for (auto q : { f, g }) q(1);', ['f', 'g']],
    ['return f;', ['f']],
    ['return &f;', ['f']],
    ['a ? f : g;', ['f', 'g']],
    ['(f, g);', ['f', 'g']],
    ['(void *)f;', ['f']],
    ['Op{f};', ['f']],
    ['f;', []],
    ['f(1);', []],
    ['f + 1;', []],
    ['if (p == f) return;', []],
    ['{ int f; use(f); x = f; use(n::f); }', ['n::f use 0']],
    ['auto p = use(f)(g);', ['g', 'f use 0']],
  ])('%s', (body, addresses) => {
    const { unit } = analyseText(parser, `${declarations}\nvoid go() { ${body} }`, 'c++');
    expect(unit.functions.find(({ name }) => name === 'go')?.addressTaken.map(shown)).toEqual(addresses);
    expect(unit.addressTaken).toEqual([]);
  });
});

describe('outside of functions', () => {
  it('tables and initialisers take addresses, each at its line', () => {
    const text = `${declarations}\nstruct T { int (*call)(int) = f; } t = {\n  g };\nOp op = &n::f; int h() { return use(C::s); }\nauto l = [] { return f; };`;
    expect(analyseText(parser, text, 'c++').unit.addressTaken).toEqual([
      { name: 'g', line: 3 },
      { name: 'f', line: 2 },
      { name: 'n::f', line: 4, passedTo: 'Op', position: 0 },
      { name: '<lambda:5>', line: 5 },
    ]);
  });
});
