import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import { nameOf, scopeOf, unqualified } from '../../../../../src/core/source/syntax/names';
import { parseText } from '../../../../../src/core/source/syntax/syntaxTree';
import { parserFor } from '../parsers';

let parser: Parser;
beforeAll(async () => {
  parser = await parserFor('c++');
});

/** The name that the first function definition of a text declares. */
function declaredName(text: string): string | undefined {
  const tree = parseText(parser, text);
  for (let node = 0; node < tree.length; node++)
    if (tree.kind(node) === 'function_declarator') return nameOf(tree, tree.field(node, 'declarator'));
  throw new Error('no function');
}

describe('the name that a declarator spells', () => {
  it.each([
    ['int f() {}', 'f'],
    ['int n::f() {}', 'n::f'],
    ['int ::n::f() {}', 'n::f'],
    ['int n::A<int>::B<A<char>>::f() {}', 'n::A::B::f'],
    ['template <> int n::f<int>() {}', 'n::f'],
    ['n::A::~A() {}', 'n::A::~A'],
    ['n::A::~ A() {}', 'n::A::~A'],
    ['template <class T> A<T>::~A() {}', 'A::~A'],
    ['bool A::operator==(A b) {}', 'A::operator=='],
    ['int A::operator ()(int b) {}', 'A::operator()'],
    ['void *A::operator  new  [](unsigned long n) {}', 'A::operator new []'],
    ['A operator""_km(long double x) {}', 'operator""_km'],
    // What has no name in front is no part.
    ['int decltype(x)::f() {}', 'f'],
  ])('%s: %s', (text, name) => {
    expect(declaredName(text)).toBe(name);
  });

  it('is none of what is not a name', () => {
    const tree = parseText(parser, 'int x = 1 + 2;');
    for (let node = 0; node < tree.length; node++)
      if (!tree.kind(node).endsWith('identifier')) expect(nameOf(tree, node)).toBeUndefined();
    expect(nameOf(tree, undefined)).toBeUndefined();
  });
});

it('a qualified name has a last part, and a scope before it', () => {
  expect([unqualified('n::A::f'), scopeOf('n::A::f')]).toEqual(['f', 'n::A']);
  expect([unqualified('f'), scopeOf('f')]).toEqual(['f', '']);
  expect([unqualified('::f'), scopeOf('::f')]).toEqual(['f', '']);
});
