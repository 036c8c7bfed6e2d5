import { describe, expect, it } from 'vitest';
import { refinedMessage, withWarning } from '../../../../../src/editor/words/studies/resultMessage';
import { targetVerdict } from '../../../../../src/core/cost/targetVerdict';
import type { RefineResult } from '../../../../../src/workflows/studies/refine.types';

/** A refinement of one round with a run of `seconds`. */
function refined(seconds: number, overheadPercent: number, noisePercent: number): RefineResult {
  const round = { instrumented: 2, baselineSeconds: seconds, overheadPercent, noisePercent };
  const verdict = targetVerdict({ targetPercent: 5, predictedPercent: 1, measured: [round] });
  const result = { target: 'a', stopReason: 'fixpoint', functionsKnown: 3, iterations: [round], verdict };
  return result as unknown as RefineResult;
}

describe('the message at the end of a refinement', () => {
  it('says the noise and what to do about it once', () => {
    const { text, isWarning } = refinedMessage(refined(1, 12, 51));
    expect(isWarning).toBe(true);
    expect(text.match(/noise/g)).toHaveLength(1);
    expect(text.match(/repetitions/gi)).toHaveLength(2);
    expect(text).toContain('more repetitions ("repetitions" in kymo.json)');
  });
  it('claims nothing about the overhead of runs that are too short', () => {
    const { text, isWarning } = refinedMessage(refined(0.002, 0.1, 0.3));
    expect(isWarning).toBe(true);
    expect(text).toMatch(/^a: 2 of 3 functions instrumented\. A run takes only 2 ms .* larger input\.$/);
  });
  it('warns of a target that is exceeded, and does not warn of one that is met', () => {
    expect(refinedMessage(refined(1, 50, 1)).isWarning).toBe(true);
    expect(refinedMessage(refined(1, 2, 1)).isWarning).toBe(false);
  });
  it('puts the advice behind the sentence', () => {
    expect(withWarning('Measured.', 'Repeat it.')).toEqual({ text: 'Measured. Repeat it.', isWarning: true });
    expect(withWarning('Measured.', undefined)).toEqual({ text: 'Measured.', isWarning: false });
  });
});
