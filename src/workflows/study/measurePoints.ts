import { at } from '../../core/at';
import { isKymoError } from '../../core/errors';
import { counted, formatSeconds } from '../../core/format';
import { present } from '../../core/present';
import type { ProgressSink } from '../../core/progress';
import { expectedSeconds } from '../../core/study/expectedSeconds';
import { firstPoints, interleavedRuns, type PlannedRun } from '../../core/study/order';
import { coordinatesKey, type StudyCoordinates } from '../../core/study/points';
import { pointName } from '../../core/study/texts';
import {
  repetitionsOf,
  standingOf,
  steadyNames,
  type ParameterStudyFile,
  type PointState,
} from './parameterStudyFile';
import { runAtPoint, type StudyPlan } from './planStudy';
import type { RunProgram } from './studyProgram';

export interface PointsInput {
  readonly file: ParameterStudyFile;
  readonly constants: StudyPlan['constants'];
  readonly runProgram: RunProgram;
  /** Measure only these points; default: all that are planned. */
  readonly only?: readonly StudyCoordinates[];
  /** Stores the state after each run. */
  readonly save: (file: ParameterStudyFile) => Promise<void>;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
}

/** Errors of the program at one point; all others would meet every point. */
const failuresOfPoint: ReadonlySet<string> = new Set([
  'program-failed',
  'program-crashed',
  'program-timeout',
  'no-results',
  'invalid-result',
]);

/**
 * Makes all runs that a study lacks, repetition by repetition over all points. A point whose run fails is not run again; the others go on.
 * @returns the study after the last run
 * @throws KymoError for failures that do not depend on the point; what was measured is stored
 */
export async function measurePoints(input: PointsInput): Promise<ParameterStudyFile> {
  const { constants, runProgram, signal, progress } = input;
  let { file } = input;
  const first = firstPoints(plannedPoints(file).map(({ coordinates }) => coordinates));
  const missing = (run: PlannedRun): boolean => isMissing(file, run);
  const runs = missingRuns(file, input.only);
  const estimate = new Estimate(first, progress);
  estimate.begin(file, runs);
  await input.save({ ...file, current: runs.at(0) });
  for (const [index, run] of runs.entries()) {
    signal.throwIfAborted();
    if (!missing(run)) continue;
    const left = runs.slice(index).filter(missing);
    estimate.report(file, left, run);
    const begin = performance.now();
    const point = at(file.points, run.point);
    const changed = await runProgram(
      point.coordinates,
      runAtPoint({ ...file, constants }, point.coordinates),
      run.repetition,
    )
      .then(({ wallSeconds, folder }): PointState => {
        // A run that an interrupted command completed is read in no time.
        const spentSeconds = Math.max(wallSeconds, (performance.now() - begin) / 1000);
        const done = { repetition: run.repetition, folder, wallSeconds, spentSeconds };
        return { ...point, runs: [...point.runs, done] };
      })
      .catch((error: unknown): PointState => {
        if (signal.aborted || !isKymoError(error) || !failuresOfPoint.has(error.reason)) throw error;
        const { reason, message } = error;
        progress.log(`${pointName(point.coordinates)} failed: ${message}`);
        return { ...point, failure: { repetition: run.repetition, reason, message } };
      });
    file = { ...file, points: file.points.with(run.point, changed) };
    await input.save({ ...file, current: runs.slice(index + 1).find(missing) });
  }
  return file;
}

type PlannedStudy = Pick<ParameterStudyFile, 'points' | 'repetitions' | 'seed'>;

/** The runs that a study lacks, in their order. @param only of these points; default: of all that are planned */
export function missingRuns(file: PlannedStudy, only?: readonly StudyCoordinates[]): readonly PlannedRun[] {
  const planned = plannedPoints(file);
  const repetitions = Math.max(...planned.map((point) => repetitionsOf(point, file.repetitions)));
  const wanted = only === undefined ? undefined : new Set(only.map(coordinatesKey));
  const first = firstPoints(planned.map(({ coordinates }) => coordinates));
  return interleavedRuns(planned.length, repetitions, file.seed, first).filter(
    (run) =>
      wanted?.has(coordinatesKey(at(planned, run.point).coordinates)) !== false && isMissing(file, run),
  );
}

/** They are the first ones in the file. */
function plannedPoints({ points }: PlannedStudy): readonly PointState[] {
  return points.filter((point) => point.planned);
}

function isMissing({ points, repetitions }: PlannedStudy, { point, repetition }: PlannedRun): boolean {
  const state = at(points, point);
  return (
    standingOf(state, repetitions) === 'remaining' &&
    repetition <= repetitionsOf(state, repetitions) &&
    !state.runs.some((run) => run.repetition === repetition)
  );
}

/** A total that exceeds the stated one by this factor is stated again: the first points are small, and start-up hides how they grow. */
const farBeyond = 1.5;

/** States how long the runs will take: after the first ones, when it turns out to be far more, and before each run. */
class Estimate {
  /** Expected for all runs when it was stated last. */
  private statedSeconds: number | undefined;
  /** The part of the work that was reported last. */
  private fraction = 0;

  constructor(
    private readonly first: readonly number[],
    private readonly progress: ProgressSink,
  ) {}

  begin({ points, repetitions }: ParameterStudyFile, runs: readonly PlannedRun[]): void {
    const planned = points.filter((point) => point.planned);
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
    const wanted = planned.map((point) => repetitionsOf(point, repetitions));
    const all = sum(wanted);
    const done = sum(planned.map(({ runs: complete }, i) => Math.min(complete.length, at(wanted, i))));
    const failed = planned.filter(({ failure }) => failure !== undefined).length;
    const rest = [
      ...(done > 0 ? [`${done} measured already`] : []),
      ...(failed > 0 ? [`${counted(failed, 'point')} failed earlier`] : []),
      ...(runs.length < all ? [`${runs.length} to do`] : []),
    ];
    this.progress.log(
      `${counted(planned.length, 'point')}, ${counted(repetitions, 'repetition')}: ${counted(all, 'run')}${rest.length > 0 ? `; ${rest.join(', ')}` : ''}.`,
    );
  }

  report(file: ParameterStudyFile, left: readonly PlannedRun[], next: PlannedRun): void {
    const { points } = file;
    const seconds = secondsLeft(file, left);
    const spent = points
      .flatMap((point) => (point.planned ? point.runs : []))
      .reduce((sum, run) => sum + run.spentSeconds, 0);
    const isFirst = next.repetition === 1 && this.first.includes(next.point);
    if (seconds !== undefined && !isFirst) this.state(spent + seconds, seconds, left.length);
    this.progress.report({
      message: `${pointName(at(points, next.point).coordinates)}, repetition ${next.repetition} of ${repetitionsOf(at(points, next.point), file.repetitions)}; ${counted(left.length, 'run')} to do`,
      phase: 'running',
      fraction: this.furthest(seconds === undefined ? 0 : spent / (spent + seconds)),
      ...present({ remainingSeconds: seconds }),
    });
  }

  /** Points that take longer than expected make the rest longer, and do not undo what was done. */
  private furthest(fraction: number): number {
    this.fraction = Math.max(this.fraction, fraction);
    return this.fraction;
  }

  private state(allSeconds: number, seconds: number, runs: number): void {
    const { statedSeconds = 0 } = this;
    if (allSeconds <= farBeyond * statedSeconds) return;
    const isLonger = statedSeconds > 0;
    this.statedSeconds = allSeconds;
    this.progress.log(
      `${isLonger ? 'It takes longer than expected. ' : ''}Still to do: ${counted(runs, 'run')}, about ${formatSeconds(seconds)} by the times so far.`,
    );
  }
}

/** The expected time of runs, by those of the same study; undefined before the first one. */
export function secondsLeft(
  { points, ...file }: Pick<ParameterStudyFile, 'points' | 'ranksName' | 'threadsName'>,
  left: readonly PlannedRun[],
): number | undefined {
  const timed = points.map(({ coordinates, runs }) => ({
    coordinates,
    seconds: runs.map(({ spentSeconds }) => spentSeconds),
  }));
  const each = expectedSeconds(timed, steadyNames(file));
  return each === undefined ? undefined : left.reduce((sum, { point }) => sum + at(each, point), 0);
}
