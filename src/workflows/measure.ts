import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isKymoError, KymoError } from '../core/errors';
import { present } from '../core/present';
import { silent, type ProgressSink } from '../core/progress';
import { explainConditions } from '../core/cost/runConditions';
import { costBase, type RunTime } from '../core/cost/runTime';
import { selectedKeys, type Selection } from '../core/selection/selection';
import { iterationsFileName } from '../formats/kymo-iterations/iterationsFile';
import { openIterations } from '../formats/kymo-iterations/read';
import type { Prepared, PrepareOptions } from '../measurement/backends/common/backend';
import { backendOf } from '../measurement/backends/backends';
import { buildVanilla, usualBuild, usualStatements } from '../measurement/backends/common/buildSteps';
import type { Target } from '../measurement/config/config';
import { defaultTraceSettings, type TraceSettings } from '../measurement/config/traceSettings';
import type { WrittenTrace } from '../measurement/results/trace/writeTrace';
import { onePoint, withRanks, type Configuration } from '../measurement/config/configurations';
import { environmentFacts } from '../measurement/experiments/environmentFacts';
import type { BatchRuns } from '../measurement/launch/slurm/batchRuns';
import { openProfileFile } from '../measurement/experiments/profileFile';
import { experimentDirectory, listExperiments } from '../measurement/experiments/studies';
import { compilerName } from '../measurement/toolchain/compilerName';
import { filterSelection, reportChosen } from './filters/filterSelection';
import { readSelectionFile } from './filters/selectionFile';
import { measurableTarget } from './targets/measurableTarget';
import { digest, measuredOverhead, type MeasuredOverhead } from './refine/loop/digest';
import { functionTable } from './refine/results/functionTable';
import type { MeasuredRun } from './refine/loop/loop.types';
import { keepSources, writeProperties } from './refine/results/outputs';
import { RunBench } from './refine/bench/runBench';
import { usualSelection } from './targets/usualSelection';
import { measureWatched, type SearchedRunOptions } from './watch/measureWatched';
import { targetJobs } from './refine/bench/targetJobs';
import type { Turns } from './refine/bench/turnTaking';
import { Together } from './refine/bench/together';
import { compareVanilla } from './refine/bench/vanilla';
import type { VanillaComparison } from './studies/refine.types';
import { writeFunctions } from './studies/functionsFile';
import { deleteStudy } from './studies/studies';
import { openMeasurement, type OpenStudy } from './studies/study';
import { failureText } from './studies/failureText';

export interface MeasureOptions extends SearchedRunOptions {
  readonly workspace: string;
  /** Name of the target; default: the first. */
  readonly target?: string;
  /**
   * File with the functions to record, in a format of `readSelectionFile`; default: the accepted selection, else the first selection of a
   * refinement.
   */
  readonly filter?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly repetitions?: number;
  /** Number of ranks that replaces those of the launcher. */
  readonly ranks?: number;
  /** Also build without sites, and compare. */
  readonly vanilla?: boolean;
  /** Also records the events of the measured runs; what is not given is that of the target, else the default. Default: as the target has it. */
  readonly trace?: Partial<TraceSettings>;
  /**
   * The program runs once and is watched meanwhile (`watch/watchRun.ts`): there is no run without recording to compare it with, and its time with nothing
   * recorded follows from its visits and the calibrated cost of each.
   */
  readonly watched?: boolean;
  /** Of such a run: whether processes on other hosts are reduced to sums over those that do alike; default: where there are many. */
  readonly reduce?: boolean;
  /** Another measurement takes turns with this one. */
  readonly turns?: Turns;
  readonly signal: AbortSignal;
  readonly progress?: ProgressSink;
}

/** Values of each iteration, for `dynamics`. */
export interface RunIterations {
  readonly phase: string;
  readonly count: number;
  readonly file: string;
}

/**
 * The output of `kymo measure --json`. Times are of whole runs: wall times except for `cpuSeconds` and `baselineCpuSeconds`. Baselines are
 * runs of the same executable without recording, in turns with the measured runs.
 */
export interface MeasureResult extends Configuration, MeasuredOverhead {
  readonly target: string;
  /** The study's folder: one experiment for each repetition and variant. */
  readonly directory: string;
  /** Profile of the typical run (`typicalRun`). */
  readonly profile: string;
  /** Iterations of that run; absent when no phase was visited. */
  readonly iterations?: RunIterations;
  /** The events of that run as an OTF2 archive. */
  readonly trace?: WrittenTrace;
  readonly instrumented: number;
  readonly seconds: readonly number[];
  readonly vanilla?: VanillaComparison;
  readonly notes: readonly string[];
}

/**
 * One experiment: builds (without files that are up to date), runs with and without recording in turns, and stores all results.
 * @throws KymoError for all errors that a user can fix
 */
export async function measure(options: MeasureOptions): Promise<MeasureResult> {
  const { progress = silent } = options;
  const { workspace, target: asWritten } = await measurableTarget(options);
  const target = withRanks(asWritten, options.ranks === undefined ? undefined : [options.ranks]);
  if (options.watched === true) requireWatchable(target, options);
  const request: Request = {
    ...options,
    point: onePoint(target, options.parameters),
    given: options.filter === undefined ? undefined : await readSelectionFile(options.filter),
  };
  const study = await openMeasurement(workspace, target);
  const notes = new Set<string>();
  const batch = targetJobs(workspace, target, progress, (sentence) => void notes.add(sentence));
  try {
    return await measureTarget(request, progress, workspace, target, study, batch, notes);
  } catch (error) {
    // Runs that were complete before the failure remain on disk, and so does the output that the error names.
    const named = isKymoError(error) ? error.where.file : undefined;
    const isNamed = named?.startsWith(`${study.directory}${path.sep}`) === true;
    if (!isNamed && (await listExperiments(study.directory)).length === 0) await deleteStudy(study.directory);
    else await study.save({ ...study.file, state: 'failed', failure: failureText(error) });
    throw error;
  } finally {
    await batch.close(options.signal);
    await study.close();
  }
}

/** Options that are checked and read before Kymo builds or writes anything. */
interface Request extends MeasureOptions {
  readonly point: Configuration;
  readonly given: Awaited<ReturnType<typeof readSelectionFile>> | undefined;
}

async function measureTarget(
  options: Request,
  progress: ProgressSink,
  workspace: string,
  target: Target,
  study: OpenStudy,
  batch: BatchRuns,
  notes: Set<string>,
): Promise<MeasureResult> {
  const { signal, point, given } = options;
  const { directory } = study;
  const repetitions = options.watched === true ? 1 : (options.repetitions ?? target.repetitions);
  const note = (sentence: string): void => void notes.add(sentence);
  const trace = traceSettings(options, target);
  const preparation: PrepareOptions = {
    workspace,
    target,
    ...usualBuild,
    minimumStatements: await usualStatements(workspace, target.name),
    signal,
    progress,
    note,
    ...present({ trace }),
  };
  const vanillaBuild = options.vanilla === true ? await buildVanilla(preparation) : undefined;
  const prepared = await backendOf(target).prepare(preparation);
  const context = {
    workspace,
    target,
    directory,
    study: study.file.study,
    buildId: prepared.buildId,
    recorder: prepared.recorder,
    together: options.turns?.together ?? new Together({ ...target.run, together: false }),
    batch,
    ...point,
    facts: await environmentFacts(workspace, await compilerName(signal), signal),
    signal,
    progress,
    note,
  };
  const chosen =
    given === undefined
      ? await usualSelection(path.dirname(directory), prepared)
      : filterSelection(given, prepared, path.basename(options.filter ?? ''));
  reportChosen(chosen, note, progress);
  const planned = chosen.selection;
  await keepSources(directory, prepared);
  const bench = new RunBench(context);
  const { selection, runs, baselines } =
    options.watched === true
      ? await runWatched(bench, planned, prepared, {
          ...context,
          reduce: options.reduce,
          diagnose: options.diagnose,
          onWatched: options.onWatched,
        })
      : await runRepetitions(bench, planned, repetitions, options);
  // A search says it itself, of the time of the search.
  const preempted = options.diagnose === undefined ? bench.mostPreempted : 0;
  for (const sentence of explainConditions(costBase(baselines), preempted)) note(sentence);
  const vanilla =
    vanillaBuild === undefined
      ? undefined
      : await compareVanilla(context, vanillaBuild.executable, [repetitions]);
  const evidence = { measured: runs, beside: baselines, paired: false, baselines };
  const state = digest({ ...prepared, options: {} }, undefined, selection, {}, evidence);
  await writeFunctions(directory, functionTable(state, prepared));
  await writeProperties(directory, state, prepared);
  const { buildId, buildSeconds } = prepared;
  await study.save({ ...study.file, state: 'complete', buildId, buildSeconds, iterations: state.iterations });
  const repetition = 1 + runs.findIndex(({ profile }) => profile === state.run.profile);
  const folder = experimentDirectory(directory, { iteration: 0, variant: 'measured', ...point, repetition });
  return {
    target: target.name,
    directory,
    profile: path.join(folder, 'profile.cubex'),
    ...(await iterationsIn(folder)),
    ...present({ trace: runs[repetition - 1]?.trace }),
    ...point,
    instrumented: selectedKeys(selection).length,
    seconds: runs.map((run) => run.wallSeconds),
    ...measuredOverhead(evidence),
    ...(vanilla === undefined ? {} : { vanilla }),
    notes: [...notes],
  };
}

interface MeasuredRuns {
  readonly selection: Selection;
  readonly runs: readonly MeasuredRun[];
  readonly baselines: readonly RunTime[];
}

/** Runs without and with recording in turns; each is also a turn of another measurement, if there is one. */
async function runRepetitions(
  bench: RunBench,
  selection: Selection,
  repetitions: number,
  { turns, signal, progress = silent }: Pick<MeasureOptions, 'turns' | 'signal' | 'progress'>,
): Promise<MeasuredRuns> {
  const runs: MeasuredRun[] = [];
  const baselines: RunTime[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    const first = await turns?.next();
    signal.throwIfAborted();
    progress.report({
      message: `Run ${repetition} of ${repetitions}`,
      fraction: (repetition - 1) / repetitions,
    });
    baselines.push(await bench.baseline(repetition, first));
    const second = await turns?.next();
    signal.throwIfAborted();
    runs.push(await bench.measured(0, repetition, selection, second));
  }
  await turns?.over();
  signal.throwIfAborted();
  return { selection, runs, baselines };
}

async function runWatched(
  bench: RunBench,
  selection: Selection,
  prepared: Prepared,
  context: Parameters<typeof measureWatched>[3],
): Promise<MeasuredRuns> {
  context.progress.report({ message: 'Run 1 of 1', fraction: 0 });
  const { run, baseline, selection: measured } = await measureWatched(bench, selection, prepared, context);
  return { selection: measured, runs: [run], baselines: [baseline] };
}

/** @throws KymoError `usage` */
function requireWatchable({ name, backend }: Target, { trace, repetitions }: MeasureOptions): void {
  const refuse = (why: string): never => {
    throw new KymoError('usage', `The target ${name} cannot be run and watched: ${why}.`);
  };
  if (backend === 'scorep') refuse('Score-P measures it, which cannot be asked while the program runs');
  if (trace !== undefined) refuse('a watched run records no trace; use "kymo measure --trace"');
  if (repetitions !== undefined && repetitions > 1) refuse('a watched run is one run');
}

/** @throws KymoError `usage` */
function traceSettings(
  { trace: given, watched }: Pick<MeasureOptions, 'trace' | 'watched'>,
  target: Target,
): TraceSettings | undefined {
  if (watched === true) return undefined;
  if (given === undefined && target.trace === undefined) return undefined;
  if (target.backend === 'scorep')
    throw new KymoError(
      'usage',
      `The target ${target.name} is measured by Score-P, which records traces itself: set SCOREP_ENABLE_TRACING to true in "environment" of "scorep" in kymo.json, or measure with the back-end "kymo".`,
    );
  return { ...defaultTraceSettings, ...target.trace, ...given };
}

/** @throws KymoError if the file exists and is damaged */
async function iterationsIn(folder: string): Promise<Pick<MeasureResult, 'iterations'>> {
  const file = path.join(folder, iterationsFileName);
  const there = await stat(file).then(
    () => true,
    () => false,
  );
  if (!there) return {};
  const opened = openProfileFile(file);
  try {
    const { phase, iterations } = openIterations(opened.source, file).directory;
    return { iterations: { phase, count: iterations, file } };
  } finally {
    opened.close();
  }
}
