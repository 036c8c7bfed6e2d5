import path from 'node:path';
import { isKymoError } from '../../core/errors';
import { median } from '../../core/cost/overhead';
import { decisionClock, secondsBy } from '../../core/cost/runTime';
import { recordingSeconds } from '../../core/modeling/recording/recordedRun';
import type { ProgressSink } from '../../core/progress';
import { readFolded, recordedIn } from '../studies/measuredProfile';
import { pointName } from '../../core/study/texts';
import type { ParameterStudyFile, PointState, StudyPair } from './parameterStudyFile';
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

const pairCount = 5;
/** All runs of the pairs, with those without recording that come first. */
const allRuns = 2 * pairCount + 2;
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
  const runs = pairsAt(coordinates, runAtPoint({ ...file, constants }, coordinates));
  const pairs: StudyPair[] = [];
  try {
    await runs.prepare();
    for (let repetition = 1; repetition <= pairCount; repetition++) {
      signal.throwIfAborted();
      pairs.push(await runs.pair(repetition));
    }
  } catch (error) {
    // The point itself was measured: its models are of use without the comparison.
    if (signal.aborted || !isKymoError(error)) throw error;
    progress.log(`The comparison failed: ${error.message}`);
    return file;
  }
  const compared = { ...file, pairs };
  await save(compared);
  return compared;
}

/** The point with the longest runs that the pairs may take; undefined when there is none. */
function pairPoint({ points }: ParameterStudyFile): PointState | undefined {
  const runs = points.flatMap((point) => point.runs);
  const total = runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0);
  const most = Math.max(allowed.seconds, allowed.part * total) / allRuns;
  return points
    .filter((point) => point.runs.length > 0 && secondsOf(point) <= most)
    .reduce<PointState | undefined>(
      (longest, point) => (longest === undefined || secondsOf(point) > secondsOf(longest) ? point : longest),
      undefined,
    );
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
