import path from 'node:path';
import { isKymoError } from '../../core/errors';
import { median, overheadOfPairs } from '../../core/cost/overhead';
import { decisionClock, secondsBy, type RunTime } from '../../core/cost/runTime';
import { recordingSeconds } from '../../core/modeling/recording/recordedRun';
import type { ProgressSink } from '../../core/progress';
import { readFolded, recordedIn } from '../studies/measuredProfile';
import { pointName } from '../../core/study/texts';
import type { ParameterStudyFile, PointState } from './parameterStudyFile';
import { runAtPoint, type StudyPlan } from './planStudy';
import type { StudyRuns } from './studyProgram';

export interface PairsInput {
  readonly file: ParameterStudyFile;
  readonly directory: string;
  readonly constants: StudyPlan['constants'];
  readonly pairsAt: StudyRuns['pairsAt'];
  readonly save: (file: ParameterStudyFile) => Promise<void>;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
}

const fewestPairs = 5;
/** More are made while the overhead is known to no better than these points, or this part of it, if the time allows it. */
const mostPairs = 25;
const precise = { points: 0.5, part: 0.02 };
/** They may take this part of the study's time, and these seconds in any case. */
const allowed = { part: 0.25, seconds: 20 };
/** Below this predicted overhead, percent, it matters little that a visit costs twice as much as calibrated. */
const leastPercent = 1;

/**
 * Runs one point with and without recording, once in a study: a visit costs more in the program than where it is calibrated, by up to a few
 * times, and only such pairs show it. The point is the one with the longest runs that the pairs may take.
 */
export async function measurePairs(input: PairsInput): Promise<ParameterStudyFile> {
  const { file, directory, constants, pairsAt, save, signal, progress } = input;
  const point = pairsAt === undefined || file.pairs !== undefined ? undefined : pairPoint(file);
  if (point === undefined || pairsAt === undefined) return file;
  const percent = await expectedPercent(directory, point);
  if (percent === undefined || percent < leastPercent) return file;
  progress.log(
    `Comparing with runs that record nothing, at ${pointName(point.coordinates)}: they show what recording a visit costs in this program.`,
  );
  progress.report({
    message: `${pointName(point.coordinates)}, with and without recording`,
    phase: 'running',
  });
  const { coordinates } = point;
  const runPair = pairsAt(coordinates, runAtPoint({ ...file, constants }, coordinates));
  const pairs: Awaited<ReturnType<typeof runPair>>[] = [];
  const end = performance.now() + 1000 * allowedSeconds(file);
  try {
    while (
      pairs.length < fewestPairs ||
      (pairs.length < mostPairs && performance.now() < end && !isPrecise(pairs))
    ) {
      signal.throwIfAborted();
      pairs.push(await runPair(pairs.length + 1));
    }
  } catch (error) {
    // The point itself was measured: its models are of use without the comparison.
    if (signal.aborted || !isKymoError(error)) throw error;
    progress.log(`The comparison failed: ${error.message}`);
    return file;
  }
  const compared = { ...file, pairs: pairs.map(({ folders }) => folders) };
  await save(compared);
  return compared;
}

/** The point with the longest runs that the pairs may take; undefined when there is none. */
function pairPoint(file: ParameterStudyFile): PointState | undefined {
  const most = allowedSeconds(file) / (2 * fewestPairs);
  return file.points
    .filter((point) => point.runs.length > 0 && secondsOf(point) <= most)
    .reduce<PointState | undefined>(
      (longest, point) => (longest === undefined || secondsOf(point) > secondsOf(longest) ? point : longest),
      undefined,
    );
}

function allowedSeconds({ points }: ParameterStudyFile): number {
  const runs = points.flatMap((point) => point.runs);
  return Math.max(
    allowed.seconds,
    allowed.part * runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0),
  );
}

function isPrecise(pairs: readonly { readonly baseline: RunTime; readonly measured: RunTime }[]): boolean {
  const clock = decisionClock(pairs.flatMap(({ baseline, measured }) => [baseline, measured]));
  const { percent, doubtPercent } = overheadOfPairs(
    pairs.map(({ measured }) => secondsBy(clock, measured)),
    pairs.map(({ baseline }) => secondsBy(clock, baseline)),
  );
  return doubtPercent <= Math.max(precise.points, precise.part * percent);
}

function secondsOf({ runs }: PointState): number {
  return median(runs.map(({ spentSeconds }) => spentSeconds));
}

/** Visits of the first run × their calibrated cost, percent of its time; undefined where that is unknown. */
async function expectedPercent(directory: string, { runs }: PointState): Promise<number | undefined> {
  const file = path.join(directory, runs[0]?.folder ?? '', 'profile.cubex');
  const run = await recordedIn(file, readFolded(file), []);
  if (run === undefined) return undefined;
  const clock = decisionClock([run.time]);
  return (100 * recordingSeconds(run, run.costs, clock)) / secondsBy(clock, run.time);
}
