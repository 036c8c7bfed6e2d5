import { at, atInt, atUint } from '../core/at';
import type { Base } from '../core/functions/base';
import { shareOf } from '../core/functions/share';
import { present } from '../core/present';
import type { RegionPlace } from '../core/profile/place';
import { bySeverity, type Property } from '../core/properties/property';
import type { Steps } from '../core/steps';
import { sumOf } from '../core/sums';
import type { CallTrace } from '../core/trace/callTrace';
import {
  compareTracesInSteps,
  processesOf,
  type ComparedTracePair,
  type TraceOptions,
} from '../core/trace/views/compareTraces';
import type { FoundCharacteristic } from '../core/trace/pair/characteristics';
import type { TraceDifference, TraceDifferenceKind, TraceSide } from '../core/trace/pair/differences';
import { traceSentence } from '../core/trace/pair/differenceWords';
import { namesTo } from '../core/trace/pair/entryWords';
import { commonChange } from '../core/trace/pair/visitTimes';
import type { CompareReport, ReportedDifference } from './compare';
import { readTraces, type ReadView, type TraceInput } from './comparing/traceInputs';

/** What changed from each trace to the next one (docs/INTERFACES.md): as of profiles, and what only traces show. */
export interface TraceCompareReport extends Omit<CompareReport, 'differences'> {
  /** Of all pairs; the most at stake first. */
  readonly differences: readonly ReportedTraceDifference[];
  /** What the differences amount to, by pair; those with the largest share first. */
  readonly characteristics: readonly (Omit<FoundCharacteristic, 'node'> & { readonly pair: number })[];
}

export interface ReportedTraceDifference extends Omit<ReportedDifference, 'kind'> {
  readonly kind: TraceDifferenceKind;
}

export interface TraceCompareOptions extends TraceOptions {
  /** Function each of whose calls is an iteration. */
  readonly phase?: string;
}

/**
 * Compares traces with each other, a step for each that is read.
 * @param inputs at least two
 * @throws KymoError of `readTraces` and `compareTraces`
 */
export function* compareTraceInputs(
  inputs: readonly TraceInput[],
  { phase, ...options }: TraceCompareOptions = {},
): Steps<TraceCompareReport> {
  const read = readTraces(inputs, phase);
  const { pairs, metric, notes, frequencies } = yield* compareTracesInSteps(read.views, read.table, options);
  const bases = read.views.map((view, position) => baseOf(view, at(frequencies, position)));
  return {
    metric: { name: metric, unit: metric === 'time' ? 'sec' : 'occ' },
    inputs: read.views.map(({ name, traces }, view) => ({
      ...{ name, runs: 1, processes: processesOf(traces) },
      base: at(bases, view),
    })),
    pairs: pairs.map(({ comparison, values, words }, a) => {
      const { matched, added, deleted, changed, unchanged } = comparison;
      const [own, next] = [at(read.views, a), at(read.views, a + 1)];
      return {
        ...{ a, b: a + 1, matched, added, deleted, changed, unchanged },
        per: processesOf(own.traces) === processesOf(next.traces) ? ('all' as const) : ('process' as const),
        totals: values.totals,
        shift: metric === 'time' ? (commonChange(words.tree, values)?.ratio ?? 1) : 1,
      };
    }),
    differences: pairs
      .flatMap((pair, a) =>
        pair.comparison.differences.map((difference) => reported(difference, pair, a, inputs.length)),
      )
      .sort((x, y) => y.stake - x.stake),
    notes: [...read.notes(), ...notes],
    characteristics: pairs.flatMap(({ characteristics }, pair) =>
      characteristics.map(({ kind, sentence, share, callPath, place }) => ({
        ...{ pair, kind, sentence, share, callPath },
        ...present({ place }),
      })),
    ),
    properties: pairs
      .flatMap((pair, a) =>
        pair.comparison.differences
          .filter(({ isConsequence }) => !isConsequence)
          .map((difference) =>
            propertyOf(difference, pair, at(bases, difference.kind === 'removed-work' ? a : a + 1)),
          ),
      )
      .sort(bySeverity),
  };
}

/** Traces measure by the wall clock: waiting in calls is in their times. */
function baseOf({ name }: ReadView, { seconds }: CallTrace): Base {
  return { run: name, clock: 'wall', seconds: sumOf(seconds), leftOut: [] };
}

function reported(
  difference: TraceDifference,
  { words }: ComparedTracePair,
  a: number,
  inputs: number,
): ReportedTraceDifference {
  const { kind, node, sides, stake, isConsequence } = difference;
  return {
    ...{ kind, pair: a },
    callPath: namesTo(node, words.tree),
    region: placeOf(node, words.tree),
    ...(isConsequence ? { consequence: true } : {}),
    sides: Array.from({ length: inputs }, (_, input) => reportedSide(sides[input - a], words.metric)),
    stake,
    sentence: traceSentence(difference, words),
  };
}

function reportedSide(side: TraceSide | undefined, metric: string): ReportedTraceDifference['sides'][number] {
  if (side === undefined) return null;
  const { count, seconds, value } = side;
  return {
    ...{ count, seconds },
    ...(metric === 'time' ? {} : { value }),
    ...(metric === 'instructions' ? { instructions: value } : {}),
  };
}

/** Of a message and of a function without a line, the nearest caller that has one. */
function placeOf(node: number, { parent, key, table }: ComparedTracePair['words']['tree']): RegionPlace {
  let nearest: RegionPlace | undefined;
  for (let above = node; above >= 0; above = atInt(parent, above)) {
    const own = at(table.keys, atUint(key, above));
    if (own.kind !== 'context') continue;
    if (own.place.file !== undefined && own.place.line !== undefined) return own.place;
    nearest ??= own.place;
  }
  return nearest ?? { name: 'program' };
}

function propertyOf(difference: TraceDifference, { words, values }: ComparedTracePair, base: Base): Property {
  const { kind, node, sides, stake, seconds, partners } = difference;
  const [before, after] = sides;
  const callPath = namesTo(node, words.tree);
  const parent = node < 0 ? -1 : atInt(words.tree.parent, node);
  const which = partners === undefined ? '' : `:${partners.kind} ${partners.call}`;
  return {
    id: `${kind}:${callPath.join('>')}${which}`,
    kind,
    title: traceSentence(difference, words).replace(/\.$/, ''),
    ...(seconds > 0 || words.metric === 'time' ? { severity: shareOf(seconds, base), base } : {}),
    // What is counted is certain; times of one run each are not.
    confidence: kind === 'slower' || kind === 'faster' ? 0.5 : 1,
    region: placeOf(kind === 'removed-work' && parent >= 0 ? parent : node, words.tree),
    callPath,
    evidence: {
      ...evidenceOf('Before', before, words.metric),
      ...evidenceOf('After', after, words.metric),
      ...present({ shift: partners?.shift }),
      ...(words.metric === 'time' ? {} : { stakeShare: shareOfMetric(stake, values.totals) }),
    },
    origin: { run: base.run, analysis: 'comparison' },
  };
}

/** Of the view that has more of the metric. */
function shareOfMetric(stake: number, totals: readonly [number, number]): number {
  const whole = Math.max(...totals);
  return whole > 0 ? Math.min(1, stake / whole) : 0;
}

function evidenceOf(when: string, side: TraceSide | undefined, metric: string): Record<string, number> {
  if (side === undefined) return {};
  return {
    [`visits${when}`]: side.count,
    [`seconds${when}`]: side.seconds,
    ...(metric === 'time' ? {} : { [`value${when}`]: side.value }),
  };
}
