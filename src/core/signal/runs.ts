/**
 * Rising and falling runs of episodes (specification of performance dynamics, §8.2 steps 2 and 3), with the borders that they share.
 */
import type { LetteredPart } from './episodes';
import { fitHinge } from './fits/hinge';
import { medianOf } from '../transforms/median';
import type { Letter } from './signal';
import { towards, type Direction } from './fits/direction';

export interface Run {
  readonly from: number;
  readonly to: number;
  readonly stability: number;
  /** The run of the other direction begins right before or after: what is there does not belong to this one. */
  readonly closedBefore: boolean;
  readonly closedAfter: boolean;
}

export interface Runs {
  readonly rises: readonly Run[];
  readonly falls: readonly Run[];
}

/** Share of the length of two runs and what is between them from which the latter is long. */
const longGap = 0.25;
/** A change up to this share of the rise is none. */
export const levelShare = 0.1;

/** Runs by position. `bridgeDrop`: share of the rise up to which a dip between two runs does not part them. */
export function findRuns(parts: readonly LetteredPart[], cleaned: Float64Array, bridgeDrop: number): Runs {
  const rises = bridged(lettered(parts, 'ADE'), parts, new Levels(cleaned, 1), bridgeDrop);
  const falls = bridged(lettered(parts, 'BCF'), parts, new Levels(cleaned, -1), bridgeDrop);
  return withSharedBorders(rises, falls, cleaned);
}

/** Levels of the signal around a place: medians, which spikes and noise do not move. `direction` -1 mirrors them. */
export class Levels {
  private readonly reach: number;

  constructor(
    private readonly values: Float64Array,
    private readonly direction: Direction,
  ) {
    this.reach = Math.max(1, Math.floor(values.length / 64));
  }

  /** Error of a level, which is a median, when the noise has the given deviation. */
  offBy(noise: number): number {
    return noise * Math.sqrt(Math.PI / 2 / (2 * this.reach + 1));
  }

  at(place: number): number {
    return towards(medianOf(this.values, place - this.reach, place + this.reach), this.direction);
  }

  /** Before and after a run, which often begins or ends amid a step: the lower and the higher one of the levels at its end and beside it. */
  around({ from, to }: Pick<Run, 'from' | 'to'>): readonly [number, number] {
    const { reach } = this;
    return [
      Math.min(this.at(from), this.at(Math.max(0, from - reach))),
      Math.max(this.at(to), this.at(Math.min(this.values.length - 1, to + reach))),
    ];
  }
}

function lettered(parts: readonly LetteredPart[], wanted: string): Run[] {
  const runs: Run[] = [];
  for (const { letter, from, to, stability } of parts) {
    if (!isOneOf(letter, wanted)) continue;
    const last = runs.at(-1);
    if (last?.to === from - 1) {
      runs[runs.length - 1] = { ...last, to, stability: Math.max(last.stability, stability) };
    } else runs.push({ from, to, stability, closedBefore: false, closedAfter: false });
  }
  return runs;
}

function isOneOf(letter: Letter, letters: string): boolean {
  return letters.includes(letter);
}

interface LevelledRun extends Run {
  /** Levels at both ends. */
  readonly start: number;
  readonly end: number;
}

/** Joins neighbouring runs where the dip between them is small against the rise of both, until nothing changes. */
function bridged(
  runs: readonly Run[],
  parts: readonly LetteredPart[],
  levels: Levels,
  bridgeDrop: number,
): readonly Run[] {
  let list = runs.map((run): LevelledRun => {
    const [start, end] = levels.around(run);
    return { ...run, start, end };
  });
  for (;;) {
    const joined: LevelledRun[] = [];
    for (const run of list) {
      const last = joined.at(-1);
      const both = last === undefined ? undefined : joinedRun(last, run, parts, levels, bridgeDrop);
      if (both !== undefined) joined.pop();
      joined.push(both ?? run);
    }
    if (joined.length === list.length) return list;
    list = joined;
  }
}

function joinedRun(
  left: LevelledRun,
  right: LevelledRun,
  parts: readonly LetteredPart[],
  levels: Levels,
  bridgeDrop: number,
): LevelledRun | undefined {
  const rise = right.end - left.start;
  const allowed = bridgeDrop * rise;
  if (allowed <= 0 || left.end - right.start > allowed) return undefined;
  // A long level stretch between two rises keeps them apart: two steps are no trend.
  const isLong = right.from - left.to - 1 > longGap * (right.to - left.from + 1);
  if (isLong && right.start - left.end < levelShare * rise) return undefined;
  // A hump between the two is a rise and a fall of its own, even if it begins and ends at one level.
  for (const { from, to } of parts) {
    if (from <= left.to || to >= right.from) continue;
    if (Math.max(levels.at(from), levels.at(to)) - right.start > allowed) return undefined;
  }
  return { ...left, to: right.to, end: right.end, stability: Math.max(left.stability, right.stability) };
}

/** Where a rise and a fall follow each other, both end at the knee of a fit of both; small differences stay as they are. */
function withSharedBorders(rises: readonly Run[], falls: readonly Run[], cleaned: Float64Array): Runs {
  const all = [...rises.map((run) => ({ ...run, sign: 1 })), ...falls.map((run) => ({ ...run, sign: -1 }))];
  all.sort((a, b) => a.from - b.from);
  const least = Math.max(4, cleaned.length / 128);
  for (let n = 0; n + 1 < all.length; n++) {
    const [left, right] = [all[n], all[n + 1]];
    if (left === undefined || right === undefined || left.sign === right.sign || left.to >= right.from)
      continue;
    const knee = kneeBetween(left, right, cleaned);
    if (knee === undefined) continue;
    const isMoved = Math.abs(knee - left.to) >= least || Math.abs(knee + 1 - right.from) >= least;
    const to = isMoved ? knee : left.to;
    const from = isMoved ? knee + 1 : right.from;
    all[n] = { ...left, to, closedAfter: true };
    all[n + 1] = { ...right, from, closedBefore: true };
  }
  return { rises: all.filter(({ sign }) => sign > 0), falls: all.filter(({ sign }) => sign < 0) };
}

/** Between the middles of two runs of opposite directions; undefined where there is no clear knee, or a level stretch between them. */
function kneeBetween(left: Run & { sign: number }, right: Run, cleaned: Float64Array): number | undefined {
  const first = (left.from + left.to) >> 1;
  const last = (right.from + right.to) >> 1;
  if (right.from - left.to - 1 > longGap * (last - first + 1)) return undefined;
  const hinge = fitHinge(cleaned, first, last);
  if (hinge === undefined || !isSignificant(hinge.fit, last - first + 1)) return undefined;
  const isKnee = hinge.before * left.sign > 0 && hinge.after * left.sign < 0;
  return isKnee && hinge.at > left.from && hinge.at + 1 < right.to ? hinge.at : undefined;
}

/** Whether a fit with this R² is significant for this number of samples. */
export function isSignificant(fit: number, samples: number): boolean {
  const free = samples - fitted;
  return free > 0 && fit * free >= leastRatio * (1 + 8 / free) * (1 - fit);
}

/** Number of fitted parameters: levels and break points. */
const fitted = 4;
/** F statistic of one explained direction: about four standard deviations, more where few samples remain to estimate the noise. */
const leastRatio = 16;
