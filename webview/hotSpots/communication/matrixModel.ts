import type { HeatCell } from '../../charts/heatSquare';
import { atFloat, atUint } from '../../../src/core/at';
import {
  communicationSums,
  type CommunicationMatrix,
  type CommunicationSums,
  type CommunicationValue,
} from '../../../src/core/communication/communicationMatrix';

/** The visible part of a matrix: `count` senders from `row` on, and as many receivers from `column` on. */
export interface MatrixWindow {
  readonly row: number;
  readonly column: number;
  readonly count: number;
}

/** Sums of neighbouring rows and columns, `[row * bins + column]`. */
export interface MatrixGrid {
  readonly bins: number;
  /** Rows, and columns, per bin. */
  readonly perBin: number;
  readonly cells: Float64Array;
  /** Least value above 0 and largest one; equal to 0 if there is none. */
  readonly range: readonly [least: number, most: number];
}

/** A matrix as pictures need it: computed once for each value and window. */
export class MatrixModel {
  private readonly sums = new Map<CommunicationValue, CommunicationSums>();
  private last: { readonly key: string; readonly grid: MatrixGrid } | undefined;

  constructor(readonly matrix: CommunicationMatrix) {}

  sumsOf(value: CommunicationValue): CommunicationSums {
    const known = this.sums.get(value) ?? communicationSums(this.matrix, value);
    this.sums.set(value, known);
    return known;
  }

  /** The window in at most `most` bins per side. */
  grid(value: CommunicationValue, window: MatrixWindow, most: number): MatrixGrid {
    const perBin = Math.max(1, Math.ceil(window.count / Math.max(1, most)));
    const key = [value, window.row, window.column, window.count, perBin].join(' ');
    if (this.last?.key === key) return this.last.grid;
    const bins = Math.ceil(window.count / perBin);
    const cells = new Float64Array(bins * bins);
    const { from, to } = this.matrix;
    this.matrix[value]?.forEach((amount, entry) => {
      const row = atUint(from, entry) - window.row;
      const column = atUint(to, entry) - window.column;
      if (row < 0 || column < 0 || row >= window.count || column >= window.count) return;
      const cell = Math.floor(row / perBin) * bins + Math.floor(column / perBin);
      cells[cell] = atFloat(cells, cell) + amount;
    });
    const grid = { bins, perBin, cells, range: rangeOf(cells) };
    this.last = { key, grid };
    return grid;
  }
}

function rangeOf(cells: Float64Array): readonly [number, number] {
  let least = Infinity;
  let most = 0;
  for (const value of cells) {
    if (value > 0) least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [Math.min(least, most), most];
}

/** Part of the colour scale (0…1) for a value: logarithmic between least and most, the end of the scale where they are equal. */
export function logShare(value: number, [least, most]: readonly [number, number]): number {
  return most > least ? Math.log(value / least) / Math.log(most / least) : 1;
}

/** Half or twice the window around a cell, inside of the matrix. */
export function zoomed(
  { row, column, count }: MatrixWindow,
  factor: number,
  at: HeatCell,
  size: number,
): MatrixWindow {
  const wanted = Math.min(size, Math.max(4, Math.round(count / factor)));
  const start = (place: number, first: number): number =>
    Math.min(size - wanted, Math.max(0, place - Math.floor(((place - first) / count) * wanted)));
  return { row: start(at.row, row), column: start(at.column, column), count: wanted };
}
