import { neededValues } from '../core/modeling/choice';
import { KymoError } from '../core/errors';
import { silent, type ProgressSink } from '../core/progress';
import type { StudyDesign } from '../core/study/points';
import { makeModels } from './models';
import { predictRecording } from './models/predictRecording';
import { measurableTarget } from './targets/measurableTarget';
import { targetJobs } from './refine/bench/targetJobs';
import { measurePairs } from './study/measurePairs';
import { measurePoints } from './study/measurePoints';
import { lastStudy, openParameterStudy, outdated, type StudyToOpen } from './study/openParameterStudy';
import {
  isUnfinished,
  standingOf,
  type ParameterStudyFile,
  type PointStanding,
  type PointState,
} from './study/parameterStudyFile';
import { planRequested, type PlannedRequest } from './study/planRequested';
import { runAtPoint } from './study/planStudy';
import { buildForStudy, selectionOfFile, type StudyProgram } from './study/studyProgram';
import { studyDirectory } from '../measurement/experiments/studies';
import path from 'node:path';
import { usualSelection } from './targets/usualSelection';

export interface StudyOptions extends PlannedRequest {
  /** Folder with `kymo.json`. */
  readonly workspace: string;
  /** Name of the target; default: the first. */
  readonly target?: string;
  /** File with the functions to record, as of `measure`; default: the accepted selection, else the first selection of a refinement. */
  readonly filter?: string;
  /** Measure the point that the last study of the target would gain most from, in place of a plan. */
  readonly next?: boolean;
  readonly signal: AbortSignal;
  readonly progress?: ProgressSink;
  /** Receives the study's folder as soon as it is known. */
  readonly onStudy?: (directory: string) => void;
}

/** The output of `kymo study --json`, without the models. */
export interface StudyResult {
  readonly target: string;
  readonly study: string;
  /** The study's folder, which `makeModels` reads. */
  readonly directory: string;
  readonly design: StudyDesign;
  readonly repetitions: number;
  /** Numbers of planned points. */
  readonly done: number;
  readonly failed: number;
  readonly remaining: number;
  readonly points: readonly PointState[];
  /** Number and time of all runs that the study has, of earlier calls, too. */
  readonly runs: number;
  readonly runSeconds: number;
  readonly notes: readonly string[];
  /** How the target expects functions to grow. */
  readonly expect: Readonly<Record<string, string>>;
  /** What recording may cost by the target's refinement, percent of the run time. */
  readonly overheadPercent: number;
}

/**
 * Measures a program at several points of a parameter space. The program is built once. Everything is on disk after each run, so that a study
 * that was stopped goes on where it was.
 * @throws KymoError for all errors that a user can fix; `cancelled` after an abort. A run that fails is no error: its point has the failure
 */
export async function study(options: StudyOptions): Promise<StudyResult> {
  const { progress = silent, signal, filter } = options;
  const { workspace, target } = await measurableTarget(options);
  const targetDirectory = path.dirname(studyDirectory(workspace, target.name, 'x'));
  const request = options.next === true ? await nextRequest(targetDirectory, options) : options;
  // What the user gave is checked before anything is built or written.
  const wanted = await planRequested(workspace, target, request);
  const { plan, variant, named } = wanted;
  const choose =
    filter === undefined ? usualSelection.bind(undefined, targetDirectory) : await selectionOfFile(filter);
  let open = await openParameterStudy(wanted);
  const jobRanks = Math.max(...plan.points.map((point) => runAtPoint(plan, point).ranks));
  const notes = new Set<string>();
  const note = (sentence: string): void => void notes.add(sentence);
  const batch = targetJobs(workspace, target, progress, note);
  try {
    const program = await buildForStudy(
      { workspace, target, variant, batch, jobRanks, signal, progress, note },
      choose,
    );
    if (mustBeginAgain(open.file, program, named)) open = await open.replaced();
    for (const sentence of [...open.notes, ...scarceValues(open.file)]) {
      note(sentence);
      progress.log(sentence);
    }
    const { directory } = open;
    options.onStudy?.(directory);
    const { buildId, selection } = program;
    const begun = { ...open.file, buildId, selection };
    await open.save(begun);
    const { constants } = plan;
    const { run, pairsAt } = await program.prepareRuns(directory, begun.study);
    const context = { signal, progress };
    const common = { constants, save: open.save, ...context };
    const limit = target.refinement.overheadPercent;
    for (const line of await predictRecording(directory, begun, limit, context)) progress.log(line);
    const measured = await measurePoints({
      ...common,
      file: begun,
      runProgram: run,
      ...(named === undefined || named.only.length === 0 ? {} : { only: named.only }),
    });
    const file = await measurePairs({ ...common, file: measured, directory, pairsAt });
    return {
      ...resultOf(open.directory, file, [...notes]),
      expect: target.expect,
      overheadPercent: target.refinement.overheadPercent,
    };
  } finally {
    await batch.close(signal);
    await open.close();
  }
}

/** The next point of the last study, as a request for it. @throws KymoError `usage` without one */
async function nextRequest(targetDirectory: string, options: StudyOptions): Promise<PlannedRequest> {
  const last = await lastStudy(targetDirectory).catch(() => undefined);
  if (last === undefined || options.fresh === true)
    throw new KymoError('usage', '--next goes on with a study, and there is none. Run “kymo study” first.');
  const { signal, progress = silent } = options;
  const { next } = await makeModels({ paths: [last.directory] }, { signal, progress });
  if (next === undefined)
    throw new KymoError(
      'usage',
      last.file.points.some((point) => isUnfinished(point, last.file))
        ? `${last.file.study} has points to measure. Run “kymo study” to go on with it.`
        : `No further point would make the predictions of ${last.file.study} much more certain. Give --values, --point or --repetitions to measure more all the same.`,
    );
  progress.log(next.why);
  return { study: last.file.study, points: [next.coordinates], repetitions: next.repetitions };
}

/** Parameters with too few values for a formula, while more can still be measured. */
function scarceValues({ points }: ParameterStudyFile): readonly string[] {
  const names = Object.keys(points[0]?.coordinates ?? {});
  return names.flatMap((name) => {
    const count = new Set(points.map(({ coordinates }) => coordinates[name])).size;
    return count === 1 || count >= neededValues
      ? []
      : [
          `${name} has ${count} values, and formulas need at least ${neededValues}: they will not show what ${name} changes. Add values, or give ${name} one value.`,
        ];
  });
}

/**
 * Whether the program or what it records is not what a complete study has measured, which then stays as it is.
 * @throws KymoError `study-outdated` half-way, and for a study that was named
 */
function mustBeginAgain(
  file: ParameterStudyFile,
  { buildId, selection }: StudyProgram,
  named: StudyToOpen['named'],
): boolean {
  const isOtherProgram = file.buildId !== buildId;
  const isSame = !isOtherProgram && file.selection === selection;
  if (isSame || file.points.every(({ runs }) => runs.length === 0)) return false;
  if (named !== undefined || file.points.some((point) => isUnfinished(point, file)))
    throw outdated(file, isOtherProgram ? 'program' : 'selection');
  return true;
}

function resultOf(
  directory: string,
  file: ParameterStudyFile,
  notes: readonly string[],
): Omit<StudyResult, 'expect' | 'overheadPercent'> {
  const { target, study: name, design, repetitions, points } = file;
  const standings = points.filter(({ planned }) => planned).map((point) => standingOf(point, repetitions));
  const count = (wanted: PointStanding): number => standings.filter((standing) => standing === wanted).length;
  const runs = points.flatMap((point) => point.runs);
  return {
    target,
    study: name,
    directory,
    design,
    repetitions,
    done: count('done'),
    failed: count('failed'),
    remaining: count('remaining'),
    points,
    runs: runs.length,
    runSeconds: runs.reduce((sum, run) => sum + run.wallSeconds, 0),
    notes,
  };
}
