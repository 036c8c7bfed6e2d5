import { describe, expect, it } from 'vitest';
import type {
  ModelCurve,
  ModelGrid,
  ModelPlane,
  ModelTableRow,
} from '../../../../src/core/views/models/modelPieces';
import type { PlotColors } from '../../../../webview/charts/plotColors';
import { logarithmicTicks } from '../../../../src/core/ticks';
import { cellTexts, predictedRows, ratio, shownRows } from '../../../../webview/models/modelRows';
import {
  logarithmicAxes,
  modelPicture,
  predictedParts,
  verticalRange,
} from '../../../../webview/models/plot/modelDrawing';
import { readingUnder } from '../../../../webview/models/plot/planeDrawing';
import { nextStop, readingAt, readingLines } from '../../../../webview/models/plot/planeReading';
import { readViewState } from '../../../../webview/models/viewState';
import {
  calledFunction,
  comparedTexts,
  nextText,
  pointText,
  rangeText,
  readCoordinate,
  shortPath,
  summaryText,
} from '../../../../webview/models/words';

const row = (
  callPath: string,
  kind: 'clear' | 'ambiguous' = 'clear',
  more: Partial<ModelTableRow> = {},
): ModelTableRow => ({
  callPath,
  growth: { text: 'constant', order: 0 },
  ...more,
  formula: callPath.length.toString(),
  smape: callPath.length,
  verdict: { kind, message: '' },
});

function curve(values: readonly number[], more: Partial<ModelCurve> = {}): ModelCurve {
  return {
    measured: [{ at: 1, value: values[0] ?? 0, repetitions: [] }],
    range: [1, 2],
    at: Float64Array.from(values, (_, position) => position + 1),
    values: Float64Array.from(values),
    low: Float64Array.from(values),
    high: Float64Array.from(values),
    ...more,
  };
}

const all = { group: 'none', closed: [] } as const;

describe('rows of models', () => {
  const rows = predictedRows([row('main->a'), row('main->bb', 'ambiguous'), row('main->c')], {
    values: Float64Array.of(1, 3, NaN),
    low: Float64Array.of(0, 1, -Infinity),
    high: Float64Array.of(4, 4, Infinity),
  });

  it('have no share where a prediction is unknown', () => {
    expect(rows.map(({ share }) => share)).toEqual([undefined, undefined, undefined]);
    expect([
      ...shownRows(rows, { text: '', regex: false }, { column: 'value', direction: 'descending' }, all).rows,
    ]).toEqual([1, 0, 2]);
  });

  it('are sorted by each column, and searched by path and verdict', () => {
    const shown = (column: string, text = '') => [
      ...shownRows(rows, { text, regex: false }, { column, direction: 'ascending' }, all).rows,
    ];
    expect(shown('path')).toEqual([0, 1, 2]);
    expect(shown('smape')).toEqual([0, 2, 1]);
    expect(shown('range')).toEqual([1, 0, 2]);
    expect(shown('share', 'ambig')).toEqual([1]);
    expect(shown('share', 'nothing')).toEqual([]);
    const broken = shownRows(
      rows,
      { text: '(', regex: true },
      { column: 'path', direction: 'ascending' },
      all,
    );
    expect(broken.error).toBeDefined();
  });
});

describe('grouped and compared rows of models', () => {
  const square = { text: 'p²', order: 2 };
  const rows = predictedRows(
    [
      row('main->a', 'clear', { growth: square, compared: '1 s' }),
      row('main->b'),
      row('main->c', 'clear', { growth: square }),
    ],
    {
      values: Float64Array.of(5, 3, 2),
      low: Float64Array.of(5, 3, 2),
      high: Float64Array.of(5, 3, 2),
      compared: Float64Array.of(10, 3, NaN),
    },
  );
  const order = { column: 'share', direction: 'descending' } as const;

  it('have groups in the order of their first members, with the shares of all of them', () => {
    const shown = shownRows(rows, { text: '', regex: false }, order, { group: 'growth', closed: [] });
    expect([...shown.rows]).toEqual([3, 0, 2, 4, 1]);
    expect(shown.groups).toEqual([
      { name: 'p²', count: 2, share: 0.7 },
      { name: 'constant', count: 1, share: 0.3 },
    ]);
    const closed = shownRows(rows, { text: '', regex: false }, order, { group: 'growth', closed: ['p²'] });
    expect([...closed.rows]).toEqual([3, 4, 1]);
    expect(closed.shown).toBe(3);
  });

  it('are found by the call path as it is shown, and by growth', () => {
    const shown = (text: string) => [...shownRows(rows, { text, regex: false }, order, all).rows];
    expect(shown('main → b')).toEqual([1]);
    expect(shown('main->b')).toEqual([1]);
    expect(shown('p²')).toEqual([0, 2]);
  });

  it('have a ratio only where both have a prediction', () => {
    expect(rows.map(({ other }) => other)).toEqual([10, undefined, undefined]);
    expect(rows.map(ratio)).toEqual([2, undefined, undefined]);
    expect(rows.map(cellTexts.ratio)).toEqual(['× 2', '', '']);
    expect(rows.map((one) => cellTexts.other(one, 'sec', 10))).toEqual([
      '10 s',
      'not measured',
      'not measured',
    ]);
    const sorted = shownRows(
      rows,
      { text: '', regex: false },
      { column: 'ratio', direction: 'descending' },
      all,
    );
    expect(sorted.rows[0]).toBe(0);
  });
});

describe('words of models', () => {
  it('say how models were made unless that is usual, what they are compared with, and what to measure next', () => {
    const header = { id: '', parameters: ['p'], constants: [], values: [[1]], point: [] } as const;
    const metrics = [{ name: 'time', unit: 'sec', first: 0, count: 2 }];
    const settings = { mode: 'extra-p', measure: 'median', scaling: 'strong' } as const;
    expect(summaryText({ ...header, metrics }, settings)).toBe(
      '2 models of p (1 value). Made as Extra-P makes them, of the median of the repetitions, with the sum over the locations.',
    );
    const none = { count: 0, examples: [] };
    expect(comparedTexts(undefined)).toEqual([]);
    expect(
      comparedTexts({
        title: 'b',
        parameters: [0],
        onlyHere: { count: 1, examples: ['main->x'] },
        onlyThere: { count: 4, examples: ['a', 'b', 'c'] },
      }),
    ).toEqual(['Compared with b. Only here: 1 model (main → x). Only there: 4 models (a, b, c, …).']);
    expect(comparedTexts({ title: 'b', parameters: [], onlyHere: none, onlyThere: none })).toEqual([
      'Compared with b.',
    ]);
    const next = { coordinates: { n: '512', ranks: '32' }, repetitions: 3, expectedSeconds: 240, why: 'So.' };
    expect(nextText(next)).toBe('Worth measuring next: n = 512, ranks = 32 (3 times, about 4 min 0 s). So.');
    expect(nextText({ coordinates: { n: '9' }, repetitions: 1, why: 'So.' })).toBe(
      'Worth measuring next: n = 9 (once). So.',
    );
  });

  it('end with the called function, as long as they are short', () => {
    expect(calledFunction('main->a->operator->')).toBe('operator->');
    expect(shortPath('main->solve')).toBe('main → solve');
    const long = Array.from({ length: 12 }, (_, position) => `function${position}`).join('->');
    expect(shortPath(long)).toMatch(/^… → function8 → function9 → function10 → function11$/);
    expect(shortPath('x'.repeat(99))).toBe('x'.repeat(99));
  });

  it('read positive numbers and nothing else', () => {
    expect([' 64 ', '1e6', '0.5'].map(readCoordinate)).toEqual([64, 1e6, 0.5]);
    expect(['', ' ', '0', '-1', 'x', 'Infinity', '1,5'].map(readCoordinate)).toEqual(
      Array(7).fill(undefined),
    );
  });

  it('say what is unknown', () => {
    expect(rangeText(-Infinity, Infinity, 'sec')).toBe('unknown');
    expect(rangeText(0.5, 2, 'sec')).toBe('500 ms … 2 s');
    expect(pointText(['p', 'n'], [64, 0.1])).toBe('p = 64, n = 0.1');
    const header = {
      id: '',
      parameters: ['p', 'n'],
      constants: [['t', 4]],
      values: [[1], [1, 2]],
      point: [],
    } as const;
    expect(summaryText({ ...header, metrics: [{ name: 'time', unit: 'sec', first: 0, count: 1 }] })).toBe(
      '1 model of p (1 value) and n (2 values). Always: t = 4.',
    );
  });
});

describe('the plot of models', () => {
  it('has round values on logarithmic axes', () => {
    expect(logarithmicTicks(2, 640, 7)).toEqual([2, 5, 10, 20, 50, 100, 200, 500]);
    expect(logarithmicTicks(2, 640, 5)).toEqual([3, 10, 30, 100, 300]);
    expect(logarithmicTicks(1, 1e9, 4)).toEqual([1, 100, 1e4, 1e6, 1e8]);
    expect(logarithmicTicks(11, 18, 6)).toEqual([12, 14, 16, 18]);
    expect(logarithmicTicks(0, 5, 4)).toEqual([0]);
  });

  it('shows curves and points whole, but not the whole of a wide band', () => {
    const one = { name: 'a', curve: curve([1, 2, 10]) };
    expect(verticalRange([one], false)).toEqual([0, 10.6]);
    const wide = { name: 'b', curve: curve([1, 2, 10], { high: Float64Array.of(1, 100, Infinity) }) };
    expect(verticalRange([wide], false)[1]).toBeCloseTo(21.2);
    const [low, high] = verticalRange([one], true);
    expect(low).toBeLessThan(1);
    expect(high).toBeGreaterThan(10);
    const negative = { name: 'c', curve: curve([-1, 2, 3]) };
    expect(verticalRange([negative], false)[0]).toBeLessThan(-1);
    const measured = {
      name: 'd',
      curve: curve([1], { measured: [{ at: 1, value: 2, repetitions: [1, 30] }] }),
    };
    expect(verticalRange([measured], false)[1]).toBeGreaterThan(30);
    expect(verticalRange([{ name: 'e', curve: curve([0, 0, 0]) }], false)).toEqual([0, 1]);
  });

  it('has a band for each part that is predicted', () => {
    expect(predictedParts(curve([1, 2, NaN, 4]))).toEqual([[0, 1], [3]]);
    expect(predictedParts(curve([NaN, 1]))).toEqual([[1]]);
  });

  it('is logarithmic only where everything is positive', () => {
    expect(logarithmicAxes([{ name: 'a', curve: curve([1, 2]) }])).toEqual({ x: true, y: true });
    expect(logarithmicAxes([{ name: 'a', curve: curve([0, 2]) }])).toEqual({ x: true, y: false });
    const fromZero = curve([1, 2], { at: Float64Array.of(0, 1) });
    expect(logarithmicAxes([{ name: 'a', curve: fromZero }])).toEqual({ x: false, y: true });
  });

  it('draws what chart.js draws where the band and the points are drawn', () => {
    const colors = { blue: 'blue', orange: 'orange', isHighContrast: false } as PlotColors;
    const models = [
      { name: 'a', curve: curve([1, 10, 100]) },
      { name: 'b', curve: curve([5, 6, NaN]) },
    ];
    const picture = {
      models,
      parameter: 'p',
      metric: 'time',
      unit: 'sec',
      logarithmicX: false,
      logarithmicY: true,
    };
    const drawn = modelPicture(picture, 600, 400, colors);
    const [first, second] = drawn.curves;
    expect(Array.from(first?.points ?? [])).toEqual([1, 0, 2, 1, 3, 2]);
    expect(second?.points[5]).toBeNaN();
    // Colour is never the only difference.
    expect(first?.dash).not.toEqual(second?.dash);
    expect(drawn.horizontal.title).toBe('p');
    expect(drawn.vertical.ticks.map(drawn.vertical.format)).toEqual(
      ['1 s', '2 s', '5 s', '10 s', '20 s', '50 s', '100 s'].filter(
        (_, position) => drawn.vertical.ticks.length > 6 || position % 3 === 0,
      ),
    );
    expect(drawn.area.x + drawn.area.width).toBeLessThanOrEqual(600);
  });
});

describe('the map of a model', () => {
  const grid = (horizontal: readonly number[], vertical: readonly number[]): ModelGrid => {
    const values = vertical.flatMap((y) => horizontal.map((x) => x * y));
    return {
      horizontal: Float64Array.from(horizontal),
      vertical: Float64Array.from(vertical),
      values: Float64Array.from(values),
      low: Float64Array.from(values, (value) => value / 2),
      high: Float64Array.from(values, (value) => 2 * value),
    };
  };
  const plane: ModelPlane = {
    cells: grid([1.5, 3, 6], [15, 60]),
    stops: grid([1, 2, 8], [10, 80]),
    ranges: [
      [1, 2],
      [10, 10],
    ],
    measured: [{ horizontal: 2, vertical: 10, value: 21 }],
  };
  const picture = {
    plane,
    parameters: ['p', 'n'],
    metric: 'time',
    unit: 'sec',
    logarithmic: [true, true, true],
  } as const;

  it('is read at the measured values and at the ends, and says what is extrapolated', () => {
    expect(readingLines(picture, readingAt(plane, 'stops', 1, 0))).toEqual([
      'p = 2, n = 10',
      'measured 21 s',
      'model 20 s',
      '95 % range 10 s … 40 s',
    ]);
    expect(readingLines(picture, readingAt(plane, 'stops', 2, 0))[0]).toBe('p = 8, n = 10 (extrapolated)');
    expect(readingLines(picture, readingAt(plane, 'stops', 0, 1))[0]).toBe('p = 1, n = 80 (extrapolated)');
    const unknown = { ...readingAt(plane, 'stops', 0, 0), low: -Infinity, high: Infinity };
    expect(readingLines(picture, unknown)).toEqual(['p = 1, n = 10', 'model 10 s']);
  });

  it('is read by keys, which stop at its edges', () => {
    expect(nextStop('ArrowRight', plane, undefined)).toEqual([0, 0]);
    expect(nextStop('End', plane, undefined)).toEqual([2, 1]);
    expect(nextStop('ArrowRight', plane, [2, 0])).toEqual([2, 0]);
    expect(nextStop('ArrowUp', plane, [1, 0])).toEqual([1, 1]);
    expect(nextStop('ArrowUp', plane, [1, 1])).toEqual([1, 1]);
    expect(nextStop('ArrowDown', plane, [1, 0])).toEqual([1, 0]);
    expect(nextStop('ArrowLeft', plane, [1, 1])).toEqual([0, 1]);
    expect(nextStop('Home', plane, [2, 1])).toEqual([0, 0]);
    expect(nextStop('x', plane, [2, 1])).toBeUndefined();
  });

  it('is read under the pointer: measured points exactly, else the cell', () => {
    const size = { width: 382, height: 274 };
    // The area is 300 × 200 pixels, from 66, 34; log₂: p from 0 to 3, n from log 10 to log 80.
    expect(readingUnder(picture, size, 66 + 100 + 3, 34 + 198)).toMatchObject({
      measured: 21,
      isCell: false,
    });
    expect(readingUnder(picture, size, 66 + 1, 34 + 1)).toMatchObject({
      horizontal: 1.5,
      vertical: 60,
      isCell: true,
    });
    expect(readingUnder(picture, size, 66 + 299, 34 + 199)).toMatchObject({ horizontal: 6, vertical: 15 });
    expect(readingUnder(picture, size, 60, 100)).toBeUndefined();
    expect(readingUnder(picture, size, 100, 240)).toBeUndefined();
  });
});

describe('the state of the view', () => {
  it('keeps points of positive numbers only', () => {
    expect(readViewState({ point: [1, 2] }).point).toEqual([1, 2]);
    for (const point of [[], [1, 0], [1, 'x'], 'x', [1, null]])
      expect(readViewState({ point }).point).toBeUndefined();
  });
});
