import { ServiceError } from './serviceError';

/**
 * A value of a measured interval [start, end), in seconds of the front end's clock. A delta is what was added in the interval (seconds of
 * CPU time, bytes moved); a level is what held during it (memory in use).
 */
export interface Sample {
  readonly value: number;
  readonly start: number;
  readonly end: number;
  /** Share of the interval and of the back ends of which data exist, from 0 to 1; 1 if left out. */
  readonly coverage?: number;
  /** Number of back ends that the value stands for; 1 if left out. */
  readonly weight?: number;
}

/** What leaves an aggregation, and may enter that of the parent. */
export type AggregatedSample = Required<Sample>;

/** A sample, or the rest of one, that waits for those of other children. */
export interface WaitingSample {
  readonly child: number;
  readonly sample: Sample;
}

export type Operation = 'sum' | 'min' | 'max' | 'mean';
export type Quantity = 'delta' | 'level';

/** An aggregation over the children of one process, for one (metric, focus) of one stream. All calls return what can now be passed on. */
export interface Aggregation {
  /** @throws ServiceError `bad-sample`, `unknown-child` */
  push(child: number, sample: Sample): readonly AggregatedSample[];
  /** From its first sample on, the child is waited for. */
  join(child: number): void;
  /** No more samples of the child come. What it sent is still used. */
  leave(child: number): readonly AggregatedSample[];
  /** What has not been passed on: pushed into another aggregation, it gives the same sums. */
  waiting(): readonly WaitingSample[];
}

/** Later than any clock that is right, and early enough that a millisecond changes a float64. */
const latest = 1e10;

/** @throws ServiceError `bad-sample` */
export function checkSample({ value, start, end, coverage = 1, weight = 1 }: Sample, longest: number): void {
  const isValid =
    Number.isFinite(value) &&
    Math.abs(start) <= latest &&
    Math.abs(end) <= latest &&
    end > start &&
    end - start <= longest &&
    coverage >= 0 &&
    coverage <= 1 &&
    weight > 0 &&
    weight <= latest;
  if (!isValid)
    throw new ServiceError(
      'bad-sample',
      `A sample of ${value} over [${start}, ${end}) with coverage ${coverage} and weight ${weight} cannot be aggregated.`,
    );
}

/** The result of an operation over values with weights; NaN of none. */
export function combine(
  operation: Operation,
  parts: readonly { readonly value: number; readonly weight: number }[],
): number {
  const values = parts.map(({ value }) => value);
  switch (operation) {
    case 'sum':
      return sum(values);
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'mean':
      return sum(parts.map(({ value, weight }) => value * weight)) / sum(parts.map(({ weight }) => weight));
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
