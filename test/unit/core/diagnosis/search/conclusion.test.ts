import { describe, expect, test } from 'vitest';
import { Conclusion } from '../../../../../src/core/diagnosis/search/conclusion';

const rule = { hysteresis: 0.05, minTimeToTrue: 20, minTimeToFalse: 20 };
const above = { holds: 'above', threshold: 0.3 } as const;
const below = { holds: 'below', threshold: 4096 } as const;

/** What the values say at the end of each second. */
function after(
  conclusion: Conclusion,
  value: number,
  seconds: number,
  hypothesis: typeof above | typeof below = above,
) {
  const says = Array.from({ length: seconds }, () => conclusion.take(value, 1, hypothesis, rule));
  return { first: says.findIndex((one) => one !== undefined), last: says.at(-1) };
}

describe('the conclusion rule', () => {
  test('P4: 0.31 is false at a threshold of 0.30, and 0.32 is true after 20 s', () => {
    expect(after(new Conclusion(), 0.31, 40)).toEqual({ first: 19, last: false });
    const conclusion = new Conclusion();
    expect(after(conclusion, 0.32, 19)).toEqual({ first: -1, last: undefined });
    expect(after(conclusion, 0.32, 1).last).toBe(true);
  });

  test('P4: what is true stays true at 0.29, and becomes false after 20 s of 0.28', () => {
    const conclusion = new Conclusion();
    after(conclusion, 0.32, 20);
    expect(after(conclusion, 0.29, 100)).toEqual({ first: 0, last: true });
    expect(after(conclusion, 0.28, 20)).toEqual({ first: 19, last: false });
    expect(after(conclusion, 0.31, 20).last).toBe(false);
  });

  test('P4: the limits are 0.315 and 0.285', () => {
    const conclusion = new Conclusion();
    expect(after(conclusion, 0.3149, 20).last).toBe(false);
    expect(after(conclusion, 0.3151, 20).last).toBe(true);
    expect(after(conclusion, 0.2851, 20).last).toBe(true);
    expect(after(conclusion, 0.2849, 20).last).toBe(false);
  });

  test('P4: for hypotheses that hold below their threshold, it is the same mirrored', () => {
    const conclusion = new Conclusion();
    expect(after(conclusion, 4000, 20, below).last).toBe(false);
    expect(after(conclusion, 3891, 20, below).last).toBe(true);
    expect(after(conclusion, 4300, 20, below).last).toBe(true);
    expect(after(conclusion, 4301, 20, below).last).toBe(false);
  });

  test('P4: each value that disagrees begins the time anew', () => {
    const conclusion = new Conclusion();
    after(conclusion, 0.5, 19);
    expect(conclusion.take(0.1, 1, above, rule)).toBeUndefined();
    expect(after(conclusion, 0.5, 20)).toEqual({ first: 19, last: true });
    conclusion.restart();
    expect(after(conclusion, 0.5, 20)).toEqual({ first: 19, last: true });
  });

  test('P4: intervals of any length add up to the time, and both times can be set apart', () => {
    const uneven = { ...rule, minTimeToTrue: 2, minTimeToFalse: 0.3 };
    const conclusion = new Conclusion();
    expect(conclusion.take(0.1, 0.1, above, uneven)).toBeUndefined();
    expect(conclusion.take(0.1, 0.1, above, uneven)).toBeUndefined();
    expect(conclusion.take(0.1, 0.1, above, uneven)).toBe(false);
    expect(conclusion.take(0.9, 1.5, above, uneven)).toBeUndefined();
    expect(conclusion.take(0.9, 0.5, above, uneven)).toBe(true);
  });

  test('what was true can be given longer than what was not until it is false', () => {
    const slow = { ...rule, minTimeToTrue: 5, minTimeToFalse: 5, minTimeFromTrue: 20 };
    const conclusion = new Conclusion();
    const next = (value: number, seconds: number): boolean | undefined =>
      conclusion.take(value, seconds, above, slow);
    expect(next(0.1, 5)).toBe(false);
    expect(next(0.9, 5)).toBe(true);
    expect(next(0.1, 19)).toBeUndefined();
    expect(next(0.9, 5)).toBe(true);
    expect(next(0.1, 20)).toBe(false);
    expect(next(0.9, 5)).toBe(true);
    conclusion.restart();
    expect(next(0.1, 5)).toBe(false);
  });
});
