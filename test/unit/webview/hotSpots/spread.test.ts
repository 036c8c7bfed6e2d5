import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSeconds } from '../../../../src/core/format';
import { rowSpread } from '../../../../src/core/views/ranks/rowSpread';
import { numberColumns, type TableSource } from '../../../../webview/hotSpots/data/columns';
import type { Values } from '../../../../webview/hotSpots/data/model';
import { boxPaths, drawingWidth, placeOf, valueAt } from '../../../../webview/hotSpots/spread/spreadDrawing';
import { processesText, rangeText, spreadNumbers } from '../../../../webview/hotSpots/spread/spreadWords';

const spread = rowSpread(
  Float64Array.from({ length: 100 }, (_, at) => at + 1),
  true,
);

describe('a box plot in a cell', () => {
  it('F2 has its percentiles and outliers at their places of an axis from 0', () => {
    // The axis has 8 units on either side, and 984 between them.
    const of = (value: number): number => placeOf(value, 100);
    expect([0, 25, 50, 100].map(of)).toEqual([8, 254, 500, 992]);
    const { whiskers, box, median, outliers } = boxPaths(spread, 100, 'whole');
    expect(box).toBe('M254 6H746V16H254Z');
    expect(median).toBe('M500 5V17');
    expect(whiskers).toBe(`M${of(2)} 8.5V13.5M${of(2)} 11H254M746 11H${of(98)}M${of(98)} 8.5V13.5`);
    expect(outliers).toBe(`M${of(1)} 11h0M${of(99)} 11h0M992 11h0`);
    expect(boxPaths(spread, 0, 'whole')).toEqual({ whiskers: '', box: '', median: '', outliers: '' });
  });

  it('is a mark where it is not wide enough to be read', () => {
    expect(boxPaths(spread, 8_000, 'whole').median).toBe('');
    expect(boxPaths(spread, 7_500, 'whole').median).not.toBe('');
  });

  it('F18 has the two runs one above the other, without a pixel of both', () => {
    const heights = (lane: 'upper' | 'lower'): number[] =>
      [...boxPaths(spread, 100, lane).median.matchAll(/ ([\d.]+)V([\d.]+)/g)].flatMap((line) => [
        Number(line[1]),
        Number(line[2]),
      ]);
    expect(Math.max(...heights('upper'))).toBeLessThan(Math.min(...heights('lower')));
  });

  it('is found again by the pointer', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
        (share, most) => {
          const value = share * most;
          expect(valueAt(placeOf(value, most) / drawingWidth, most) / most).toBeCloseTo(share, 3);
        },
      ),
    );
  });

  it('F3 says in words what is in a part', () => {
    const locations = Array.from({ length: 100 }, (_, rank) => ({ name: `${rank}`, rank, thread: 0 }));
    const members = [50, ...Array.from({ length: 25 }, (_, at) => at + 63)];
    expect(processesText({ locations }, members)).toBe('26 of 100 processes: ranks 50, 63–87');
    expect(processesText({ locations }, [])).toBe('0 of 100 processes');
    const threads = locations.map(({ name, rank }) => ({ name, rank: 0, thread: rank }));
    expect(processesText({ locations: threads }, [1, 2])).toBe('2 of 100 threads: threads 1–2');
    expect(rangeText(spread, 'upperBox', formatSeconds)).toBe(
      'Between median and upper quartile: 50 s to 75 s',
    );
    const even = rowSpread(Float64Array.of(1, 1));
    expect(rangeText(even, 'upperBox', formatSeconds)).toBe('Between median and upper quartile: 1 s');
  });

  it('F13 F20 has the five numbers as text, never as powers of ten', () => {
    expect(spreadNumbers(spread, formatSeconds)).toBe('2 s / 25 s / 50 s / 75 s / 98 s');
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1 }), (values) => {
        expect(spreadNumbers(rowSpread(Float64Array.from(values)), formatSeconds)).not.toMatch(/\de[+-]?\d/i);
      }),
    );
  });
});

describe('the further columns of the tables', () => {
  const values = (inclusive: number[], exclusive: number[], visits: number[]): Values => ({
    inclusive: Float64Array.from(inclusive),
    exclusive: Float64Array.from(exclusive),
    visits: Float64Array.from(visits),
    overhead: new Float64Array(inclusive.length),
  });
  const source: TableSource = {
    position: 0,
    locations: 4,
    measured: {
      main: values([8, 6, 0, 1e-5], [2, 6, 0, 1e-5], [1, 3, 0, 1]),
      compare: values([4, 0, 0, 1], [2, 0, 0, 1], [1, 0, 0, 1]),
    },
    metric: { displayName: 'Time', unit: 'sec' },
    total: 8,
    compareTotal: 4,
    unit: 'auto',
    hasVisits: true,
    hasCosts: false,
    costsAssumed: false,
  };
  const texts = (id: string, of: TableSource = source): readonly string[] => {
    const column = numberColumns(of).find((candidate) => candidate.id === id);
    return column === undefined ? [] : Array.from(column.values(), column.format);
  };

  it('F4 are averages over processes and over visits', () => {
    expect(texts('inclusiveMean')).toEqual(['2 s', '1.5 s', '0 s', '<0.001 s']);
    expect(texts('exclusiveMean')).toEqual(['0.5 s', '1.5 s', '0 s', '<0.001 s']);
    expect(texts('perVisit')).toEqual(['8 s', '2 s', '–', '<0.001 s']);
    expect(texts('exclusivePerVisit')).toEqual(['2 s', '2 s', '–', '<0.001 s']);
    expect(texts('inclusiveMean', { ...source, locations: 1 })).toEqual([]);
  });

  it('F18 are ratios of two runs, and say what only one has', () => {
    expect(texts('inclusiveRatio')).toEqual(['2.00×', 'new', '–', '0.0000×']);
    expect(texts('exclusiveRatio')).toEqual(['1.00×', 'new', '–', '0.0000×']);
    // In percent, the shares are compared.
    expect(texts('inclusiveRatio', { ...source, unit: 'percent' })[0]).toBe('1.00×');
    const ratios = numberColumns(source).find(({ id }) => id === 'inclusiveRatio');
    expect(ratios?.format(123_456)).toBe('123 k×');
    expect(ratios?.format(12.34)).toBe('12.3×');
    expect(
      numberColumns(source)
        .filter(({ hidden }) => hidden === true)
        .map(({ id }) => id),
    ).toEqual([
      ...['inclusiveMean', 'exclusiveMean', 'exclusivePerVisit', 'visitsChange'],
      ...['inclusiveRatio', 'exclusiveRatio'],
    ]);
  });

  it('F9 are sorted by visits with the exclusive value as tie-break', () => {
    const visits = numberColumns(source).find(({ id }) => id === 'visits');
    expect(visits?.ties?.()).toEqual(source.measured.main.exclusive);
  });
});
