import path from 'node:path';
import { silent, type ProgressSink } from '../core/progress';
import { phaseFunctions } from '../core/selection/phase';
import { explainConditions } from '../core/selection/runConditions';
import { selectedKeys } from '../core/selection/selection';
import type { OverheadReduction, Strategy } from '../core/selection/strategy';
import { findProperties } from '../core/properties/findProperties';
import type { Property } from '../core/properties/property';
import type { Backend, PrepareOptions, Prepared } from '../measurement/backends/backend';
import { backendOf } from '../measurement/backends/backends';
import { BuildError } from '../measurement/build/buildError';
import { buildVanilla, usualBuild } from '../measurement/backends/buildSteps';
import type { Target } from '../measurement/config/config';
import { onePoint } from '../measurement/config/configurations';
import { writeFileAtomically } from '../measurement/experiments/disk';
import { environmentFacts } from '../measurement/experiments/environmentFacts';
import { compilerName } from '../measurement/toolchain/compilerName';
import { measurableTarget } from './measurableTarget';
import { pinnedFunctions } from './pins/pinnedFunctions';
import { functionTable, hotFunctions } from './refine/functionTable';
import { afterFailure, earlierIterations, requireSameProgram, statementsOfBuild } from './refine/earlier';
import { finalSelection } from './refine/finalSelection';
import { refinementLoop } from './refine/loop';
import type { LoopInput, LoopResult, LoopState } from './refine/loop.types';
import { writeFinal, writeFunctions, type StudyPlace } from './refine/outputs';
import { RunBench, type RunContext } from './refine/runBench';
import { openStudy, studyFingerprint, type GoOn, type OpenStudy, type StudyFile } from './refine/study';
import { removedFunctions } from './refine/removed';
import { compareVanilla, costsTooMuch } from './refine/vanilla';
import type { RefineIteration, RefineResult, VanillaComparison } from './refine.types';
import { hasSources, writeSources } from './sources';

export interface RefineOptions {
  /** Folder with `kymo.json`. */
  readonly workspace: string;
  /** Name of the target; default: the first. */
  readonly target?: string;
  readonly signal: AbortSignal;
  readonly progress?: ProgressSink;
  /** The study's folder, as soon as it is known. */
  readonly onStudy?: (directory: string) => void;
  /** Not for iterations that an earlier call has measured. */
  readonly onIteration?: (iteration: RefineIteration) => void;
  /** Added to the environment of build and runs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Values that replace the first ones of `parameters` in `kymo.json`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Also build without sites and compare. */
  readonly vanilla?: boolean;
  /** Go on with a refinement that was stopped; default true. */
  readonly resume?: boolean;
  /** So many iterations more on the last study, also when that one is complete. */
  readonly moreIterations?: number;
  readonly probes?: boolean;
  readonly strategy?: Strategy;
  readonly base?: OverheadReduction;
  readonly overheadPercent?: number;
  readonly maximumIterations?: number;
  readonly repetitions?: number;
  readonly budgetSeconds?: number;
}

/** Own statements from which on a function gets probes; and what is used when those turn out to cost too much. */
const minimumStatements = { usual: usualBuild.minimumStatements, raised: 40 };
const mostHotFunctions = 50;

/**
 * The main job: build once, run, decide, run … until the selection no longer changes or a limit is reached. Everything is on disk
 * after each run, so that a refinement that was stopped goes on where it was.
 * @throws KymoError for whatever a user can mend; `cancelled` after an abort
 */
export async function refine(options: RefineOptions): Promise<RefineResult> {
  const begin = performance.now();
  const { progress = silent } = options;
  const { workspace, target: asWritten } = await measurableTarget(options);
  const target = withOverrides(asWritten, options);
  const { parameters, ranks } = onePoint(target, options.parameters);
  const study = await openStudy({
    workspace,
    target,
    fingerprint: studyFingerprint(target, { parameters, ranks, probes: options.probes !== false }),
    goOn: goOnOf(options),
  });
  const session = new Session(options, workspace, target, parameters, ranks, study);
  try {
    options.onStudy?.(study.directory);
    if (study.resumed) progress.log(`Going on with ${study.directory}`);
    return await session.run(begin);
  } catch (error) {
    await session.giveUp(error).catch(() => undefined);
    throw error;
  } finally {
    await study.close();
  }
}

function goOnOf({ moreIterations, resume }: RefineOptions): GoOn {
  if (moreIterations !== undefined) return 'last';
  return resume === false ? 'never' : 'stopped';
}

/** One refinement from the open study to the result. */
class Session {
  private readonly notes = new Set<string>();
  private readonly progress: ProgressSink;
  private file: StudyFile;
  /** After each iteration: what the refinement would end with. */
  private reached: (() => ReturnType<typeof writeFinal>) | undefined;

  constructor(
    private readonly options: RefineOptions,
    private readonly workspace: string,
    private readonly target: Target,
    private readonly parameters: Readonly<Record<string, string>>,
    private readonly ranks: number,
    private study: OpenStudy,
  ) {
    this.progress = options.progress ?? silent;
    this.file = study.file;
  }

  async run(begin: number): Promise<RefineResult> {
    const { moreIterations } = this.options;
    if (moreIterations !== undefined) await this.save({ state: 'running' });
    const built = await this.build();
    const { prepared } = built;
    const same = this.study.resumed && prepared.buildId === this.study.file.buildId;
    const earlier = same ? await earlierIterations(this.study.directory, this.study.file) : [];
    await this.keepSources(prepared);
    const context = await this.runContext(prepared);
    const { buildId } = prepared;
    await this.save(moreIterations === undefined ? { buildId, ...buildEffort(built) } : {});
    const input: LoopInput = {
      graph: prepared.graph,
      sites: prepared.sites,
      options: this.selectionOptions(prepared),
      pinned: () =>
        pinnedFunctions(this.workspace, prepared.graph, (sentence) => void this.notes.add(sentence)),
      overheadPercent: this.target.refinement.overheadPercent,
      earlier,
      ...this.limits(earlier.length),
      repetitions: this.target.repetitions,
      budgetSeconds: this.target.refinement.budgetSeconds,
      signal: this.options.signal,
      progress: this.progress,
      onIteration: (iteration, state) => this.onIteration(iteration, state, prepared, input),
    };
    const bench = new RunBench(context);
    const loop = await refinementLoop(input, bench);
    for (const sentence of explainConditions(loop.costBase, bench.mostPreempted)) this.notes.add(sentence);
    return this.finish(loop, built, (performance.now() - begin) / 1000);
  }

  private selectionOptions({ graph }: Prepared): LoopInput['options'] {
    const { refinement, phase } = this.target;
    const { strategy, base, mode } = refinement;
    return { strategy, base, mode, ...(phase === undefined ? {} : { phase: phaseFunctions(graph, phase) }) };
  }

  private limits(
    earlier: number,
  ): Pick<LoopInput, 'maximumIterations'> & Partial<Pick<LoopInput, 'leastIterations'>> {
    const { moreIterations } = this.options;
    if (moreIterations === undefined) return { maximumIterations: this.target.refinement.maximumIterations };
    return { leastIterations: earlier + moreIterations, maximumIterations: earlier + moreIterations };
  }

  /** What the user cannot go on with is not resumed; a cancelled or killed one is. Both leave a selection that holds the target. */
  async giveUp(error: unknown): Promise<void> {
    const { options, study } = this;
    // Once it builds again, and is the same program, its results are as good as before.
    const canGoOn = options.signal.aborted || (study.resumed && error instanceof BuildError);
    const reached = await this.reached?.();
    if (reached !== undefined) this.file = { ...this.file, finalIteration: reached.finalIteration };
    await study.save(afterFailure(study.file, this.file, canGoOn));
  }

  /** What was measured is of another program than the one that was built now: a new study begins. */
  private async requireStudyOf(prepared: Prepared): Promise<void> {
    const { study } = this;
    const { buildId } = study.file;
    if (this.options.moreIterations !== undefined) {
      requireSameProgram(study.file, prepared.buildId);
      return;
    }
    if (!study.resumed || buildId === '' || buildId === prepared.buildId) return;
    const why = `The program is not the one that ${study.file.study} measured before it was stopped (build id ${prepared.buildId.slice(0, 12)} instead of ${buildId.slice(0, 12)}), so a new study has begun.`;
    this.notes.add(why);
    this.progress.log(why);
    this.study = await study.replaced();
    this.file = this.study.file;
    this.options.onStudy?.(this.study.directory);
  }

  /** One build with sites; with `vanilla` a plain one before it, and a second one with fewer probes if they cost too much. */
  private async build(): Promise<Built> {
    const { moreIterations, vanilla } = this.options;
    const backend = backendOf(this.target);
    // Also when it goes on, so that what was edited meanwhile is noticed.
    const options = this.prepareOptions(await this.statements());
    const compares = vanilla === true && moreIterations === undefined;
    if (compares && backend.name === 'kymo') return this.buildAndCompare(backend, options);
    if (compares)
      this.notes.add('With Score-P the baseline is the vanilla build already, so nothing else is compared.');
    const prepared = await backend.prepare(options);
    await this.requireStudyOf(prepared);
    return justBuilt(prepared);
  }

  private async buildAndCompare(backend: Backend, usual: PrepareOptions): Promise<Built> {
    const vanillaExecutable = await buildVanilla(usual);
    const first = await backend.prepare(usual);
    await this.requireStudyOf(first);
    const repetitions = Math.max(this.target.repetitions, 5);
    const compare = async (prepared: Prepared): Promise<VanillaComparison> =>
      compareVanilla(await this.runContext(prepared), vanillaExecutable, repetitions);
    const vanilla = await compare(first);
    if (!costsTooMuch(vanilla) || this.options.probes === false) return { ...justBuilt(first), vanilla };
    this.notes.add(
      `The sites cost ${vanilla.sitesPercent.toFixed(1)} % while nothing was recorded, so the program was built a second time with probes only in functions of ${minimumStatements.raised} statements or more.`,
    );
    const second = await backend.prepare(this.prepareOptions(minimumStatements.raised));
    return {
      prepared: second,
      vanilla: await compare(second),
      discarded: { builds: first.builds, seconds: first.buildSeconds },
    };
  }

  private statements(): Promise<number> {
    const { workspace, target, study } = this;
    return statementsOfBuild(workspace, target.name, study.file, minimumStatements.usual);
  }

  /** At once after the build: what is edited during the runs is not what they measure. */
  private async keepSources({ graph, builds }: Prepared): Promise<void> {
    const { directory } = this.study;
    if (builds === 0 && (await hasSources(directory))) return;
    await writeSources(
      directory,
      graph.functions.flatMap(({ file, hasBody, isSystem }) =>
        file === undefined || !hasBody || isSystem ? [] : [file],
      ),
    );
  }

  private prepareOptions(statements: number): PrepareOptions {
    const { options, workspace, target, progress } = this;
    return {
      workspace,
      target,
      probes: options.probes !== false,
      minimumStatements: statements,
      environment: options.environment ?? {},
      signal: options.signal,
      progress,
      note: (sentence) => void this.notes.add(sentence),
    };
  }

  private async runContext(prepared: Prepared): Promise<RunContext> {
    const { options, workspace, target, parameters, ranks, study, progress } = this;
    const environment = { ...target.run.environment, ...options.environment };
    return {
      workspace,
      target: { ...target, run: { ...target.run, environment } },
      directory: study.directory,
      study: study.file.study,
      buildId: prepared.buildId,
      recorder: prepared.recorder,
      parameters,
      ranks,
      facts: await environmentFacts(workspace, await compilerName(options.signal), options.signal),
      signal: options.signal,
      progress,
      note: (sentence) => void this.notes.add(sentence),
    };
  }

  private async onIteration(
    iteration: RefineIteration,
    state: LoopState,
    prepared: Prepared,
    input: LoopInput,
  ): Promise<void> {
    this.reached = async () =>
      writeFinal(this.place(), state, finalSelection(input, state, await input.pinned?.()), prepared);
    await writeFunctions(this.study.directory, functionTable(state, prepared));
    await this.save({ iterations: state.iterations, finalIteration: undefined });
    this.options.onIteration?.(iteration);
  }

  private place(): StudyPlace {
    const { name, phase } = this.target;
    const { directory, file } = this.study;
    return { directory, study: file.study, target: name, ...(phase === undefined ? {} : { phase }) };
  }

  private async finish(loop: LoopResult, built: Built, totalSeconds: number): Promise<RefineResult> {
    const { prepared, vanilla } = built;
    const { functions, filter, finalIteration } = await writeFinal(this.place(), loop, loop.final, prepared);
    const properties = this.properties(loop, prepared);
    const { directory } = this.study;
    await writeFileAtomically(
      path.join(directory, 'properties.json'),
      `${JSON.stringify({ properties }, undefined, 1)}\n`,
    );
    const { stopReason, iterations } = loop;
    await this.save({ state: 'complete', stopReason, iterations, finalIteration });
    return {
      target: this.target.name,
      backend: backendOf(this.target).name,
      stopReason,
      iterations,
      final: finalReport(loop),
      functionsKnown: functions.length,
      builds: built.discarded.builds + prepared.builds,
      ...buildEffort(built),
      totalSeconds,
      directory,
      filter,
      properties,
      hotFunctions: hotFunctions(functions, mostHotFunctions),
      ...removedFunctions(loop, prepared.sites),
      ...(vanilla === undefined ? {} : { vanilla }),
      notes: [...this.notes],
    };
  }

  private properties(loop: LoopResult, prepared: Prepared): readonly Property[] {
    return findProperties({
      ...loop.run,
      ...(prepared.whyNotRecorded === undefined ? {} : { whyNotRecorded: prepared.whyNotRecorded }),
    });
  }

  private async save(change: Partial<StudyFile>): Promise<void> {
    this.file = { ...this.file, ...change };
    await this.study.save(this.file);
  }
}

/** The program, and what it took beside that to decide on it. */
interface Built {
  readonly prepared: Prepared;
  readonly vanilla?: VanillaComparison;
  readonly discarded: { readonly builds: number; readonly seconds: number };
}

function justBuilt(prepared: Prepared): Built {
  return { prepared, discarded: { builds: 0, seconds: 0 } };
}

function buildEffort({ prepared, discarded }: Built): { readonly buildSeconds: number } {
  return { buildSeconds: discarded.seconds + prepared.buildSeconds };
}

function finalReport({ final, iterations }: LoopResult): RefineResult['final'] {
  const { selection, predictedPercent, measured } = final;
  const instrumented = selectedKeys(selection).length;
  return { instrumented, predictedPercent, ...(measured ? { iteration: iterations.length - 1 } : {}) };
}

function withOverrides(target: Target, options: RefineOptions): Target {
  const { refinement } = target;
  return {
    ...target,
    repetitions: options.repetitions ?? target.repetitions,
    refinement: {
      ...refinement,
      strategy: options.strategy ?? refinement.strategy,
      base: options.base ?? refinement.base,
      overheadPercent: options.overheadPercent ?? refinement.overheadPercent,
      maximumIterations: options.maximumIterations ?? refinement.maximumIterations,
      budgetSeconds: options.budgetSeconds ?? refinement.budgetSeconds,
    },
  };
}
