import { isTelling } from '../functions/doubt';
import { shareOf } from '../functions/share';
import { effectiveExclusive } from '../knowledge/effectiveTime';
import type { FunctionKnowledge, Knowledge } from '../knowledge/knowledge';
import { chooseIntervals, costWith } from './sampling';
import type { SelectionOptions } from '../selection/selectionOptions';

/** A function that was executed and can be recorded. */
export interface Candidate {
  readonly key: string;
  readonly measured: FunctionKnowledge;
  /** visits × pair in percent of the baseline. */
  readonly overheadPercent: number;
  /** The same when about one in `interval` visits is timed; absent where that is not possible. */
  readonly sampledPercent?: (interval: number) => number;
}

export interface BudgetInput {
  readonly candidates: readonly Candidate[];
  readonly knowledge: Knowledge;
  /** A share of 1. */
  readonly runSeconds: number;
  /** Selected at any cost: the entry function and the functions that the user pinned. */
  readonly mandatory: ReadonlySet<string>;
  /** Functions on a path from main to one of these hot spots. */
  readonly pathsTo: (hotSpots: readonly string[]) => ReadonlySet<string>;
  /** Functions that the function may call, at any depth; itself only if it is recursive. */
  readonly below: (key: string) => ReadonlySet<string>;
  readonly options: SelectionOptions;
  /** Another run follows, so that a function can be timed to find out whether it is worth its cost. */
  readonly canTry: boolean;
}

export interface BudgetResult {
  readonly affordable: ReadonlySet<string>;
  /** Interval of hot spots that are sampled: about one in this number of visits is timed. Nothing below these is selected. */
  readonly intervals: ReadonlyMap<string, number>;
  readonly hotSpots: ReadonlySet<string>;
  /** Functions on paths from main to hot spots, affordable or not. */
  readonly context: ReadonlySet<string>;
  /** Exclusive seconds as the affordable functions will show them. */
  readonly exclusiveSeconds: ReadonlyMap<string, number>;
  readonly overheadPercent: number;
  /** Hot spots that are not selected, because hot spots alone exceed `limits.hotSpots`. */
  readonly dropped: ReadonlySet<string>;
  /** Maximum predicted overhead, percent: of the hot spots alone, and with the others. */
  readonly limits: { readonly hotSpots: number; readonly others: number };
}

/**
 * Part of a function's own cost by which its exclusive time may be wrong: about half of the cost was taken off that time, and half of
 * this may have been too much.
 */
const correctionDoubt = 0.25;
/** Share of the predicted maximum below which the cost of one function does not count against the reserve. */
const nextToNothing = 0.01;

/**
 * Chooses among measured functions under the overhead target. The cost of each function is known exactly, so this is arithmetic:
 *
 * 1. Hot spots (exclusive share), mandatory functions, and functions with a large inclusive share that cost next to nothing are selected.
 *    Only if these alone exceed what predictions may fill, of the hot spots with the least exclusive time per visit not all visits are
 *    timed (`sampling.ts`); where that is not enough or not possible, they go, and their time falls to their callers, which may become
 *    hot spots in their place.
 * 2. What this leaves (less a reserve) is filled by value: the ways from main to hot spots and functions with a large
 *    inclusive share, then what was only counted so far and has to be timed once, then whatever is useful; within each, the most time per
 *    visit first, so that the worst offenders stay out. Where no run follows that would tell, a function counts with all the time that it
 *    may have (`possibleSeconds`).
 *    The reserve is open to functions that cost next to nothing: else the ways to the hot spots would be lost whenever these take
 *    nearly all of the target.
 */
export function spendBudget(given: BudgetInput): BudgetResult {
  const input = { ...given, mandatory: new Set([...given.mandatory, ...nearlyFree(given)]) };
  const { hotSpots, dropped, intervals, exclusive } = affordableHotSpots(input);
  const { options, mandatory } = input;
  const context = input.pathsTo([...hotSpots]);
  const affordable = new Set<string>();
  let overheadPercent = 0;
  const keep = (candidate: Candidate): void => {
    affordable.add(candidate.key);
    overheadPercent += costWith(intervals, candidate);
  };
  const hidden = new Set([...intervals.keys()].flatMap((key) => [...input.below(key)]));
  const optional: Candidate[] = [];
  for (const candidate of input.candidates) {
    if (mandatory.has(candidate.key) || hotSpots.has(candidate.key)) keep(candidate);
    else if (!dropped.has(candidate.key) && !hidden.has(candidate.key)) optional.push(candidate);
  }
  const limits = limitsOf(options);
  const fits = (cost: number): boolean =>
    overheadPercent + cost <= (cost <= nextToNothing * limits.hotSpots ? limits.hotSpots : limits.others);
  const classOf = (c: Candidate): number => {
    if (context.has(c.key) || possibleShare(input, c) >= options.hotInclusiveShare) return 0;
    if (c.measured.counted === true && input.canTry) return 1;
    return inclusiveShare(input, c) >= options.usefulShare ? 2 : 3;
  };
  const ranked = optional
    .map((candidate) => ({ candidate, rank: classOf(candidate) }))
    .filter((c) => c.rank < 3);
  ranked.sort((a, b) => a.rank - b.rank || orderWithin(input, a.rank, a.candidate, b.candidate));
  for (const { candidate } of ranked) {
    if (fits(candidate.overheadPercent)) keep(candidate);
  }
  return {
    affordable,
    intervals,
    hotSpots,
    context,
    exclusiveSeconds: exclusive,
    overheadPercent,
    dropped,
    limits,
  };
}

function limitsOf({ overheadPercent, aimShare, fillShare }: SelectionOptions): BudgetResult['limits'] {
  const hotSpots = overheadPercent * aimShare;
  return { hotSpots, others: hotSpots * fillShare };
}

const inclusiveShare = ({ runSeconds }: BudgetInput, { measured }: Candidate): number =>
  shareOf(measured.inclusiveSeconds, { seconds: runSeconds });

/**
 * The inclusive time; with its error, where that is so large that the time means nothing and no run follows that would show it. A first run
 * that records everything costs several times the program's own time, so that what is taken off for that can be all that the hottest
 * function had.
 */
function possibleSeconds({ canTry, runSeconds }: BudgetInput, { measured }: Candidate): number {
  const { inclusiveSeconds, doubtSeconds = 0 } = measured;
  const run = { seconds: runSeconds };
  const tells = canTry || isTelling(shareOf(inclusiveSeconds, run), shareOf(doubtSeconds, run));
  return tells ? inclusiveSeconds : Math.min(runSeconds, inclusiveSeconds + doubtSeconds);
}

const possibleShare = (input: BudgetInput, candidate: Candidate): number =>
  shareOf(possibleSeconds(input, candidate), { seconds: input.runSeconds });

/** Much of the run for next to nothing, together no more than the reserve: hot spots that fill the target must not push these out. */
function nearlyFree(input: BudgetInput): readonly string[] {
  const { hotSpots, others } = limitsOf(input.options);
  let left = hotSpots - others;
  return input.candidates
    .filter((c) => c.overheadPercent <= nextToNothing * hotSpots)
    .filter((c) => inclusiveShare(input, c) >= input.options.hotInclusiveShare)
    .sort(byTimePerVisit)
    .filter((c) => (left -= c.overheadPercent) >= 0)
    .map((c) => c.key);
}

interface HotSpots {
  readonly hotSpots: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
  readonly intervals: ReadonlyMap<string, number>;
  readonly exclusive: ReadonlyMap<string, number>;
}

/** The worst go until the others fit; then those come back, the hottest first, that fit after all, for what went later made room. */
function affordableHotSpots(input: BudgetInput): HotSpots {
  const limit = limitsOf(input.options).hotSpots;
  const dropped: Candidate[] = [];
  let now = hotSpotsWithout(input, new Set());
  while (now.percent > limit && now.worst !== undefined) {
    dropped.push(now.worst);
    now = hotSpotsWithout(input, keysOf(dropped));
  }
  const hottest = [...dropped].sort((a, b) => b.measured.exclusiveSeconds - a.measured.exclusiveSeconds);
  for (const candidate of hottest) {
    const others = new Set(now.dropped);
    others.delete(candidate.key);
    const again = hotSpotsWithout(input, others);
    if (again.percent <= limit) now = again;
  }
  return now;
}

const keysOf = (candidates: readonly Candidate[]): ReadonlySet<string> =>
  new Set(candidates.map(({ key }) => key));

/** Which functions are hot when some are not recorded, and what recording them costs; `worst` is the one with the least time per visit. */
function hotSpotsWithout(
  { candidates, knowledge, mandatory, options, runSeconds, below }: BudgetInput,
  dropped: ReadonlySet<string>,
): HotSpots & { readonly percent: number; readonly worst: Candidate | undefined } {
  const least = options.hotExclusiveShare * runSeconds;
  const fixed = candidates.filter((c) => mandatory.has(c.key)).reduce((sum, c) => sum + c.overheadPercent, 0);
  const exclusive = effectiveExclusive(knowledge, dropped);
  const isHot = (c: Candidate): boolean =>
    !dropped.has(c.key) &&
    (exclusive.get(c.key) ?? 0) + correctionDoubt * (c.overheadPercent / 100) * runSeconds >= least;
  const spots = candidates.filter(isHot);
  const hot = spots.filter((c) => !mandatory.has(c.key));
  const perVisit = (c: Candidate): number => (exclusive.get(c.key) ?? 0) / c.measured.allVisits;
  hot.sort((a, b) => order(perVisit(a) - perVisit(b), a, b));
  const recorded = new Set([...mandatory, ...hot.map((c) => c.key)]);
  const { intervals, percent } = chooseIntervals(hot, recorded, below, fixed, limitsOf(options).hotSpots);
  return { hotSpots: keysOf(spots), dropped, intervals, exclusive, percent, worst: hot[0] };
}

/** Functions that were only counted have hardly any known time: the cheapest first. */
function orderWithin(input: BudgetInput, rank: number, a: Candidate, b: Candidate): number {
  if (rank === 1) return order(a.overheadPercent - b.overheadPercent, a, b);
  const perVisit = (c: Candidate): number => possibleSeconds(input, c) / c.measured.allVisits;
  return order(perVisit(b) - perVisit(a), b, a);
}

function byTimePerVisit(a: Candidate, b: Candidate): number {
  return order(
    a.measured.inclusiveSeconds / a.measured.allVisits - b.measured.inclusiveSeconds / b.measured.allVisits,
    a,
    b,
  );
}

/** Ties are broken by key, so that the same knowledge always gives the same selection. */
function order(difference: number, a: Candidate, b: Candidate): number {
  return difference !== 0 ? difference : a.key < b.key ? -1 : 1;
}
