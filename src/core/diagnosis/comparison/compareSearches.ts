import { at } from '../../at';
import { KymoError } from '../../errors';
import { largestOf } from '../../sums';
import type { SearchRecord } from '../search/searchRecord';
import { type Bottleneck, bottlenecksOf } from './bottlenecks';
import { discoveryProfile, meanOf, type ProfilePoint, type Spread, spreadOf } from './discoveryProfile';

/** Searches of one program in the same way. */
export interface SearchTrial {
  /** For people: `call graph`, `Deep Start, 0.2`. */
  readonly label: string;
  readonly runs: readonly SearchRecord[];
}

/** Means over the runs of a trial. */
export interface ComparedTrial {
  readonly label: string;
  readonly runs: number;
  /** Experiments that were measured. */
  readonly experiments: number;
  /** Bottlenecks that a run found. */
  readonly found: number;
  /** Times at which a run found its bottlenecks, summed up. Small is good, but only beside `found`: what is not found has no time. */
  readonly utilitySum: number;
  /** The same for each known bottleneck. Seconds. */
  readonly utilityMean: number;
  readonly profile: readonly ProfilePoint[];
  /** When half of the known bottlenecks were found, by the runs that did. */
  readonly half?: Spread;
  /** When a run found the last of its bottlenecks. */
  readonly finish?: Spread;
  /** Share (0…1) of the true bottlenecks that a run found, and share of what it found that is true; where the truth is given. */
  readonly recall?: number;
  readonly precision?: number;
  /** How much later the same was reached than in the first trial, as a share: -0.3 is 30 % earlier. Absent for the first. */
  readonly change?: {
    readonly utility: number;
    /** Of the mean time until as many were found as in the trial that found fewer: the utility is larger where more is found. */
    readonly equalFound?: number;
    readonly half?: number;
    readonly finish?: number;
  };
}

export interface SearchComparison {
  /** By what the times are measured. */
  readonly clock: SearchRecord['clock'];
  /** What any run of any trial found, each at the earliest time. */
  readonly known: readonly Bottleneck[];
  /** Number of true bottlenecks, where the truth is given. */
  readonly truth?: number;
  readonly trials: readonly ComparedTrial[];
}

export class ComparisonError extends KymoError<'no-searches' | 'different-clocks'> {
  override readonly name = 'ComparisonError';
}

/**
 * How well searches did beside each other ([D 6.2], specification 8.4). Known bottlenecks are those of all runs together.
 * @param truth bottlenecks that a model of the program has, as the record of a search without limits
 * @throws ComparisonError for a trial without runs, and for times of different clocks
 */
export function compareSearches(trials: readonly SearchTrial[], truth?: SearchRecord): SearchComparison {
  const clock = commonClock(trials);
  const found = trials.map(({ runs }) => runs.map(bottlenecksOf));
  const known = new Map<string, Bottleneck>();
  for (const [key, bottleneck] of found.flat().flatMap((run) => [...run]))
    if (bottleneck.seconds < (known.get(key)?.seconds ?? Infinity)) known.set(key, bottleneck);
  const real = truth && new Set(bottlenecksOf(truth).keys());
  const compared = trials.map((trial, index) => trialOf(trial, at(found, index), known.size, real));
  const [first, ...others] = compared;
  return {
    clock,
    known: [...known.values()],
    ...(real && { truth: real.size }),
    trials: first === undefined ? [] : [first, ...others.map((trial) => withChange(trial, first))],
  };
}

function commonClock(trials: readonly SearchTrial[]): SearchRecord['clock'] {
  const empty = trials.find(({ runs }) => runs.length === 0);
  const clocks = new Set(trials.flatMap(({ runs }) => runs.map(({ clock }) => clock)));
  const [clock, other] = clocks;
  if (clock === undefined || empty !== undefined)
    throw new ComparisonError(
      'no-searches',
      `There is no search to compare${empty === undefined ? '' : ` in “${empty.label}”`}. Name at least one export of a search.`,
    );
  if (other !== undefined)
    throw new ComparisonError(
      'different-clocks',
      `These searches cannot be compared: times of one are ${clock}, of another ${other}. Compare searches whose times are of one kind.`,
    );
  return clock;
}

type Found = ReadonlyMap<string, Bottleneck>;

function trialOf(
  { label, runs }: SearchTrial,
  found: readonly Found[],
  known: number,
  truth: ReadonlySet<string> | undefined,
): ComparedTrial {
  const times = found.map((run) => [...run.values()].map(({ seconds }) => seconds));
  const profile = discoveryProfile(times, known);
  const half = profile[Math.ceil(known / 2) - 1]?.time;
  const last = times.filter(({ length }) => length > 0).map((run) => largestOf(run));
  const utilitySum = meanOf(times.map((run) => run.reduce((sum, seconds) => sum + seconds, 0)));
  return {
    label,
    runs: runs.length,
    experiments: meanOf(runs.map(({ nodes }) => nodes.filter(({ data }) => data !== undefined).length)),
    found: meanOf(times.map(({ length }) => length)),
    utilitySum,
    utilityMean: known === 0 ? 0 : utilitySum / known,
    profile,
    ...(half && { half }),
    ...(last.length > 0 && { finish: spreadOf(last) }),
    ...(truth && againstTruth(found, truth)),
  };
}

function againstTruth(
  found: readonly Found[],
  truth: ReadonlySet<string>,
): Required<Pick<ComparedTrial, 'recall' | 'precision'>> {
  const hits = found.map((run) => [...run.keys()].filter((key) => truth.has(key)).length);
  return {
    recall: meanOf(hits.map((count) => shareOf(count, truth.size))),
    precision: meanOf(hits.map((count, run) => shareOf(count, at(found, run).size))),
  };
}

/** Nothing of nothing is all of it. */
function shareOf(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function withChange(trial: ComparedTrial, first: ComparedTrial): ComparedTrial {
  const change = (now: number, before: number): number => (before === 0 ? 0 : now / before - 1);
  const equal = Math.floor(Math.min(trial.found, first.found));
  const meanUpTo = ({ profile }: ComparedTrial): number =>
    meanOf(profile.slice(0, equal).map(({ time }) => time.mean));
  return {
    ...trial,
    change: {
      utility: change(trial.utilityMean, first.utilityMean),
      ...(equal > 0 && { equalFound: change(meanUpTo(trial), meanUpTo(first)) }),
      ...(trial.half && first.half && { half: change(trial.half.mean, first.half.mean) }),
      ...(trial.finish && first.finish && { finish: change(trial.finish.mean, first.finish.mean) }),
    },
  };
}
