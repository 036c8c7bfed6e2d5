import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { at, atFloat } from '../../../core/at';
import { briefVisitSeconds } from '../../../core/knowledge/visitEstimate';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import { entryOf } from '../../../core/callgraph/reachability';
import { KymoError } from '../../../core/errors';
import { present } from '../../../core/present';
import { inlinedPhase, phaseFunctions, unknownPhase } from '../../../core/selection/phase';
import { intervalsOf, selectedKeys, type Selection } from '../../../core/selection/selection';
import { cubeChunks } from '../../../formats/cube4/write';
import {
  communicationFileName,
  writeCommunication,
} from '../../../formats/kymo-communication/communicationFile';
import type { TraceSettings } from '../../config/traceSettings';
import { writeFileAtomically } from '../../files/disk';
import { mergeResults, type MergedResults } from '../../results/mergeResults';
import { planSelection, type SelectionPlan } from '../../symbols/planSelection';
import { removeTrace } from '../../results/trace/writeTrace';
import { currentBuildId } from '../../symbols/readObject';
import type { SiteMap } from '../../symbols/sites';
import type {
  ArmedProgram,
  Recorder,
  Recording,
  RecordingPlan,
  WatchedPlan,
  WatchedPlanOptions,
} from '../common/backend';
import { makeOwnFolder } from '../../files/ownFiles';

export interface SiteRecorderOptions {
  /** Absolute. */
  readonly executable: string;
  readonly buildId: string;
  readonly graph: CallGraph;
  readonly siteMap: SiteMap;
  /** `phase` of the target. */
  readonly phase?: string | undefined;
  /** Libraries that record calls of MPI and OpenMP (`measurement/layers`). */
  readonly layers: readonly string[];
  /** Whether one of them records calls of MPI. */
  readonly recordsMpi: boolean;
  /** Whether one of them records calls of input and output. */
  readonly recordsIo: boolean;
  /** Whether the processor counts instructions and cache misses. */
  readonly counters: boolean;
  /** `LD_PRELOAD` of the target's runs without Kymo. */
  readonly preloaded?: string | undefined;
  /** What the runs with a selection record beside the profile. */
  readonly trace?: TraceSettings | undefined;
  readonly signal: AbortSignal;
}

/** One executable for all selections: a file lists the sites that the runtime enables (docs/formats.md). */
export class SiteRecorder implements Recorder {
  readonly baselineExecutable: string;
  readonly baselineEnvironment = {};
  readonly planOfRanks?: NonNullable<Recorder['planOfRanks']>;

  constructor(private readonly options: SiteRecorderOptions) {
    this.baselineExecutable = options.executable;
    if (!options.recordsMpi) return;
    const { functions } = options.graph;
    const entry = entryOf(options.graph);
    const keys = entry === undefined ? [] : [at(functions, entry).key];
    this.planOfRanks = (folder) =>
      this.planned(
        planSelection(options.siteMap, keys),
        path.join(folder, 'ranks.kymo'),
        (experiment, plan) => this.merged(experiment, plan),
      );
  }

  /** A selection contains addresses of sites, which are wrong for any other executable. */
  async requireSameProgram(): Promise<void> {
    const { executable, buildId } = this.options;
    const now = await currentBuildId(executable);
    if (now === buildId) return;
    throw new KymoError(
      'executable-changed',
      `${executable} was rebuilt while it was being measured (build id ${now.slice(0, 12)} instead of ${buildId.slice(0, 12)}). Nothing was measured with the new one; run the same command again.`,
      { file: executable },
    );
  }

  async plan(selection: Selection, folder: string): Promise<RecordingPlan> {
    const { siteMap } = this.options;
    const plan = planSelection(siteMap, selectedKeys(selection), intervalsOf(selection), this.phaseKeys());
    return this.planned(
      plan,
      path.join(folder, 'selection.kymo'),
      (experiment) => this.collect(experiment, plan),
      this.options.trace,
    );
  }

  async planWatched(
    selection: Selection,
    folder: string,
    { sampling, switched }: WatchedPlanOptions = {},
  ): Promise<WatchedPlan> {
    const { siteMap, graph, executable, recordsIo } = this.options;
    const keys = selectedKeys(selection);
    const chosen = intervalsOf(selection);
    const all = this.briefestFirst();
    const intervals =
      sampling === 'adjustable' ? all.map((key) => [key, chosen.get(key) ?? 1] as const) : chosen;
    const plan = planSelection(siteMap, keys, new Map(intervals), this.phaseKeys(), all);
    const token = randomBytes(16).toString('hex');
    const planned = await this.planned(
      plan,
      path.join(folder, 'selection.kymo'),
      (experiment) => this.collect(experiment, plan, switched),
      undefined,
      token,
    );
    const { slots, instances, samples, phases, id: selectionId } = plan;
    return {
      ...planned,
      instrumented: keys.length,
      token,
      sockets: socketsIn,
      phases,
      program: { slots, instances, samples, graph, executable, selectionId, switched, recordsIo },
    };
  }

  /** @param file selection file to write @param token of a run that is watched */
  private async planned(
    plan: SelectionPlan,
    file: string,
    collect: (experiment: string, plan: SelectionPlan) => Promise<Recording>,
    trace?: TraceSettings,
    token?: string,
  ): Promise<RecordingPlan> {
    const { executable } = this.options;
    await writeFileAtomically(file, plan.text);
    const armed: ArmedProgram = {
      executable,
      environment: (experiment) => ({
        KYMO_SELECTION: file,
        KYMO_RESULTS: resultsIn(experiment),
        ...(this.options.counters ? { KYMO_COUNTERS: '1' } : {}),
        ...this.layers(),
        ...traceVariables(trace),
        ...(token === undefined ? {} : { KYMO_CONTROL: socketsIn(experiment), KYMO_CONTROL_TOKEN: token }),
      }),
      makePlace: async (experiment) => {
        const results = resultsIn(experiment);
        await rm(results, { recursive: true, force: true });
        await removeTrace(experiment);
        await makeOwnFolder(results);
        if (token !== undefined) await makeOwnFolder(socketsIn(experiment));
      },
      collect: (experiment) => collect(experiment, plan),
    };
    return { id: plan.id, instrumented: plan.slots.length, arm: () => Promise.resolve(armed) };
  }

  /** Layers come first: they stand before the libraries that the program preloads itself. */
  private layers(): Readonly<Record<string, string>> {
    const { layers, preloaded = '' } = this.options;
    if (layers.length === 0) return {};
    return { KYMO_JOB: '1', LD_PRELOAD: [...layers, preloaded].filter((file) => file !== '').join(':') };
  }

  /** Functions with sites, those with the shortest visits first. */
  private briefestFirst(): readonly string[] {
    const { graph, siteMap } = this.options;
    const brief = briefVisitSeconds(graph);
    const secondsOf = new Map(graph.functions.map(({ key }, index) => [key, atFloat(brief, index)]));
    const seconds = (key: string): number => secondsOf.get(key) ?? 0;
    return [...siteMap.functions.keys()].sort((a, b) => seconds(a) - seconds(b));
  }

  private phaseKeys(): ReadonlySet<string> {
    const { graph, siteMap, phase } = this.options;
    const keys = phase === undefined ? [] : [...phaseFunctions(graph, phase)];
    return new Set(keys.filter((key) => siteMap.functions.has(key)));
  }

  /** Why a target's phase has no iterations, or another phase has. @param recorded the phase with iterations */
  private phaseRemarks(plan: SelectionPlan, recorded: string | undefined): readonly string[] {
    const { graph, phase } = this.options;
    if (phase === undefined || recorded === phase || (recorded !== undefined && plan.phases.length > 0))
      return [];
    if (plan.phases.length > 0)
      return [
        `The phase “${phase}” never ran, or not as a function of its own (the compiler inlined calls of it), or never to its end on the thread that began it: there are no iterations. If it ran, mark the loop’s body with KYMO_PHASE_BEGIN and KYMO_PHASE_END instead (Fortran: kymo_phase_begin and kymo_phase_end).`,
      ];
    const isMarked = recorded !== undefined;
    const marked = isMarked ? ` The iterations are those of “${recorded}”, which the source marks.` : '';
    if (phaseFunctions(graph, phase).size > 0) return [`${inlinedPhase(phase)}${marked}`];
    const reason = unknownPhase(phase);
    return [isMarked ? `${reason}${marked}` : `There are no iterations: ${reason}`];
  }

  private async collect(
    experiment: string,
    plan: SelectionPlan,
    switched?: WatchedPlanOptions['switched'],
  ): Promise<Recording> {
    const { iterations, ...merged } = await this.merged(experiment, plan, experiment, switched);
    await writeFileAtomically(
      path.join(experiment, 'profile.cubex'),
      cubeChunks(iterations?.withInstances ?? merged.profile),
    );
    const { communication } = merged.profile;
    if (communication !== undefined)
      await writeFileAtomically(
        path.join(experiment, communicationFileName),
        writeCommunication(communication),
      );
    const missing = this.phaseRemarks(plan, iterations?.phase);
    return { ...merged, messages: [...merged.messages, ...missing] };
  }

  /** Reads the results of a run and removes them. @param iterationsInto folder for `iterations.kymo`; default: not read */
  private async merged(
    experiment: string,
    plan: SelectionPlan,
    iterationsInto?: string,
    switched?: WatchedPlanOptions['switched'],
  ): Promise<MergedResults> {
    const { graph, siteMap, executable, recordsIo, phase, signal } = this.options;
    const results = resultsIn(experiment);
    const merged = await mergeResults({
      directory: results,
      selectionId: plan.id,
      slots: plan.slots,
      instances: plan.instances,
      samples: plan.samples,
      graph,
      siteMap,
      executable,
      recordsIo,
      phase,
      signal,
      ...present({ iterationsInto, traceInto: this.options.trace && iterationsInto, switched }),
    });
    // What they contain is in the profile and in iterations.kymo now.
    await rm(results, { recursive: true, force: true });
    if (!this.options.recordsMpi || merged.worldSizes.length > 0) return merged;
    return { ...merged, messages: [...merged.messages, noMpi] };
  }
}

const noMpi =
  'No process called MPI in a way that is recorded, although the program is linked with it. If it does call MPI, it ran with another MPI library than the one that Kymo finds for it (output.txt then has a message): set what chooses the library, such as LD_LIBRARY_PATH, in "environment" of "run" in kymo.json, not in a script or the command of the launcher.';

/** What the runtime reads (docs/formats.md). */
function traceVariables(trace: TraceSettings | undefined): Readonly<Record<string, string>> {
  if (trace === undefined) return {};
  const { memoryMegabytes, full, iterations } = trace;
  return {
    KYMO_TRACE: String(memoryMegabytes),
    KYMO_TRACE_FULL: full,
    ...(iterations === undefined ? {} : { KYMO_TRACE_ITERATIONS: `${iterations.first}-${iterations.last}` }),
  };
}

/** Removed with the results. */
function socketsIn(experiment: string): string {
  return path.join(resultsIn(experiment), 'control');
}

function resultsIn(experiment: string): string {
  return path.join(experiment, 'results');
}
