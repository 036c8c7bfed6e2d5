import type { RowSpread } from '../../../src/core/views/ranks/rowSpread';

/** Size of a drawing in its own units; its width is stretched to that of the cell, in which lines keep their width. */
export const drawingWidth = 1000;
export const drawingHeight = 22;
/** Room for the line at either end of the axis. */
const margin = 8;

/** Below this width, which is about two pixels, a plot is a mark and nothing else: many strong ones at the beginning of the axis would catch the eye. */
const leastWidth = 12;

/** Place of a box in the height of the row: a run has all of it, two have a half each. */
export type Lane = 'whole' | 'upper' | 'lower';
const lanes: Readonly<Record<Lane, readonly [middle: number, half: number]>> = {
  whole: [11, 5],
  upper: [6.5, 3],
  lower: [15.5, 3],
};

/** The parts of a box plot as SVG paths. */
export interface BoxPaths {
  readonly whiskers: string;
  readonly box: string;
  readonly median: string;
  readonly outliers: string;
}

const nothing: BoxPaths = { whiskers: '', box: '', median: '', outliers: '' };

/** Place of a value on an axis from 0 to `most`. */
export function placeOf(value: number, most: number): number {
  const share = Math.min(1, Math.max(0, value / most));
  return Math.round(10 * (margin + share * (drawingWidth - 2 * margin))) / 10;
}

/** The value at a place, which is a share (0…1) of the width. */
export function valueAt(share: number, most: number): number {
  return ((share * drawingWidth - margin) / (drawingWidth - 2 * margin)) * most;
}

/** @param most the greatest value of the axis, which begins at 0 */
export function boxPaths(spread: RowSpread, most: number, lane: Lane): BoxPaths {
  if (!(most > 0)) return nothing;
  const [middle, half] = lanes[lane];
  const [p2, lower, median, upper, p98] = [
    spread.p2,
    spread.lower,
    spread.median,
    spread.upper,
    spread.p98,
  ].map((value) => placeOf(value, most)) as [number, number, number, number, number];
  const [top, bottom] = [middle - half, middle + half];
  const cap = half / 2;
  const dots = new Set(Array.from(spread.outliers ?? [], (value) => placeOf(value, most)));
  return {
    whiskers: `M${p2} ${middle - cap}V${middle + cap}M${p2} ${middle}H${lower}M${upper} ${middle}H${p98}M${p98} ${middle - cap}V${middle + cap}`,
    box: `M${lower} ${top}H${upper}V${bottom}H${lower}Z`,
    median: p98 - p2 < leastWidth ? '' : `M${median} ${top - 1}V${bottom + 1}`,
    // Lines without a length have round ends: dots, whatever the width of the cell.
    outliers: [...dots].map((dot) => `M${dot} ${middle}h0`).join(''),
  };
}
