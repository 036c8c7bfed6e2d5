/** Peaks at regular intervals: work that is done now and then, such as a checkpoint, and no degradation. */
import { at } from '../../at';
import type { Periodic } from '../model/result';

/** Part of the period by which a peak may be early or late: one that is further away is another one. */
const sameTrain = 1 / 3;
/** Part of the peaks that have to repeat, and part of the repetitions that have to be there: with less of them, it is not the period that describes the peaks. */
const mostPeaks = 3 / 4;
const fewestPeaks = 3;
/** Of peaks anywhere, the largest part that may be as regular: four peaks have a period of some jitter now and then. */
const mostByChance = 1 / 4;

/** The peaks of one problem on one rank. */
export interface PeaksOfRank {
  /** Iterations between them, where they have a period. */
  readonly period: number | undefined;
  /** First iterations, ascending. */
  readonly begins: readonly number[];
  /** With those that were only counted. */
  readonly count: number;
  /** Of all of them. */
  readonly cost: number;
}

/** Undefined where they do not repeat, or the ranks do not have one period. */
export function periodicOf(ranks: readonly PeaksOfRank[]): Periodic | undefined {
  const periods = ranks.flatMap(({ period }) => period ?? []).sort((a, b) => a - b);
  if (periods.length === 0 || 2 * periods.length < ranks.length) return undefined;
  const period = at(periods, periods.length >> 1);
  const trains = ranks.map(({ begins }) => longestTrain(begins, period));
  const sum = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0);
  const regular = sum(trains.map(({ length }) => length));
  const peaks = sum(ranks.map(({ begins }) => begins.length));
  if (regular < Math.max(fewestPeaks * ranks.length, mostPeaks * peaks)) return undefined;
  const chances = trains.map((train) => chanceOf(train, period)).sort((a, b) => a - b);
  if (at(chances, chances.length >> 1) > mostByChance) return undefined;
  const all = sum(ranks.map(({ count }) => count));
  const due = sum(trains.map(({ extent }) => 1 + Math.round(extent / period)));
  if (all < mostPeaks * due) return undefined;
  const occurrences = all / ranks.length;
  const cost = sum(ranks.map((rank) => rank.cost)) / ranks.length;
  const jitter = sum(trains.map(({ deviations }) => deviations)) / (regular - ranks.length);
  return { period, jitter, occurrences, costEach: cost / occurrences, cost };
}

interface Train {
  readonly length: number;
  /** Iterations from the first to the last one. */
  readonly extent: number;
  /** Sum of what its distances differ from multiples of the period. */
  readonly deviations: number;
  readonly largestDeviation: number;
}

/** How often distances of peaks anywhere are as near to multiples of the period: each but the one that the period is chosen by. */
function chanceOf({ length, largestDeviation }: Train, period: number): number {
  return Math.min(1, (2 * Math.floor(largestDeviation) + 1) / period) ** Math.max(0, length - 2);
}

/** The most peaks of which each is near a multiple of the period after the one before: drift does not add up, and one that is missing breaks nothing. */
function longestTrain(begins: readonly number[], period: number): Train {
  let longest: Train = { length: 0, extent: 0, deviations: 0, largestDeviation: 0 };
  for (let first = 0; begins.length - first > longest.length; first++) {
    let [last, length, deviations, largestDeviation] = [at(begins, first), 1, 0, 0];
    for (const begin of begins.slice(first + 1)) {
      const distance = begin - last;
      const deviation = Math.abs(distance - Math.max(1, Math.round(distance / period)) * period);
      if (deviation > sameTrain * period) continue;
      [last, length, deviations] = [begin, length + 1, deviations + deviation];
      largestDeviation = Math.max(largestDeviation, deviation);
    }
    if (length > longest.length)
      longest = { length, extent: last - at(begins, first), deviations, largestDeviation };
  }
  return longest;
}
