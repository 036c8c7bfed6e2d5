import { describe, expect, test } from 'vitest';
import { CodeTree } from '../../../../../src/core/diagnosis/live/codeTree';
import { HostMeasurement } from '../../../../../src/core/diagnosis/live/hostMeasurement';
import type { LiveWindow } from '../../../../../src/core/diagnosis/live/liveWindow';
import type { Focus } from '../../../../../src/core/diagnosis/resources/focus';
import { fn, graphOf } from '../../selection/graphs';
import { at } from '../recorded/searched';
import { windowOf } from './windows';

const functions = ['main', 'solve', 'rare', 'inlined'].map((key) => fn(key, { file: '/src/a.c' }));
const { names } = new CodeTree(graphOf(functions, [['main', 'solve']]), (key) => key !== 'inlined');
/** `solve` has six tenths of a window. */
const window = (start: number, recorded?: readonly string[]): LiveWindow =>
  windowOf(
    {
      region: { name: 'main' },
      seconds: [4],
      calls: [{ region: { name: 'solve' }, seconds: [6] }],
    },
    { start, end: start + 1, ...(recorded && { recorded }) },
  );
const solve = { Code: ['a.c', 'solve'] };
const measurement = (mostWindows = 3): HostMeasurement => new HostMeasurement(names, mostWindows);
const ask = (of: HostMeasurement, data: string, focus: Partial<Focus>, metric = 'computing'): void => {
  of.command({ type: 'measure', data, metric, focus: at(focus) });
};
const sample = (data: string, value: number, start: number): object => ({
  ...{ type: 'sample', data, start, end: start + 1 },
  value: expect.closeTo(value, 12) as number,
});

describe('the measurement on a host', () => {
  test('answers each window, from the next one on', () => {
    const host = measurement();
    ask(host, 'x', {});
    expect(host.takeEvents()).toEqual([]);
    host.add(window(0));
    expect(host.takeEvents()).toEqual([{ type: 'accepted', data: 'x' }, sample('x', 1, 0)]);
    host.add(window(1));
    expect(host.takeEvents()).toEqual([sample('x', 1, 1)]);
    host.command({ type: 'end', data: 'x' });
    host.add(window(2));
    expect(host.takeEvents()).toEqual([]);
  });

  test('gives up functions whose recording takes too much, and not what is recorded anyway', () => {
    const host = measurement();
    ask(host, 'x', solve);
    ask(host, 'whole', {});
    host.add(window(0));
    host.takeEvents();
    host.giveUp(
      new Map([
        ['solve', 'Too dear.'],
        ['other', 'Dear, too.'],
      ]),
    );
    expect(host.takeEvents()).toEqual([{ type: 'failed', data: 'x', message: 'Too dear.' }]);
    expect([...host.wanted]).toEqual([]);
    host.add(window(1));
    expect(host.takeEvents()).toEqual([sample('whole', 1, 1)]);
  });

  test('delivers at once what was recorded before, as far as it is kept', () => {
    const host = measurement(2);
    for (const start of [0, 1, 2]) host.add(window(start));
    ask(host, 'x', solve);
    expect(host.takeEvents()).toEqual([
      { type: 'accepted', data: 'x' },
      sample('x', 0.6, 1),
      sample('x', 0.6, 2),
    ]);
    // Of what was not recorded, only the windows in which it was.
    const later = measurement();
    later.add(window(0, ['main']));
    later.add(window(1));
    ask(later, 'x', solve);
    expect(later.takeEvents()).toEqual([{ type: 'accepted', data: 'x' }, sample('x', 0.6, 1)]);
  });

  test('has 0 of a function that is recorded and was not called, and nothing of one that is not recorded', () => {
    const host = measurement();
    ask(host, 'x', { Code: ['a.c', 'rare'] });
    host.add(window(0, ['main', 'solve']));
    expect(host.takeEvents()).toEqual([]);
    host.add(window(1));
    expect(host.takeEvents()).toEqual([{ type: 'accepted', data: 'x' }, sample('x', 0, 1)]);
  });

  test('wants the functions recorded that are asked for, until they are not', () => {
    const host = measurement();
    ask(host, 'x', solve);
    ask(host, 'y', { ...solve, Machine: ['a'] });
    ask(host, 'z', {});
    expect([...host.wanted]).toEqual(['solve']);
    host.command({ type: 'end', data: 'x' });
    expect([...host.wanted]).toEqual(['solve']);
    host.command({ type: 'end', data: 'y' });
    expect([...host.wanted]).toEqual([]);
  });

  test('wants no function recorded for what windows have nowhere', () => {
    const host = measurement();
    ask(host, 'x', solve, 'lateSender');
    expect([...host.wanted]).toEqual(['solve']);
    host.add(window(0));
    expect([...host.wanted]).toEqual([]);
    ask(host, 'y', { Code: ['a.c', 'main'] }, 'lateSender');
    expect([...host.wanted]).toEqual([]);
    ask(host, 'z', { Code: ['a.c', 'main'] });
    expect([...host.wanted]).toEqual(['main']);
  });

  test('puts off what has no value for three windows, and accepts it when it has one', () => {
    const host = measurement();
    ask(host, 'x', solve);
    const unrecorded = (start: number): void => {
      host.add(window(start, ['main']));
    };
    unrecorded(0);
    unrecorded(1);
    expect(host.takeEvents()).toEqual([]);
    unrecorded(2);
    expect(host.takeEvents()).toEqual([{ type: 'deferred', data: 'x' }]);
    unrecorded(3);
    expect(host.takeEvents()).toEqual([]);
    host.add(window(4));
    expect(host.takeEvents()).toEqual([{ type: 'accepted', data: 'x' }, sample('x', 0.6, 4)]);
    // What has had a value waits for the next one.
    for (const start of [5, 6, 7, 8]) unrecorded(start);
    expect(host.takeEvents()).toEqual([]);
    expect([...host.wanted]).toEqual(['solve']);
  });

  test('fails at the end for what never had a value, and says why', () => {
    const host = measurement();
    ask(host, 'x', solve);
    ask(host, 'y', {});
    ask(host, 'z', {}, 'lateSender');
    host.add(window(0, ['main']));
    host.takeEvents();
    host.end();
    expect(host.takeEvents()).toEqual([
      { type: 'failed', data: 'x', message: 'The function is not recorded.' },
      { type: 'failed', data: 'z', message: 'The run has one process: it waits for no other one.' },
    ]);
    const none = measurement();
    ask(none, 'x', {});
    none.end();
    expect(none.takeEvents()).toEqual([
      { type: 'failed', data: 'x', message: 'The program ended before anything was measured.' },
    ]);
  });

  test('fails at once for a function that cannot be recorded', () => {
    const host = measurement();
    ask(host, 'x', { Code: ['a.c', 'inlined'] });
    ask(host, 'y', { Code: ['a.c'] });
    const message = 'The program has no such function that can be recorded.';
    expect(host.takeEvents()).toEqual([
      { type: 'failed', data: 'x', message },
      { type: 'failed', data: 'y', message },
    ]);
    expect([...host.wanted]).toEqual([]);
    host.end();
    expect(host.takeEvents()).toEqual([]);
  });
});
