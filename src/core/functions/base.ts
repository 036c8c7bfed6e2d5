import { formatCount, formatSeconds } from '../format';
import type { Clock } from '../profile/computingTime';

/** What a share is of: one run, one clock, one denominator. Every share is shown with it, and shares of one base may be compared. */
export interface Base {
  /** `i3.r1`: round 3 of the refinement, run 1; for a profile that no study measured, its name. */
  readonly run: string;
  readonly clock: Clock;
  /** `ranks 2–4`: the processes that it is of; absent: all of the run. */
  readonly processes?: string;
  /** What 100 % is: the time of all these locations together, seconds. */
  readonly seconds: number;
  /** Measured time that is not part of it. */
  readonly leftOut: readonly { readonly what: LeftOut; readonly seconds: number }[];
  /** Number of functions that were recorded in a part of the run only (`RecordedPart`); absent: none. */
  readonly partlyRecorded?: number;
}

export type LeftOut = 'waiting' | 'recording' | 'MPI start and end';

/** Names all runs of a round together. */
export function roundName(round: number): string {
  return `i${round}`;
}

/** Names the run of a round. */
export function runName(round: number, repetition: number): string {
  return `${roundName(round)}.r${repetition}`;
}

/** The round of a run's name; undefined where it is none of a refinement. */
export function roundOf({ run }: Pick<Base, 'run'>): number | undefined {
  const [, round] = /^i(\d+)\.r\d+$/.exec(run) ?? [];
  return round === undefined ? undefined : Number(round);
}

/** What the time is called in a sentence. */
export function timeWords({ clock, leftOut }: Pick<Base, 'clock' | 'leftOut'>): string {
  const isWhole = leftOut.every(({ what }) => what !== 'MPI start and end');
  if (isWhole) return clock === 'cpu' ? 'the computing time' : 'the run time';
  return `the ${clock === 'cpu' ? 'computing time' : 'time'} without MPI’s start and end`;
}

/** ` of all 8 ranks together`: whose time the sum over all locations is; nothing for one thread. */
export function togetherWords(ranks: number, threads: number): string {
  if (ranks > 1) return ` of all ${formatCount(ranks)} ranks together`;
  return threads > 1 ? ` of all ${formatCount(threads)} threads together` : '';
}

/**
 * `12.3 s computing time of ranks 2–4 in run i3.r1, without 1.2 s of waiting and 0.1 s of recording`
 * @param whose time it is, such as ` of all 8 ranks together`, where the base does not say it
 */
export function baseText(
  { run, clock, processes, seconds, leftOut, partlyRecorded }: Base,
  whose = '',
): string {
  const parts = leftOut.map((part) => `${formatSeconds(part.seconds)} of ${part.what}`);
  const last = parts.pop();
  const all = parts.length === 0 ? last : `${parts.join(', ')} and ${last ?? ''}`;
  const time = clock === 'cpu' ? 'computing time' : 'run time';
  const of = processes === undefined ? whose : ` of ${processes}`;
  const without = all === undefined ? '' : `, without ${all}`;
  return `${formatSeconds(seconds)} ${time}${of} in run ${run}${without}${partsText(partlyRecorded)}`;
}

function partsText(functions: number | undefined): string {
  if (functions === undefined) return '';
  return functions === 1
    ? '; one function was recorded in a part of it only'
    : `; ${functions} functions were recorded in a part of it only`;
}

/** ` in round 2`: follows a share of an earlier round. */
export function inRound(base: Base): string {
  const round = roundOf(base);
  return round === undefined ? ` in ${base.run}` : ` in round ${round}`;
}
