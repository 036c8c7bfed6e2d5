import path from 'node:path';
import { median } from '../../core/cost/overhead';
import { present } from '../../core/present';
import { listParameterStudyFolders, type StudyEntry } from '../../measurement/experiments/studies';
import { turn, type Cancellable } from '../running/turn';
import type { StudyCoordinates } from '../../core/study/points';
import { runnerOf, type DamagedStudy, type RunBy } from '../studies/studies';
import {
  readParameterStudy,
  repetitionsOf,
  standingOf,
  type ParameterStudyFile,
  type PointFailure,
  type PointStanding,
} from './parameterStudyFile';

/** A study over parameters that is on disk. */
export interface ParameterStudySummary {
  readonly target: string;
  readonly study: string;
  readonly directory: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** `running`: a live process runs it; `interrupted`: points are left to measure. */
  readonly state: 'running' | 'complete' | 'interrupted';
  /** If `running`: the process, which may be one of this window. */
  readonly runBy?: RunBy;
  readonly variant: ParameterStudyFile['variant'];
  /** Numbers of planned points. */
  readonly done: number;
  readonly failed: number;
  readonly remaining: number;
  /** The planned points, then those of earlier commands. */
  readonly points: readonly StudyPointSummary[];
}

export interface StudyPointSummary {
  readonly coordinates: StudyCoordinates;
  readonly planned: boolean;
  readonly standing: PointStanding | 'running';
  /** Number of complete runs, and of those that it gets. */
  readonly runs: number;
  readonly repetitions: number;
  /** Median wall time of its runs. */
  readonly seconds?: number;
  readonly failure?: PointFailure;
}

export interface ParameterStudies {
  /** The newest first. */
  readonly studies: readonly ParameterStudySummary[];
  readonly damaged: readonly DamagedStudy[];
}

/** All studies over parameters of a workspace. */
export async function listParameterStudies(
  workspace: string,
  context: Cancellable = {},
): Promise<ParameterStudies> {
  const studies: ParameterStudySummary[] = [];
  const damaged: DamagedStudy[] = [];
  await turn(context);
  for (const entry of await listParameterStudyFolders(workspace)) {
    await turn(context);
    const { target, study, directory } = entry;
    try {
      const file = await readParameterStudy(directory);
      if (file !== undefined) studies.push(await summaryOf(file, entry));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      damaged.push({ target, study, directory, message });
    }
  }
  return { studies: studies.sort((a, b) => b.startedAt.localeCompare(a.startedAt)), damaged };
}

async function summaryOf(file: ParameterStudyFile, entry: StudyEntry): Promise<ParameterStudySummary> {
  const { directory } = entry;
  const runBy = await runnerOf(directory, path.basename(directory));
  const points = file.points.map((point, position): StudyPointSummary => {
    const { coordinates, planned, runs, failure } = point;
    const isRunning = runBy !== undefined && file.current?.point === position;
    return {
      coordinates,
      planned,
      standing: isRunning ? 'running' : standingOf(point, file.repetitions),
      runs: runs.length,
      repetitions: repetitionsOf(point, file.repetitions),
      ...present({ failure }),
      ...(runs.length === 0 ? {} : { seconds: median(runs.map(({ wallSeconds }) => wallSeconds)) }),
    };
  });
  const counted = points.filter(({ planned }) => planned);
  const count = (...wanted: readonly StudyPointSummary['standing'][]): number =>
    counted.filter(({ standing }) => wanted.includes(standing)).length;
  const remaining = count('remaining', 'running');
  return {
    // By the folder, as it was found: the file may come from elsewhere.
    target: entry.target,
    study: entry.study,
    directory,
    startedAt: file.startedAt,
    state: runBy !== undefined ? 'running' : remaining > 0 ? 'interrupted' : 'complete',
    ...present({ runBy }),
    variant: file.variant,
    done: count('done'),
    failed: count('failed'),
    remaining,
    points,
  };
}
