import { describe, expect, it } from 'vitest';
import { profileOf } from '../../../webview/hotSpots/profiles';
import { Model } from '../../../../webview/hotSpots/data/model';

const region = (name: string) => ({ name, file: '/src/a.cpp', line: 1 });
const time = 1;

describe('functions of a profile', () => {
  // main calls kernel, and more of it by way of solve; unused is known and was never entered.
  const model = new Model(
    profileOf('p', ['main()', 'kernel(int, double*)', 'solve', 'unused'].map(region), [
      [-1, 0, 1, 1],
      [0, 1, 2, 5],
      [0, 2, 0.5, 1],
      [2, 1, 3, 9],
    ]),
  );

  it('are found by their names, with or without arguments', () => {
    expect(model.regionNamed('kernel(int, double*)')).toBe(1);
    expect(model.regionNamed('kernel')).toBe(1);
    expect(model.regionNamed('solve')).toBe(2);
    expect(model.regionNamed('kern')).toBeUndefined();
    expect(model.regionNamed('kernel(int)')).toBeUndefined();
  });

  it('have a heaviest call path, if they were called', () => {
    expect(model.heaviestPathOf(1, time)).toBe(3);
    expect(model.heaviestPathOf(0, time)).toBe(0);
    expect(model.heaviestPathOf(3, time)).toBeUndefined();
  });
});
