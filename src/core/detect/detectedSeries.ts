/** What is detected in a series, in the form that all analyses of series have (`core/signal`): patterns with their costs, and letters. */
import { at, atFloat } from '../at';
import { present } from '../present';
import { sentenceOf } from '../signal/words';
import type { Episode, Letter, Pattern, SeriesAnalysis } from '../signal/signal';
import { energies } from '../transforms/haar';
import { detect, type Change, type DetectOptions, type Detection, type Spike } from './detect';
import { ofHundred } from './explain';

/** A box of at most this part of the series, and of three values always, is a peak. */
const widestPeak = 1 / 4;

/** @param values zero or not finite: nothing was executed */
export function analyseByLikelihood(
  values: Float64Array,
  { improvements = false, ...options }: Partial<DetectOptions> & { readonly improvements?: boolean } = {},
): SeriesAnalysis {
  const detection = detect(values, options);
  const costs = new Costs(values, detection);
  const patterns = [
    ...neighbours(detection.spikes).map((spikes) => peakOf(spikes, costs)),
    ...changePatterns(detection, costs),
  ].sort((a, b) => a.from - b.from || a.to - b.to);
  const episodes = episodesOf(detection, costs);
  return {
    energies: energies(values),
    noise: detection.noise,
    episodes,
    patterns: improvements ? patterns : patterns.filter(({ improvement }) => improvement === undefined),
    sentence: sentenceOf(episodes, patterns, values.length),
    model: detection.model,
    ...present({ period: detection.period, peaksGrow: detection.spikesGrow }),
  };
}

/** Sums over positions, both ends inclusive. */
class Costs {
  readonly length: number;
  /** No level of what is never negative is below zero. */
  private readonly lowest: number;

  constructor(
    private readonly values: Float64Array,
    private readonly detection: Detection,
  ) {
    this.length = values.length;
    this.lowest = values.some((value) => value < 0) ? -Infinity : 0;
  }

  /** How rare such evidence is in constant series. */
  get chance(): number {
    return ofHundred ** this.detection.ratio;
  }

  /** How well a rise is known that is the only one. */
  get known(): Pick<Pattern, 'onset' | 'end' | 'costDeviation'> {
    const { changes, onset, end, excess } = this.detection;
    const rises = changes.filter(({ height }) => height > 0).length;
    return rises === 1 ? present({ onset, end, costDeviation: excess?.deviation }) : {};
  }

  value(position: number): number {
    return atFloat(this.values, position);
  }

  /** The model without noise, or what was there before where nothing was executed. */
  model(position: number): number {
    for (let i = position; i >= 0; i--) {
      const value = atFloat(this.detection.model, i);
      if (!Number.isNaN(value)) return Math.max(this.lowest, value);
    }
    return 0;
  }

  sum(from: number, to: number): number {
    let sum = 0;
    for (let i = from; i <= to; i++) {
      const value = atFloat(this.values, i);
      if (Number.isFinite(value)) sum += value;
    }
    return sum;
  }

  /** Of the model above a level and below another one, where something was executed. */
  above(low: number, ceiling: number, from: number, to: number): number {
    let sum = 0;
    for (let i = from; i <= to; i++) {
      const value = atFloat(this.detection.model, i);
      if (!Number.isNaN(value)) sum += Math.max(0, Math.min(value, ceiling) - low);
    }
    return sum;
  }
}

/** Spikes in a row are one. */
function neighbours(spikes: readonly Spike[]): readonly (readonly Spike[])[] {
  const groups: Spike[][] = [];
  for (const spike of spikes) {
    const last = groups.at(-1);
    if (last !== undefined && at(last, last.length - 1).at + 1 === spike.at) last.push(spike);
    else groups.push([spike]);
  }
  return groups;
}

/** Written without spreading: there are many of them, and each of those that begin with one gets a hidden class of its own, which takes more memory than the peak. */
function peakOf(spikes: readonly Spike[], costs: Costs): Pattern {
  const [from, to] = [at(spikes, 0).at, at(spikes, spikes.length - 1).at];
  const highest = spikes.reduce((most, spike) => (spike.height > most.height ? spike : most));
  return {
    type: 'peak',
    from,
    to,
    at: highest.at,
    levels: [highest.base, costs.value(highest.at)],
    sum: costs.sum(from, to),
    excess: spikes.reduce((sum, { height }) => sum + height, 0),
    aftermath: 0,
    confidence: 1,
    stability: 0,
  };
}

function changePatterns({ shape, changes }: Detection, costs: Costs): readonly Pattern[] {
  if (shape === 'levels') return [];
  const all = withBoxes(changes, costs.length);
  return all.flatMap((change, i) => {
    if (change.kind !== 'box') return [patternOf(change, all.slice(i + 1), costs)];
    const { from, to, height } = change;
    if (height > 0 && isNarrow(change, costs.length)) return [widePeak(change, costs)];
    const [begin, end] = [
      { kind: 'step', from, to: from + 1, height },
      { kind: 'step', from: to, to: to + 1, height: -height },
    ] as const;
    return [patternOf(begin, [], costs), patternOf(end, [], costs)];
  });
}

function isNarrow({ from, to }: Pick<Change, 'from' | 'to'>, length: number): boolean {
  return to - from <= Math.max(3, length * widestPeak);
}

/** A step up, and soon one back to where it came from, are a peak, whatever else changes beside it. */
function withBoxes(changes: readonly Change[], length: number): readonly Change[] {
  return changes.reduce<readonly Change[]>((all, change) => {
    const up = all.at(-1);
    if (up?.kind !== 'step' || change.kind !== 'step') return [...all, change];
    const box = { kind: 'box', from: up.from, to: change.from, height: up.height } as const;
    const isBack =
      change.from > up.from && up.height > 0 && Math.abs(up.height + change.height) <= up.height / 4;
    return isBack && isNarrow(box, length) ? [...all.slice(0, -1), box] : [...all, change];
  }, []);
}

function widePeak({ from, to, height }: Change, costs: Costs): Pattern {
  const base = costs.model(from);
  let highest = from + 1;
  for (let i = from + 1; i <= to; i++) if (costs.value(i) > costs.value(highest)) highest = i;
  return {
    ...{ type: 'peak', from: from + 1, to, at: highest },
    levels: [base, base + height],
    sum: costs.sum(from + 1, to),
    excess: costs.above(base, Infinity, from + 1, to),
    ...{ aftermath: 0, confidence: 1 - costs.chance, chance: costs.chance, stability: 0 },
  };
}

function patternOf({ kind, from, to, height }: Change, later: readonly Change[], costs: Costs): Pattern {
  const [before, after] = [costs.model(from), costs.model(to)];
  const isUp = height > 0;
  return {
    type: kind === 'step' ? 'step' : 'trend',
    ...(isUp ? {} : { improvement: true }),
    ...{ from, to, core: [from, to] },
    levels: [before, after],
    sum: costs.sum(from, to),
    excess: isUp ? costs.above(before, Infinity, from, to) : gained(before, from, to, costs),
    aftermath: isUp
      ? aftermath(before, after, to, later, costs)
      : gained(before, to + 1, costs.length - 1, costs),
    ...{ confidence: 1 - costs.chance, chance: costs.chance, stability: 0 },
    ...(isUp ? costs.known : {}),
  };
}

/** Until the series is back near its level before, or ends; only up to the level at which the next rise begins. */
function aftermath(
  before: number,
  after: number,
  to: number,
  later: readonly Change[],
  costs: Costs,
): number {
  const back = before + (after - before) / 4;
  let end = to + 1;
  while (end < costs.length && costs.model(end) >= back) end++;
  const next = later.find(({ height, from }) => height > 0 && from >= to);
  return costs.above(before, next === undefined ? Infinity : costs.model(next.from), to + 1, end - 1);
}

function gained(before: number, from: number, to: number, costs: Costs): number {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += Math.max(0, before - costs.model(i));
  return sum;
}

/** Level stretches between what changes. */
function episodesOf({ changes, shape, model }: Detection, costs: Costs): readonly Episode[] {
  const { length } = costs;
  if (length === 0) return [];
  const episodes: Episode[] = [];
  const put = (letter: Letter, from: number, to: number): void => {
    if (from <= to) episodes.push({ letter, from, to, sum: costs.sum(from, to), stability: 0 });
  };
  let next = 0;
  for (const change of shape === 'levels' ? [] : [...changes].sort((a, b) => a.from - b.from)) {
    if (change.kind === 'box' || change.kind === 'step') continue;
    const begin = Math.max(next, change.from);
    put('G', next, begin - 1);
    put(letterOf(change, model), begin, Math.max(begin, change.to));
    next = Math.max(begin, change.to) + 1;
  }
  put('G', next, length - 1);
  return episodes;
}

function letterOf({ kind, from, to, height }: Change, model: Float64Array): Letter {
  if (kind !== 'curve') return height > 0 ? 'E' : 'F';
  const isFastFirst = atFloat(model, (from + to) >> 1) - atFloat(model, from) > height / 2;
  return height > 0 ? (isFastFirst ? 'A' : 'D') : isFastFirst ? 'B' : 'C';
}
