import { roundOf, type Base } from './base';

/** The part of a function's measures that makes its share comparable with others. */
export interface SharedTime {
  readonly inclusiveShare?: number;
  readonly exclusiveShare?: number;
  readonly base?: Base;
  /** Another base than that of the last run. */
  readonly earlier?: true;
}

/** The round that its shares are of, if that is not the last one. */
export function earlierRound({ base, earlier }: SharedTime): number | undefined {
  if (earlier === undefined) return undefined;
  return base === undefined ? 0 : (roundOf(base) ?? 0);
}

/**
 * The share, if it is of the last run. An earlier one is no part of what the last run's shares add up to: in that, the time is its caller's.
 */
export function lastRunShare(
  one: SharedTime,
  measure: 'inclusiveShare' | 'exclusiveShare',
): number | undefined {
  return one.earlier === undefined ? one[measure] : undefined;
}

/** Behind the number of any round, and small enough for the digits of a share. */
const lastRun = 1_000_000;

/**
 * A number to sort by, the largest first, that never sets shares of different runs against each other: those of the last run are before
 * those of the rounds before it, the latest round first, and what was never measured is behind all.
 */
export function shareRank(share: number | undefined, round: number | undefined): number {
  if (share === undefined) return -1;
  return (round === undefined ? lastRun : 2 * round) + share;
}

/** Compares two functions by it. */
export function byShare(
  measure: 'inclusiveShare' | 'exclusiveShare',
): (a: SharedTime, b: SharedTime) => number {
  const rank = (one: SharedTime): number => shareRank(one[measure], earlierRound(one));
  return (a, b) => rank(b) - rank(a);
}
