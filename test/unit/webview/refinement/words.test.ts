import { describe, expect, it } from 'vitest';
import type { RoundRow, RefinementShown } from '../../../../src/protocol/refinement';
import { roundChart } from '../../../../webview/refinement/roundChart';
import { headline, roundAnnouncement, progressText } from '../../../../webview/refinement/words';

const iteration: RoundRow = {
  index: 1,
  instrumented: 17,
  executed: 17,
  visits: 100,
  medianSeconds: 1.039,
  baselineSeconds: 1,
  overheadPercent: 3.9,
  noisePercent: 2,
  changed: 1,
  predictedPercent: 4.1,
};
const shown: RefinementShown = {
  folder: 'file:///a',
  target: 't',
  study: 's',
  startedAt: '',
  state: 'complete',
  stopSentence: 'the selection no longer changes',
  targetPercent: 5,
  iterations: [iteration],
  functions: 1,
  revision: 1,
  disabled: {},
};

describe('words of the refinement panel', () => {
  it('claim an overhead only above the noise', () => {
    expect(headline(shown)).toBe(
      '17 functions instrumented, overhead 3.9 %; stopped because the selection no longer changes.',
    );
    expect(roundAnnouncement({ ...iteration, noisePercent: 8 })).toBe(
      'Round 1: 17 functions instrumented, the overhead (3.9 %) cannot be told from noise (±8.0 %).',
    );
  });

  it('say what an interrupted study is, and one that has just begun', () => {
    expect(headline({ ...shown, state: 'interrupted' })).toContain('it can go on');
    const failed = headline({ ...shown, state: 'failed', failure: 'It does not build.' });
    expect(failed).toMatch(/; failed: It does not build\.$/);
    expect(failed).not.toContain('go on');
    expect(headline({ ...shown, state: 'running', iterations: [] })).toBe('No round is finished yet.');
  });

  it('say how long it takes without pretending to know seconds', () => {
    const step = { message: 'Round 1', stopping: false };
    expect(progressText(step)).toBe('Round 1');
    expect(progressText({ ...step, remainingSeconds: 39.2 })).toBe('Round 1 · about 40 s left');
    expect(progressText({ ...step, remainingSeconds: 600 })).toBe('Round 1 · about 10 min left');
  });
});

describe('chart of the rounds', () => {
  it('shows what was measured with its noise, what was predicted, and the target', () => {
    const { series, references } = roundChart(shown);
    expect(series.map(({ label, values }) => [label, values[0]])).toEqual([
      ['Measured overhead', 3.9],
      ['Predicted overhead', 4.1],
      ['Functions', 17],
    ]);
    expect(series[0]?.band?.[0]).toEqual([1.9, 5.9]);
    expect(references?.[0]?.value).toBe(5);
    const { targetPercent, ...unknownTarget } = shown;
    expect(targetPercent).toBe(5);
    expect(roundChart(unknownTarget).references).toBeUndefined();
  });
});
