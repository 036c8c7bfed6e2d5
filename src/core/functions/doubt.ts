import type { RegionTimes, RunTimes } from './regionTimes';

/** The run that the times are of, over all locations. Seconds. */
export interface CorrectedRun extends Pick<RunTimes, 'totalSeconds' | 'takenSeconds'> {
  /** Remaining excess over a run with nothing recorded: recording cost this much more than was subtracted, at unknown places. */
  readonly unexplainedSeconds: number;
  /** Part of what was taken off by which it may be too much or too little in all places alike (a standard deviation); default 0. */
  readonly costDoubt?: number;
}

/**
 * A pair costs more in one place than in another: caches, branches, work that overlaps with it. By this part of what was taken off, what
 * recording cost in a function and below it may differ from the mean of the run.
 */
export const differsByPlace = 0.3;

/** However much recording cost, the program did some work of its own. */
const leastExplained = 0.1;

/** Minimum number of timed visits to estimate the others: among fewer, a rare visit that takes most of the time may be missing. */
const leastTimedVisits = 10_000;

function estimateDoubt(
  { visits, timedVisits, estimateDoubtSeconds }: RegionTimes,
  run: CorrectedRun,
): number {
  return timedVisits < visits && timedVisits < leastTimedVisits ? run.totalSeconds : estimateDoubtSeconds;
}

/** How far a function's inclusive time may be from the truth, seconds. */
export function inclusiveDoubt(times: RegionTimes, run: CorrectedRun): number {
  // Functions recorded below a merely counted visit hang under its caller: their share in the function is unknown.
  if (times.timedVisits < times.visits && times.inclusiveSeconds > times.exclusiveSeconds)
    return run.totalSeconds;
  return doubtOf(times.inclusiveSeconds, times.takenSeconds, run) + estimateDoubt(times, run);
}

/** The same for its exclusive time. */
export function exclusiveDoubt(times: RegionTimes, run: CorrectedRun): number {
  return doubtOf(times.exclusiveSeconds, times.ownTakenSeconds, run) + estimateDoubt(times, run);
}

/**
 * What a part of the run's time would change if recording had cost more below it and less elsewhere, or the other way round, and if it had
 * cost more or less everywhere. Nothing for the whole run: a share of 1 stays one.
 */
function doubtOf(seconds: number, taken: number, run: CorrectedRun): number {
  const { totalSeconds, takenSeconds, unexplainedSeconds, costDoubt = 0 } = run;
  if (totalSeconds <= 0 || takenSeconds <= 0) return 0;
  const share = Math.min(1, Math.max(0, seconds / totalSeconds));
  const here = Math.min(takenSeconds, Math.max(0, taken));
  const factor = differsByPlace + unexplainedSeconds / takenSeconds;
  // Unexplained time beyond that of a run with nothing recorded reduces the shares of all functions that have no part in it.
  const dilution = 1 / Math.max(leastExplained, 1 - unexplainedSeconds / totalSeconds);
  const elsewhere = factor * ((1 - share) * here + share * (takenSeconds - here));
  return dilution * (elsewhere + costDoubt * Math.abs(here - share * takenSeconds));
}

/** A share is worth telling when it is right within three points or a tenth of it. */
export function isTelling(share: number, doubt: number): boolean {
  return doubt <= Math.max(0.03, 0.1 * share);
}
