import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CodeNames, CodeTree } from '../../../../../src/core/diagnosis/live/codeTree';
import { pathKey } from '../../../../../src/core/diagnosis/resources/pathKey';
import { fn, graphOf } from '../../selection/graphs';

const calls = [
  ['main', 'step'],
  ['main', 'main'],
  ['step', 'inlined'],
  ['step', 'step'],
  ['inlined', 'deeper'],
  ['inlined', 'inlined'],
  ['deeper', 'inlined'],
  ['deeper', 'solve'],
  ['solve', 'step'],
] as const;
const functions = ['main', 'step', 'inlined', 'deeper', 'solve'].map((key, line) =>
  fn(key, { name: `its ${key}`, file: '/src/a.c', line: line + 1 }),
);
const tree = new CodeTree(graphOf(functions, calls), (key) => !['inlined', 'deeper'].includes(key));
const code = (name: string): readonly string[] => ['a.c', `its ${name}`];

describe('functions as resources of Code', () => {
  test('are named by module and name, and found again by that', () => {
    const { names } = tree;
    expect(names.pathOf('solve')).toEqual(code('solve'));
    expect(names.keyOf(code('solve'))).toBe('solve');
    expect(names.pathOf('inlined')).toBeUndefined();
    expect(names.keyOf(code('inlined'))).toBeUndefined();
    expect(names.keyOf(['a.c'])).toBeUndefined();
  });

  test('have names of their own, which are the same each time', () => {
    const anyFunctions = fc.uniqueArray(
      fc.record({
        key: fc.string(),
        name: fc.constantFrom('f', 'f (2)', 'g', 'f<int>'),
        file: fc.option(fc.constantFrom('/a/x.c', '/b/x.c', 'x.c'), { nil: undefined }),
      }),
      { selector: ({ key }) => key },
    );
    fc.assert(
      fc.property(anyFunctions, (all) => {
        const list = all.map(({ key, name, file }) => fn(key, { name, ...(file !== undefined && { file }) }));
        const [names, again] = [new CodeNames(list), new CodeNames(list)];
        const paths = all.map(({ key }) => names.pathOf(key) ?? []);
        expect(new Set(paths.map(pathKey)).size).toBe(all.length);
        expect(paths.map((path) => names.keyOf(path))).toEqual(all.map(({ key }) => key));
        expect(all.map(({ key }) => again.pathOf(key))).toEqual(paths);
      }),
    );
  });
});

describe('the functions that can be recorded', () => {
  test('are called through those that cannot, each once and not by themselves', () => {
    expect(tree.callees(code('main'))).toEqual([code('step')]);
    expect(tree.callees(code('step'))).toEqual([code('solve')]);
    expect(tree.callees(code('solve'))).toEqual([code('step')]);
    expect(tree.callees(['a.c'])).toEqual([]);
    expect(tree.callees(code('nobody'))).toEqual([]);
  });

  test('are entered at main, or where that cannot be recorded, at what it calls', () => {
    expect(tree.entries).toEqual([code('main')]);
    const hidden = new CodeTree(graphOf(functions, calls), (key) => key === 'solve' || key === 'deeper');
    expect(hidden.entries).toEqual([code('deeper')]);
    expect(new CodeTree(graphOf([fn('library')], []), () => true).entries).toEqual([]);
  });

  test('have a place in the source for readers', () => {
    expect(tree.functionOf(code('solve'))).toEqual({
      code: code('solve'),
      key: 'solve',
      name: 'its solve',
      place: { name: 'its solve', file: '/src/a.c', line: 5 },
    });
    expect(tree.functionOf(code('inlined'))).toBeUndefined();
    expect(new CodeTree(graphOf([fn('f')], []), () => true).functionOf(['no source', 'f'])?.place).toEqual({
      name: 'f',
    });
  });
});

describe('a call that a profile shows', () => {
  const recorded = (...keys: readonly string[]): ((key: string) => boolean) => {
    const all = new Set(keys);
    return (key) => all.has(key);
  };

  test('is in the call graph, or leads through functions that are not recorded', () => {
    expect(tree.explains('main', 'step', () => true)).toBe(true);
    // Through functions that cannot be recorded.
    expect(tree.explains('step', 'solve', recorded('main', 'step', 'solve'))).toBe(true);
    // Through one that is not recorded now.
    expect(tree.explains('main', 'solve', recorded('main', 'solve'))).toBe(true);
    expect(tree.explains('step', 'step', () => true)).toBe(true);
  });

  test('is none of the call graph where a function between is recorded, or no way leads there', () => {
    expect(tree.explains('main', 'solve', recorded('main', 'step', 'solve'))).toBe(false);
    expect(tree.explains('solve', 'main', recorded())).toBe(false);
  });

  test('of functions that the call graph does not have is nothing to explain', () => {
    expect(tree.explains('main', 'unknown', () => true)).toBe(true);
    expect(tree.explains('unknown', 'main', () => true)).toBe(true);
  });
});
