import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CallGraphFunction } from '../core/callgraph/callGraph';
import { silent, type ProgressSink } from '../core/progress';
import { nextSelection } from '../core/strategies/nextSelection';
import { explainConditions } from '../core/cost/runConditions';
import { costBase, type RunTime } from '../core/cost/runTime';
import { selectedKeys, type Decision } from '../core/selection/selection';
import { iterationsFileName } from '../formats/kymo-iterations/iterationsFile';
import { openIterations } from '../formats/kymo-iterations/read';
import type { PrepareOptions, Prepared } from '../measurement/backends/common/backend';
import { backendOf } from '../measurement/backends/backends';
import { buildVanilla, usualBuild, usualStatements } from '../measurement/backends/common/buildSteps';
import type { Target } from '../measurement/config/config';
import { onePoint, type Configuration } from '../measurement/config/configurations';
import { environmentFacts } from '../measurement/experiments/environmentFacts';
import { openProfileFile } from '../measurement/experiments/profileFile';
import { experimentDirectory, studyDirectory } from '../measurement/experiments/studies';
import { lockStudy } from '../measurement/experiments/studyLock';
import { compilerName } from '../measurement/toolchain/compilerName';
import { acceptedSelection } from './accept';
import { admitNamed } from './filters/admitNamed';
import { filterSelection, type FilterSelection } from './filters/filterSelection';
import { readSelectionFile } from './filters/selectionFile';
import { measurableTarget } from './measurableTarget';
import { measuredOverhead, type MeasuredOverhead } from './refine/digest';
import { RunBench } from './refine/runBench';
import { Together } from './refine/together';
import { compareVanilla } from './refine/vanilla';
import type { VanillaComparison } from './studies/refine.types';
import { makeOwnFolder } from '../measurement/files/ownFiles';

export interface MeasureOptions {
  readonly workspace: string;
  /** Name of the target; default: the first. */
  readonly target?: string;
  /** File with what is recorded, in a language that `readSelectionFile` knows; default: the accepted selection, else the one that a refinement begins with. */
  readonly filter?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly repetitions?: number;
  /** Also build without sites, and compare. */
  readonly vanilla?: boolean;
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
 * What `kymo measure --json` prints. Times are of whole runs, wall times but for `cpuSeconds` and `baselineCpuSeconds`; baselines are of
 * the same executable with nothing recorded, in turns with the measured runs.
 */
export interface MeasureResult extends Configuration, MeasuredOverhead {
  readonly target: string;
  /** The study's folder: one experiment for each repetition and variant. */
  readonly directory: string;
  /** Profile of the run whose time is the median. */
  readonly profile: string;
  /** Of that run; absent when no phase was visited. */
  readonly iterations?: RunIterations;
  readonly instrumented: number;
  readonly seconds: readonly number[];
  readonly vanilla?: VanillaComparison;
  readonly notes: readonly string[];
}

/**
 * One experiment: builds (what is up to date is not built again), runs with and without recording in turns, and keeps all.
 * @throws KymoError for whatever a user can mend
 */
export async function measure(options: MeasureOptions): Promise<MeasureResult> {
  const { progress = silent } = options;
  const { workspace, target } = await measurableTarget(options);
  const name = `measure-${new Date().toISOString().slice(0, 23).replace(/[:.]/g, '-')}`;
  const directory = studyDirectory(workspace, target.name, name);
  const lock = await lockStudy(path.dirname(directory));
  try {
    return await measureTarget(options, progress, workspace, target, { name, directory });
  } finally {
    await lock.release();
  }
}

async function measureTarget(
  options: MeasureOptions,
  progress: ProgressSink,
  workspace: string,
  target: Target,
  study: { readonly name: string; readonly directory: string },
): Promise<MeasureResult> {
  const { signal } = options;
  const { directory } = study;
  const point = onePoint(target, options.parameters);
  const repetitions = options.repetitions ?? target.repetitions;
  const notes = new Set<string>();
  const note = (sentence: string): void => void notes.add(sentence);
  const given = options.filter === undefined ? undefined : await readSelectionFile(options.filter);
  // Nothing is left behind by a request that cannot be served.
  await makeOwnFolder(path.join(directory, 'i0'));
  const preparation: PrepareOptions = {
    workspace,
    target,
    ...usualBuild,
    minimumStatements: await usualStatements(workspace, target.name),
    signal,
    progress,
    note,
  };
  const vanillaExecutable = options.vanilla === true ? await buildVanilla(preparation) : undefined;
  const prepared = await backendOf(target).prepare(preparation);
  const context = {
    workspace,
    target,
    directory,
    study: study.name,
    buildId: prepared.buildId,
    recorder: prepared.recorder,
    together: new Together({ ...target.run, together: false }),
    ...point,
    facts: await environmentFacts(workspace, await compilerName(signal), signal),
    signal,
    progress,
    note,
  };
  const { selection, notes: told } =
    given === undefined
      ? await usualSelection(path.dirname(directory), prepared)
      : filterSelection(given, prepared, path.basename(options.filter ?? ''));
  // A back-end may build for the selection now, and what it lacks is said before.
  for (const sentence of told) {
    note(sentence);
    progress.log(sentence);
  }
  const bench = new RunBench(context);
  const runs: RunTime[] = [];
  const baselines: RunTime[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    signal.throwIfAborted();
    progress.report({
      message: `Run ${repetition} of ${repetitions}`,
      fraction: (repetition - 1) / repetitions,
    });
    baselines.push(await bench.baseline(repetition));
    runs.push(await bench.measured(0, repetition, selection));
  }
  for (const sentence of explainConditions(costBase(baselines), bench.mostPreempted)) note(sentence);
  const vanilla =
    vanillaExecutable === undefined
      ? undefined
      : await compareVanilla(context, vanillaExecutable, [repetitions]);
  const seconds = runs.map((run) => run.wallSeconds);
  const typical = {
    iteration: 0,
    variant: 'measured',
    ...point,
    repetition: medianIndex(seconds) + 1,
  } as const;
  const folder = experimentDirectory(directory, typical);
  return {
    target: target.name,
    directory,
    profile: path.join(folder, 'profile.cubex'),
    ...(await iterationsIn(folder)),
    ...point,
    instrumented: selectedKeys(selection).length,
    seconds,
    ...measuredOverhead({ measured: runs, beside: baselines, paired: false }),
    ...(vanilla === undefined ? {} : { vanilla }),
    notes: [...notes],
  };
}

/** @throws KymoError when there is a file, and it is damaged */
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

/** What the user accepted, as far as this program has the functions and they can be recorded; else what a refinement begins with. */
async function usualSelection(targetDirectory: string, prepared: Prepared): Promise<FilterSelection> {
  const { graph, sites } = prepared;
  const known = await acceptedSelection(targetDirectory);
  if (known === undefined) return { selection: nextSelection({ graph, sites }).selection, notes: [] };
  const { accepted, selection } = known;
  const missing = admitNamed(prepared, new Set(selectedKeys(selection)));
  const decide = ({ key }: CallGraphFunction): Decision => {
    const decision = selection.decisions.get(key);
    if (decision === undefined) return { key, selected: false, reason: { rule: 'not-measured' } };
    return decision.selected && !sites.has(key)
      ? { key, selected: false, reason: { rule: 'no-site' } }
      : decision;
  };
  return {
    selection: { decisions: new Map(graph.functions.map((f) => [f.key, decide(f)])) },
    notes: [
      `Recorded what was accepted: iteration ${accepted.iteration} of ${accepted.study}. Give --filter to record something else.`,
      ...missing,
    ],
  };
}

/** Position of the lower median. */
function medianIndex(values: readonly number[]): number {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  return order[(values.length - 1) >> 1]?.index ?? 0;
}
