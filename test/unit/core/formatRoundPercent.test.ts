import { describe, expect, it } from 'vitest';
import { formatRoundPercent } from '../../../src/core/format';

describe('formatRoundPercent', () => {
  it.each([
    [0, '0 %'],
    [0.0004, '<0.1 %'],
    [0.0042, '0.4 %'],
    [0.042, '4.2 %'],
    [0.0996, '10 %'],
    [0.3149, '31 %'],
    [-0.25, '−25 %'],
    [1, '100 %'],
    [4.2, '420 %'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('%f is shown as %s', (share, text) => expect(formatRoundPercent(share)).toBe(text));
});
