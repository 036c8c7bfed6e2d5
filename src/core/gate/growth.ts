import { at, atUint } from '../at';
import { isWaiting } from '../compare/sides';
import type { ComparedRun } from '../compare/run';
import type { ComparedSides } from '../compare/sides';
import type { GateSide } from './side';

/** Computing time in the second half of the iterations of a run ÷ that in the first half; by function: of the function itself, by key. */
export interface RunGrowth {
  readonly whole: number;
  readonly functions: ReadonlyMap<string, number>;
}

/** Of a function, with a value for each run of both sides. */
export interface FunctionGrowth {
  /** Position of the function. */
  readonly function: number;
  readonly values: Float64Array;
}

/** @param early,late equally many iterations of a run; undefined: nothing was computed in some of them */
export function growthOf(early: ComparedRun, late: ComparedRun): RunGrowth | undefined {
  const [before, after] = [secondsByFunction(early), secondsByFunction(late)];
  const sum = (values: ReadonlyMap<string, number>): number =>
    [...values.values()].reduce((total, seconds) => total + seconds, 0);
  const whole = sum(after) / sum(before);
  if (!(whole > 0) || whole === Infinity) return undefined;
  const functions = [...before].flatMap(([key, seconds]): readonly [string, number][] => {
    const growth = (after.get(key) ?? 0) / seconds;
    return growth > 0 && growth < Infinity ? [[key, growth]] : [];
  });
  return { whole, functions: new Map(functions) };
}

function secondsByFunction({ callPaths, regions, keys, seconds }: ComparedRun): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  seconds.forEach((own, path) => {
    const region = atUint(callPaths.region, path);
    if (isWaiting(at(regions, region))) return;
    const key = at(keys, region);
    sums.set(key, (sums.get(key) ?? 0) + own);
  });
  return sums;
}

/**
 * Of the functions that every run has in both halves. None where one side recorded other functions than the other: what grows may be in a function that calls it
 * on one of them.
 */
export function functionGrowth(
  { functions, recordedOnce }: ComparedSides,
  baseline: GateSide['growth'],
  candidate: GateSide['growth'],
): readonly FunctionGrowth[] {
  if (baseline === undefined || candidate === undefined) return [];
  if (recordedOnce.some(({ length }) => length > 0)) return [];
  return functions.flatMap(({ key, formerKey = key }, own): readonly FunctionGrowth[] => {
    const values = [
      ...baseline.map((run) => run.functions.get(formerKey) ?? NaN),
      ...candidate.map((run) => run.functions.get(key) ?? NaN),
    ];
    return values.every((value) => value > 0) ? [{ function: own, values: Float64Array.from(values) }] : [];
  });
}
