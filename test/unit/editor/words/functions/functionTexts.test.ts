import { describe, expect, it } from 'vitest';
import {
  functionDescription,
  functionLabel,
  functionTooltip,
  pinSentence,
} from '../../../../../src/editor/words/functions/functionTexts';
import { escapeMarkdown, withoutLinks } from '../../../../../src/core/markdown';
import type { FunctionRow } from '../../../../../src/core/functions/functionRow';

const step: FunctionRow = {
  key: 'step',
  name: 'step',
  selected: true,
  decision: { clause: '31.0 % of the run time is spent in itself', details: ' (threshold 4.0 %)' },
  hasSite: true,
  visits: 1_200_000,
  inclusiveShare: 0.31,
  exclusiveShare: 0.3,
  overheadPercent: 0.4,
};

describe('a function in the tree', () => {
  it('is described by what waits, what changed, share and visits', () => {
    expect(functionDescription(step, undefined, undefined)).toBe('31 % · 1.2 M visits');
    expect(functionDescription(step, 'out', 'entered')).toBe(
      'out next run · 31 % · 1.2 M visits · newly included',
    );
    expect(functionDescription({ ...step, selected: false }, 'in', undefined)).toMatch(/^in next run/);
  });

  it('is named without what hides its name', () => {
    const label = (name: string): string => functionLabel({ ...step, name });
    expect(label('ns::Grid<std::vector<int>, 3>::at(int)')).toBe('ns::Grid<…>::at(int)');
    expect(label('(anonymous)::sweep')).toBe('sweep');
    expect(label('heat::(anonymous namespace)::sweep')).toBe('heat::sweep');
    expect(label('operator<(A, B)')).toBe('operator<(A, B)');
  });

  it('without a site says so, and why a pin does not help', () => {
    const inlined = { ...step, selected: false, hasSite: false, visits: 0 };
    expect(functionDescription(inlined, 'in', undefined)).toBe('inlined');
    const foreign = { ...inlined, notRecorded: 'belongs to a library' };
    expect(functionDescription(foreign, undefined, undefined)).toBe('cannot be recorded');
    expect(pinSentence(inlined, 'in')).toMatch(/cannot be recorded/);
  });

  it('has a tooltip with decision, reason, pin and numbers, and hostile names in it do nothing', () => {
    const name = '<img src=x onerror=alert(1)> [a](command:evil) `x` $(bug) **b**';
    const text = functionTooltip({ ...step, name }, [], 'out', undefined);
    expect(text).toContain('Instrumented');
    expect(text).toContain('left out from the next round on');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('](command');
    expect(text).not.toContain('$(bug)');
  });

  it('shortens names of 10,000 characters', () => {
    expect(
      functionTooltip({ ...step, name: 'x'.repeat(10_000) }, [], undefined, undefined).length,
    ).toBeLessThan(1500);
  });
});

describe('withoutLinks', () => {
  it('leaves nothing that a notification would make a link of', () => {
    expect(withoutLinks('a [b](command:c) d')).not.toContain('](');
    expect(withoutLinks('std::vector<int> f[1] (x)')).toBe('std::vector<int> f[1] (x)');
  });
});

describe('escapeMarkdown', () => {
  it('escapes markup, icons, HTML and line breaks', () => {
    expect(escapeMarkdown('a\n# b')).toBe('a \\# b');
    expect(escapeMarkdown('<b>&')).toBe('&lt;b&gt;&amp;');
    expect(escapeMarkdown('$(bug)')).toBe('\\$\\(bug\\)');
  });
});
