import { at } from '../core/at';
import {
  compareRuns,
  type Comparison,
  type ComparisonOptions,
  type Difference,
} from '../core/compare/differences';
import { compareSides, type ComparedSides, type Side } from '../core/compare/sides';
import { differenceSentence, longer } from '../core/compare/words';
import { formatPercent, formatSeconds } from '../core/format';
import type { Base } from '../core/functions/base';
import { shareOf } from '../core/functions/share';
import { present } from '../core/present';
import { makeContext, type PropertyInput } from '../core/problems/context/makeContext';
import { bySeverity, type Property } from '../core/properties/property';

/** A build, input or machine, with the profiles of its repetitions. */
export interface CompareInput {
  readonly name: string;
  /** At least one. */
  readonly runs: readonly PropertyInput[];
}

/** What changed from each input to the next one (docs/INTERFACES.md). */
export interface CompareReport {
  readonly inputs: readonly { readonly name: string; readonly runs: number; readonly base: Base }[];
  readonly pairs: readonly ComparedPair[];
  /** Of all pairs; the most seconds first. */
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
  /** Mean seconds of all functions together, of a and of b. */
  readonly seconds: readonly [number, number];
  /** By what all functions changed alike. */
  readonly shift: number;
  /** Probability that the whole time differs by chance; absent: no side was repeated. */
  readonly byChance?: number;
}

export interface ReportedDifference {
  readonly kind: Difference['kind'];
  /** Position in `pairs`. */
  readonly pair: number;
  readonly callPath: readonly string[];
  readonly consequence?: true;
  /** By input; null: it has none of it, or is not of the pair. */
  readonly sides: readonly ({ readonly count: number; readonly seconds: number } | null)[];
  /** Probability of such a difference by chance; absent: it is exact, or no side was repeated. */
  readonly significance?: number;
  readonly sentence: string;
}

/** Compares each input with the next one. @param inputs at least two */
export function compareInputs(
  inputs: readonly CompareInput[],
  options: ComparisonOptions = {},
): CompareReport {
  const sides = inputs.map(({ name, runs }): Side => ({ name, runs: runs.map(makeContext) }));
  const pairs = sides.slice(1).map((second, a) => {
    const compared = compareSides(at(sides, a), second);
    return {
      a,
      compared,
      comparison: compareRuns(compared, options),
      bases: [baseOf(at(sides, a)), baseOf(second)] as const,
    };
  });
  return {
    inputs: sides.map((side) => ({ name: side.name, runs: side.runs.length, base: baseOf(side) })),
    pairs: pairs.map(({ a, comparison }) => pairOf(a, comparison)),
    differences: pairs
      .flatMap(({ a, compared, comparison }) =>
        comparison.differences.map((difference) => ({
          seconds: difference.seconds,
          row: reported(difference, compared, comparison.shift, a, inputs.length),
        })),
      )
      .sort((x, y) => y.seconds - x.seconds)
      .map(({ row }) => row),
    notes: pairs.flatMap(({ compared, comparison }) => notesOf(compared, comparison)),
    properties: pairs
      .flatMap(({ compared, comparison, bases }) =>
        comparison.differences
          .filter(({ isConsequence }) => !isConsequence)
          .map((difference) => propertyOf(difference, compared, comparison.shift, bases)),
      )
      .sort(bySeverity),
  };
}

/** Of the first run; the others are of the same clock. */
function baseOf({ runs }: Side): Base {
  return at(runs, 0).base;
}

function pairOf(
  a: number,
  { matched, added, deleted, differences, totals, total, shift }: Comparison,
): ComparedPair {
  const changed = new Set(
    differences.flatMap(({ kind, path }) => (kind === 'added-work' || kind === 'removed-work' ? [] : [path])),
  ).size;
  return {
    ...{
      a,
      b: a + 1,
      matched,
      added,
      deleted,
      changed,
      unchanged: matched - changed,
      seconds: totals,
      shift,
    },
    ...present({ byChance: total.byChance }),
  };
}

function reported(
  difference: Difference,
  compared: ComparedSides,
  shift: number,
  a: number,
  inputs: number,
): ReportedDifference {
  const { kind, isConsequence, sides, byChance } = difference;
  return {
    kind,
    pair: a,
    callPath: callPathOf(difference.path, compared),
    ...(isConsequence ? { consequence: true } : {}),
    sides: Array.from({ length: inputs }, (_, input) => sides[input - a] ?? null),
    ...present({ significance: byChance }),
    sentence: differenceSentence(difference, compared, shift),
  };
}

function callPathOf(path: number, { paths, functions }: ComparedSides): readonly string[] {
  const names: string[] = [];
  for (let node = path; node >= 0; node = at(paths, node).parent)
    names.push(at(functions, at(paths, node).function).name);
  return names.reverse();
}

/** Fewer call paths in common are two programs. */
const leastMatched = 0.3;

function notesOf(
  { names: [a, b], runs }: ComparedSides,
  { matched, added, deleted, totals, total, shift }: Comparison,
): readonly string[] {
  const [before, after] = totals;
  const isSure = total.byChance === undefined || total.byChance <= 0.01;
  const whole = `${a} → ${b}: ${formatSeconds(before)} → ${formatSeconds(after)} in all functions of all processes`;
  const change = Math.abs(after / before - 1);
  return [
    isSure && change >= 0.005
      ? `${whole}: ${longer(before, after)}.`
      : `${whole}, which is no difference beyond the noise.`,
    ...(Math.abs(Math.log(shift)) < 0.02
      ? []
      : [
          `All functions take about ${formatPercent(Math.abs(shift - 1))} ${shift > 1 ? 'longer' : 'less'}, as on a machine that is ${shift > 1 ? 'slower' : 'faster'}: what is named changed otherwise.`,
        ]),
    ...(runs[0] + runs[1] > 2
      ? []
      : [
          'Each was measured once: whether a difference is noise is not known. Repeat the measurements (--repetitions 5).',
        ]),
    ...(matched >= leastMatched * (matched + added + deleted)
      ? []
      : [
          `Only ${matched} of ${matched + added + deleted} call paths are in both: these may be two different programs.`,
        ]),
  ];
}

function propertyOf(
  difference: Difference,
  compared: ComparedSides,
  shift: number,
  [first, second]: readonly [Base, Base],
): Property {
  const { kind, path, sides, seconds, byChance } = difference;
  const { key, place } = at(compared.functions, difference.function);
  const base = kind === 'removed-work' ? first : second;
  const [before, after] = sides;
  return {
    id: `${kind}:${key}${kind === 'slower' || kind === 'faster' ? '' : `:${path}`}`,
    kind,
    title: differenceSentence(difference, compared, shift).replace(/\.$/, ''),
    severity: shareOf(seconds, base),
    confidence: compared.runs[0] + compared.runs[1] > 2 ? 1 - (byChance ?? 0) : 0.5,
    region: place,
    callPath: callPathOf(path, compared),
    evidence: {
      ...(before === undefined ? {} : { visitsBefore: before.count, secondsBefore: before.seconds }),
      ...(after === undefined ? {} : { visitsAfter: after.count, secondsAfter: after.seconds }),
      ...present({ byChance }),
    },
    base,
    origin: { run: base.run, analysis: 'comparison' },
  };
}
