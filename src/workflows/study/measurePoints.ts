import { at } from '../../core/at';
import { isKymoError } from '../../core/errors';
import { formatSeconds } from '../../core/format';
import type { ProgressSink } from '../../core/progress';
import { expectedSeconds } from '../../core/study/expectedSeconds';
import { firstPoints, interleavedRuns, type PlannedRun } from '../../core/study/order';
import { standingOf, steadyNames, type ParameterStudyFile, type PointState } from './parameterStudyFile';
import { pointName } from './pointName';
import { runAtPoint, type StudyPlan } from './planStudy';
import type { RunProgram } from './studyProgram';

export interface PointsInput {
  readonly file: ParameterStudyFile;
  readonly constants: StudyPlan['constants'];
  readonly runProgram: RunProgram;
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
  const planned = file.points.filter((point) => point.planned).length;
  const coordinates = file.points.slice(0, planned).map((point) => point.coordinates);
  const first = firstPoints(coordinates);
  const missing = (run: PlannedRun): boolean => isMissing(file, run);
  const runs = interleavedRuns(planned, file.repetitions, file.seed, first).filter(missing);
  const estimate = new Estimate(first, progress);
  estimate.begin(file, runs);
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
    await input.save(file);
  }
  return file;
}

function isMissing({ points, repetitions }: ParameterStudyFile, { point, repetition }: PlannedRun): boolean {
  const state = at(points, point);
  return (
    standingOf(state, repetitions) === 'remaining' && !state.runs.some((run) => run.repetition === repetition)
  );
}

/** States how long the runs will take: once after the first ones, and before each run. */
class Estimate {
  private hasStated = false;

  constructor(
    private readonly first: readonly number[],
    private readonly progress: ProgressSink,
  ) {}

  begin({ points, repetitions }: ParameterStudyFile, runs: readonly PlannedRun[]): void {
    const planned = points.filter((point) => point.planned);
    const all = planned.length * repetitions;
    const done = planned.reduce((sum, point) => sum + Math.min(point.runs.length, repetitions), 0);
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
    if (seconds !== undefined && !this.hasStated && !isFirst) {
      this.hasStated = true;
      this.progress.log(
        `Still to do: ${counted(left.length, 'run')}, about ${formatSeconds(seconds)} by the times so far.`,
      );
    }
    this.progress.report({
      message: `${pointName(at(points, next.point).coordinates)}, repetition ${next.repetition} of ${file.repetitions}; ${counted(left.length, 'run')} to do`,
      phase: 'running',
      ...(seconds === undefined
        ? { fraction: 0 }
        : { fraction: spent / (spent + seconds), remainingSeconds: seconds }),
    });
  }
}

/** Undefined before the first run. */
function secondsLeft(
  { points, ...file }: ParameterStudyFile,
  left: readonly PlannedRun[],
): number | undefined {
  const timed = points.map(({ coordinates, runs }) => ({
    coordinates,
    seconds: runs.map(({ spentSeconds }) => spentSeconds),
  }));
  const each = expectedSeconds(timed, steadyNames(file));
  return each === undefined ? undefined : left.reduce((sum, { point }) => sum + at(each, point), 0);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
