import { describe, expect, it } from 'vitest';
import {
  functionAround,
  liveFunctionText,
  switchableFunctions,
} from '../../../../../src/editor/words/studies/liveFunctionText';
import type { LiveFunction } from '../../../../../src/workflows/studies/liveFunctions';

const functions: readonly LiveFunction[] = [
  { key: 'b', name: 'b', state: 'left out', file: '/p/a.c', line: 20, endLine: 30 },
  { key: 'a', name: 'a', state: 'left out', file: '/p/a.c', line: 22, endLine: 24 },
  { key: 'main', name: 'main', state: 'recorded', file: '/p/a.c', line: 40, endLine: 50 },
  { key: 'step', name: 'step', state: 'phase', file: '/p/a.c', line: 1, endLine: 5 },
  { key: 'tiny', name: 'tiny', state: 'none', file: '/p/b.c', line: 1, endLine: 100 },
];

describe('the list of functions that can be switched while the program runs', () => {
  it('has first those that the command changes, by name, then the others, and none that cannot be switched', () => {
    const keys = (list: readonly LiveFunction[]): readonly string[] => list.map(({ key }) => key);
    const recording = switchableFunctions(functions, true);
    expect([keys(recording.changing), keys(recording.others)]).toEqual([['a', 'b'], ['main']]);
    const leaving = switchableFunctions(functions, false);
    expect([keys(leaving.changing), keys(leaving.others)]).toEqual([['main'], ['a', 'b']]);
  });

  it('marks what is recorded, and shows names that can do nothing', () => {
    expect(
      liveFunctionText({ key: 'x', name: 'solve', state: 'recorded', file: '/p/heat.c', line: 7 }),
    ).toEqual({
      label: '$(record) solve',
      description: 'recorded · heat.c:7',
    });
    const hostile = { key: 'x', name: `$(trash)\u202e\n${'x'.repeat(5000)}`, state: 'left out' } as const;
    const { label, description } = liveFunctionText(hostile);
    expect(label).toMatch(/^\$\(circle-slash\) \$\u200b\(trash\)\ufffd\ufffdx+…$/);
    expect(label.length).toBeLessThan(150);
    expect(description).toBe('not recorded');
  });

  it('finds the innermost function around the cursor', () => {
    const at = (line: number, file = '/p/a.c') => functionAround(functions, file, line)?.key;
    expect([at(20), at(23), at(25), at(31), at(50), at(3, '/p/b.c'), at(3, '/p/c.c')]).toEqual([
      'b',
      'a',
      'b',
      undefined,
      'main',
      'tiny',
      undefined,
    ]);
  });
});
