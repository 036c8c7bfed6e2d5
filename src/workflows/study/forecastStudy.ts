import { present } from '../../core/present';
import { measurableTarget } from '../targets/measurableTarget';
import { missingRuns, secondsLeft } from './measurePoints';
import { foreseen } from './openParameterStudy';
import { standingOf, type PointState } from './parameterStudyFile';
import { planRequested, type PlannedRequest } from './planRequested';
import { changesSomething, variablesOf, type StudyVariable } from './planStudy';

export interface ForecastRequest extends PlannedRequest {
  /** Folder with `kymo.json`. */
  readonly workspace: string;
  readonly target: string;
}

/** What a study would measure, before it begins. */
export interface StudyForecast {
  /** What can change, with its values. */
  readonly variables: readonly StudyVariable[];
  /** Absent when nothing would change: values are missing. */
  readonly plan?: ForecastPlan;
}

export interface ForecastPlan {
  /** Number of points that are planned, and of those that failed earlier and are not run again. */
  readonly points: number;
  readonly failed: number;
  readonly repetitions: number;
  /** Values at these points, by name. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Number of runs that are there already, and of those to do. */
  readonly runsDone: number;
  readonly runsToDo: number;
  /** Expected time of the runs to do, without the build, by earlier runs; absent where there are none. */
  readonly seconds?: number;
  /** The study that goes on; absent if a new one begins. */
  readonly continues?: string;
}

/** @throws KymoError as `study`, for what the user gave; nothing is built or written */
export async function forecastStudy(request: ForecastRequest): Promise<StudyForecast> {
  const { workspace, target } = await measurableTarget(request);
  const variables = variablesOf(target, request);
  if (request.study === undefined && !changesSomething(target, request)) return { variables };
  const wanted = await planRequested(workspace, target, request);
  const { plan, named } = wanted;
  const { last, continues } = await foreseen(wanted);
  const { repetitions, ranksName, threadsName } = plan;
  const file = continues?.file ?? {
    repetitions,
    seed: 0,
    points: plan.points.map((coordinates): PointState => ({ coordinates, planned: true, runs: [] })),
  };
  const planned = file.points.filter((point) => point.planned);
  const runs = missingRuns(file, named === undefined || named.only.length === 0 ? undefined : named.only);
  const earlier = continues === undefined ? sameNames(last?.points ?? [], plan.points[0] ?? {}) : [];
  const timed = { points: [...file.points, ...earlier], ...present({ ranksName, threadsName }) };
  const seconds = runs.length === 0 ? undefined : secondsLeft(timed, runs);
  const names = Object.keys(plan.points[0] ?? {});
  return {
    variables,
    plan: {
      points: planned.length,
      failed: planned.filter((point) => standingOf(point, repetitions) === 'failed').length,
      repetitions,
      values: {
        ...Object.fromEntries(
          names.map((name) => [name, [...new Set(plan.points.map((point) => point[name] ?? ''))]]),
        ),
        ...Object.fromEntries(Object.entries(plan.constants).map(([name, value]) => [name, [value]])),
      },
      runsDone: planned.reduce((sum, point) => sum + point.runs.length, 0),
      runsToDo: runs.length,
      ...(seconds === undefined ? {} : { seconds }),
      ...(continues === undefined ? {} : { continues: continues.file.study }),
    },
  };
}

/** Measured points of another study over the same parameters: their times help to plan. */
function sameNames(points: readonly PointState[], point: object): readonly PointState[] {
  const names = Object.keys(point).sort().join('\n');
  return points.filter(({ coordinates }) => Object.keys(coordinates).sort().join('\n') === names);
}
