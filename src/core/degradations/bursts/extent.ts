import { sumOf } from '../../sums';
import { present } from '../../present';
import { atFloat } from '../../at';
import { fitHinge } from '../../signal/fits/hinge';
import { longestStep } from '../../signal/trends';
import type { Pattern } from '../../signal/signal';

/** A rise that fills its run except for this share at an end extends to that end of the run. */
const snap = 0.05;
/** An end within this share of the series from the series' end is moved there. */
const atTheEnd = 0.02;
/** The turn is searched within this share of the run around its ends, and at least within `fewest` samples. */
const reachShare = 0.2;
const fewest = 4;

/**
 * A pattern with the interval that is reported. A rising run, as the interval tree sees it, begins too early for "flat, then rising"
 * (§8.2): what is reported is the rise itself, and the whole run where the rise fills it but for its ends. Where the series turns from
 * falling to rising, or back, smoothing rounds the turn: it is looked for in the values.
 */
export function withReportedExtent(pattern: Pattern, values: Float64Array): Pattern {
  const { core, from, to } = pattern;
  if (core === undefined || pattern.type === 'peak') return pattern;
  if (pattern.type === 'step') return between(pattern, values, core[0], core[1]);
  const length = to - from + 1;
  const startsFlat = core[0] - from > snap * length;
  const endsFlat = to - core[1] > snap * length;
  const near = Math.max(2, atTheEnd * values.length);
  const reach = Math.max(fewest, Math.round(reachShare * length));
  const end = values.length - 1;
  let first = startsFlat ? core[0] : from;
  let last = endsFlat ? core[1] : to;
  if (first <= near) first = 0;
  else if (!startsFlat) first = turn(values, first, reach, last) ?? first;
  if (last >= end - near) last = end;
  else if (!endsFlat) last = turn(values, last, reach, end) ?? last;
  first = Math.min(first, core[1]);
  last = Math.max(last, core[0]);
  // Turns that leave no more than a step of a trend are those of other changes.
  if (last - first <= longestStep(values.length)) [first, last] = core;
  return between(pattern, values, first, last);
}

function turn(values: Float64Array, around: number, reach: number, limit: number): number | undefined {
  return fitHinge(values, Math.max(0, around - reach), Math.min(limit, around + reach))?.at;
}

/** Samples that change sides are counted there; the cost of both together stays. */
function between(pattern: Pattern, values: Float64Array, from: number, to: number): Pattern {
  if (from === pattern.from && to === pattern.to) return pattern;
  const { core, excess, aftermath } = pattern;
  const [low] = pattern.levels;
  const sign = pattern.improvement === true ? -1 : 1;
  let added = 0;
  for (let iteration = pattern.to + 1; iteration <= to; iteration++)
    added += Math.max(0, sign * (atFloat(values, iteration) - low));
  const moving = Math.min(added, aftermath);
  return {
    ...pattern,
    from,
    to,
    ...present({ core: core && ([Math.max(core[0], from), Math.min(core[1], to)] as const) }),
    sum: sumOf(values, from, to),
    excess: excess + moving,
    aftermath: aftermath - moving,
  };
}

/** The pattern shifted by `iterations`. */
export function moved(pattern: Pattern, iterations: number): Pattern {
  const { core, at, onset, end } = pattern;
  return {
    ...pattern,
    from: pattern.from + iterations,
    to: pattern.to + iterations,
    ...present({
      core: core && ([core[0] + iterations, core[1] + iterations] as const),
      onset: onset && ([onset[0] + iterations, onset[1] + iterations] as const),
      end: end && ([end[0] + iterations, end[1] + iterations] as const),
      at: at === undefined ? undefined : at + iterations,
    }),
  };
}

/** The same pattern where each position stood for `length` iterations, of `iterations` altogether. */
export function stretched(pattern: Pattern, length: number, iterations: number): Pattern {
  if (length === 1) return pattern;
  const first = (position: number): number => Math.min(iterations - 1, position * length);
  const last = (position: number): number => Math.min(iterations - 1, position * length + length - 1);
  const { core, at, onset, end, costDeviation } = pattern;
  return {
    ...pattern,
    from: first(pattern.from),
    to: last(pattern.to),
    ...present({
      core: core && ([last(core[0]), first(core[1])] as const),
      onset: onset && ([first(onset[0]), last(onset[1])] as const),
      end: end && ([first(end[0]), last(end[1])] as const),
      costDeviation: costDeviation === undefined ? undefined : costDeviation * length,
      at: at === undefined ? undefined : first(at) + Math.floor((length - 1) / 2),
    }),
    sum: pattern.sum * length,
    excess: pattern.excess * length,
    aftermath: pattern.aftermath * length,
  };
}

export function overlaps(a: Pattern, b: Pattern): boolean {
  return a.from <= b.to && b.from <= a.to;
}

export function lengthOf({ from, to }: Pattern): number {
  return to - from + 1;
}
