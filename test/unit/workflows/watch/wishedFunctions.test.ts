import { describe, expect, it } from 'vitest';
import type { LiveFunction } from '../../../../src/workflows/studies/liveFunctions';
import { wishedFunctions } from '../../../../src/workflows/watch/wishedFunctions';

const functions: readonly LiveFunction[] = [
  { key: 'main', name: 'main', state: 'recorded' },
  { key: 'step', name: 'step', state: 'phase' },
  {
    key: '_ZN4heat5solveEid',
    name: 'heat::solve(int, double)',
    mangledName: '_ZN4heat5solveEid',
    state: 'left out',
  },
  { key: '_ZN4heat5solveEv', name: 'heat::solve()', mangledName: '_ZN4heat5solveEv', state: 'left out' },
  { key: 'a.c:1:at', name: 'at', state: 'none' },
  { key: 'b.c:1:at', name: 'at', state: 'left out' },
  { key: 'tiny', name: 'tiny', state: 'none', notRecorded: 'is left by exceptions' },
  { key: '_ZixRK4Grid', name: 'operator[](Grid const&)', mangledName: '_ZixRK4Grid', state: 'left out' },
];
const record = (...names: string[]) => wishedFunctions({ record: names, leave: [] }, functions);
const leave = (...names: string[]) => wishedFunctions({ record: [], leave: names }, functions);
const solves = ['_ZN4heat5solveEid', '_ZN4heat5solveEv'];

describe('the functions that a wish names', () => {
  it.each([
    ['heat::solve(int, double)', ['_ZN4heat5solveEid']],
    ['heat::solve', solves],
    ['_ZN4heat5solveEv', ['_ZN4heat5solveEv']],
    ['heat::*', solves],
    ['_ZN4heat?solve*', solves],
    ['at', ['b.c:1:at']],
    ['operator[](Grid const&)', ['_ZixRK4Grid']],
  ])('%s are those that a profile shows so, or that the pattern matches', (name, keys) => {
    expect(record(name)).toEqual({ wish: { record: keys, leave: [] }, notes: [] });
  });

  it('are refused when one is unknown, with the nearest name', () => {
    expect(() => record('main', 'mian')).toThrow(/no function “mian” \(did you mean main\?\), so nothing/);
    expect(() => leave('none*')).toThrow(/no function “none\*”/);
    expect(() => record('x'.repeat(1000))).toThrow(/^.{1,400}$/s);
  });

  it('are refused when none can be switched, and the others switched otherwise, with the reasons', () => {
    expect(() => record('tiny')).toThrow('Nothing was switched. tiny is left by exceptions.');
    expect(() => leave('step')).toThrow(/step stays recorded: it is the phase/);
    const { wish, notes } = record('main', 'tiny', 'step');
    expect(wish.record).toEqual(['main']);
    expect(notes).toEqual(['tiny is left by exceptions.']);
  });

  it('are each once', () => {
    expect(leave('main', 'main', 'm*').wish.leave).toEqual(['main']);
  });
});
