import { at } from '../core/at';
import { compareRuns, type Comparison, type ComparisonOptions } from '../core/compare/differences';
import type { Difference, SideValues } from '../core/compare/difference';
import { comparedRun, timeMetric } from '../core/compare/run';
import { compareSides, type ComparedPer, type ComparedSides, type Side } from '../core/compare/sides';
import { differenceSentence } from '../core/compare/words';
import type { Base } from '../core/functions/base';
import { shareOf } from '../core/functions/share';
import { present } from '../core/present';
import type { RegionPlace } from '../core/profile/place';
import { makeContext, type PropertyInput } from '../core/problems/context/makeContext';
import { bySeverity, type Property } from '../core/properties/property';
import { comparisonNotes } from './comparing/notes';

/** A build, input or machine, with the profiles of its repetitions. */
export interface CompareInput {
  readonly name: string;
  /** At least one. */
  readonly runs: readonly PropertyInput[];
  readonly isRecorded?: Side['isRecorded'];
  readonly measured?: Side['measured'];
}

export interface CompareOptions extends ComparisonOptions {
  /** `time` (default), `instructions`, or a metric of all profiles that adds up. */
  readonly metric?: string;
  /** Default: per process where the numbers of processes differ. */
  readonly per?: ComparedPer;
}

/** What changed from each input to the next one (docs/INTERFACES.md). */
export interface CompareReport {
  readonly metric: { readonly name: string; readonly unit: string };
  readonly inputs: readonly {
    readonly name: string;
    readonly runs: number;
    readonly processes: number;
    readonly base: Base;
  }[];
  readonly pairs: readonly ComparedPair[];
  /** Of all pairs; the most at stake first. */
  readonly differences: readonly ReportedDifference[];
  readonly notes: readonly string[];
  readonly properties: readonly Property[];
}

export interface ComparedPair {
  /** Positions in `inputs`. */
  readonly a: number;
  readonly b: number;
  /** Numbers of call paths. */
  readonly matched: number;
  readonly added: number;
  readonly deleted: number;
  readonly changed: number;
  readonly unchanged: number;
  /** What the values, seconds and counts of this pair are of. */
  readonly per: ComparedPer;
  /** Mean values of all functions together, of a and of b. */
  readonly totals: readonly [number, number];
  /** By what all functions changed alike. */
  readonly shift: number;
  /** Probability that the whole differs by chance; absent: no side was repeated. */
  readonly significance?: number;
}

export interface ReportedDifference {
  readonly kind: Difference['kind'];
  /** Position in `pairs`. */
  readonly pair: number;
  readonly callPath: readonly string[];
  /** Where the function is defined: in the second input, or in the first one if it is gone. */
  readonly region: RegionPlace;
  /** Another difference explains this one. */
  readonly consequence?: true;
  /** By input; null: it has none of it, or is not of the pair. */
  readonly sides: readonly (ReportedSide | null)[];
  /** What differences are ranked by, in the unit of the metric: of other numbers of calls what so many of them take, else the change. */
  readonly stake: number;
  /** Probability of such a difference by chance; absent: it is exact, or no side was repeated. */
  readonly significance?: number;
  readonly sentence: string;
}

/** `value`: of the compared metric, where that is not the time. */
export type ReportedSide = Omit<SideValues, 'value'> & { readonly value?: number };

/** Two inputs compared, with all that is known of it. */
export interface ComparedInputs {
  readonly sides: readonly [Side, Side];
  readonly compared: ComparedSides;
  readonly comparison: Comparison;
}

/** @throws KymoError `unknown-metric`, `not-additive` */
export function sideOf({ name, runs, isRecorded, measured }: CompareInput, metric?: string): Side {
  return {
    name,
    runs: runs.map((run) => comparedRun(makeContext(run), metric)),
    ...present({ isRecorded, measured }),
  };
}

/** Compares two inputs. */
export function comparePair(first: Side, second: Side, options: CompareOptions = {}): ComparedInputs {
  const compared = compareSides(first, second, options.per);
  return { sides: [first, second], compared, comparison: compareRuns(compared, options) };
}

/**
 * Compares each input with the next one.
 * @param inputs at least two
 * @throws KymoError `unknown-metric`, `not-additive`
 */
export function compareInputs(inputs: readonly CompareInput[], options: CompareOptions = {}): CompareReport {
  const sides = inputs.map((input) => sideOf(input, options.metric));
  const pairs = sides.slice(1).map((second, a) => comparePair(at(sides, a), second, options));
  const { name, unit } = at(at(sides, 0).runs, 0).metric;
  return {
    metric: { name, unit },
    inputs: sides.map((side) => {
      const { base, processes } = at(side.runs, 0);
      return { name: side.name, runs: side.runs.length, processes, base };
    }),
    pairs: pairs.map(({ compared, comparison }, a) => pairOf(a, compared, comparison)),
    differences: pairs
      .flatMap((pair, a) =>
        pair.comparison.differences.map((difference) => reported(difference, pair, a, inputs.length)),
      )
      .sort((x, y) => y.stake - x.stake),
    notes: pairs.flatMap((pair) => comparisonNotes(pair.sides, pair.compared, pair.comparison)),
    properties: pairs.flatMap((pair) => pairProperties(pair)).sort(bySeverity),
  };
}

/** What changed from one input to another, at its lines; what another difference explains is none. */
export function pairProperties(pair: ComparedInputs): readonly Property[] {
  return pair.comparison.differences
    .filter(({ isConsequence }) => !isConsequence)
    .map((difference) => propertyOf(difference, pair));
}

function pairOf(a: number, { per }: ComparedSides, comparison: Comparison): ComparedPair {
  const { matched, added, deleted, changed, totals, total, shift } = comparison;
  return {
    ...{ a, b: a + 1, matched, added, deleted, changed, unchanged: matched - changed },
    ...{ per, totals, shift },
    ...present({ significance: total.byChance }),
  };
}

function reported(
  difference: Difference,
  { compared, comparison: { shift } }: ComparedInputs,
  a: number,
  inputs: number,
): ReportedDifference {
  const { kind, isConsequence, sides, stake, byChance } = difference;
  return {
    kind,
    pair: a,
    callPath: callPathOf(difference.path, compared),
    region: at(compared.functions, difference.function).place,
    ...(isConsequence ? { consequence: true } : {}),
    sides: Array.from({ length: inputs }, (_, input) => reportedSide(sides[input - a], compared)),
    stake,
    ...present({ significance: byChance }),
    sentence: differenceSentence(difference, compared, shift),
  };
}

function reportedSide(side: SideValues | undefined, { metric }: ComparedSides): ReportedSide | null {
  if (side === undefined) return null;
  const { value, ...own } = side;
  return metric.name === timeMetric.name ? own : { ...own, value };
}

function callPathOf(path: number, { paths, functions }: ComparedSides): readonly string[] {
  const names: string[] = [];
  for (let node = path; node >= 0; node = at(paths, node).parent)
    names.push(at(functions, at(paths, node).function).name);
  return names.reverse();
}

function propertyOf(
  difference: Difference,
  { sides: [first, second], compared, comparison }: ComparedInputs,
): Property {
  const { kind, path, sides, stake, byChance } = difference;
  const { key, place } = at(compared.functions, difference.function);
  const { base, processes } = at((kind === 'removed-work' ? first : second).runs, 0);
  const isTime = compared.metric.name === timeMetric.name;
  const seconds = stake * (compared.per === 'process' ? processes : 1);
  const isOfFunction = !['added-work', 'removed-work', 'changed-count'].includes(kind);
  return {
    id: `${kind}:${key}${isOfFunction ? '' : `:${path}`}`,
    kind,
    title: differenceSentence(difference, compared, comparison.shift).replace(/\.$/, ''),
    ...(isTime ? { severity: shareOf(seconds, base), base } : {}),
    confidence: confidenceOf(difference, compared),
    region: kind === 'removed-work' ? callerPlace(path, compared) : place,
    callPath: callPathOf(path, compared),
    evidence: {
      ...evidenceOf('Before', sides[0], isTime),
      ...evidenceOf('After', sides[1], isTime),
      ...present({ byChance, change: changeOf(difference, comparison.shift) }),
    },
    origin: { run: base.run, analysis: 'comparison' },
  };
}

/** A function that is gone has no line: its call was in its caller. */
function callerPlace(path: number, { paths, functions }: ComparedSides): RegionPlace {
  const { parent, function: own } = at(paths, path);
  return at(functions, parent < 0 ? own : at(paths, parent).function).place;
}

/** Exact differences are certain once both sides were repeated. */
function confidenceOf({ byChance }: Difference, { runs }: ComparedSides): number {
  return runs[0] + runs[1] > 2 ? 1 - (byChance ?? 0) : 0.5;
}

/** Second ÷ first: of the values beside what all functions have in common, or of visits. */
function changeOf({ kind, sides: [before, after] }: Difference, shift: number): number | undefined {
  if (before === undefined || after === undefined || kind === 'renamed') return undefined;
  return kind === 'changed-count' ? after.count / before.count : after.value / (before.value * shift);
}

function evidenceOf(when: string, side: SideValues | undefined, isTime: boolean): Record<string, number> {
  if (side === undefined) return {};
  return {
    [`visits${when}`]: side.count,
    [`seconds${when}`]: side.seconds,
    ...(isTime ? {} : { [`value${when}`]: side.value }),
  };
}
