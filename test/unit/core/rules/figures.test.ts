import { describe, expect, it } from 'vitest';
import { compileRule, RuleError, type RuleDefinition } from '../../../../src/core/rules/rule';

const rule = (level: 'static' | 'dynamic', condition: string): RuleDefinition => ({
  id: 'own',
  level,
  title: 'Own rule',
  kind: 'hot-spot',
  condition,
  severity: '1',
  ...(level === 'static' ? { impact: 'sum(time)' } : {}),
});

describe('the figures of a rule', () => {
  it.each(['sum', 'mean', 'stddev', 'largest'])('%s(time) is known to static rules', (figure) => {
    expect(() => compileRule(rule('static', `${figure}(time) > 0`))).not.toThrow();
  });

  it.each(['sum', 'count', 'excess', 'aftermath'])('%s(trends) is known to dynamic rules', (figure) => {
    expect(() => compileRule(rule('dynamic', `${figure}(trends) > 0`))).not.toThrow();
  });

  it.each([
    ['static', 'count(time) > 0'],
    ['static', 'excess(time) > 0'],
    ['dynamic', 'mean(trends) > 0'],
    ['dynamic', 'largest(trends) > 0'],
  ] as const)('a %s rule cannot use %s', (level, condition) => {
    expect(() => compileRule(rule(level, condition))).toThrow(RuleError);
  });
});
