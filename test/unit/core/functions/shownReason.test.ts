import { expect, test } from 'vitest';
import type { Base } from '../../../../src/core/functions/base';
import {
  sharpestMeasures,
  shownMeasures,
  type FunctionMeasure,
} from '../../../../src/core/functions/functionMeasures';
import { shareOf } from '../../../../src/core/functions/share';
import { decisionText } from '../../../../src/core/functions/functionRow';
import { shownReason } from '../../../../src/core/functions/shownReason';
import type { Reason } from '../../../../src/core/selection/selection';

const base: Base = { run: 'i2.r1', clock: 'cpu', seconds: 10, leftOut: [] };
const measure: FunctionMeasure = {
  inclusive: shareOf(2, base),
  exclusive: shareOf(1, base),
  inclusiveDoubt: 0,
  exclusiveDoubt: 0,
  visits: 3,
  base,
};
const hot: Reason = { rule: 'hot-spot', value: 0.5, threshold: 0.05, measure: 'inclusive' };

const sentence = (...parameters: Parameters<typeof shownReason>): string =>
  decisionText(shownReason(...parameters));

test('a reason states the share that is shown beside it, where that bears it out', () => {
  const last = { round: 2, isEarlier: false };
  expect(sentence(hot, measure, last)).toContain('20.0 % of the computing time is spent in it');
  expect(sentence({ ...hot, measure: 'exclusive' }, measure, last)).toContain('10.0 % of the computing');
  expect(sentence({ ...hot, rule: 'not-hot', threshold: 0.3 }, measure, last)).toContain('20.0 %');
});

test('else it says which rounds its own share is of', () => {
  const [third, second] = [3, 1].map((round) => ({ round, isEarlier: true }));
  expect(sentence({ ...hot, threshold: 0.3 }, measure, third ?? never)).toContain(
    '50.0 % of the run time in rounds 0–2 is spent',
  );
  expect(sentence(hot, undefined, second ?? never)).toContain('50.0 % of the run time in round 0 is spent');
  expect(sentence(hot, measure, third ?? never)).toContain('20.0 % of the computing time in round 2 is');
});

const never = { round: 0, isEarlier: false };

test('a function that the last run did not record keeps the share of the run that disturbed it least, if that says anything', () => {
  const inRun = (run: string, doubt = 0): FunctionMeasure => ({
    ...measure,
    base: { ...base, run },
    inclusiveDoubt: doubt,
    exclusiveDoubt: doubt,
  });
  const measures = (f: FunctionMeasure): ReadonlyMap<string, FunctionMeasure> => new Map([['f', f]]);
  const runOf = (...rounds: FunctionMeasure[]): string | undefined => {
    const sharpest = rounds.map(measures).reduce(sharpestMeasures, new Map());
    return shownMeasures(sharpest, measures(inRun('last'))).get('f')?.base.run;
  };
  const earlier = (...rounds: FunctionMeasure[]): FunctionMeasure | undefined =>
    shownMeasures(rounds.map(measures).reduce(sharpestMeasures, new Map()), new Map()).get('f');
  expect(runOf(inRun('i0'))).toBe('last');
  expect(earlier(inRun('i0', 0.02), inRun('i1', 0.01), inRun('i2', 0.015))?.base.run).toBe('i1');
  // Three points are what a share may be wrong by; the doubt is a typical one.
  expect(earlier(inRun('i0', 0.4), inRun('i1', 0.019))).toBeUndefined();
  expect(earlier(inRun('i0', 0.4), inRun('i1', 0.017))).toBeDefined();
  const half = earlier({ ...inRun('i0'), exclusiveDoubt: 0.2 });
  expect(half).toMatchObject({ inclusive: measure.inclusive });
  expect(half).not.toHaveProperty('exclusive');
});
