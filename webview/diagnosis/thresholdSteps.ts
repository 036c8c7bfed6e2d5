import type { MetricRecord } from '../../src/core/diagnosis/hypotheses/metrics';

type Unit = MetricRecord['unit'] | undefined;

/** Steps of a slider: percent for shares, else a fourth of a doubling around the usual threshold. Pure, tested without a browser. */
export const sliderSteps = 101;
const middle = 50;
const stepsPerDoubling = 4;

/** Parts of a whole are written in percent. */
function isPart(unit: Unit): boolean {
  return unit === 'share' || unit === 'loss';
}

/** The nearest step to a threshold. */
export function stepOf(threshold: number, usual: number, unit: Unit): number {
  const step = isPart(unit) ? 100 * threshold : middle + stepsPerDoubling * Math.log2(threshold / usual);
  return Number.isFinite(step) ? Math.round(Math.min(sliderSteps - 1, Math.max(0, step))) : 0;
}

/** The threshold of a step; the usual one at its own step. */
export function thresholdAt(step: number, usual: number, unit: Unit): number {
  if (step === stepOf(usual, usual, unit)) return usual;
  if (isPart(unit)) return step / 100;
  return Number((usual * 2 ** ((step - middle) / stepsPerDoubling)).toPrecision(3));
}

/** As it is written in a field: percent for shares. */
export function writtenThreshold(threshold: number, unit: Unit): string {
  return String(Number((isPart(unit) ? 100 * threshold : threshold).toPrecision(6)));
}

/** Reads what the user has written, also with a percent sign; undefined if it is no threshold. */
export function readThreshold(written: string, unit: Unit): number | undefined {
  const text = written.trim().replace(/\s*%$/, '');
  const value = text === '' ? NaN : Number(text);
  if (!Number.isFinite(value) || value < 0) return undefined;
  if (!isPart(unit)) return value;
  return value <= 100 ? value / 100 : undefined;
}
