import { expect, test } from 'vitest';
import { explainReason, explanationOf } from '../../../../src/core/selection/explainReason';
import type { Reason, Rule } from '../../../../src/core/selection/selection';

const rules: readonly Rule[] = [
  'entry',
  'phase',
  'statements',
  'kernel',
  'hot-spot',
  'path-to-main',
  'outside',
  'expand',
  'again',
  'budget',
  'pinned-in',
  'of-interest',
  'too-small',
  'not-hot',
  'total-overhead',
  'prolog-overhead',
  'not-needed',
  'too-expensive',
  'not-measured',
  'unreachable',
  'no-site',
  'not-executed',
  'pinned-out',
];
const cost = { visits: 1000, pairSeconds: 3e-8, overheadPercent: 0.3 };

test.each(rules)('%s: the clause stands by itself, and the details complete the sentence', (rule) => {
  const bare: Reason = { rule };
  const whole: Reason = { rule, value: 0.4, threshold: 0.2, measure: 'exclusive', path: ['main', 'f'], cost };
  for (const reason of [bare, whole]) {
    const { clause, details } = explanationOf(reason);
    expect(clause).not.toMatch(/[;:]| \(/);
    expect(clause.length).toBeGreaterThan(6);
    expect(details).toMatch(/^$|^[;:]|^ \(/);
    expect(explainReason(reason)).toMatch(/^(in|out): /);
    expect(explainReason(reason).replace(/^(in|out): /, '')).toBe(`${clause}${details}`);
  }
});

test('an excessive function is worth optimising from 0.1 % of the run on', () => {
  const hint = 'worth inlining or optimising itself';
  const reason = (overheadPercent: number): Reason => ({
    rule: 'total-overhead',
    value: 50,
    threshold: 20,
    cost: { ...cost, overheadPercent },
  });
  expect(explainReason(reason(0.1))).toContain(hint);
  expect(explainReason(reason(0.09))).not.toContain(hint);
});
