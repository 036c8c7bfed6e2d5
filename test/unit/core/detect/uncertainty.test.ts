import { describe, expect, it } from 'vitest';
import { detect, type Detection } from '../../../../src/core/detect/detect';
import { sumOf } from '../../../../src/core/sums';
import { signalClasses, type GeneratedSignal } from '../../../fixtures/dynamics/classes';

interface Known {
  readonly signal: GeneratedSignal;
  readonly found: Detection;
}

/** Series of a class in which one change is told. */
function oneChange(name: string, seeds: number): readonly Known[] {
  const make = signalClasses.find((one) => one.name === name)?.make;
  return Array.from({ length: make === undefined ? 0 : seeds }, (_, seed) => make?.(seed + 1))
    .filter((signal) => signal !== undefined)
    .map((signal) => ({ signal, found: detect(signal.values) }))
    .filter(({ found }) => found.changes.length === 1);
}

const share = (all: readonly Known[], is: (one: Known) => boolean): number =>
  all.filter(is).length / all.length;
const within = (range: readonly [number, number] | undefined, place: number): boolean =>
  range !== undefined && range[0] <= place && place <= range[1];
const containsCost = ({ signal, found: { excess } }: Known): boolean =>
  excess !== undefined && Math.abs(excess.value - sumOf(signal.excess)) <= 1.96 * excess.deviation;

describe('of one change, a range that is meant to contain it nearly always', () => {
  it.each([
    ['step 1->1.5 @130 sd0.2', 129, 130],
    ['step 1->2 @185 sd0.1', 184, 185],
    ['hinge 120: 1->2 sd0.1', 120, 199],
    ['rise 60-140 then flat sd0.1', 60, 140],
  ])('contains cost, onset and end of: %s', (name, onset, end) => {
    const all = oneChange(name, 15);
    expect(all.length).toBeGreaterThanOrEqual(12);
    expect(share(all, containsCost)).toBeGreaterThanOrEqual(0.8);
    expect(share(all, ({ found }) => within(found.onset, onset))).toBeGreaterThanOrEqual(0.8);
    expect(share(all, ({ found }) => within(found.end, end))).toBeGreaterThanOrEqual(0.8);
    const widths = all.flatMap(({ found: { onset: range } }) =>
      range === undefined ? [] : [range[1] - range[0]],
    );
    expect(sumOf(Float64Array.from(widths)) / widths.length).toBeLessThan(20);
  });

  it('is wider where a few values say little of the noise', () => {
    expect(share(oneChange('ramp 1->3 sd0.05 N=5', 150), containsCost)).toBeGreaterThanOrEqual(0.87);
  });
});
