/** Rises that ranks have in common: each rank says little of where one begins and ends, all of them together say more. */
import { at, atFloat } from '../../at';
import { present } from '../../present';
import { pushTo } from '../../remembered';
import { medianInPlace } from '../../transforms/median';
import type { Pattern, SeriesAnalysis } from '../../signal/signal';
import {
  calmSum,
  meanOf,
  partOf,
  repeats,
  type Part,
  type RankAnalysis,
  type RankSeries,
} from './rankSeries';

/** A shape that explains the ranks of a group: what the mean of them is without noise. */
interface SharedShape {
  readonly model: Float64Array;
  readonly rises: readonly Pattern[];
}

/** Squares of larger values are no numbers any more. */
const hugest = 1e100;
const mostShapes = 32;
/** Numbers of each rise in an explanation of its own that a shared one saves: two places, and what they were chosen from. */
const numbersSaved = 6;
/** A rank takes part with this share of the height that the others have. */
const leastPart = 0.5;

type Analyse = (values: Float64Array) => SeriesAnalysis;

/**
 * The analysis of each series, where those that a shared shape explains as well (Schwarz's criterion) have the rises of that shape with their own heights: the same places, and also what
 * is too weak to be found in each of them.
 * @param alarm share of constant series in which a rise is found
 */
export function* withSharedRises(
  all: readonly RankSeries[],
  analyse: Analyse,
  alarm: number,
): Generator<[done: number, all: number], readonly RankAnalysis[], undefined> {
  const places = new Map<string, number[]>();
  all.forEach(({ place }, i) => {
    pushTo(places, place, i);
  });
  const analyses = all.map(({ analysis }) => analysis);
  for (const members of places.values()) {
    const { length } = at(all, at(members, 0)).values;
    const isComparable = members.every((i) => {
      const { values, analysis } = at(all, i);
      const areSmall = values.every((value) => Math.abs(value) < hugest);
      return values.length === length && analysis.model !== undefined && areSmall;
    });
    if (isComparable) yield* share(members, all, analyse, analyses, alarm);
  }
  return analyses;
}

/** One step per shape: with many ranks each takes a while. */
function* share(
  members: readonly number[],
  all: readonly RankSeries[],
  analyse: Analyse,
  analyses: RankAnalysis[],
  alarm: number,
): Generator<[done: number, all: number], void, undefined> {
  const seriesOf = (i: number): RankSeries => at(all, i);
  const sharedBy = (own: readonly number[]): SharedShape | undefined =>
    own.length < 2 ? undefined : shapeOf(analyse(meanOf(own.map(seriesOf))));
  const isRising = (i: number): boolean => risesOf(seriesOf(i).analysis).length > 0;
  /** Of the ranks that have the rises of a shape, what it leaves of them. */
  const least = new Map<number, number>();
  /** The ranks that a shape explains get its rises. */
  const given = (
    left: readonly number[],
    shape: SharedShape | undefined,
    mayBeAll: boolean,
  ): readonly number[] => {
    if (shape === undefined || shape.rises.length === 0) return [];
    const explained = takingPart(left, shape, seriesOf, mayBeAll);
    if (explained.length > 1)
      for (const { i, part } of explained) {
        analyses[i] = withRises(seriesOf(i), shape, part);
        least.set(i, part.rss);
      }
    return explained.map(({ i }) => i);
  };
  const whole = sharedBy(members);
  // What a few ranks do shows in the mean of all.
  const others = members.filter(
    (i) =>
      !isRising(i) || (whole !== undefined && isExplained(seriesOf(i), partOf(seriesOf(i), whole.model))),
  );
  const first = new Set(given(members, others.length === members.length ? whole : sharedBy(others), true));
  let left = members.filter((i) => !first.has(i) && isRising(i));
  // Then those that are like the one with the most evidence of those that are left.
  for (let round = 0; round < mostShapes && left.length > 0; round++) {
    yield [all.length, all.length];
    const seed = strongest(left, seriesOf);
    // Two shapes may explain a rank well enough: the better one counts, whichever was found first. By chance, a wrong one is much better on few ranks.
    const model = modelOf(seriesOf(seed).analysis);
    const better = [...least]
      .filter(([i, rss]) => {
        const series = seriesOf(i);
        const gain = evidenceOf(rss, partOf(series, model).rss, series);
        return gain > 2 * Math.log(members.length / alarm);
      })
      .map(([i]) => i);
    const open = [...left, ...better];
    const alike = open.filter((i) => i === seed || isAlike(seriesOf(i), model));
    const isSure =
      chanceOf(seriesOf(seed)) <= alarm / members.length ||
      chanceOfCount(alike.length, members.length * alarm) <= alarm;
    const done = new Set([seed, ...(isSure ? given(open, sharedBy(alike), false) : [])]);
    left = left.filter((i) => !done.has(i));
  }
}

/** With the rise of which a constant series has the least chance. */
function strongest(members: readonly number[], seriesOf: (i: number) => RankSeries): number {
  return members.reduce((best, i) => (chanceOf(seriesOf(i)) < chanceOf(seriesOf(best)) ? i : best));
}

function chanceOf({ analysis }: RankSeries): number {
  return Math.min(...risesOf(analysis).map(({ chance = 1 }) => chance));
}

/** How often there are so many of what is rare (Poisson's distribution). @param mean of all */
export function chanceOfCount(count: number, mean: number): number {
  let [fewer, term] = [0, Math.exp(-mean)];
  for (let i = 0; i < count; i++) {
    fewer += term;
    term *= mean / (i + 1);
  }
  return Math.max(0, 1 - fewer);
}

/** Standard deviations from which on a height is sure on any of very many ranks. */
const sureHeight = 5;

/**
 * Those that it explains as well as what they have themselves, at a height that is sure or near that of the others: a rise that one of a hundred ranks shows by chance is explained by any
 * shape, at a height of next to nothing. Of those without a rise of their own, the ones whose height is near that of the others.
 */
function takingPart(
  members: readonly number[],
  shape: SharedShape,
  seriesOf: (i: number) => RankSeries,
  mayBeAll: boolean,
): readonly { readonly i: number; readonly part: Part }[] {
  const parts = members.map((i) => ({ i, part: partOf(seriesOf(i), shape.model) }));
  const explained = parts.flatMap(({ i, part }) => {
    const series = seriesOf(i);
    if (risesOf(series.analysis).length === 0 || part.height <= 0 || !isExplained(series, part)) return [];
    return { i, part, sure: part.height / (part.deviation * Math.sqrt(repeats(series.residuals))) };
  });
  const surest = explained.reduce((most, { sure }) => Math.max(most, sure), 0);
  const heights = explained
    .filter(({ sure }) => sure >= Math.min(sureHeight, surest / 2))
    .map(({ part }) => part.height);
  const usual = heights.length === 0 ? 1 : medianInPlace(Float64Array.from(heights));
  const rising = explained.filter(({ part, sure }) => sure >= sureHeight || part.height >= leastPart * usual);
  const still = parts.filter(({ i }) => risesOf(seriesOf(i).analysis).length === 0);
  // Heights that differ no more than by noise are one height, though only the largest of them are found in their series.
  const all = [...rising, ...still];
  const height = mayBeAll ? oneHeight(all.map(({ part }) => part)) : undefined;
  if (height !== undefined) return all.map(({ i, part }) => ({ i, part: withHeight(part, height) }));
  const isTold = ({ part: { deviation } }: (typeof still)[number]): boolean =>
    deviation < (leastPart * usual) / 2;
  return [...rising, ...still.filter((one) => isTold(one) && one.part.height >= leastPart * usual)];
}

/** Variance of heights, in units of what noise makes of it, up to which they are one. */
const sameHeight = 1.6;

/** The height of all; undefined where they differ by more than noise. */
function oneHeight(parts: readonly Part[]): number | undefined {
  const mean = parts.reduce((sum, { height }) => sum + height / parts.length, 0);
  const variance = parts.reduce((sum, { height }) => sum + (height - mean) ** 2 / parts.length, 0);
  const noise = parts.reduce((sum, { deviation }) => sum + deviation ** 2 / parts.length, 0);
  return mean > 0 && variance <= sameHeight * noise ? mean : undefined;
}

function withHeight(part: Part, height: number): Part {
  return { ...part, height, level: part.level + (part.height - height) * part.middle };
}

/** Whether one series is explained by the model of another, at half of its height at least. */
function isAlike(series: RankSeries, model: Float64Array): boolean {
  const part = partOf(series, model);
  return part.height >= leastPart && isExplained(series, part);
}

/** Whether a part of a shape explains it as well as its own explanation. */
function isExplained(series: RankSeries, { rss }: Part): boolean {
  const { values, analysis, residuals } = series;
  const saved = numbersSaved * Math.max(1, risesOf(analysis).length);
  return evidenceOf(rss, residuals.squares, series) <= saved * Math.log(values.length);
}

/** Twice the gain in log-likelihood of what leaves fewer squares, under noise with the memory of the series. */
function evidenceOf(rss: number, fewer: number, { values, residuals }: RankSeries): number {
  const least = values.length * (1e-5 * residuals.usual) ** 2;
  const count = values.length / repeats(residuals);
  return count * Math.log((rss + least) / (fewer + least));
}

function risesOf({ patterns }: Pick<SeriesAnalysis, 'patterns'>): readonly Pattern[] {
  return patterns.filter(({ type, improvement }) => type !== 'peak' && improvement !== true);
}

function shapeOf(analysis: SeriesAnalysis): SharedShape {
  return { model: analysis.model ?? new Float64Array(0), rises: risesOf(analysis) };
}

function modelOf({ model }: RankAnalysis): Float64Array {
  return model?.() ?? new Float64Array(0);
}

/** In the place of its own rises those of the shape, at the height that they have here. */
function withRises(series: RankSeries, shape: SharedShape, part: Part): RankAnalysis {
  const { analysis } = series;
  const { rises } = shape;
  const { level, height } = part;
  const own = new Set(risesOf(analysis));
  const shared = rises.map((rise): Pattern => ({
    ...rise,
    ...present({ costDeviation: rise.costDeviation === undefined ? undefined : height * rise.costDeviation }),
    levels: [level + height * rise.levels[0], level + height * rise.levels[1]],
    sum: calmSum(series, rise.from, rise.to),
    excess: height * rise.excess,
    aftermath: height * rise.aftermath,
  }));
  const patterns = [...analysis.patterns.filter((pattern) => !own.has(pattern)), ...shared].sort(
    (a, b) => a.from - b.from || a.to - b.to,
  );
  return { ...analysis, patterns, model: () => modelBy(shape, part, modelOf(analysis)) };
}

/** The shape at the height that it has here; as before where no rank has anything but a peak, and nothing where this rank has nothing. */
function modelBy({ model }: SharedShape, { level, height }: Part, own: Float64Array): Float64Array {
  let before = NaN;
  return own.map((value, i) => {
    const shared = level + height * atFloat(model, i);
    if (!Number.isNaN(shared)) before = shared;
    return Number.isNaN(value) ? NaN : before;
  });
}
