import { describe, expect, test } from 'vitest';
import { CodeTree } from '../../../../../src/core/diagnosis/live/codeTree';
import { Discoveries } from '../../../../../src/core/diagnosis/live/discoveries';
import type { Discovery } from '../../../../../src/core/diagnosis/strategies/messages';
import type { Call } from '../../problems/runs';
import { fn, graphOf } from '../../selection/graphs';
import { windowOf, type Hosts } from './windows';

const functions = ['main', 'step', 'ends', 'callback', 'inlined'].map((key) => fn(key, { file: '/src/a.c' }));
const code = new CodeTree(
  graphOf(functions, [
    ['main', 'step'],
    ['step', 'inlined'],
    ['inlined', 'ends'],
    ['ends', 'callback'],
  ]),
  (key) => key !== 'inlined',
);
const noMachine = new Map<string, readonly string[]>();
const oneProcess = new Map([
  ['', ['a']],
  ['a', ['rank 0']],
]);
const path = (name: string): readonly string[] => ['a.c', name];
const call = (name: string, ...calls: readonly Call[]): Call => ({
  region: { name },
  seconds: [1, 1],
  calls,
});
const found = (root: Call, recorded?: readonly string[]): readonly Discovery[] =>
  new Discoveries(code, oneProcess).in(windowOf(root, recorded && { recorded }));

describe('calls that windows show', () => {
  test('are news where a function that ends with a call shows below its caller', () => {
    // `ends` leaves before `callback` begins, so that `step` seems to call it.
    const tail = call('main', call('step', call('ends'), call('callback')));
    expect(found(tail)).toEqual([{ type: 'call', caller: path('step'), callee: path('callback') }]);
  });

  test('are none where the functions between are not recorded, or cannot be', () => {
    expect(found(call('main', call('step', call('ends', call('callback')))))).toEqual([]);
    expect(found(call('main', call('callback')), ['main', 'callback'])).toEqual([]);
    expect(found(call('main', call('callback')), ['main', 'ends', 'callback'])).toEqual([
      { type: 'call', caller: path('main'), callee: path('callback') },
    ]);
  });

  test('are none from and to what cannot be recorded, or is no function of the program', () => {
    expect(found(call('main', call('unknown', call('main'))))).toEqual([]);
    expect(found(call('main', call('inlined', call('main'))))).toEqual([]);
  });

  test('are reported once', () => {
    const discoveries = new Discoveries(code, oneProcess);
    const round = call('main', call('step', call('ends', call('main'))));
    expect(discoveries.in(windowOf(round))).toEqual([
      { type: 'call', caller: path('ends'), callee: path('main') },
    ]);
    expect(discoveries.in(windowOf(round))).toEqual([]);
    expect(discoveries.in(windowOf(call('main', call('ends'))))).toHaveLength(1);
  });
});

describe('resources that windows show', () => {
  const waiting: Call = {
    region: { name: 'main' },
    seconds: [1, 1],
    calls: [
      {
        region: { name: 'MPI_Recv', paradigm: 'mpi', role: 'point2point', file: 'MPI' },
        seconds: [1, 1],
      },
    ],
  };

  test('are processes that began, and objects that something waits for, each once and below what it is in', () => {
    const discoveries = new Discoveries(code, oneProcess);
    const hosts: Hosts = ['a', 'b'];
    const all = discoveries.in(windowOf(waiting, { hosts }));
    expect(all).toEqual([
      { type: 'resource', tree: 'Machine', parent: [], name: 'b' },
      { type: 'resource', tree: 'Machine', parent: ['b'], name: 'rank 1' },
      { type: 'resource', tree: 'SyncObject', parent: [], name: 'Message' },
      { type: 'resource', tree: 'SyncObject', parent: ['Message'], name: 'MPI_Recv' },
    ]);
    expect(discoveries.in(windowOf(waiting, { hosts }))).toEqual([]);
  });

  test('are all of them where nothing was known', () => {
    expect(new Discoveries(code, noMachine).in(windowOf(call('main')))).toEqual([
      { type: 'resource', tree: 'Machine', parent: [], name: 'a' },
      { type: 'resource', tree: 'Machine', parent: ['a'], name: 'rank 0' },
    ]);
  });
});
