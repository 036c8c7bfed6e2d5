import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { targetVerdict } from '../../../../src/core/cost/targetVerdict';

const judged = { targetPercent: 5, predictedPercent: 2 };
const one = (overheadPercent: number, noisePercent?: number): ReturnType<typeof targetVerdict> =>
  targetVerdict({ ...judged, measured: [{ overheadPercent, noisePercent }] });

describe('the verdict on an overhead', () => {
  it.each<[number, number | undefined, string]>([
    [
      50,
      51,
      "Cannot tell whether the overhead meets the target of 5.0 %: 50.0 % was measured, and this machine's noise is ±51.0 %.",
    ],
    [
      3,
      undefined,
      "Cannot tell whether the overhead meets the target of 5.0 %: 3.0 % was measured, and this machine's noise is unknown, because each configuration ran once.",
    ],
    [3, 1, 'The overhead of 3.0 % (±1.0 %) meets the target of 5.0 %.'],
    [0.5, 1, "The overhead meets the target of 5.0 %: it is smaller than this machine's noise of ±1.0 %."],
    [50, 2, 'The overhead of 50.0 % (±2.0 %) exceeds the target of 5.0 %.'],
  ])('of %f %% with noise of %s', (overhead, noise, sentence) => {
    expect(one(overhead, noise).sentence).toContain(sentence);
  });

  it('is that of the worst number of ranks', () => {
    const measured = [
      { overheadPercent: 1, noisePercent: 1 },
      { overheadPercent: 9, noisePercent: 1 },
      { overheadPercent: 4, noisePercent: 3 },
    ];
    expect(targetVerdict({ ...judged, measured })).toMatchObject({
      kind: 'missed',
      sentence: expect.stringContaining('9.0 %') as string,
    });
    expect(targetVerdict({ ...judged, measured: measured.slice(2) }).kind).toBe('unknown');
  });

  it('needs no repetition where the overhead follows from visits, and a measured round otherwise', () => {
    const measured = [{ overheadPercent: 3 }];
    expect(targetVerdict({ ...judged, measured, calculated: true })).toMatchObject({ kind: 'met' });
    expect(targetVerdict({ ...judged, measured: [] }).sentence).toBe(
      'Cannot tell whether the overhead meets the target of 5.0 %: no round measured the final selection. Its predicted overhead is 2.0 %.',
    );
  });

  it('claims nothing that the noise does not allow', () => {
    const percent = fc.double({ min: 0, max: 200, noNaN: true });
    fc.assert(
      fc.property(percent, percent, (overhead, noise) => {
        const { kind } = one(overhead, noise);
        // What one bound claims, the other bound may not contradict.
        if (kind === 'met') expect(overhead + noise).toBeLessThanOrEqual(5);
        else if (kind === 'missed') expect(overhead - noise).toBeGreaterThan(5);
        else expect(Math.abs(overhead - 5)).toBeLessThanOrEqual(noise);
      }),
    );
  });
});
