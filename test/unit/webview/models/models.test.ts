import { describe, expect, it } from 'vitest';
import type { ModelCurve, ModelTableRow } from '../../../../src/core/views/modelPieces';
import type { PlotColors } from '../../../../webview/charts/plotColors';
import { logarithmicTicks } from '../../../../webview/charts/ticks';
import { predictedRows, shownRows } from '../../../../webview/models/modelRows';
import {
  logarithmicAxes,
  modelPicture,
  predictedParts,
  verticalRange,
} from '../../../../webview/models/plot/modelDrawing';
import { readViewState } from '../../../../webview/models/viewState';
import {
  calledFunction,
  pointText,
  rangeText,
  readCoordinate,
  shortPath,
  summaryText,
} from '../../../../webview/models/words';

const row = (callPath: string, kind: 'clear' | 'ambiguous' = 'clear'): ModelTableRow => ({
  callPath,
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

describe('rows of models', () => {
  const rows = predictedRows([row('main->a'), row('main->bb', 'ambiguous'), row('main->c')], {
    values: Float64Array.of(1, 3, NaN),
    low: Float64Array.of(0, 1, -Infinity),
    high: Float64Array.of(4, 4, Infinity),
  });

  it('have no share where a prediction is unknown', () => {
    expect(rows.map(({ share }) => share)).toEqual([undefined, undefined, undefined]);
    expect([
      ...shownRows(rows, { text: '', regex: false }, { column: 'value', direction: 'descending' }).rows,
    ]).toEqual([1, 0, 2]);
  });

  it('are sorted by each column, and searched by path and verdict', () => {
    const shown = (column: string, text = '') => [
      ...shownRows(rows, { text, regex: false }, { column, direction: 'ascending' }).rows,
    ];
    expect(shown('path')).toEqual([0, 1, 2]);
    expect(shown('smape')).toEqual([0, 2, 1]);
    expect(shown('range')).toEqual([1, 0, 2]);
    expect(shown('share', 'ambig')).toEqual([1]);
    expect(shown('share', 'nothing')).toEqual([]);
    const broken = shownRows(rows, { text: '(', regex: true }, { column: 'path', direction: 'ascending' });
    expect(broken.error).toBeDefined();
  });
});

describe('words of models', () => {
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

describe('the state of the view', () => {
  it('keeps points of positive numbers only', () => {
    expect(readViewState({ point: [1, 2] }).point).toEqual([1, 2]);
    for (const point of [[], [1, 0], [1, 'x'], 'x', [1, null]])
      expect(readViewState({ point }).point).toBeUndefined();
  });
});
