import { createTwoFilesPatch } from 'diff';
import { decide, type FilterTime } from './decide';
import type { Filter } from '../syntax/filter';
import type { KnownFunction } from './names';
import { symbolVariants } from './structors';
import { analyseEffects } from './effects';

/** Differences between two filters for a program's functions, as positions in the list of functions. */
export interface FilterDifference {
  /** Instrumented by the second filter only. */
  readonly added: readonly number[];
  /** Instrumented by the first filter only. */
  readonly removed: readonly number[];
  /** Number of functions with the same decision. */
  readonly unchanged: number;
}

export function diffFilters(
  before: Filter,
  after: Filter,
  functions: readonly KnownFunction[],
  when: FilterTime = 'compile-time',
): FilterDifference {
  const first = analyseEffects(before, functions, when).decisions;
  const second = analyseEffects(after, functions, when).decisions;
  const added: number[] = [];
  const removed: number[] = [];
  functions.forEach((_, position) => {
    const was = first[position]?.instrumented;
    const is = second[position]?.instrumented;
    if (was !== is) (is === true ? added : removed).push(position);
  });
  return { added, removed, unchanged: functions.length - added.length - removed.length };
}

/** The functions that filters name by patterns without wildcards, for a comparison without a program. */
export function namedFunctions(...filters: readonly Filter[]): readonly KnownFunction[] {
  const functions = new Map<string, KnownFunction>();
  for (const { rules } of filters) {
    for (const { block, mangled, matcher } of rules) {
      const { literal } = matcher;
      if (block === 'file' || literal === undefined) continue;
      // Several symbols of one constructor are one function.
      if (mangled && symbolVariants(literal).some((symbol) => functions.has(`m${symbol}`))) continue;
      const f = mangled ? { name: literal, mangledName: literal } : { name: literal };
      functions.set(`${mangled ? 'm' : 'd'}${literal}`, { ...f, exactName: !literal.startsWith('_Z') });
    }
  }
  return [...functions.values()];
}

/** Whether the filter includes names that none of its specific rules match. */
export function includesByDefault(filter: Filter, when: FilterTime): boolean {
  return decide(filter, {}, when).instrumented;
}

/** The difference of two filters as a unified diff; empty for equal texts. */
export function unifiedDiff(before: string, after: string, beforeName: string, afterName: string): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(beforeName, afterName, before, after, undefined, undefined, {
    context: 3,
  });
  return patch.replace(/^=+\n/, '');
}
