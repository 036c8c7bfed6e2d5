import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isRecordedPart,
  recordedPartAttribute,
  recordedPartOf,
  recordedPartText,
  recordedPartWords,
  type RecordedPart,
} from '../../../../src/core/profile/recordedPart';
import type { Region } from '../../../../src/core/profile/profile';

const part: RecordedPart = { from: 12.3, to: 30, seconds: 17.7, stretches: 1, ofSeconds: 30 };
const regionWith = (text: string): Region => ({
  name: 'solve',
  paradigm: 'compiler',
  role: 'function',
  attributes: new Map([[recordedPartAttribute, text]]),
});

describe('a function that was recorded in a part of the run', () => {
  it.each<[Partial<RecordedPart>, string]>([
    [{}, 'recorded from 12.3 s on, for 59.0 % of the run'],
    [{ from: 0, to: 12, seconds: 12 }, 'recorded until 12 s, for 40.0 % of the run'],
    [{ to: 15.3, seconds: 3 }, 'recorded from 12.3 s to 15.3 s, for 10.0 % of the run'],
    [{ seconds: 6, stretches: 3 }, 'recorded in 3 stretches from 12.3 s on, for 20.0 % of the run'],
    [
      { from: 0, to: 20, seconds: 15, stretches: 2 },
      'recorded in 2 stretches from 0 s to 20 s, for 50.0 % of the run',
    ],
  ])('says from when to when, and for how much of the run: %o', (change, words) => {
    expect(recordedPartWords({ ...part, ...change })).toBe(words);
  });

  it('is known from its region, to the millisecond', () => {
    fc.assert(
      fc.property(
        fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 1e9 }))),
        fc.integer({ min: 1, max: 1000 }),
        (times, stretches) => {
          const [from = 0, middle = 0, to = 0, ofSeconds = 0] = times
            .sort((a, b) => a - b)
            .map((t) => t / 1000);
          const seconds = middle - from;
          const read = recordedPartOf(
            regionWith(recordedPartText({ from, to, seconds, stretches, ofSeconds })),
          );
          expect(read?.stretches).toBe(stretches);
          expect(read?.from).toBeCloseTo(from, 3);
          expect(read?.seconds).toBeCloseTo(seconds, 2);
        },
      ),
    );
  });

  it.each([
    '',
    '1',
    '1 2 3 4',
    '1 2 1 1 3 4',
    '5 2 1 1 9',
    '1 2 1 1 1',
    '0 1 5 1 9',
    '1 2 1 0 9',
    'a b c d e',
    '0 1 1 1 1e999',
  ])('is not known from %o', (text) => {
    expect(recordedPartOf(regionWith(text))).toBeUndefined();
  });

  it('is none that a file only says to be one', () => {
    expect(isRecordedPart(part)).toBe(true);
    for (const value of [undefined, null, 'x', {}, { ...part, from: '1' }, { ...part, to: 1 }])
      expect(isRecordedPart(value)).toBe(false);
  });
});
