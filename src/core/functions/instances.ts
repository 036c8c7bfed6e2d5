import type { FunctionRow } from './functionRow';
import { lastRunShare } from './shareOrder';

/** More functions are not followed: their callers are many, and one of them is likely to be an instance. */
const followedFunctions = 2000;

/** Instances of a template, or functions of one macro, that begin at one place, as one function. */
export interface Instances {
  /** The first of them with the measures of all. */
  readonly row: FunctionRow;
  readonly count: number;
  /** `sum`: the measures are sums; `largest`: those of the first, because one may run within another. */
  readonly measures: 'sum' | 'largest';
}

/** By the list of functions, which belongs to one table: lenses ask for each title several times. */
const remembered = new WeakMap<readonly FunctionRow[], Instances>();

/**
 * @param functions the functions at one place, the largest share first
 * @param table all functions, to which positions of callers refer
 * @returns undefined if there is one
 */
export function instancesAt(
  functions: readonly FunctionRow[],
  table: readonly FunctionRow[],
): Instances | undefined {
  const [first] = functions;
  if (first === undefined || functions.length === 1) return undefined;
  const known = remembered.get(functions);
  if (known !== undefined) return known;
  const made = together(first, functions, table);
  remembered.set(functions, made);
  return made;
}

function together(
  first: FunctionRow,
  functions: readonly FunctionRow[],
  table: readonly FunctionRow[],
): Instances {
  const measured = functions.filter((row) => lastRunShare(row, 'inclusiveShare') !== undefined);
  const count = functions.length;
  if (measured.length < 2 || areNested(measured, table)) return { row: first, count, measures: 'largest' };
  const sum = (value: (row: FunctionRow) => number | undefined): number =>
    measured.reduce((all, row) => all + (value(row) ?? 0), 0);
  const recorded = measured.filter(({ selected }) => selected);
  return {
    row: {
      ...first,
      selected: recorded.length > 0,
      inclusiveShare: sum(({ inclusiveShare }) => inclusiveShare),
      exclusiveShare: sum(({ exclusiveShare }) => exclusiveShare),
      visits: sum(({ visits }) => visits),
      ...(recorded.length === 0
        ? {}
        : { overheadPercent: sum(({ selected, overheadPercent }) => (selected ? overheadPercent : 0)) }),
    },
    count,
    measures: 'sum',
  };
}

/**
 * Whether an instance is, or may be, called from another one: the sum of their inclusive times would count time twice. One that calls itself
 * directly has its inclusive time once.
 */
function areNested(instances: readonly FunctionRow[], table: readonly FunctionRow[]): boolean {
  const wanted = new Set(instances);
  const seen = new Set<FunctionRow>();
  const open: FunctionRow[] = [...instances];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const position of next.callers ?? []) {
      const caller = table[position];
      if (caller === undefined || caller === next || seen.has(caller)) continue;
      if (wanted.has(caller) || seen.size >= followedFunctions) return true;
      seen.add(caller);
      open.push(caller);
    }
  return false;
}
