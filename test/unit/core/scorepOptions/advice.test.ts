import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../../../src/core/scorepOptions/advice';
import type { SourceFacts } from '../../../../src/core/scorepOptions/option';
import { valueProblem } from '../../../../src/core/scorepOptions/checkValue';
import { scorepCatalogue } from '../../../../src/measurement/backends/scorep/installation/catalogue';

const { options, advice } = scorepCatalogue;
const plain: SourceFacts = { files: 3, userMacros: false, mpi: false, openmp: false, pthreads: false };

function about(values: Record<string, string>, facts?: SourceFacts): string[] {
  return adviceFor(advice, values, facts).map(({ option, severity }) => `${option} ${severity}`);
}

describe('advice', () => {
  it('says that wrapped memory functions are not recorded, and nothing else, of the defaults', () => {
    expect(about({})).toEqual(['memory info']);
    expect(about({ memory: '--nomemory' }, plain)).toEqual([]);
  });

  it('tells of macros that vanish, only when they were looked for', () => {
    const values = { memory: '--nomemory' };
    expect(about(values, { ...plain, userMacros: true })).toEqual(['user warning']);
    expect(about({ ...values, user: '--user' }, { ...plain, userMacros: true })).toEqual([]);
    expect(about({ ...values, user: '--user' }, plain)).toEqual(['user info']);
    expect(about({ ...values, user: '--user' })).toEqual([]);
  });

  it('tells what sampling does to the events of functions', () => {
    expect(about({ memory: '--nomemory', SCOREP_ENABLE_UNWINDING: 'true' })).toEqual(['compiler warning']);
  });

  it('tells of a run that records nothing', () => {
    expect(about({ memory: '--nomemory', SCOREP_ENABLE_PROFILING: 'false' })).toEqual([
      'SCOREP_ENABLE_PROFILING warning',
    ]);
  });
});

describe('the catalogue', () => {
  it('has options with different names, and defaults that are no value', () => {
    expect(new Set(options.map(({ id }) => id)).size).toBe(options.length);
    for (const { id, input, place } of options) {
      if (input.kind === 'choice') expect(input.choices[0].value, id).toBe('');
      if (place.kind === 'variable') expect(place.name).toBe(id);
    }
  });

  it('speaks in its rules of options and values that exist', () => {
    const check = (id: string, value: string): void => {
      const option = options.find((one) => one.id === id);
      expect(option, id).toBeDefined();
      if (option?.input.kind === 'choice')
        expect(
          option.input.choices.map((choice) => choice.value),
          id,
        ).toContain(value);
      else if (option !== undefined) expect(valueProblem(option, value)).toBeUndefined();
    };
    for (const rule of advice) {
      check(rule.option, rule.fix ?? '');
      for (const condition of rule.when) {
        if (!('option' in condition)) continue;
        for (const value of 'is' in condition ? condition.is : condition.isNot)
          check(condition.option, value);
      }
    }
  });

  it('settles by each fix what the rule is about', () => {
    for (const rule of advice) {
      if (rule.fix === undefined) continue;
      const values: Record<string, string> = {};
      let facts = plain;
      for (const condition of rule.when) {
        if ('fact' in condition) facts = { ...facts, [condition.fact]: condition.is };
        else if ('is' in condition) values[condition.option] = condition.is[0] ?? '';
      }
      expect(adviceFor(advice, values, facts), rule.text).toContain(rule);
      expect(adviceFor(advice, { ...values, [rule.option]: rule.fix }, facts), rule.text).not.toContain(rule);
    }
  });
});
