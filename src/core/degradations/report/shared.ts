/** Rises that ranks have in common: each rank says little of where one begins and ends, all of them together say more. */
import { at, atFloat } from '../../at';
import { pushTo } from '../../remembered';
import { sumOf } from '../../sums';
import { medianInPlace } from '../../transforms/median';
import type { Pattern, SeriesAnalysis } from '../../signal/signal';

/** A problem in one place on one rank. Patterns count values from 0. */
export interface RankSeries {
  /** The same for the same problem in the same place on all ranks. */
  readonly place: string;
  readonly values: Float64Array;
  readonly analysis: SeriesAnalysis;
}

/** A shape that explains the ranks of a group: what the mean of them is without noise. */
interface SharedShape {
  readonly model: Float64Array;
  readonly rises: readonly Pattern[];
}

/** What a shape is of a series, by least squares. */
interface Part {
  readonly level: number;
  readonly height: number;
  readonly deviation: number;
  /** Squares that it leaves. */
  readonly rss: number;
}

/** Squares of larger values are no numbers any more. */
const hugest = 1e100;
const mostShapes = 32;
/** Numbers of an explanation of its own that a shared one saves: two places, and what they were chosen from. */
const numbersSaved = 6;
/** A rank takes part with this share of the height that the others have. */
const leastPart = 0.5;

type Analyse = (values: Float64Array) => SeriesAnalysis;

/**
 * The patterns of each series, where those that a shared shape explains as well (Schwarz's criterion) have the rises of that shape with their own heights: the same places, and also what
 * is too weak to be found in each of them.
 */
export function withSharedRises(
  all: readonly RankSeries[],
  analyse: Analyse,
): readonly (readonly Pattern[])[] {
  const places = new Map<string, number[]>();
  all.forEach(({ place }, i) => {
    pushTo(places, place, i);
  });
  const patterns = all.map(({ analysis }) => analysis.patterns);
  const calm = all.map(withoutPeaks);
  for (const members of places.values()) {
    const { length } = at(all, at(members, 0)).values;
    const isComparable = members.every((i) => {
      const { values, analysis } = at(all, i);
      const areSmall = values.every((value) => Math.abs(value) < hugest);
      return values.length === length && analysis.model !== undefined && areSmall;
    });
    if (members.length > 1 && isComparable) share(members, calm, analyse, patterns);
  }
  return patterns;
}

/** With nothing where it has peaks. */
function withoutPeaks(series: RankSeries): RankSeries {
  const peaks = series.analysis.patterns.filter(({ type }) => type === 'peak');
  if (peaks.length === 0) return series;
  const values = series.values.slice();
  for (const { from, to } of peaks) values.fill(NaN, from, to + 1);
  return { ...series, values };
}

function share(
  members: readonly number[],
  all: readonly RankSeries[],
  analyse: Analyse,
  patterns: (readonly Pattern[])[],
): void {
  const seriesOf = (i: number): RankSeries => at(all, i);
  const isRising = (i: number): boolean => risesOf(seriesOf(i).analysis).length > 0;
  let left = members;
  // All of them first, then those that are like the one with the most evidence of those that are left.
  for (let round = 0; round < mostShapes; round++) {
    const seed = round === 0 ? undefined : strongest(left.filter(isRising), seriesOf);
    if (round > 0 && seed === undefined) return;
    const alike =
      seed === undefined ? left : left.filter((i) => isRising(i) && isAlike(seriesOf(i), seriesOf(seed)));
    const sharedBy = (own: readonly number[]): SharedShape =>
      shapeOf(analyse(meanOf(own.map((i) => seriesOf(i).values))));
    let shape = alike.length > 1 ? sharedBy(alike) : undefined;
    if (seed === undefined && shape !== undefined) {
      const first = shape;
      // What a few ranks do shows in the mean of all.
      const others = left.filter((i) => !isRising(i) || isExplained(seriesOf(i), first));
      if (others.length > 1 && others.length < left.length) shape = sharedBy(others);
    }
    const explained =
      shape === undefined || shape.rises.length === 0
        ? []
        : takingPart(left, shape, seriesOf, seed === undefined);
    if (shape !== undefined && explained.length > 1)
      for (const { i, part } of explained) patterns[i] = withRises(seriesOf(i), shape, part);
    const done = new Set([...explained.map(({ i }) => i), ...(seed === undefined ? [] : [seed])]);
    left = left.filter((i) => !done.has(i));
  }
}

/** With the rise of which a constant series has the least chance. */
function strongest(members: readonly number[], seriesOf: (i: number) => RankSeries): number | undefined {
  const chanceOf = (i: number): number =>
    Math.min(...risesOf(seriesOf(i).analysis).map(({ chance = 1 }) => chance));
  return members.reduce<number | undefined>(
    (best, i) => (best === undefined || chanceOf(i) < chanceOf(best) ? i : best),
    undefined,
  );
}

/** Those that it explains as well as what they have themselves; of those without a rise of their own, the ones whose height is that of the others. */
function takingPart(
  members: readonly number[],
  shape: SharedShape,
  seriesOf: (i: number) => RankSeries,
  mayBeAll: boolean,
): readonly { readonly i: number; readonly part: Part }[] {
  const parts = members.map((i) => ({ i, part: partOf(seriesOf(i).values, shape.model) }));
  const rising = parts.filter(
    ({ i, part }) =>
      risesOf(seriesOf(i).analysis).length > 0 && part.height > 0 && isExplained(seriesOf(i), shape),
  );
  const still = parts.filter(({ i }) => risesOf(seriesOf(i).analysis).length === 0);
  const usual = rising.length === 0 ? 1 : medianInPlace(Float64Array.from(rising, ({ part }) => part.height));
  const isTold = ({ part: { deviation } }: (typeof still)[number]): boolean =>
    deviation < (leastPart * usual) / 2;
  // Where heights cannot be told from nothing, what the mean of all shows is that of all.
  if (mayBeAll && !still.every(isTold) && rising.length === 0) return still;
  return [...rising, ...still.filter((one) => isTold(one) && one.part.height >= leastPart * usual)];
}

/** Whether one series is explained by the shape of another, at half of its height at least. */
function isAlike(series: RankSeries, { analysis }: RankSeries): boolean {
  const shape = shapeOf(analysis);
  return partOf(series.values, shape.model).height >= leastPart && isExplained(series, shape);
}

function isExplained({ values, analysis }: RankSeries, shape: SharedShape): boolean {
  const { model } = analysis;
  if (model === undefined) return false;
  const { rss } = partOf(values, shape.model);
  let [own, products, before] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const left = leftOf(values, model, i);
    own += left * left;
    products += left * before;
    before = left;
  }
  const memory = Math.min(0.95, Math.max(0, own > 0 ? products / own : 0));
  const count = (values.length * (1 - memory)) / (1 + memory);
  const usual = Math.abs(atFloat(model, 0));
  const least = values.length * (1e-5 * usual) ** 2;
  return count * Math.log((rss + least) / (own + least)) <= numbersSaved * Math.log(values.length);
}

function leftOf(values: Float64Array, model: Float64Array, i: number): number {
  const left = atFloat(values, i) - atFloat(model, i);
  return Number.isNaN(left) ? 0 : left;
}

function partOf(values: Float64Array, model: Float64Array): Part {
  let [count, sumX, sumY] = [0, 0, 0];
  const isThere = (i: number): boolean =>
    !Number.isNaN(atFloat(model, i)) && Number.isFinite(atFloat(values, i));
  for (let i = 0; i < values.length; i++)
    if (isThere(i)) [count, sumX, sumY] = [count + 1, sumX + atFloat(model, i), sumY + atFloat(values, i)];
  const [meanX, meanY] = [sumX / count, sumY / count];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    if (!isThere(i)) continue;
    const [x, y] = [atFloat(model, i) - meanX, atFloat(values, i) - meanY];
    [xx, xy, yy] = [xx + x * x, xy + x * y, yy + y * y];
  }
  const height = xx > 0 ? xy / xx : 0;
  const rss = Math.max(0, yy - height * xy);
  const deviation = xx > 0 ? Math.sqrt(rss / Math.max(1, count - 2) / xx) : Infinity;
  return { level: meanY - height * meanX, height, deviation, rss };
}

function risesOf({ patterns }: SeriesAnalysis): readonly Pattern[] {
  return patterns.filter(({ type, improvement }) => type !== 'peak' && improvement !== true);
}

function shapeOf(analysis: SeriesAnalysis): SharedShape {
  return { model: analysis.model ?? new Float64Array(0), rises: risesOf(analysis) };
}

/** Of what is there. */
function meanOf(all: readonly Float64Array[]): Float64Array {
  const { length } = at(all, 0);
  const sums = new Float64Array(length);
  const counts = new Float64Array(length);
  for (const values of all)
    for (let i = 0; i < length; i++) {
      const value = atFloat(values, i);
      if (Number.isNaN(value)) continue;
      sums[i] = atFloat(sums, i) + value;
      counts[i] = atFloat(counts, i) + 1;
    }
  return sums.map((sum, i) => sum / atFloat(counts, i));
}

/** In the place of its own rises those of the shape, at the height that they have here. */
function withRises(
  { values, analysis }: RankSeries,
  { rises }: SharedShape,
  { level, height }: Part,
): readonly Pattern[] {
  const own = new Set(risesOf(analysis));
  const shared = rises.map(({ costDeviation: _, ...rise }): Pattern => ({
    ...rise,
    levels: [level + height * rise.levels[0], level + height * rise.levels[1]],
    sum: sumOf(
      values.map((value) => (Number.isNaN(value) ? 0 : value)),
      rise.from,
      rise.to,
    ),
    excess: height * rise.excess,
    aftermath: height * rise.aftermath,
  }));
  return [...analysis.patterns.filter((pattern) => !own.has(pattern)), ...shared].sort(
    (a, b) => a.from - b.from || a.to - b.to,
  );
}
