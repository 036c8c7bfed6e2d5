import { at, atFloat } from '../at';
import { present } from '../present';
import { certain, meansOf, sidesOf, stakeOfCount, type Difference, type SideValues } from './difference';
import type { FunctionSums } from './functionTimes';
import { changesOf } from './significance';
import type { ComparedPath, ComparedSides } from './sides';

export interface CallDifferences {
  /** Calls that are new, gone, or more or less frequent. */
  readonly differences: readonly Difference[];
  /** Functions that are called more or less often. */
  readonly isMoreOften: ReadonlySet<number>;
  /** Functions that the same program visits as often as before, but below other recorded callers: others were recorded, or other visits of them. */
  readonly moved: ReadonlySet<number>;
  /** By call path: whether both sides have it. */
  readonly isMatched: readonly boolean[];
  /** Of call paths of both sides, of the second only, and of the first only. */
  readonly numbers: { readonly matched: number; readonly added: number; readonly deleted: number };
}

interface CallOptions {
  readonly sensitivity: number;
  /** New and gone calls whose number varies from run to run are named from this value on. */
  readonly leastStake: number;
}

/** How the calls of two sides differ, by call path. */
export function callDifferences(sides: ComparedSides, options: CallOptions): CallDifferences {
  const { paths, runs } = sides;
  const [first] = runs;
  const presence = paths.map((path) => presenceOf(path, first));
  const whole = inclusive(paths);
  const counts = countChanges(paths, first);
  const asOften = sides.isSameProgram ? visitedAsOften(sides) : new Set<number>();
  const moved = new Set<number>();
  const differences = paths.flatMap((path, position): readonly Difference[] => {
    const own = at(presence, position);
    if (asOften.has(path.function)) {
      if (own !== 'both' || (counts[position]?.ratio ?? 1) !== 1) moved.add(path.function);
      return [];
    }
    const means = sidesOf(at(whole, position), first);
    if (own === 'second' || own === 'first') {
      const isBelowSame = path.parent >= 0 && presence[path.parent] === own;
      const { value } = means[own === 'second' ? 1 : 0];
      const isNoise = value < options.leastStake && !isConstant(path, own === 'second', first);
      // What takes no time below a call that is new or gone says nothing beside it.
      return isNoise || (isBelowSame && value === 0)
        ? []
        : [oneSided(position, path, own, means, isBelowSame)];
    }
    return own === 'both' ? ofCount(position, path, counts, means, options.sensitivity) : [];
  });
  const number = (wanted: Presence): number => presence.filter((own) => own === wanted).length;
  return {
    differences,
    isMoreOften: new Set(
      differences.filter(({ kind }) => kind === 'changed-count').map(({ function: own }) => own),
    ),
    moved,
    isMatched: presence.map((own) => own === 'both'),
    numbers: { matched: number('both'), added: number('second'), deleted: number('first') },
  };
}

/** A path of both sides that is visited more or less often. */
function ofCount(
  position: number,
  path: ComparedPath,
  counts: readonly (CountChange | undefined)[],
  means: readonly [SideValues, SideValues],
  sensitivity: number,
): readonly Difference[] {
  const count = counts[position];
  if (count === undefined || count.ratio === 1) return [];
  if (Math.abs(Math.log(count.ratio)) < Math.log1p(sensitivity)) return [];
  const above = path.parent < 0 ? undefined : counts[path.parent]?.ratio;
  return [
    {
      kind: 'changed-count',
      path: position,
      function: path.function,
      sides: means,
      stake: stakeOfCount([means[0].count, means[1].count], [means[0].value, means[1].value]),
      isConsequence: above !== undefined && Math.abs(Math.log(count.ratio / above)) < 1e-3,
      ...present({ byChance: count.byChance }),
    },
  ];
}

/** Functions with one number of visits in all runs of both sides. */
function visitedAsOften({ paths, functions, runs }: ComparedSides): ReadonlySet<number> {
  const sums = functions.map(() => new Float64Array(runs[0] + runs[1]));
  for (const { function: own, visits } of paths) {
    const sum = at(sums, own);
    visits.forEach((value, run) => (sum[run] = atFloat(sum, run) + value));
  }
  // Sampled visits are estimated, and rounded.
  const isSame = (sum: Float64Array): boolean =>
    sum.every((value) => Math.abs(value - atFloat(sum, 0)) <= 1e-9 * Math.abs(value));
  return new Set([...functions.keys()].filter((own) => isSame(at(sums, own))));
}

/** A path that only one side has. */
function oneSided(
  position: number,
  path: ComparedPath,
  which: 'first' | 'second',
  [a, b]: readonly [SideValues, SideValues],
  isConsequence: boolean,
): Difference {
  const isNew = which === 'second';
  return {
    kind: isNew ? 'added-work' : 'removed-work',
    path: position,
    function: path.function,
    sides: isNew ? [undefined, b] : [a, undefined],
    stake: (isNew ? b : a).value,
    isConsequence,
  };
}

/** `some`: in some runs of a side only, which shows nothing. */
type Presence = 'both' | 'first' | 'second' | 'some' | 'none';

function presenceOf({ visits }: ComparedPath, first: number): Presence {
  const [a, b] = [visits.subarray(0, first), visits.subarray(first)].map((own) => {
    const executed = own.filter((value) => value > 0).length;
    return executed === 0 ? 'none' : executed === own.length ? 'all' : 'some';
  });
  if (a === 'none' && b === 'none') return 'none';
  if (a === 'some' || b === 'some') return 'some';
  return a === b ? 'both' : a === 'all' ? 'first' : 'second';
}

function isConstant({ visits }: ComparedPath, isSecond: boolean, first: number): boolean {
  const own = isSecond ? visits.subarray(first) : visits.subarray(0, first);
  return own.every((value) => value === own[0]);
}

interface CountChange {
  /** How many times as often. */
  readonly ratio: number;
  /** Absent where the counts do not vary from run to run, or no side was repeated. */
  readonly byChance?: number;
}

/** By path; undefined where the counts of the sides differ by no more than those of their runs. */
function countChanges(paths: readonly ComparedPath[], first: number): readonly (CountChange | undefined)[] {
  const exact = paths.map((path) => exactRatio(path, first));
  const varying = [...paths.keys()].filter(
    (path) => exact[path] === undefined && isApart(at(paths, path), first),
  );
  const changes = changesOf(
    varying.map((path) => ({ values: at(paths, path).visits })),
    first,
  );
  const byPath = new Map(varying.map((path, row) => [path, at(changes, row)]));
  return exact.map((ratio, path) => {
    if (ratio !== undefined) return { ratio };
    const change = byPath.get(path);
    return change?.byChance !== undefined && change.byChance > certain ? undefined : change;
  });
}

/** Where all runs of a side agree. */
function exactRatio({ visits }: ComparedPath, first: number): number | undefined {
  const [a, b] = [atFloat(visits, 0), atFloat(visits, first)];
  const isExact = visits.every((value, run) => value === (run < first ? a : b));
  return isExact && a > 0 && b > 0 ? b / a : undefined;
}

/** Whether the counts of the sides are further apart than those of their runs. */
function isApart({ visits }: ComparedPath, first: number): boolean {
  const [a, b] = [visits.subarray(0, first), visits.subarray(first)].map((own) => ({
    least: own.reduce((least, value) => Math.min(least, value), Infinity),
    most: own.reduce((most, value) => Math.max(most, value), -Infinity),
  }));
  if (a === undefined || b === undefined || a.least <= 0 || b.least <= 0) return false;
  const spread = Math.max(a.most - a.least, b.most - b.least);
  const [meanA, meanB] = meansOf(visits, first);
  return (a.most < b.least || b.most < a.least) && Math.abs(meanB - meanA) > 2 * spread;
}

/** Of each path, with all that it calls; visits are its own. */
function inclusive(paths: readonly ComparedPath[]): readonly Omit<FunctionSums, 'doubts'>[] {
  const sums = paths.map(({ visits, seconds, values, instructions }): Omit<FunctionSums, 'doubts'> => {
    const own = seconds.slice();
    return {
      ...{ visits, seconds: own, values: values === seconds ? own : values.slice() },
      ...(instructions === undefined ? {} : { instructions: instructions.slice() }),
    };
  });
  const put = (into: Float64Array, from: Float64Array): void =>
    from.forEach((value, run) => (into[run] = atFloat(into, run) + value));
  for (let path = paths.length - 1; path >= 0; path--) {
    const { parent } = at(paths, path);
    if (parent < 0) continue;
    const [into, from] = [at(sums, parent), at(sums, path)];
    put(into.seconds, from.seconds);
    if (into.values !== into.seconds) put(into.values, from.values);
    if (into.instructions !== undefined && from.instructions !== undefined)
      put(into.instructions, from.instructions);
  }
  return sums;
}
