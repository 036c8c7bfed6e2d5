import { describe, expect, it } from 'vitest';
import { explainConditions, preemptedShare } from '../../../../src/core/cost/runConditions';

const explained = (seconds: number, preempted = 0, clock: 'cpu' | 'wall' = 'cpu'): string =>
  explainConditions({ clock, seconds }, preempted).join('\n');

describe('what kept runs from telling much', () => {
  it('is that they are too short, with what to do', () => {
    expect(explained(0.05)).toMatch(/^A run takes only 50 ms of CPU time: too short .* \(--repetitions 10\)/);
    expect(explained(0.05, 0, 'wall')).toContain('of wall time');
    expect(explained(0.1)).toBe('');
  });

  it('is that the machine is busy', () => {
    expect(explained(1, 0.3333)).toMatch(/pre-empted for up to 33.3 % of the time/);
    expect(explained(1, 0.049)).toBe('');
    expect(explainConditions({ clock: 'cpu', seconds: 0.01 }, 0.5)).toHaveLength(2);
  });
});

describe('the pre-empted part of a run', () => {
  const share = (attributes: Readonly<Record<string, string>>): number =>
    preemptedShare({ attributes: new Map(Object.entries(attributes)) });

  it('is of the time in which its recorded threads could have computed', () => {
    expect(
      share({ 'kymo::preemptedSeconds': '0.500000', 'kymo::recordedCpuSeconds': '1.500000' }),
    ).toBeCloseTo(0.25, 12);
  });

  it('is without the time of the run that took turns with it', () => {
    const attributes = new Map([
      ['kymo::preemptedSeconds', '2'],
      ['kymo::recordedCpuSeconds', '1.5'],
    ]);
    expect(preemptedShare({ attributes }, 1.5)).toBeCloseTo(0.25, 12);
    expect(preemptedShare({ attributes }, 3)).toBe(0);
  });

  it('is nothing where the profile does not know', () => {
    expect(share({})).toBe(0);
    expect(share({ 'kymo::preemptedSeconds': '0.000000', 'kymo::recordedCpuSeconds': '0.000000' })).toBe(0);
  });
});
