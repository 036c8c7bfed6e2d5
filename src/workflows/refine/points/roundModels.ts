import { regionKeys } from '../../../core/callgraph/regionKeys';
import { scaledCosts, type SiteKind } from '../../../core/cost/pairCost';
import { decisionClock, secondsBy } from '../../../core/cost/runTime';
import { KymoError } from '../../../core/errors';
import { suggestion } from '../../../core/nearest';
import { countsOf, programTime } from '../../../core/functions/programTime';
import { GrowthModeler } from '../../../core/modeling/choice';
import { parseExpectation } from '../../../core/modeling/expectations';
import {
  callPathModel,
  combineModels,
  extrapolated as extrapolatedModel,
  valueWith,
  type CallPathModel,
  type CallPathSeries,
} from '../../../core/modeling/functionModels';
import { measuredPoint, type MeasuredPoint } from '../../../core/modeling/measurements';
import { ProfilesAsMeasurements } from '../../../core/modeling/profilesAsMeasurements';
import { regionsOf } from '../../../core/modeling/regionsOf';
import { getOrMake } from '../../../core/getOrMake';
import { standardMetrics } from '../../../core/profile/metrics';
import type { Profile } from '../../../core/profile/profile';
import type { ModelOptions } from '../../../core/selection/modelOptions';
import { rememberModels, type ModelKnowledge } from '../../../core/strategies/modelKnowledge';
import { extrapolated } from '../../../core/study/extrapolate';
import { coordinateValue, type StudyCoordinates } from '../../../core/study/points';
import { turn, type Cancellable } from '../../running/turn';
import type { StudyPlan } from '../../study/planStudy';
import type { LoopState, MeasuredRun } from '../loop/loop.types';
import type { PointEvidence } from './pointRounds';

/** The point that models predict. */
export interface FarPoint {
  /** Names of the parameters with several values. */
  readonly names: readonly string[];
  readonly values: readonly number[];
  /** For readers: `p = 32, n = 512`. */
  readonly text: string;
}

/** @throws KymoError `usage` where nothing changes, or a text does; `expectation-invalid` for a growth that cannot be read */
export function farPointOf(plan: StudyPlan, { extrapolate, growth }: ModelOptions): FarPoint {
  const names = Object.keys(plan.points[0] ?? {}).filter(
    (name) => new Set(plan.points.map((point) => point[name])).size > 1,
  );
  if (names.length === 0)
    throw new KymoError(
      'usage',
      'The strategy model needs several values of a parameter, or several numbers of ranks.',
    );
  parseExpectation(growth, names);
  const known = [...Object.keys({ ...plan.points[0], ...plan.constants }), 'ranks', 'threads'];
  const unknown = Object.keys(extrapolate).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new KymoError(
      'usage',
      `${JSON.stringify(unknown)} cannot be extrapolated: it is no parameter${suggestion(unknown, known) || '.'} There are: ${known.join(', ')}.`,
    );
  const values = names.map((name) => {
    const measured = plan.points.map((point) => coordinateValue(point[name] ?? ''));
    if (measured.some(Number.isNaN))
      throw new KymoError('usage', `The strategy model needs numbers, and values of ${name} are texts.`);
    const isCount = name === plan.ranksName || name === plan.threadsName;
    const alias = name === plan.ranksName ? 'ranks' : 'threads';
    const how = extrapolate[name] ?? (isCount ? (extrapolate[alias] ?? 'geometric') : 'linear');
    return extrapolated(measured, how);
  });
  return { names, values, text: names.map((name, i) => `${name} = ${values[i] ?? ''}`).join(', ') };
}

export interface RoundModelsInput {
  readonly evidence: readonly PointEvidence[];
  readonly state: LoopState;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly far: FarPoint;
  readonly options: ModelOptions;
  readonly before: ModelKnowledge | undefined;
}

/**
 * The models after a round. Times are those of the program itself: without waiting, without MPI, and without the cost of recording. They are
 * those of a rank (the mean of the locations that take part); of a single process those of all its threads together.
 */
export async function roundModels(input: RoundModelsInput, context: Cancellable): Promise<ModelKnowledge> {
  const { evidence, state, far, options, before } = input;
  const modeler = new GrowthModeler();
  const limit = options.keep === 'growth' ? parseExpectation(options.growth, far.names) : undefined;
  const paths: CallPathModel[] = [];
  for (const series of callPathSeries(input)) {
    await turn(context);
    paths.push(callPathModel(modeler, series, far.values, far.names, limit));
  }
  const base = evidence.map(({ coordinates, measured, beside }) => {
    const clock = decisionClock([...measured, ...beside]);
    return measuredPoint(
      pointOf(coordinates, far),
      beside.map((run) => secondsBy(clock, run)),
    );
  });
  const whole = extrapolatedModel(modeler.model(base), base, far.values);
  const program = combineModels(paths, options.aggregate, whole);
  const baseSeconds = valueWith(program.growth, whole);
  return rememberModels(before, program, {
    round: state.iterations.length - 1,
    point: far.text,
    baseSeconds,
  });
}

const { time, visits } = standardMetrics;

/** Values of the call paths that end in a function with a site. */
function callPathSeries({ evidence, state, sites, far }: RoundModelsInput): readonly CallPathSeries[] {
  const keys = new Map<string, number>();
  const isParallel = evidence.some(({ measured }) =>
    measured.some(({ profile }) => profile.locations.some(({ rank }) => rank > 0)),
  );
  const scaling = isParallel ? 'weak-threaded' : 'strong';
  const measurements = new ProfilesAsMeasurements(far.names, scaling);
  for (const { coordinates, measured } of evidence)
    measurements.addPoint(
      pointOf(coordinates, far),
      measured.map((run) => ownTimes(run, state, sites, keys)),
    );
  const names = [...keys.keys()];
  const byPath = new Map<string, Map<string, readonly MeasuredPoint[]>>();
  for (const { callPath, metric, points } of measurements.measurements().series)
    getOrMake(byPath, callPath, () => new Map<string, readonly MeasuredPoint[]>()).set(metric, points);
  return [...byPath].flatMap(([callPath, metrics]) => {
    const key = names[Number(regionsOf(callPath).at(-1))] ?? '';
    const [seconds, counts] = [metrics.get(time.name), metrics.get(visits.name)];
    return sites.has(key) && seconds !== undefined && counts !== undefined
      ? [{ key, seconds, visits: counts }]
      : [];
  });
}

/** A profile of the program's own times and of visits. Regions have numbers as names: names of functions may not be unique. */
function ownTimes(
  { profile, calibration }: MeasuredRun,
  { graph, selection, iterations }: LoopState,
  sites: ReadonlyMap<string, SiteKind>,
  numbers: Map<string, number>,
): Profile {
  const costs = scaledCosts(calibration, iterations.at(-1)?.costFactor ?? 1);
  const keys = regionKeys(profile, graph);
  const { exclusive } = programTime(profile, (region) => {
    const key = keys[region] ?? '';
    return selection.decisions.get(key)?.selected === true ? costs[sites.get(key) ?? 'entry'] : undefined;
  });
  const { attributes, callPaths, system, locations } = profile;
  return {
    attributes,
    callPaths,
    system,
    locations,
    regions: profile.regions.map((region, index) => ({
      ...region,
      name: String(getOrMake(numbers, keys[index] ?? '', () => numbers.size)),
    })),
    metrics: [{ ...time, stored: 'exclusive' }, visits],
    stored: new Map([
      [time.name, exclusive],
      [visits.name, countsOf(profile).visits],
    ]),
  };
}

function pointOf(coordinates: StudyCoordinates, { names }: FarPoint): readonly number[] {
  return names.map((name) => coordinateValue(coordinates[name] ?? ''));
}
