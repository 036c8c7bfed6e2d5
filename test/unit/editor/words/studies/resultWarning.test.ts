import { describe, expect, it } from 'vitest';
import { resultWarning } from '../../../../../src/editor/words/studies/resultWarning';

const round = { baselineSeconds: 1.2, overheadPercent: 4.2, noisePercent: 0.5 };

describe('the warning about a result', () => {
  it('is absent where the overhead was measured', () => {
    expect(resultWarning(round)).toBeUndefined();
    expect(resultWarning({ ...round, overheadPercent: 0.1 })).toBeUndefined();
  });
  it('says that runs are too short, by the clock of the overhead', () => {
    expect(resultWarning({ ...round, baselineSeconds: 0.02 })).toContain('only 20 ms');
    expect(resultWarning({ ...round, clock: 'cpu', baselineCpuSeconds: 0.03 })).toContain(
      '30 ms of CPU time',
    );
  });
  it('says that the machine is noisy, or that the noise is unknown', () => {
    expect(resultWarning({ ...round, overheadPercent: 12, noisePercent: 51 })).toContain('more repetitions');
    expect(resultWarning({ baselineSeconds: 1, overheadPercent: 3 })).toContain('"repetitions"');
  });
});
