import path from 'node:path';
import { present } from '../core/present';
import { forwardOnly, silent, type ProgressSink } from '../core/progress';
import { explainConditions } from '../core/cost/runConditions';
import type { PrepareOptions, Prepared } from '../measurement/backends/common/backend';
import { backendOf } from '../measurement/backends/backends';
import { BuildError } from '../measurement/build/buildError';
import { usualBuild, usualStatements } from '../measurement/backends/common/buildSteps';
import type { Target } from '../measurement/config/config';
import { onePoint, rankCounts, withRanks } from '../measurement/config/configurations';
import { environmentFacts } from '../measurement/experiments/environmentFacts';
import type { BatchRuns } from '../measurement/launch/slurm/batchRuns';
import { compilerName } from '../measurement/toolchain/compilerName';
import { admitNamed, admitPhase } from './filters/admitNamed';
import { measurableTarget } from './targets/measurableTarget';
import { refineOnline, requireOnline } from './online/refineOnline';
import { pinnedFunctions } from './pins/pinnedFunctions';
import { besideFunctions } from './refine/results/besideFunctions';
import { functionTable, hotFunctions } from './refine/results/functionTable';
import { afterFailure, earlierRounds, requireSameProgram } from './refine/results/earlier';
import { finalSelection } from './refine/loop/finalSelection';
import { refinementLoop } from './refine/loop/loop';
import type { LoopInput, LoopResult, LoopState } from './refine/loop/loop.types';
import { largestPoint, pointsBench, pointsPlan } from './refine/points/pointsBench';
import { modelsReport, pointsLoop } from './refine/points/pointsLoop';
import { farPointOf, type FarPoint } from './refine/points/roundModels';
import type { StudyPlan } from './study/planStudy';
import { withOverrides, type RefineOptions } from './refine/refineOptions';
import { keepSources, writeProperties, writeFinal, type StudyPlace } from './refine/results/outputs';
import { writeFunctions } from './studies/functionsFile';
import { OffCostCheck, type OffCostOptions, type OffCostReport } from './refine/bench/offCostCheck';
import { judgeEachNumberOfRanks } from './refine/bench/eachNumberOfRanks';
import { RunBench } from './refine/bench/runBench';
import type { RunContext } from './refine/bench/runContext';
import { openStudy, studyFingerprint, type GoOn, type OpenStudy, type StudyFile } from './studies/study';
import { finalReport, finalVerdict } from './refine/results/finalReport';
import { removedFunctions } from './refine/results/removed';
import { targetJobs } from './refine/bench/targetJobs';
import { Together } from './refine/bench/together';
import type { RefineRound, RefineResult } from './studies/refine.types';
import { failureText } from './studies/failureText';

const mostHotFunctions = 50;

/**
 * The main job: build once, run, decide, run … until the selection no longer changes or a limit is reached. Everything is on disk after each
 * run, so that a stopped refinement can be resumed.
 * @throws KymoError for all errors that a user can fix; `cancelled` after an abort
 */
export async function refine(options: RefineOptions): Promise<RefineResult> {
  const begin = performance.now();
  const { progress = silent } = options;
  const { workspace, target: asWritten } = await measurableTarget(options);
  const target = withRanks(withOverrides(asWritten, options), options.ranks);
  if (options.windowSeconds !== undefined) requireOnline(target, backendOf(target).name);
  const plan = pointsPlan(
    target,
    { ...options.points, ...present({ ranks: options.ranks, repetitions: options.repetitions }) },
    options.parameters,
  );
  const far = plan && farPointOf(plan, target.refinement.model);
  const { parameters, ranks } =
    plan === undefined ? onePoint(target, options.parameters) : largestPoint(plan);
  const study = await openStudy({
    workspace,
    target,
    fingerprint: studyFingerprint(target, { parameters, ranks, probes: options.probes !== false, plan }),
    goOn: goOnOf(options),
  });
  const session = new Session(
    options,
    workspace,
    target,
    parameters,
    ranks,
    study,
    plan && far && { plan, far },
  );
  try {
    options.onStudy?.(study.directory);
    if (study.resumed) progress.log(`Going on with ${study.directory}`);
    return await session.run(begin);
  } catch (error) {
    await session.giveUp(error).catch(() => undefined);
    throw error;
  } finally {
    await session.closeJobs();
    await study.close();
  }
}

function goOnOf({ moreRounds, resume, windowSeconds }: RefineOptions): GoOn {
  if (moreRounds !== undefined) return 'last';
  // A run that has ended cannot go on.
  return resume === false || windowSeconds !== undefined ? 'never' : 'stopped';
}

/** One refinement from the open study to the result. */
class Session {
  private readonly notes = new Set<string>();
  private readonly progress: ProgressSink;
  private readonly together: Together;
  private readonly batch: BatchRuns;
  private file: StudyFile;
  /** Writes the final selection so far; set after the first round. */
  private reached: (() => ReturnType<typeof writeFinal>) | undefined;

  constructor(
    private readonly options: RefineOptions,
    private readonly workspace: string,
    private readonly target: Target,
    private readonly parameters: Readonly<Record<string, string>>,
    private readonly ranks: number,
    private study: OpenStudy,
    /** Strategy `model`: the points that are measured, and the one that is predicted. */
    private readonly over: { readonly plan: StudyPlan; readonly far: FarPoint } | undefined,
  ) {
    this.progress = forwardOnly(options.progress ?? silent);
    this.file = study.file;
    this.together = new Together(target.run);
    this.batch = targetJobs(workspace, target, this.progress, (sentence) => void this.notes.add(sentence));
  }

  async run(begin: number): Promise<RefineResult> {
    if (this.options.moreRounds !== undefined) await this.save({ state: 'running' });
    const check = this.offCostCheck();
    const statements = await this.statements();
    const first = await this.build(statements, check);
    const measured = await this.measure(first);
    const usual = await check.end(first, measured, statements);
    if (usual.minimumStatements === undefined) return this.finish(measured, usual, check, begin);
    await this.beginAgain(measured, usual.prepared);
    check.discard(usual.prepared);
    const second = await this.build(usual.minimumStatements, check);
    const again = await this.measure(second);
    return this.finish(again, await check.end(second, again, usual.minimumStatements), check, begin);
  }

  private async measure(prepared: Prepared): Promise<LoopResult> {
    const { moreRounds } = this.options;
    const same = this.study.resumed && prepared.buildId === this.study.file.buildId;
    const earlier = same ? await earlierRounds(this.study.directory, this.study.file) : [];
    await keepSources(this.study.directory, prepared);
    const context = await this.runContext(prepared);
    const { buildId, buildSeconds } = prepared;
    await this.save(moreRounds === undefined ? { buildId, buildSeconds } : {});
    const input: LoopInput = {
      graph: prepared.graph,
      sites: prepared.sites,
      typicalCosts: prepared.typicalCosts,
      options: this.selectionOptions(prepared),
      pinned: async () => {
        const pins = await pinnedFunctions(
          this.workspace,
          prepared.graph,
          (sentence) => void this.notes.add(sentence),
        );
        this.admit(prepared, pins.pinnedIn);
        return pins;
      },
      overheadPercent: this.target.refinement.overheadPercent,
      idleSites: isOfRun(this.target) && backendOf(this.target).name === 'kymo',
      earlier,
      ...this.limits(earlier.length),
      repetitions: this.target.repetitions,
      budgetSeconds: this.target.refinement.budgetSeconds,
      signal: this.options.signal,
      progress: this.progress,
      onRound: (iteration, state) => this.onRound(iteration, state, prepared, input),
    };
    if (this.over !== undefined) return this.measurePoints(input, context, this.over);
    const { windowSeconds } = this.options;
    if (windowSeconds !== undefined) return refineOnline(input, context, windowSeconds);
    const bench = new RunBench(context);
    const refined = await refinementLoop(input, bench);
    // Beside the rounds, so that readers of these see one number of ranks.
    const directory = path.join(context.directory, 'ranks');
    const loop = await judgeEachNumberOfRanks(input, refined, {
      counts: rankCounts(this.target),
      withRanks: (ranks) => new RunBench({ ...context, ranks, directory }),
      note: context.note,
    });
    const { noisePercent } = loop.iterations.at(-1) ?? {};
    for (const sentence of [
      ...explainConditions(loop.costBase, bench.mostPreempted),
      ...this.together.advice(noisePercent, this.target.refinement.overheadPercent),
    ])
      this.notes.add(sentence);
    return loop;
  }

  private measurePoints(
    input: LoopInput,
    context: RunContext,
    { plan, far }: Exclude<Session['over'], undefined>,
  ): Promise<LoopResult> {
    const { name: target, refinement } = this.target;
    const bench = pointsBench(context, plan);
    return pointsLoop(input, { ...context, bench, target, far, options: refinement.model });
  }

  private selectionOptions(prepared: Prepared): LoopInput['options'] {
    const { refinement, phase } = this.target;
    const { strategy, base, mode, imbalance, model } = refinement;
    if (phase === undefined) return { strategy, base, mode, imbalance, model };
    const { functions, notes } = admitPhase(prepared, phase);
    this.tell(notes);
    return { strategy, base, mode, imbalance, model, phase: functions };
  }

  /** Reports unavailable functions that the user named before a back-end builds for them. */
  private admit(prepared: Prepared, named: ReadonlySet<string>): void {
    this.tell(admitNamed(prepared, named));
  }

  private tell(sentences: readonly string[]): void {
    for (const sentence of sentences) {
      if (!this.notes.has(sentence)) this.progress.log(sentence);
      this.notes.add(sentence);
    }
  }

  private limits(
    earlier: number,
  ): Pick<LoopInput, 'maximumIterations'> & Partial<Pick<LoopInput, 'leastRounds'>> {
    const { moreRounds } = this.options;
    if (moreRounds === undefined) return { maximumIterations: this.target.refinement.maximumIterations };
    return { leastRounds: earlier + moreRounds, maximumIterations: earlier + moreRounds };
  }

  /**
   * Ends the study after an error. A cancelled or killed refinement can be resumed, a failed one cannot. Both leave a selection that meets the
   * target.
   */
  async giveUp(error: unknown): Promise<void> {
    const { options, study } = this;
    // A run that was ended cannot go on. After a failed build, the results remain valid if the program builds again and is the same.
    const canGoOn =
      (options.signal.aborted && options.windowSeconds === undefined) ||
      (study.resumed && error instanceof BuildError);
    const reached = await this.reached?.();
    if (reached !== undefined) this.file = { ...this.file, finalIteration: reached.finalIteration };
    await study.save(afterFailure(study.file, this.file, canGoOn ? undefined : failureText(error)));
  }

  closeJobs(): Promise<void> {
    return this.batch.close(this.options.signal);
  }

  /** The built program differs from the measured one: a new study begins. */
  private async requireStudyOf(prepared: Prepared): Promise<void> {
    const { study } = this;
    const { buildId } = study.file;
    if (this.options.moreRounds !== undefined) {
      requireSameProgram(study.file, prepared.buildId);
      return;
    }
    if (!study.resumed || buildId === '' || buildId === prepared.buildId) return;
    const why = `The program is not the one that ${study.file.study} measured before it was stopped (build id ${prepared.buildId.slice(0, 12)} instead of ${buildId.slice(0, 12)}), so a new study has begun.`;
    this.notes.add(why);
    this.progress.log(why);
    await this.replaceStudy({ ...study.file, state: 'failed' });
  }

  /** Builds the program, also on resuming, so that later edits are noticed. */
  private async build(statements: number, check: OffCostCheck): Promise<Prepared> {
    await check.begin(statements);
    const prepared = await backendOf(this.target).prepare(this.prepareOptions(statements));
    await this.requireStudyOf(prepared);
    return prepared;
  }

  private offCostCheck(): OffCostCheck {
    return new OffCostCheck({
      backend: backendOf(this.target),
      prepareOptions: (statements) => this.prepareOptions(statements),
      runContext: (prepared) => this.runContext(prepared),
      compare: this.whenCompared(),
      note: (sentence) => void this.notes.add(sentence),
    });
  }

  /**
   * Additional rounds measure the study's program at any cost, and the other strategies limit the overhead of each function, not of the run. The
   * CPU time of several ranks contains that of ranks that wait, which is too uncertain to build for.
   */
  private whenCompared(): OffCostOptions['compare'] {
    const { moreRounds, vanilla, windowSeconds } = this.options;
    if (moreRounds !== undefined || windowSeconds !== undefined) return 'never';
    if (vanilla === true) return 'always';
    return isOfRun(this.target) && this.ranks === 1 ? 'in doubt' : 'never';
  }

  /** Begins a new study; the measured results remain, as a study of the program that cost too much. */
  private async beginAgain(loop: LoopResult, prepared: Prepared): Promise<void> {
    const { finalIteration } = await writeFinal(this.place(), loop, loop.final, prepared);
    const { stopReason, iterations } = loop;
    this.reached = undefined;
    await this.replaceStudy({ ...this.file, state: 'complete', stopReason, iterations, finalIteration });
  }

  private async replaceStudy(end: StudyFile): Promise<void> {
    this.study = await this.study.replaced(end);
    this.file = this.study.file;
    this.options.onStudy?.(this.study.directory);
  }

  private async statements(): Promise<number> {
    const { workspace, target, options } = this;
    return options.resume === false ? usualBuild.minimumStatements : usualStatements(workspace, target.name);
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
      together: this.together,
      batch: this.batch,
      parameters,
      ranks,
      facts: await environmentFacts(workspace, await compilerName(options.signal), options.signal),
      signal: options.signal,
      progress,
      note: (sentence) => void this.notes.add(sentence),
    };
  }

  private async onRound(
    iteration: RefineRound,
    state: LoopState,
    prepared: Prepared,
    input: LoopInput,
  ): Promise<void> {
    this.reached = async () =>
      writeFinal(this.place(), state, finalSelection(input, state, await input.pinned?.()), prepared);
    await writeFunctions(this.study.directory, functionTable(state, prepared));
    await this.save({ iterations: state.iterations, finalIteration: undefined });
    this.options.onRound?.(iteration);
  }

  private place(): StudyPlace {
    const { name, phase } = this.target;
    const { directory, file } = this.study;
    return { directory, study: file.study, target: name, ...(phase === undefined ? {} : { phase }) };
  }

  private async finish(
    loop: LoopResult,
    { prepared, offCost, vanilla }: OffCostReport,
    discarded: OffCostCheck,
    begin: number,
  ): Promise<RefineResult> {
    const { functions, filter, finalIteration } = await writeFinal(this.place(), loop, loop.final, prepared);
    const { directory } = this.study;
    const properties = await writeProperties(directory, loop, prepared);
    const { stopReason, iterations } = loop;
    const { buildId } = prepared;
    const final = finalReport(loop);
    const verdict = finalVerdict(final, iterations, this.target.refinement);
    const judged = { verdict, offCost, vanilla };
    await this.save({ state: 'complete', stopReason, iterations, finalIteration, buildId, ...judged });
    return {
      target: this.target.name,
      backend: backendOf(this.target).name,
      stopReason,
      iterations,
      final,
      functionsKnown: functions.length,
      builds: discarded.builds + prepared.builds,
      buildSeconds: discarded.buildSeconds + prepared.buildSeconds,
      totalSeconds: (performance.now() - begin) / 1000,
      directory,
      filter,
      properties,
      hotFunctions: hotFunctions(functions, mostHotFunctions),
      lastRun: besideFunctions(loop.run),
      ...removedFunctions(loop, prepared.sites),
      ...present({ ...judged, models: modelsReport(loop) }),
      notes: [...this.notes],
    };
  }

  private async save(change: Partial<StudyFile>): Promise<void> {
    this.file = { ...this.file, ...change };
    await this.study.save(this.file);
  }
}

/** The other strategies limit the overhead of each function. */
function isOfRun({ refinement }: Target): boolean {
  return refinement.strategy === 'hotspot';
}
