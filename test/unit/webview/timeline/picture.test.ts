import { describe, expect, it } from 'vitest';
import { noFunction, type TimelineFunction } from '../../../../src/core/timeline/pieces';
import { colorGroup, functionRgb, type ThemeKind } from '../../../../webview/timeline/picture/colors';
import { Layers, type Layer } from '../../../../webview/timeline/picture/layers';
import { clipped, messageNear } from '../../../../webview/timeline/picture/messageLines';
import { contrastRatio } from '../../../../webview/ui/flame/flameColors';

const themes: readonly ThemeKind[] = ['dark', 'light', 'hc-dark', 'hc-light'];
const made = (name: string, paradigm: string): TimelineFunction => ({ name, paradigm, place: { name } });

/** Rows [firstRow, firstRow + rowCount), in each of which the spans are given by their ends. */
function layer(
  firstRow: number,
  rowCount: number,
  from: number,
  to: number,
  pixels: number,
  spans: readonly (readonly [begin: number, end: number, of: number])[] = [[from, to, 0]],
): Layer {
  const all = Array.from({ length: rowCount }, () => spans).flat();
  return {
    window: { firstRow, rowCount, from, to, pixels },
    spans: {
      first: Uint32Array.from({ length: rowCount + 1 }, (_, row) => row * spans.length),
      begin: Float64Array.from(all, ([begin]) => begin),
      end: Float64Array.from(all, ([, end]) => end),
      functions: Uint32Array.from(all, ([, , of]) => of),
      share: Float32Array.from(all, () => 0.5),
    },
  };
}

describe('colours of functions', () => {
  it('let names be read in every theme', () => {
    for (const theme of themes)
      for (const paradigm of ['MPI', 'OpenMP', 'user', 'CUDA', 'pthread', 'io', 'measurement_system', '?'])
        for (let index = 0; index < 200; index++) {
          const rgb = functionRgb(made(`function_${index}`, paradigm), theme);
          const text = theme.endsWith('dark') ? ([255, 255, 255] as const) : ([0, 0, 0] as const);
          expect(contrastRatio(rgb, text)).toBeGreaterThan(4.5);
        }
  });

  it('are the same for a name, and other ones for other names', () => {
    expect(functionRgb(made('solve', 'user'), 'dark')).toEqual(functionRgb(made('solve', 'user'), 'dark'));
    const different = new Set(
      Array.from({ length: 300 }, (_, index) => functionRgb(made(`f${index}`, 'user'), 'dark').join()),
    );
    expect(different.size).toBeGreaterThan(280);
  });

  it('have hues of MPI and OpenMP that no function of the program has', () => {
    const hue = (name: string, paradigm: string): number => {
      const [r, g, b] = functionRgb(made(name, paradigm), 'dark');
      return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;
    };
    const own = Array.from({ length: 300 }, (_, index) => hue(`f${index}`, 'user'));
    for (const paradigm of ['MPI', 'OpenMP']) {
      const common = Array.from({ length: 50 }, (_, index) => hue(`${paradigm}_${index}`, paradigm));
      expect(Math.max(...common) - Math.min(...common)).toBeLessThan(10);
      for (const one of own) expect(Math.abs(one - (common[0] ?? 0))).toBeGreaterThan(25);
    }
  });

  it('are grouped by paradigm, however it is written', () => {
    expect(['MPI', 'mpi', 'OpenMP', 'OPENMP', 'Measurement System'].map(colorGroup)).toEqual([
      'MPI',
      'MPI',
      'OpenMP',
      'OpenMP',
      'measurement',
    ]);
    expect(['user', 'COMPILER', 'unknown', ''].map(colorGroup)).toEqual(Array(4).fill('user'));
    expect(['CUDA', 'OPENACC', 'PTHREAD', 'constructor'].map(colorGroup)).toEqual([
      'accelerator',
      'accelerator',
      'threads',
      'other',
    ]);
  });
});

describe('layers of a picture', () => {
  const rows = { first: 10, count: 5 };

  it('are painted from coarse to fine, beginning with one that holds everything', () => {
    const layers = new Layers();
    const [whole, half, fine] = [
      layer(0, 100, 0, 10, 100),
      layer(0, 100, 0, 6, 100),
      layer(0, 100, 4, 5, 100),
    ];
    for (const one of [fine, whole, half]) layers.add(one);
    expect(layers.toPaint(rows, { from: 3, to: 5.5 }, 0.001)).toEqual([half, fine]);
    expect(layers.toPaint(rows, { from: 4.2, to: 4.8 }, 0.001)).toEqual([fine]);
    expect(layers.toPaint(rows, { from: 3, to: 8 }, 0.001)).toEqual([whole, half, fine]);
    // The answer for exactly this is painted alone; the nearest one to the screen, of those that are fine enough.
    expect(layers.toPaint(rows, { from: 3, to: 8 }, 0.1)).toEqual([whole]);
    expect(layers.toPaint(rows, { from: 3, to: 5.5 }, 0.07)).toEqual([half]);
    expect(layers.toPaint(rows, { from: 3, to: 5.5 }, 0.2)).toEqual([whole]);
    expect(layers.toPaint({ first: 200, count: 2 }, { from: 3, to: 8 }, 0.001)).toEqual([]);
  });

  it('are known to be fine enough, or not', () => {
    const layers = new Layers();
    layers.add(layer(10, 5, 0, 10, 100));
    expect(layers.has(rows, { from: 0, to: 10 }, 0.1)).toBe(true);
    expect(layers.has(rows, { from: 0, to: 10 }, 0.05)).toBe(false);
    expect(layers.has({ first: 9, count: 5 }, { from: 0, to: 10 }, 1)).toBe(false);
    expect(layers.has({ first: 11, count: 5 }, { from: 0, to: 10 }, 1)).toBe(false);
    expect(layers.has(rows, { from: 1, to: 10.5 }, 1)).toBe(false);
    layers.clear();
    expect(layers.has(rows, { from: 0, to: 10 }, 1)).toBe(false);
  });

  it('replace those that they make useless, and are no more than a few', () => {
    const layers = new Layers();
    layers.add(layer(0, 10, 1, 2, 100));
    layers.add(layer(0, 20, 0, 3, 300));
    expect(layers.toPaint({ first: 0, count: 1 }, { from: 0, to: 3 }, 0).length).toBe(1);
    for (let index = 0; index < 50; index++) layers.add(layer(0, 20, index, index + 1, 1000));
    expect(layers.toPaint({ first: 0, count: 20 }, { from: 0, to: 60 }, 0).length).toBeLessThan(7);
  });

  it('know the call at a point, and its neighbours', () => {
    const layers = new Layers();
    const spans = [
      [0, 1, 7],
      [1, 2, noFunction],
      [2, 2.5, 8],
      [3, 4, 9],
    ] as const;
    layers.add(layer(10, 2, 0, 4, 100, spans));
    expect(layers.at(11, 0.5)).toEqual({ function: 7, begin: 0, end: 1, share: 0.5 });
    expect(layers.at(11, 1)).toBeUndefined();
    expect(layers.at(10, 2)?.function).toBe(8);
    expect(layers.at(10, 2.7)).toBeUndefined();
    expect(layers.at(12, 0.5)).toBeUndefined();
    const all = { from: 0, to: 4 };
    expect(layers.next(10, -1, 1, all, 0.05)?.function).toBe(7);
    expect(layers.next(10, 0, 1, all, 0.05)?.function).toBe(8);
    expect(layers.next(10, 3, 1, all, 0.05)).toBeUndefined();
    expect(layers.next(10, 3, -1, all, 0.05)?.function).toBe(8);
    expect(layers.next(10, 2, -1, all, 0.05)?.function).toBe(7);
    expect(layers.next(10, 0, -1, all, 0.05)).toBeUndefined();
    expect(layers.next(50, 0, 1, all, 0.05)).toBeUndefined();
    // A finer picture of a part does not hide the calls outside of it.
    layers.add(layer(10, 2, 0, 1, 1000, [[0, 1, 7]]));
    expect(layers.next(10, 0, 1, all, 0.05)?.function).toBe(8);
  });
});

describe('lines of messages', () => {
  const frame = {
    left: 100,
    top: 20,
    width: 200,
    height: 300,
    rowHeight: 10,
    scroll: 50,
    span: { from: 0, to: 2 },
    rows: 100,
  };
  const messages = {
    sender: Uint32Array.of(5, 10),
    receiver: Uint32Array.of(15, 10),
    sent: Float64Array.of(0, 1),
    received: Float64Array.of(1, 2),
    bytes: Float64Array.of(1, 2),
    tag: Int32Array.of(0, 0),
    total: 2,
  };

  it('are pointed at from near, the nearest one first', () => {
    // From (100, 25) to (200, 125): row 5 is the first one in sight.
    expect(messageNear(frame, messages, 150, 75)).toBe(0);
    expect(messageNear(frame, messages, 153, 75)).toBe(0);
    expect(messageNear(frame, messages, 157, 75)).toBeUndefined();
    expect(messageNear(frame, messages, 250, 76)).toBe(1);
    expect(messageNear(frame, messages, 95, 20)).toBeUndefined();
  });

  it('end where a canvas still counts exactly', () => {
    expect(clipped({ x: -1e9, y: 0, toX: 1e9, toY: 100 }, -100, 300)).toEqual({
      x: -100,
      y: expect.closeTo(50, 3) as number,
      toX: 300,
      toY: expect.closeTo(50, 3) as number,
    });
    const inside = { x: 10, y: 0, toX: 20, toY: 100 };
    expect(clipped(inside, -100, 300)).toEqual(inside);
    expect(clipped({ x: 10, y: 0, toX: 10, toY: 100 }, 0, 300)).toEqual({ x: 10, y: 0, toX: 10, toY: 100 });
    expect(clipped({ x: 400, y: 0, toX: 500, toY: 1 }, -100, 300)).toBeUndefined();
    expect(clipped({ x: -400, y: 0, toX: -101, toY: 1 }, -100, 300)).toBeUndefined();
  });
});
