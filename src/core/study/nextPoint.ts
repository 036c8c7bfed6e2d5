import { at } from '../at';
import { median } from '../cost/overhead';
import { formatPercent } from '../format';
import { neededValues } from '../modeling/choice';
import { regionsOf } from '../modeling/regionsOf';
import { expectedSeconds } from './expectedSeconds';
import { coordinateValue, coordinatesKey, distinctPoints, type StudyCoordinates } from './points';

/** The point of a study that is most worth measuring next. */
export interface NextPoint {
  readonly coordinates: Readonly<Record<string, string>>;
  /** Number of runs, in addition to those that the point has. */
  readonly repetitions: number;
  /** Of these runs together, seconds. */
  readonly expectedSeconds?: number;
  /** In a sentence. */
  readonly why: string;
}

/** A point of the study, measured or not. */
export interface StudiedPoint {
  readonly coordinates: StudyCoordinates;
  /** Of each measured run. */
  readonly seconds: readonly number[];
  readonly failed: boolean;
  /** Whether it still has runs to make. */
  readonly isUnfinished: boolean;
}

/** A model of the time of a call path. */
export interface UncertainModel {
  readonly callPath: string;
  /** Share of the predicted total, 0…1. */
  readonly share?: number;
  /** Standard deviation of repetitions, and mean distance of the points from the formula, relative to the value. */
  readonly noise?: number;
  readonly miss: number;
  /** Covariance of the logarithms of its values at two points; absent where there is no formula. */
  readonly covariance?: (one: readonly number[], other: readonly number[]) => number;
}

export interface NextPointInput {
  /** Names of what the models depend on, in the order of their points. */
  readonly parameters: readonly string[];
  readonly points: readonly StudiedPoint[];
  /** Names of processes and threads: they do not make runs longer. */
  readonly steady: ReadonlySet<string>;
  readonly models: readonly UncertainModel[];
  /** The point to predict. */
  readonly target: readonly number[];
}

/** A prediction that is known better needs no further point, nor one that would hardly become better; relative to the predicted total. */
const certain = 0.01;
const leastReduction = 0.2;
/** Of candidates that reduce the uncertainty by this part of the best one's reduction or more, the one with most reduction per second wins. */
const comparable = 0.5;
/** The noise of a value is never less: clocks and caches. */
const leastNoise = 0.01;
const mostModels = 20;
const mostCombinations = 200;

interface Candidate {
  readonly coordinates: StudyCoordinates;
  readonly runs: number;
  readonly added: number;
}

/**
 * The point that reduces the uncertainty of the predicted time most, for the time that its runs take: the next larger values of each parameter in
 * the ratio of the series, values between, missing combinations, and a further run of measured points. Values at a candidate and at the
 * predicted point are correlated through the formulas and their coefficients; what a measurement would leave of the variance is the best
 * linear estimate (Goldstein and Wooff, "Bayes Linear Statistics", 2007), so that nothing is simulated.
 * @returns undefined when nothing is uncertain or no candidate helps, and while the study has points of its own to measure
 */
export function nextPoint(input: NextPointInput): NextPoint | undefined {
  const { parameters, points, models } = input;
  if (parameters.length === 0 || points.some(({ isUnfinished }) => isUnfinished)) return undefined;
  const measured = points.filter(({ seconds }) => seconds.length > 0);
  if (measured.length === 0) return undefined;
  const usual = Math.max(1, Math.round(median(measured.map(({ seconds }) => seconds.length))));
  const scarce = scarcePoint(input, measured, usual);
  if (scarce !== undefined) return scarce;
  const weighty = models
    .filter(({ share = 0, covariance }) => share > 0 && covariance !== undefined)
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0))
    .slice(0, mostModels);
  const now = uncertainty(weighty, input.target);
  if (now.total < certain) return undefined;
  const candidates = withSeconds(input, candidatesOf(input, measured, usual)).map((candidate) => ({
    ...candidate,
    left: uncertainty(weighty, input.target, { point: pointOf(candidate, parameters), runs: candidate.added })
      .total,
  }));
  const reduction = ({ left }: { readonly left: number }): number => now.total - left;
  const best = candidates.reduce((most, candidate) => Math.max(most, reduction(candidate)), 0);
  if (best < leastReduction * now.total) return undefined;
  const chosen = candidates
    .filter((candidate) => reduction(candidate) >= comparable * best)
    .reduce((first, other) =>
      reduction(other) * first.seconds > reduction(first) * other.seconds ? other : first,
    );
  return {
    coordinates: chosen.coordinates,
    repetitions: chosen.added,
    expectedSeconds: chosen.seconds,
    why: `${chosen.added < chosen.runs ? 'One more run of this point' : 'This point'} should reduce the uncertainty of the time of all functions together predicted for ${placeText(input)} from ${formatPercent(now.total)} to ${formatPercent(chosen.left)} (one standard deviation; the 95 % range of a function is about four of its own), above all that of ${now.most}.`,
  };
}

/** Fewer values of a parameter than a formula needs: the next value of one of them, where runs are shortest. */
function scarcePoint(
  input: NextPointInput,
  measured: readonly StudiedPoint[],
  usual: number,
): NextPoint | undefined {
  const scarce = input.parameters.filter((name) => valuesOf(measured, name).length < neededValues);
  const candidates = scarce.flatMap((name) => {
    const [value] = largerValues(valuesOf(measured, name), Infinity);
    const [base] = bases(input, measured, name);
    return value === undefined || base === undefined
      ? []
      : [{ name, coordinates: { ...base, [name]: String(value) }, runs: usual, added: usual }];
  });
  const [first, ...others] = withSeconds(
    input,
    candidates.filter(({ coordinates }) => !isKnown(input, coordinates)),
  );
  if (first === undefined) return undefined;
  const { name, coordinates, runs, seconds } = others.reduce(
    (shortest, other) => (other.seconds < shortest.seconds ? other : shortest),
    first,
  );
  return {
    coordinates,
    repetitions: runs,
    expectedSeconds: seconds,
    why: `A formula needs ${neededValues} values of ${name}, and ${valuesOf(measured, name).length} are measured.`,
  };
}

/** Standard deviation of the predicted total, relative to it, now or after runs at a point; and the call path with the largest part. */
function uncertainty(
  models: readonly UncertainModel[],
  target: readonly number[],
  after?: { readonly point: readonly number[]; readonly runs: number },
): { readonly total: number; readonly most: string } {
  let variance = 0;
  let most = { part: -1, callPath: '' };
  for (const { callPath, share = 0, noise = 0, miss, covariance } of models) {
    if (covariance === undefined) continue;
    let own = covariance(target, target);
    if (after !== undefined) {
      const ofRuns = Math.max(leastNoise, noise) ** 2 / after.runs + Math.max(0, miss ** 2 - noise ** 2);
      own -= covariance(after.point, target) ** 2 / (covariance(after.point, after.point) + ofRuns);
    }
    const part = share ** 2 * Math.max(0, own);
    variance += part;
    if (part > most.part) most = { part, callPath };
  }
  return { total: Math.sqrt(variance), most: regionsOf(most.callPath).at(-1) ?? most.callPath };
}

function candidatesOf(
  input: NextPointInput,
  measured: readonly StudiedPoint[],
  usual: number,
): readonly Candidate[] {
  const { parameters, target, points } = input;
  const changed = parameters.flatMap((name, i) => {
    const values = valuesOf(measured, name);
    const news = [...largerValues(values, at(target, i)), ...valuesBetween(values)];
    return bases(input, measured, name).flatMap((base) =>
      news.map((value) => ({ ...base, [name]: String(value) })),
    );
  });
  const fresh = distinctPoints([...changed, ...combinations(parameters, measured)])
    .filter((coordinates) => !isKnown(input, coordinates))
    .map((coordinates) => ({ coordinates, runs: usual, added: usual }));
  const again = points
    .filter(({ seconds, failed }) => seconds.length > 0 && !failed)
    .map(({ coordinates, seconds }) => ({ coordinates, runs: seconds.length + 1, added: 1 }));
  return [...fresh, ...again];
}

/** Measured points, and those that failed. */
function isKnown({ points }: NextPointInput, coordinates: StudyCoordinates): boolean {
  const key = coordinatesKey(coordinates);
  return points.some((point) => coordinatesKey(point.coordinates) === key);
}

/** The values of a parameter, ascending. */
function valuesOf(points: readonly StudiedPoint[], name: string): readonly number[] {
  const values = points.map(({ coordinates }) => coordinateValue(coordinates[name] ?? ''));
  return [...new Set(values)].sort((a, b) => a - b);
}

/** The next two values in the ratio of the last two, up to a largest one. */
function largerValues(values: readonly number[], largest: number): readonly number[] {
  const last = values.at(-1) ?? NaN;
  const ratio = last / (values.at(-2) ?? NaN);
  return [last * ratio, last * ratio ** 2]
    .map((value) => likeValues(value, values))
    .filter((value) => value > last && value <= largest);
}

/** In the middle of each gap by ratio. */
function valuesBetween(values: readonly number[]): readonly number[] {
  return values
    .slice(1)
    .map((value, i) => likeValues(Math.sqrt(value * at(values, i)), values))
    .filter((value) => value > 0 && !values.includes(value));
}

/** A whole number where all values are. */
function likeValues(value: number, values: readonly number[]): number {
  return values.every(Number.isInteger) ? Math.round(value) : Number(value.toPrecision(6));
}

/** Measured points with the smallest values of all other parameters, and with the largest. */
function bases(
  { parameters }: NextPointInput,
  measured: readonly StudiedPoint[],
  name: string,
): readonly StudyCoordinates[] {
  const others = parameters.filter((other) => other !== name);
  const [first] = measured;
  const base = (which: 0 | -1): StudyCoordinates => ({
    ...first?.coordinates,
    ...Object.fromEntries(others.map((other) => [other, String(valuesOf(measured, other).at(which))])),
  });
  return distinctPoints([base(0), base(-1)]);
}

/** All combinations of measured values, unless they are too many. */
function combinations(
  parameters: readonly string[],
  measured: readonly StudiedPoint[],
): readonly StudyCoordinates[] {
  const lists = parameters.map((name) => ({ name, values: valuesOf(measured, name) }));
  if (lists.reduce((product, { values }) => product * values.length, 1) > mostCombinations) return [];
  return lists.reduce<readonly StudyCoordinates[]>(
    (all, { name, values }) =>
      all.flatMap((point) => values.map((value) => ({ ...point, [name]: String(value) }))),
    [{ ...measured[0]?.coordinates }],
  );
}

function withSeconds<One extends Candidate>(
  { points, steady }: NextPointInput,
  candidates: readonly One[],
): readonly (One & { readonly seconds: number })[] {
  const each = expectedSeconds(
    [
      ...points,
      ...candidates.map(({ coordinates }) => ({
        coordinates,
        seconds: secondsAt(points, coordinates),
      })),
    ],
    steady,
  );
  return candidates.map((candidate, i) => ({
    ...candidate,
    seconds: candidate.added * (each?.[points.length + i] ?? NaN),
  }));
}

function secondsAt(points: readonly StudiedPoint[], coordinates: StudyCoordinates): readonly number[] {
  const key = coordinatesKey(coordinates);
  return points.find((point) => coordinatesKey(point.coordinates) === key)?.seconds ?? [];
}

function pointOf({ coordinates }: Candidate, parameters: readonly string[]): readonly number[] {
  return parameters.map((name) => coordinateValue(coordinates[name] ?? ''));
}

function placeText({ parameters, target }: NextPointInput): string {
  return parameters.map((name, i) => `${name} = ${at(target, i)}`).join(', ');
}
