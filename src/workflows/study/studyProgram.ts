import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { RunTime } from '../../core/cost/runTime';
import type { ProgressSink } from '../../core/progress';
import type { Selection } from '../../core/selection/selection';
import type { StudyCoordinates } from '../../core/study/points';
import { backendOf } from '../../measurement/backends/backends';
import type { PrepareOptions, Recorder } from '../../measurement/backends/common/backend';
import { buildVanilla, usualBuild, usualStatements } from '../../measurement/backends/common/buildSteps';
import { buildFolder } from '../../measurement/backends/common/builtState';
import { fileIdentity } from '../../measurement/backends/common/fileIdentity';
import type { Target } from '../../measurement/config/config';
import { environmentFacts } from '../../measurement/experiments/environmentFacts';
import { experimentName } from '../../measurement/experiments/experimentName';
import type { BatchRuns } from '../../measurement/launch/slurm/batchRuns';
import { makeOwnFolder } from '../../measurement/files/ownFiles';
import { compilerName } from '../../measurement/toolchain/compilerName';
import { filterSelection, reportChosen, type FilterSelection } from '../filters/filterSelection';
import { readSelectionFile } from '../filters/selectionFile';
import { RunBench } from '../refine/bench/runBench';
import { Together } from '../refine/bench/together';
import { keepSources } from '../refine/results/outputs';
import { pairFolder, type StudyPair } from './parameterStudyFile';
import { targetWithThreads, type PointRun } from './planStudy';

export interface ProgramOptions {
  readonly workspace: string;
  readonly target: Target;
  readonly variant: 'measured' | 'vanilla';
  readonly batch: BatchRuns;
  /** The most ranks of a point: one job serves all runs, in any order. */
  readonly jobRanks: number;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  readonly note: (sentence: string) => void;
}

/** The built program of a study. */
export interface StudyProgram {
  readonly buildId: string;
  /** Runs with the same id record the same functions. */
  readonly selection: string;
  /** Prepares the runs of a study, in its folder. */
  readonly prepareRuns: (directory: string, study: string) => Promise<StudyRuns>;
}

export interface StudyRuns {
  readonly run: RunProgram;
  /** Absent for a program that records nothing. */
  readonly pairsAt?: (coordinates: StudyCoordinates, point: PointRun) => RunPairAtPoint;
}

/**
 * Runs one point without and with recording, in the folder `pairFolder` of the study.
 * @param repetition from 1
 */
export type RunPairAtPoint = (
  repetition: number,
) => Promise<{ readonly baseline: RunTime; readonly measured: RunTime; readonly folders: StudyPair }>;

/** Runs the program once, and writes its experiment. @returns its wall time, and the name of its folder */
export type RunProgram = (
  coordinates: StudyCoordinates,
  point: PointRun,
  repetition: number,
) => Promise<{ readonly wallSeconds: number; readonly folder: string }>;

/** What a measured program records. */
export type ChooseSelection = (
  prepared: Awaited<ReturnType<ReturnType<typeof backendOf>['prepare']>>,
) => Promise<FilterSelection>;

/**
 * Builds the program once for all points.
 * @throws KymoError as the back-end; `config-invalid` for a vanilla build without "clean"
 */
export async function buildForStudy(options: ProgramOptions, choose: ChooseSelection): Promise<StudyProgram> {
  const { workspace, target, variant, signal, progress, note } = options;
  const preparation: PrepareOptions = {
    workspace,
    target,
    ...usualBuild,
    minimumStatements: await usualStatements(workspace, target.name),
    signal,
    progress,
    note,
  };
  const facts = await environmentFacts(workspace, await compilerName(signal), signal);
  const together = new Together({ ...target.run, together: false });
  const common = { ...options, facts, together, parameters: {}, ranks: 1 };
  if (variant === 'vanilla') {
    const { executable } = await buildVanilla(preparation);
    const buildId = await fileIdentity(executable);
    const recorder = vanillaRecorder(executable, buildId);
    return {
      buildId,
      selection: '',
      prepareRuns: (directory, study) => {
        const bench = new RunBench({ ...common, buildId, recorder, directory, study });
        return Promise.resolve({
          run: (coordinates, point, repetition) =>
            runPoint(options, bench, directory, { coordinates, point, repetition }, (at) =>
              at.vanilla(repetition, executable),
            ),
        });
      },
    };
  }
  const prepared = await backendOf(target).prepare(preparation);
  const { buildId, recorder } = prepared;
  const chosen = await choose(prepared);
  reportChosen(chosen, note, progress);
  const { selection } = chosen;
  // In a folder of its own: the study that may go on must not be changed before it is known to measure the same.
  const folder = path.join(buildFolder(workspace, target.name), 'study');
  await makeOwnFolder(folder);
  const { id } = await recorder.plan(selection, folder);
  return {
    buildId,
    selection: id,
    prepareRuns: async (directory, study) => {
      await keepSources(directory, prepared);
      const folders = { experiment: () => directory, round: () => directory };
      const bench = new RunBench({ ...common, buildId, recorder, directory, study, folders });
      await bench.preparePlan(0, selection);
      return {
        run: (coordinates, point, repetition) =>
          runPoint(options, bench, directory, { coordinates, point, repetition }, (at) =>
            at.measured(0, repetition, selection),
          ),
        pairsAt: (coordinates, point) =>
          pairsAt(options, bench, directory, selection, { coordinates, point }),
      };
    },
  };
}

/** The functions that a file names. @throws as `readSelectionFile` and `filterSelection` */
export async function selectionOfFile(filter: string): Promise<ChooseSelection> {
  const given = await readSelectionFile(filter);
  return (prepared) => Promise.resolve(filterSelection(given, prepared, path.basename(filter)));
}

async function runPoint(
  { target, variant }: ProgramOptions,
  bench: RunBench,
  directory: string,
  run: {
    readonly coordinates: StudyCoordinates;
    readonly point: PointRun;
    readonly repetition: number;
  },
  start: (bench: RunBench) => Promise<{ readonly wallSeconds: number }>,
): Promise<{ readonly wallSeconds: number; readonly folder: string }> {
  const folder = experimentName(variant, run.coordinates, run.repetition);
  const folders = { experiment: () => path.join(directory, folder), round: () => directory };
  const { wallSeconds } = await start(
    bench.at({ ...run.point, target: targetWithThreads(target, run.point), folders }),
  );
  return { wallSeconds, folder };
}

/** Both alone, in changing order: at the same time they would slow each other down, and the overhead would be a smaller part of that. */
function pairsAt(
  { target }: ProgramOptions,
  bench: RunBench,
  directory: string,
  selection: Selection,
  { coordinates, point }: { readonly coordinates: StudyCoordinates; readonly point: PointRun },
): RunPairAtPoint {
  const parent = path.join(directory, pairFolder);
  const nameOf = (variant: string, repetition: number): string =>
    experimentName(variant, coordinates, repetition);
  const runs = bench.at({
    ...point,
    target: targetWithThreads(target, point),
    folders: {
      experiment: ({ variant, repetition }) => path.join(parent, nameOf(variant, repetition)),
      round: () => parent,
    },
  });
  return async (repetition) => {
    await makeOwnFolder(parent);
    const isFirst = repetition % 2 === 1;
    const early = isFirst ? await runs.baseline(repetition) : undefined;
    const measured = await runs.measured(0, repetition, selection);
    const baseline = early ?? (await runs.baseline(repetition));
    const folders = {
      coordinates,
      baseline: nameOf('baseline', repetition),
      measured: nameOf('measured', repetition),
    };
    return { baseline, measured, folders };
  };
}

/** Runs of a program that was built without Kymo. */
function vanillaRecorder(executable: string, buildId: string): Recorder {
  return {
    baselineExecutable: executable,
    baselineEnvironment: {},
    requireSameProgram: async () => {
      if ((await fileIdentity(executable)) === buildId) return;
      throw new KymoError(
        'executable-changed',
        `${executable} was replaced while it was being measured. Run the same command again.`,
        { file: executable },
      );
    },
    plan: () => Promise.reject(new Error('A program that was built without Kymo records nothing.')),
  };
}
