import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decide, type FilterTime } from '../../../../src/formats/scorep-filter/effects/decide';
import { analyseEffects } from '../../../../src/formats/scorep-filter/effects/effects';
import { formatFilter } from '../../../../src/formats/scorep-filter/editing/format';
import type { KnownFunction } from '../../../../src/formats/scorep-filter/effects/names';
import { parseFilterSyntax } from '../../../../src/formats/scorep-filter/syntax/parse';

interface Verdicts {
  readonly functions: readonly KnownFunction[];
  /** One digit for each function, or `refused`. */
  readonly filters: readonly {
    readonly text: string;
    readonly compileTime: string;
    readonly runTime: string;
  }[];
}

/** Decided by a real Score-P: test/data/scorep/filter-truth/record.mjs. */
const { functions, filters } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../data/scorep/filter-verdicts.json'), 'utf8'),
) as Verdicts;
const known = functions.map((f) => ({ ...f, exactName: true }));

function ours(text: string, when: FilterTime): string {
  const { filter, diagnostics } = parseFilterSyntax(text);
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'refused';
  return functions.map((f) => (decide(filter, f, when).instrumented ? '1' : '0')).join('');
}

describe('as the real Score-P decided', () => {
  it('has enough cases', () => {
    expect(filters.length * functions.length).toBeGreaterThan(4000);
  });

  it.each(filters)('$text', ({ text, compileTime, runTime }) => {
    expect({ compileTime: ours(text, 'compile-time'), runTime: ours(text, 'run-time') }).toEqual({
      compileTime,
      runTime,
    });
  });

  // What is said of a line that is read otherwise than it stands there is gone once it is formatted.
  const asMeant = filters.filter(
    ({ text, runTime }) =>
      runTime !== 'refused' &&
      !parseFilterSyntax(text).diagnostics.some(({ code }) =>
        ['carriage-return', 'joined-lines'].includes(code),
      ),
  );

  it.each(asMeant)('formatted: $text', ({ text }) => {
    const formatted = formatFilter(parseFilterSyntax(text));
    expect(ours(formatted, 'compile-time')).toBe(ours(text, 'compile-time'));
  });

  it('is what the analysis of effects says, too', () => {
    for (const { text } of filters) {
      const { filter } = parseFilterSyntax(text);
      for (const when of ['compile-time', 'run-time'] as const) {
        const { decisions } = analyseEffects(filter, known, when);
        expect(decisions.map(({ instrumented }) => instrumented)).toEqual(
          functions.map((f) => decide(filter, f, when).instrumented),
        );
      }
    }
  });
});
