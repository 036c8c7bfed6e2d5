import { at, atFloat } from '../at';
import { changesOf, medianOf, type Change } from './significance';
import type { ComparedPath, ComparedSides } from './sides';

export type DifferenceKind = 'slower' | 'faster' | 'added-work' | 'removed-work' | 'changed-count';

/** Means over the runs of a side. */
export interface SideValues {
  readonly count: number;
  /** Exclusive computing seconds; of added and removed work, with all that it calls. */
  readonly seconds: number;
}

/** What differs between two sides, at a call path. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Position of the path among `ComparedSides.paths`; of slower and faster functions, the path of which most of it is. */
  readonly path: number;
  /** Position of the function. */
  readonly function: number;
  readonly sides: readonly [SideValues | undefined, SideValues | undefined];
  /** Seconds that are at stake; differences are ranked by them. */
  readonly seconds: number;
  /** Another one explains it: its caller is new, is gone or is called as often more; or it is called more often. */
  readonly isConsequence: boolean;
  /** Probability of such a difference where nothing changed (`Change`); absent: exact, or no side was repeated. */
  readonly byChance?: number;
}

export interface Comparison {
  /** The most seconds first. */
  readonly differences: readonly Difference[];
  /** Means of the times of all functions of a run. */
  readonly totals: readonly [number, number];
  /** How the time of all functions together changed. */
  readonly total: Change;
  /** By what functions changed alike, as a machine does that is slower; those that changed otherwise are differences. 1: by nothing. */
  readonly shift: number;
  /** Number of call paths of both sides, of the second only, and of the first only. */
  readonly matched: number;
  readonly added: number;
  readonly deleted: number;
}

export interface ComparisonOptions {
  /** Changes by a smaller share are none. Default: 0.05. */
  readonly sensitivity?: number;
  /** Functions with a smaller share of the run on both sides are not compared by time. Default: 0.005. */
  readonly leastShare?: number;
}

/** Where nothing changed, one comparison of a hundred says that something did. */
const certain = 0.01;
/** Fewer functions do not show what they have in common. */
const fewestForShift = 10;
/** Seconds at stake, as a share of the longer side. */
const leastStake = 0.001;

/** What differs between two sides beyond the noise of their repetitions. */
export function compareRuns(sides: ComparedSides, options: ComparisonOptions = {}): Comparison {
  const { sensitivity = 0.05, leastShare = 0.005 } = options;
  const [first] = sides.runs;
  const totals = meansOf(sides.totals, first);
  const whole = Math.max(...totals);
  const presence = sides.paths.map((path) => presenceOf(path, first));
  const work = pathDifferences(sides, presence, sensitivity);
  const { differences: times, shift } = timeDifferences(sides, work, sensitivity, leastShare * whole);
  const [total = { ratio: 1 }] = changesOf(
    [{ values: sides.totals.map((value) => Math.max(value, 1e-12)) }],
    first,
  );
  const count = (wanted: Presence): number => presence.filter((own) => own === wanted).length;
  return {
    differences: [...work, ...times]
      .filter(({ seconds, kind }) => kind === 'changed-count' || seconds >= leastStake * whole)
      .sort((a, b) => b.seconds - a.seconds || a.path - b.path),
    totals,
    total,
    shift,
    matched: count('both'),
    added: count('second'),
    deleted: count('first'),
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

function pathDifferences(
  { paths, runs: [first] }: ComparedSides,
  presence: readonly Presence[],
  sensitivity: number,
): readonly Difference[] {
  const inclusive = inclusiveSeconds(paths);
  const ratios = paths.map((path) => countRatio(path, first));
  return paths.flatMap((path, position): readonly Difference[] => {
    const own = at(presence, position);
    const [secondsA, secondsB] = meansOf(at(inclusive, position), first);
    const [countA, countB] = meansOf(path.visits, first);
    const common = { path: position, function: path.function };
    if (own === 'second' || own === 'first') {
      const side =
        own === 'second' ? { count: countB, seconds: secondsB } : { count: countA, seconds: secondsA };
      return [
        {
          ...common,
          kind: own === 'second' ? 'added-work' : 'removed-work',
          sides: own === 'second' ? [undefined, side] : [side, undefined],
          seconds: side.seconds,
          isConsequence: path.parent >= 0 && at(presence, path.parent) === own,
        },
      ];
    }
    const ratio = at(ratios, position);
    if (own !== 'both' || ratio === undefined || Math.abs(Math.log(ratio)) < Math.log1p(sensitivity))
      return [];
    const above = path.parent < 0 ? undefined : ratios[path.parent];
    return [
      {
        ...common,
        kind: 'changed-count',
        sides: [
          { count: countA, seconds: secondsA },
          { count: countB, seconds: secondsB },
        ],
        seconds: Math.abs(secondsB - secondsA),
        isConsequence: above !== undefined && Math.abs(Math.log(ratio / above)) < 1e-3,
      },
    ];
  });
}

/** How many times as often a path is visited, where the runs of each side agree; undefined where they do not, or the sides overlap. */
function countRatio({ visits }: ComparedPath, first: number): number | undefined {
  const [a, b] = [visits.subarray(0, first), visits.subarray(first)];
  const [leastA, mostA, leastB, mostB] = [minimum(a), maximum(a), minimum(b), maximum(b)];
  const isApart = mostA < leastB || mostB < leastA;
  // Counts that vary from run to run differ where the sides are further apart than their runs.
  const spread = Math.max(mostA - leastA, mostB - leastB);
  const [meanA, meanB] = meansOf(visits, first);
  if (meanA === 0 || meanB === 0) return undefined;
  if (meanA === meanB && spread === 0) return 1;
  return isApart && Math.abs(meanB - meanA) > 2 * spread ? meanB / meanA : undefined;
}

/** Of functions, over all of their paths; those that are new or gone have no time to compare. */
function timeDifferences(
  { functions, paths, runs: [first] }: ComparedSides,
  work: readonly Difference[],
  sensitivity: number,
  least: number,
): { readonly differences: readonly Difference[]; readonly shift: number } {
  const width = paths[0]?.seconds.length ?? 0;
  const sums = functions.map(() => ({ seconds: new Float64Array(width), visits: new Float64Array(width) }));
  for (const { function: own, seconds, visits } of paths) {
    const into = at(sums, own);
    seconds.forEach((value, run) => (into.seconds[run] = atFloat(into.seconds, run) + value));
    visits.forEach((value, run) => (into.visits[run] = atFloat(into.visits, run) + value));
  }
  const compared = [...functions.keys()].filter((own) => {
    const { seconds } = at(sums, own);
    return seconds.every((value) => value > 0) && Math.max(...meansOf(seconds, first)) >= least;
  });
  const values = compared.map((own) => ({ values: at(sums, own).seconds }));
  const raw = changesOf(values, first);
  const shift =
    compared.length < fewestForShift
      ? 1
      : Math.exp(medianOf(Float64Array.from(raw, ({ ratio }) => Math.log(ratio))));
  const changes = changesOf(values, first, Math.log(shift));
  const isMoreOften = new Set(
    work.filter(({ kind }) => kind === 'changed-count').map(({ function: own }) => own),
  );
  const differences = compared.flatMap((own, row): readonly Difference[] => {
    const { ratio, byChance } = at(changes, row);
    if (Math.abs(Math.log(ratio)) < Math.log1p(sensitivity)) return [];
    if (byChance !== undefined && byChance > certain) return [];
    const { seconds, visits } = at(sums, own);
    const [secondsA, secondsB] = meansOf(seconds, first);
    const [countA, countB] = meansOf(visits, first);
    const perVisit = secondsB / countB / (secondsA / countA) / shift;
    return [
      {
        kind: ratio > 1 ? 'slower' : 'faster',
        path: pathOfMost(paths, own, first),
        function: own,
        sides: [
          { count: countA, seconds: secondsA },
          { count: countB, seconds: secondsB },
        ],
        seconds: Math.abs(secondsB - secondsA * shift),
        isConsequence: isMoreOften.has(own) && Math.abs(Math.log(perVisit)) < Math.log1p(sensitivity),
        ...(byChance === undefined ? {} : { byChance }),
      },
    ];
  });
  return { differences, shift };
}

function pathOfMost(paths: readonly ComparedPath[], own: number, first: number): number {
  let [most, found] = [-1, 0];
  paths.forEach(({ function: function_, seconds }, position) => {
    if (function_ !== own) return;
    const [a, b] = meansOf(seconds, first);
    if (Math.abs(b - a) > most) [most, found] = [Math.abs(b - a), position];
  });
  return found;
}

function inclusiveSeconds(paths: readonly ComparedPath[]): readonly Float64Array[] {
  const sums = paths.map(({ seconds }) => seconds.slice());
  for (let path = paths.length - 1; path >= 0; path--) {
    const { parent } = at(paths, path);
    if (parent < 0) continue;
    const into = at(sums, parent);
    at(sums, path).forEach((value, run) => (into[run] = atFloat(into, run) + value));
  }
  return sums;
}

function meansOf(values: Float64Array, first: number): [number, number] {
  const mean = (own: Float64Array): number => own.reduce((sum, value) => sum + value, 0) / own.length;
  return [mean(values.subarray(0, first)), mean(values.subarray(first))];
}

function minimum(values: Float64Array): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

function maximum(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}
