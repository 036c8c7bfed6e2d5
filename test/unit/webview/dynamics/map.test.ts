import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { palette } from '../../../../webview/charts/palette';
import { mapImage } from '../../../../webview/dynamics/overTime/mapImage';
import { MapModel, spans } from '../../../../webview/dynamics/overTime/mapModel';

function mapOf(rows: readonly (readonly number[])[], iterationsPerColumn = 1): MapModel {
  const columns = rows[0]?.length ?? 0;
  const model = new MapModel(0, {
    region: 'r',
    metric: 'time',
    rows: rows.length,
    columns,
    iterationsPerColumn,
    seriesPerRow: 1,
  });
  model.add(0, {
    values: Float32Array.from(rows.flat()),
    ranks: rows.map((_, rank) => String(rank)),
    series: Uint32Array.from(rows, (_, at) => at),
  });
  return model;
}

const colors = palette('dark');
const last = colors.length - 3;

/** Brightness of a pixel; -1: transparent. */
const pixel = (image: Uint8ClampedArray, at: number): number =>
  (image[4 * at + 3] ?? 0) === 0
    ? -1
    : (image[4 * at] ?? 0) + (image[4 * at + 1] ?? 0) + (image[4 * at + 2] ?? 0);

describe('map of values', () => {
  it('shows the largest value of each pixel, so that no peak gets lost, at any size', () => {
    const most = (colors[last] ?? 0) + (colors[last + 1] ?? 0) + (colors[last + 2] ?? 0);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 40 }),
        (rows, columns, a, b, width, height) => {
          const [row, column] = [a % rows, b % columns];
          const values = Array.from({ length: rows }, (_, r) =>
            Array.from({ length: columns }, (__, c) => (r === row && c === column ? 1 : 0)),
          );
          const image = mapImage(mapOf(values), {
            span: [0, columns - 1],
            width,
            height,
            scale: 'all',
            colors,
          });
          const bright = Array.from({ length: width * height }, (_, at) => pixel(image, at)).filter(
            (one) => one === most,
          );
          expect(bright.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  it('leaves out what was not measured', () => {
    const image = mapImage(mapOf([[1, NaN, 2, 3]]), {
      span: [0, 3],
      width: 4,
      height: 1,
      scale: 'all',
      colors,
    });
    expect([0, 1, 2, 3].map((at) => pixel(image, at) < 0)).toEqual([false, true, false, false]);
  });

  it('shows slow changes of one rank beside large values of others when each rank is by itself', () => {
    const model = mapOf([
      [100, 100, 100, 100],
      [1, 1.1, 1.2, 1.3],
    ]);
    const of = (scale: 'all' | 'row'): number[] => {
      const image = mapImage(model, { span: [0, 3], width: 4, height: 2, scale, colors });
      return [4, 5, 6, 7].map((at) => pixel(image, at));
    };
    expect(new Set(of('row')).size).toBe(4);
    expect(new Set(of('all')).size).toBe(1);
  });

  it('zooms to iterations, also where a column stands for several', () => {
    const image = mapImage(mapOf([[0, 0, 9, 0]], 10), {
      span: [20, 29],
      width: 5,
      height: 1,
      scale: 'all',
      colors,
    });
    expect(new Set([0, 1, 2, 3, 4].map((at) => pixel(image, at))).size).toBe(1);
  });

  it('finds the rows of a set of ranks', () => {
    expect(spans('0-3,7, 9-9')).toEqual([
      [0, 3],
      [7, 7],
      [9, 9],
    ]);
    expect(spans('4:2')).toEqual([[4, 4]]);
    expect(spans('<b>,-,')).toEqual([]);
    expect([...mapOf([[1], [1], [1], [1]]).rowsOf('1-2')]).toEqual([0, 1, 1, 0]);
  });

  it('bears pieces that are not what was asked for', () => {
    const model = mapOf([[1, 2]]);
    model.add(1, { values: new Float32Array(99), ranks: ['1', '2'], series: new Uint32Array(2) });
    expect(model.ranks).toEqual(['0']);
    expect(model.value(0, 1)).toBe(2);
    expect(model.value(0, 99)).toBeUndefined();
  });
});
