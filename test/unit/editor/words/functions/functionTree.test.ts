import { describe, expect, it } from 'vitest';
import {
  filterFunctions,
  functionTree,
  inOrder,
  isPending,
  noPlaceLabel,
  willBeIn,
  type FolderBranch,
  type FunctionOrder,
} from '../../../../../src/editor/words/functions/functionTree';
import type { FunctionRow } from '../../../../../src/core/functions/functionRow';

function fn(name: string, facts: Partial<FunctionRow> = {}): FunctionRow {
  return { key: name, name, selected: true, hasSite: true, ...facts };
}

/** `folder[file[function …]]` as text. */
function shape({ folders, files }: FolderBranch): readonly string[] {
  return [
    ...folders.flatMap((one) => shape(one).map((rest) => `${one.label} > ${rest}`)),
    ...files.map(({ label, functions }) => `${label}: ${functions.map(({ name }) => name).join(' ')}`),
  ];
}

describe('the tree of functions', () => {
  it('joins folders with nothing but one folder, names paths from the workspace, and the rest in full', () => {
    const tree = functionTree(
      [
        fn('a', { file: '/w/src/solver/a.c' }),
        fn('b', { file: '/w/src/solver/deep/er/b.c' }),
        fn('m', { file: '/w/main.c' }),
        fn('s', { file: '/usr/include/c++/12/vector' }),
        fn('?'),
      ],
      '/w',
    );
    expect(shape(tree)).toEqual([
      '/usr/include/c++/12 > vector: s',
      'src/solver > deep/er > b.c: b',
      'src/solver > a.c: a',
      'main.c: m',
      `${noPlaceLabel}: ?`,
    ]);
    expect(tree.folders.map(({ path }) => path)).toEqual(['/usr/include/c++/12', '/w/src/solver']);
  });

  it('puts the files and folders with the most time first, unless functions are in the order of names', () => {
    const functions = [
      fn('main', { file: '/w/a.c', inclusiveShare: 1, exclusiveShare: 0.1 }),
      fn('x', { file: '/w/src/b.c', exclusiveShare: 0.2 }),
      fn('y', { file: '/w/lib/c.c', exclusiveShare: 0.1 }),
      fn('z', { file: '/w/lib/c.c', exclusiveShare: 0.2 }),
      fn('old', { file: '/w/src/b.c', exclusiveShare: 0.9, earlier: true }),
      fn('m', { file: '/w/b.c', exclusiveShare: 0.3 }),
    ];
    const labels = (order: FunctionOrder): readonly string[] => {
      const { folders, files } = functionTree(functions, '/w', order);
      return [...folders, ...files].map(({ label }) => label);
    };
    expect(labels('share')).toEqual(['lib', 'src', 'b.c', 'a.c']);
    expect(labels('name')).toEqual(['lib', 'src', 'a.c', 'b.c']);
    expect(functionTree(functions, '/w').share).toBeCloseTo(0.9);
  });

  it('orders by share, name or line', () => {
    const functions = [
      fn('b', { file: '/w/x.c', line: 1, inclusiveShare: 0.1 }),
      fn('a', { file: '/w/x.c', line: 3, inclusiveShare: 0.3 }),
      fn('c', { file: '/w/x.c', line: 2 }),
    ];
    const names = (order: FunctionOrder): string =>
      inOrder(functions, order)
        .map(({ name }) => name)
        .join(' ');
    expect(names('share')).toBe('a b c');
    expect(names('name')).toBe('a b c');
    expect(names('line')).toBe('b c a');
    expect(functions.map(({ name }) => name).join(' ')).toBe('b a c');
  });

  it('takes what is typed as it is, not as a pattern', () => {
    const functions = [fn('operator()(int*)', { file: '/w/[a].c' }), fn('operatorX')];
    const left = (text: string): number => filterFunctions(functions, { text }, new Map()).length;
    expect(left('operator()')).toBe(1);
    expect(left('OPERATOR(')).toBe(1);
    expect(left('int*')).toBe(1);
    expect(left('[A]')).toBe(1);
    expect(left('.')).toBe(1);
    expect(left('\\')).toBe(0);
  });

  it('keeps every function that a filter leaves, of 20,000 (bench/editor times it)', () => {
    const functions = Array.from({ length: 20_000 }, (_, n) =>
      fn(`ns::function${n}(int, double)`, { file: `/w/src/m${n % 40}/f${n % 400}.cpp`, line: n }),
    );
    const left = filterFunctions(functions, { text: 'FUNCTION1 src' }, new Map());
    expect(left.map(({ name }) => name)).toEqual(
      functions.map(({ name }) => name).filter((name) => name.includes('function1')),
    );
    const shown = shape(functionTree(left, '/w')).join(' ');
    for (const { name } of left) expect(shown).toContain(name);
  });
});

describe('pins', () => {
  it('decide over the last selection, but nothing without a site is recorded', () => {
    expect(willBeIn(fn('a'), undefined)).toBe(true);
    expect(willBeIn(fn('a'), 'out')).toBe(false);
    expect(willBeIn(fn('a', { selected: false }), 'in')).toBe(true);
    expect(willBeIn(fn('a', { selected: false, hasSite: false }), 'in')).toBe(false);
  });

  it('are pending while the last round did otherwise', () => {
    expect(isPending(fn('a'), 'out')).toBe(true);
    expect(isPending(fn('a'), 'in')).toBe(false);
    expect(isPending(fn('a'), undefined)).toBe(false);
  });
});

describe('the filter', () => {
  const functions = [
    fn('Solver::step()', { file: '/w/solver.cpp' }),
    fn('main', { file: '/w/main.cpp', selected: false }),
    fn('step', { file: '/w/other.cpp' }),
  ];
  const names = (text: string): string =>
    filterFunctions(functions, { text }, new Map([['step', 'out' as const]]))
      .map(({ name }) => name)
      .join(' ');

  it('wants all words in name or path, in any case', () => {
    expect(names('STEP solver')).toBe('Solver::step()');
    expect(names('.cpp')).toBe('Solver::step() main step');
    expect(names('')).toBe('Solver::step() main step');
    expect(names('nothing')).toBe('');
  });

  it('asks for the state that the next run will have', () => {
    expect(names('@in')).toBe('Solver::step()');
    expect(names('@out')).toBe('main step');
    expect(names('@pinned')).toBe('step');
  });

  it('keeps only what changed when asked', () => {
    const changed = new Map([['main', 'left']]);
    expect(filterFunctions(functions, { text: '', changed }, new Map()).map(({ name }) => name)).toEqual([
      'main',
    ]);
  });
});
