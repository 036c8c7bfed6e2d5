import { describe, expect, test } from 'vitest';
import { hashLines } from '../../../../src/core/lines/lineHashes';
import { LineMap } from '../../../../src/core/lines/lineMap';

const others = Array.from({ length: 10 }, (_, number) => `other(${number});`);
const moved = ['int f() {', '  one();', '', '  two();', '}'];
const map = (measured: readonly string[], current: readonly string[]): LineMap =>
  LineMap.between(hashLines(measured.join('\n')), hashLines(current.join('\n')));

describe('a function that was moved as a whole', () => {
  test('is where its lines stand, blank lines apart', () => {
    const current = [...others, '', ...moved.filter((line) => line !== '')];
    expect(map([...moved, ...others], current).placeOf(1, 5)).toEqual({
      line: 12,
      endLine: 15,
      stale: false,
    });
    expect(map([...moved, ...others], [...others, ...moved]).placeOf(1, 5)).toEqual({
      line: 11,
      endLine: 15,
      stale: false,
    });
  });

  test('is not found where it stands twice, where a line differs, or by one line alone', () => {
    const deleted = map([...moved, ...others], others);
    expect(deleted.placeOf(1, 5)).toBeUndefined();
    expect(map([...moved, ...others], [...others, ...moved, ...moved]).placeOf(1, 5)).toBeUndefined();
    const changed = moved.with(3, '  three();');
    expect(map([...moved, ...others], [...others, ...changed]).placeOf(1, 5)).toBeUndefined();
    expect(map([...moved, ...others], [...others, 'int f() {']).placeOf(1)).toBeUndefined();
    expect(map([...moved, ...others], [...others, ...moved.slice(0, 2)]).placeOf(1, 2)).toEqual({
      line: 11,
      endLine: 12,
      stale: false,
    });
  });

  test('is not looked for by a first line that was added more than 64 times', () => {
    const placeAmong = (copies: number) => {
      const same = Array.from({ length: copies - 1 }, (_, number) => ['int f() {', `  g(${number});`]).flat();
      return map([...moved, ...others], [...others, ...same, ...moved]).placeOf(1, 5);
    };
    expect(placeAmong(64)).toEqual({ line: 11 + 126, endLine: 15 + 126, stale: false });
    expect(placeAmong(65)).toBeUndefined();
  });

  test('has lines of the measured text', () => {
    const same = map(others, others);
    expect(same.placeOf(0)).toBeUndefined();
    expect(same.placeOf(10)).toEqual({ line: 10, endLine: 10, stale: false });
    expect(same.placeOf(11)).toBeUndefined();
    expect(same.placeOf(3, 1)).toEqual({ line: 3, endLine: 3, stale: false });
  });
});
