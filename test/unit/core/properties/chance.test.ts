import { describe, expect, it } from 'vitest';
import { chanceSentence, chanceText } from '../../../../src/core/properties/chance';
import { shareWithDeviation } from '../../../../src/core/format';

describe('how sure a finding is', () => {
  it('is the number of series without a change of which one shows evidence as strong', () => {
    expect([0.5, 0.0099, 0.000123, 1e-6, 9e-7, 0].map(chanceText)).toEqual([
      ...['1 of 2', '1 of 100', '1 of 8100', '1 of 1 M', '<1 of 1 M', '<1 of 1 M'],
    ]);
    expect(chanceSentence(0.01)).toBe('In 1 of 100 series without a change the evidence is as strong.');
    expect(chanceSentence(0)).toBe(
      'In less than 1 of a million series without a change the evidence is as strong.',
    );
  });

  it('is beside a cost its standard deviation, where that is known', () => {
    expect(shareWithDeviation(0.378, 0.004)).toBe('37.8 % ± 0.4 %');
    expect(shareWithDeviation(0.378, undefined)).toBe('37.8 %');
  });
});
