import { describe, expect, it } from 'vitest';
import {
  modelsGuards,
  panelName,
  shownBefore,
} from '../../../../../../src/editor/surfaces/panels/models/requests';

describe('requests of the models panel', () => {
  it('are bounded: rows, points, pictures', () => {
    const piece = { id: 'a', first: 0, count: 1000, point: [1, 2] };
    expect(modelsGuards.predictions(piece)).toEqual(piece);
    expect(modelsGuards.predictions({ ...piece, count: 1001 })).toBeUndefined();
    expect(modelsGuards.rows({ id: 'a', first: -1, count: 1 })).toBeUndefined();
    for (const point of [[-1], [NaN], [Infinity], ['1'], '1', Array(65).fill(1)])
      expect(modelsGuards.predictions({ ...piece, point })).toBeUndefined();
    expect(modelsGuards.curve({ id: 'a', row: 0, point: [1], parameter: 64 })).toBeUndefined();
    expect(
      modelsGuards.save({ kind: 'png', name: 'x', content: new Uint8Array((32 << 20) + 1) }),
    ).toBeUndefined();
  });

  it('name no files', () => {
    const save = { kind: 'models', id: 'a', format: 'json', point: [1] };
    expect(modelsGuards.save({ ...save, file: '/etc/passwd' })).toEqual(save);
    expect(modelsGuards.save({ ...save, format: 'exe' })).toBeUndefined();
  });
});

describe('a panel of models after a reload', () => {
  it('shows the same input', () => {
    const input = { paths: ['/a.txt', '/b'] };
    expect(shownBefore({ panel: panelName(input) })).toEqual(input);
  });

  it('is not restored from a state that is invalid', () => {
    for (const panel of ['', '{', '[]', '{}', '["relative"]', '[1]', undefined])
      expect(shownBefore({ panel })).toBeUndefined();
    expect(shownBefore(undefined)).toBeUndefined();
  });
});
