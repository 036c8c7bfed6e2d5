import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  communicationMatrix,
  communicationSums,
} from '../../../../src/core/communication/communicationMatrix';
import { logShare, MatrixModel, zoomed } from '../../../../webview/hotSpots/communication/matrixModel';
import { RankAxis } from '../../../../webview/hotSpots/ranks/rankAxis';
import { changeText, ranksText } from '../../../../webview/hotSpots/ranks/rankFacts';
import { stripParts } from '../../../../webview/hotSpots/ranks/stripParts';
import { stencilTraffic } from '../../../stencilTraffic';

const axisOf = (count: number) =>
  new RankAxis(Array.from({ length: count }, (_, rank) => ({ rank, host: `node${rank >> 2}` })));

describe('ranks that share pixels', () => {
  it('are each in one bin, which has their largest value and their mean', () =>
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 9, noNaN: true })), {
          minLength: 1,
          maxLength: 200,
        }),
        fc.integer({ min: 1, max: 90 }),
        fc.boolean(),
        (given, width, isSorted) => {
          const values = Float64Array.from(given);
          const axis = axisOf(values.length);
          if (isSorted) axis.sort(values);
          const bins = axis.bins(width);
          expect(bins.count).toBeLessThanOrEqual(width);
          const all = Array.from({ length: bins.count }, (_, bin) => bins.members(bin));
          expect(all.flat()).toEqual(axis.ranks);
          expect([...all.flat()].sort((a, b) => a - b)).toEqual([...values.keys()]);
          const largest = bins.largest(values);
          all.forEach((members, bin) => {
            const own = members.map((rank) => values[rank] ?? NaN);
            const { mean, most, mostAt } = bins.value(values, bin);
            expect([most, values[mostAt]]).toEqual([Math.max(...own), Math.max(...own)]);
            expect(mean).toBeCloseTo(own.reduce((sum, value) => sum + value, 0) / own.length, 9);
            if (most === 0) expect(largest[bin]).toBeNaN();
            else expect(largest[bin]).toBe(Math.fround(most));
          });
          if (isSorted)
            axis.ranks.forEach((rank, place) =>
              expect(values[rank]).toBeLessThanOrEqual(values[axis.ranks[place - 1] ?? rank] ?? NaN),
            );
        },
      ),
    ));

  it('are found below the pointer', () => {
    const axis = axisOf(100);
    const area = { x: 50, y: 0, width: 30, height: 10 };
    // Four ranks share a bin, of which there are 25.
    expect([49, 50, 51.3, 79.9, 90].map((x) => axis.positionAt(x, area))).toEqual([0, 0, 4, 96, 96]);
  });

  it('tell their pictures when the cursor moves to another one', () => {
    const axis = axisOf(8);
    let calls = 0;
    axis.onChange(() => calls++);
    for (const position of [3, 3, 99, -4, undefined, undefined]) axis.setCursor(position);
    expect(calls).toBe(4);
    axis.setCursor(99);
    expect(axis.cursor).toBe(7);
  });

  it('are named with their node', () => {
    const axis = axisOf(8);
    expect(ranksText(axis, [5])).toBe('rank 5 on node1');
    expect(ranksText(axis, [4, 5, 6])).toBe('ranks 4-6 on node1');
    expect(ranksText(axis, [3, 4])).toBe('ranks 3-4 on 2 nodes');
    expect(ranksText(new RankAxis([{ rank: 0 }, { rank: 1 }]), [1])).toBe('rank 1');
    expect([0.5, 0.0123, -0.321, 0].map(changeText)).toEqual(['+50 %', '+1.2 %', '−32 %', '+0.0 %']);
  });

  it('have the parts of their time that occur, and one for MPI where waiting in it is unknown', () => {
    const none = Float64Array.of(0, 0);
    const some = Float64Array.of(1, 2);
    const titles = (times: Parameters<typeof stripParts>[0]) => stripParts(times).map(({ title }) => title);
    const all = { computing: some, waiting: some, moving: some, other: none, hidesMpi: false };
    expect(titles(all)).toEqual(['Computation', 'Waiting for ranks', 'Rest of MPI']);
    expect(titles({ computing: none, moving: some, other: some, hidesMpi: false })).toEqual([
      'Computation',
      'In MPI (waiting or moving data)',
      'Other waiting',
    ]);
    expect(titles({ computing: some, moving: none, other: none, hidesMpi: true })).toEqual([
      'Computation, or in MPI',
    ]);
  });
});

describe('the picture of a communication matrix', () => {
  const model = new MatrixModel(communicationMatrix(64, stencilTraffic(4, 10, 3)));

  it('has all traffic of its window, in bins of any size', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(60), fc.nat(60), (most, row, column) => {
        const { matrix } = model;
        const whole = model.grid('bytes', { row: 0, column: 0, count: 64 }, most);
        expect(whole.bins).toBeLessThanOrEqual(most);
        expect(whole.cells.reduce((sum, cell) => sum + cell, 0)).toBe(
          communicationSums(matrix, 'bytes').total,
        );
        const count = 64 - Math.max(row, column);
        const part = model.grid('messages', { row, column, count }, most);
        const inside = matrix.messages.filter((_, entry) => {
          const [from = 0, to = 0] = [matrix.from[entry], matrix.to[entry]];
          return from >= row && from < row + count && to >= column && to < column + count;
        });
        expect(part.cells.reduce((sum, cell) => sum + cell, 0)).toBe(
          inside.reduce((sum, own) => sum + own, 0),
        );
        const used = part.cells.filter((cell) => cell > 0);
        expect(part.range).toEqual(used.length === 0 ? [0, 0] : [Math.min(...used), Math.max(...used)]);
      }),
    ));

  it('is computed once for the same window', () => {
    const window = { row: 0, column: 0, count: 64 };
    expect(model.grid('bytes', window, 32)).toBe(model.grid('bytes', window, 32));
    expect(model.grid('bytes', window, 16).perBin).toBe(4);
    expect(model.sumsOf('bytes')).toBe(model.sumsOf('bytes'));
  });

  it('zooms around a cell and stays inside of the matrix', () =>
    fc.assert(
      fc.property(
        fc.nat(63),
        fc.nat(63),
        fc.array(fc.constantFrom(2, 4, 0.5), { maxLength: 9 }),
        (row, column, steps) => {
          let window = { row: 0, column: 0, count: 64 };
          for (const factor of steps) {
            const at = {
              row: Math.min(window.row + window.count - 1, Math.max(window.row, row)),
              column: Math.min(window.column + window.count - 1, Math.max(window.column, column)),
            };
            window = zoomed(window, factor, at, 64);
            expect(window.count).toBeGreaterThanOrEqual(4);
            for (const first of [window.row, window.column]) {
              expect(first).toBeGreaterThanOrEqual(0);
              expect(first + window.count).toBeLessThanOrEqual(64);
            }
            expect(at.row).toBeGreaterThanOrEqual(window.row);
            expect(at.row).toBeLessThan(window.row + window.count);
          }
        },
      ),
    ));

  it('has colours by the logarithm', () => {
    expect([1, 10, 100].map((value) => logShare(value, [1, 100]))).toEqual([0, 0.5, 1]);
    expect(logShare(5, [5, 5])).toBe(1);
  });
});
