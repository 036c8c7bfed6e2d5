import type { MapHeader, MapPiece } from '../../../src/core/views/dynamicsPieces';

type Span = readonly [first: number, last: number];

/** The values at the ends of the colour scale. */
export const mapScales = ['all', 'typical', 'row'] as const;
export type MapScale = (typeof mapScales)[number];

/** Values of one problem at all ranks and iterations. */
export class MapModel {
  readonly values: Float32Array;
  readonly ranks: string[] = [];
  readonly series: Uint32Array;
  private rankSpans: readonly (readonly Span[])[] | undefined;
  private limits: Readonly<Record<'all' | 'typical', readonly [number, number]>> | undefined;

  constructor(
    readonly position: number,
    readonly header: MapHeader,
  ) {
    this.values = new Float32Array(header.rows * header.columns).fill(NaN);
    this.series = new Uint32Array(header.rows);
  }

  /** Adds rows from `first` on. */
  add(first: number, { values, ranks, series }: MapPiece): void {
    this.limits = undefined;
    this.rankSpans = undefined;
    const { rows, columns } = this.header;
    const count = Math.min(rows - first, ranks.length, Math.floor(values.length / columns));
    this.values.set(values.subarray(0, count * columns), first * columns);
    this.series.set(series.subarray(0, count), first);
    ranks.slice(0, count).forEach((rank, index) => (this.ranks[first + index] = rank));
  }

  row(position: number): Float32Array {
    const { columns } = this.header;
    return this.values.subarray(position * columns, (position + 1) * columns);
  }

  value(row: number, iteration: number): number | undefined {
    const value = this.row(row)[Math.floor(iteration / this.header.iterationsPerColumn)];
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }

  /** Minimum and maximum, extended to 0 if that is near; `typical`: without the highest percent. */
  range(scale: MapScale, row: number): readonly [low: number, high: number] {
    if (scale === 'row') return rangeOf(this.row(row));
    this.limits ??= { all: rangeOf(this.values), typical: typicalRange(this.values) };
    return this.limits[scale];
  }

  /** Rows with a rank in a set such as `0-3,7`. */
  rowsOf(set: string): Uint8Array {
    const wanted = spans(set);
    this.rankSpans ??= this.ranks.map(spans);
    return Uint8Array.from(this.rankSpans, (own) =>
      own.some(([a, b]) => wanted.some(([c, d]) => a <= d && c <= b)) ? 1 : 0,
    );
  }
}

/** Ranges (first and last rank) of a set; a thread after a colon is ignored. */
export function spans(set: string): readonly Span[] {
  return set.split(',').flatMap((part) => {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?(?::\d+)?\s*$/.exec(part);
    if (match === null) return [];
    const first = Number(match[1]);
    return [[first, match[2] === undefined ? first : Number(match[2])] as const];
  });
}

function rangeOf(values: Float32Array): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high && value < Infinity) high = value;
  }
  if (low > high) return [0, 1];
  return [low > 0 && (low < 0.5 * high || low === high) ? 0 : low, high];
}

/** The range without extremes: a few very large values would leave one colour for all others. */
function typicalRange(values: Float32Array): readonly [number, number] {
  const step = Math.max(1, Math.floor(values.length / 20_000));
  const sample: number[] = [];
  for (let index = 0; index < values.length; index += step) {
    const value = values[index] ?? NaN;
    if (Number.isFinite(value)) sample.push(value);
  }
  const sorted = Float64Array.from(sample).sort();
  if (sorted.length === 0) return [0, 1];
  const quantile = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [low, high] = [quantile(0.01), quantile(0.99)];
  // If nearly all values are equal, the range covers the others.
  return high > low ? [low, high] : rangeOf(values);
}
