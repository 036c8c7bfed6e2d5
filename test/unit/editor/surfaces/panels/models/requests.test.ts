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
    const curve = { id: 'a', row: 0, point: [1], parameter: 63, isCompared: false };
    expect(modelsGuards.curve(curve)).toEqual(curve);
    expect(modelsGuards.curve({ ...curve, parameter: 64 })).toBeUndefined();
    const plane = { id: 'a', row: 0, point: [1, 2], parameters: [0, 1], logarithmic: [true, false] };
    expect(modelsGuards.plane(plane)).toEqual(plane);
    for (const parameters of [[0], [0, 1, 2], [0, 64], 'x'])
      expect(modelsGuards.plane({ ...plane, parameters })).toBeUndefined();
    const settings = { mode: 'extra-p', measure: 'median', scaling: 'default' };
    expect(modelsGuards.make({ settings })).toEqual({ settings });
    expect(modelsGuards.make({ settings: { ...settings, measure: 'x' } })).toBeUndefined();
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
    const paths = ['/a.txt', '/b'];
    const settings = { mode: 'extra-p', measure: 'minimum', scaling: 'strong' } as const;
    for (const input of [{ paths }, { paths, compared: ['/c'] }, { paths, settings }])
      expect(shownBefore({ panel: panelName(input) })).toEqual(input);
  });

  it('is not restored from a state that is invalid', () => {
    for (const panel of [
      '',
      '{',
      '[]',
      '{}',
      '{"paths":["relative"]}',
      '{"paths":[]}',
      '{"paths":["/a"],"compared":[1]}',
      '{"paths":["/a"],"settings":{"mode":"x"}}',
      undefined,
    ])
      expect(shownBefore({ panel })).toBeUndefined();
    expect(shownBefore(undefined)).toBeUndefined();
  });
});
