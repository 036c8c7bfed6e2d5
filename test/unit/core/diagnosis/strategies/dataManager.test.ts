import { describe, expect, test } from 'vitest';
import { wholeProgram } from '../../../../../src/core/diagnosis/resources/focus';
import { DataManager, type DataSample } from '../../../../../src/core/diagnosis/strategies/dataManager';

const cpu = { metric: 'cpu', focus: wholeProgram };
const io = { metric: 'io', focus: wholeProgram };
const at = (start: number): DataSample => ({ value: start / 10, start, end: start + 1 });

describe('data that requests share', () => {
  test('D7: equal data are measured once, for all requests, until the last one is released', () => {
    const manager = new DataManager(0);
    const { data, ...first } = manager.request('a', cpu);
    expect(first).toEqual({ isNew: true, state: 'asked', stored: [] });
    manager.answered(data, 'deferred');
    expect(manager.request('b', cpu)).toMatchObject({ isNew: false, state: 'deferred' });
    manager.answered(data, 'accepted');
    manager.store(data, at(1));
    expect(manager.request('b', { ...cpu, focus: { ...wholeProgram } })).toEqual({
      data,
      isNew: false,
      state: 'accepted',
      stored: [],
    });
    expect(manager.request('c', io).isNew).toBe(true);
    expect(manager.requestsOf(data)).toEqual(['a', 'b']);
    expect([manager.release('a'), manager.release('b'), manager.release('b')]).toEqual([
      undefined,
      data,
      undefined,
    ]);
    expect(manager.request('d', cpu)).toMatchObject({ isNew: true, state: 'asked' });
  });

  test('D7: a later request has what is stored; the oldest samples of all data go first, and no more bytes are used than allowed', () => {
    const manager = new DataManager(3 * 24 + 23);
    const { data } = manager.request('a', cpu);
    const { data: other } = manager.request('b', io);
    manager.store(other, at(0));
    for (const start of [1, 2, 3]) manager.store(data, at(start));
    expect(manager.bytes).toBe(72);
    expect(manager.request('c', cpu).stored).toEqual([at(1), at(2), at(3)]);
    expect(manager.request('d', io).stored).toEqual([]);
    manager.store(data, at(4));
    expect(manager.request('e', cpu).stored).toEqual([at(2), at(3), at(4)]);
    for (const request of ['a', 'c', 'e']) manager.release(request);
    expect(manager.bytes).toBe(0);
    manager.store(data, at(5));
    expect(manager.bytes).toBe(0);
  });
});
