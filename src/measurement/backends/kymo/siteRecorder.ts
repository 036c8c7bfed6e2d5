import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import { KymoError } from '../../../core/errors';
import { phaseFunctions } from '../../../core/selection/phase';
import { intervalsOf, selectedKeys, type Selection } from '../../../core/selection/selection';
import { cubeChunks } from '../../../formats/cube4/write';
import { writeFileAtomically } from '../../files/disk';
import { mergeResults } from '../../results/mergeResults';
import { planSelection, type SelectionPlan } from '../../symbols/planSelection';
import { currentBuildId } from '../../symbols/readObject';
import type { SiteMap } from '../../symbols/sites';
import type { ArmedProgram, Recorder, Recording, RecordingPlan } from '../common/backend';
import { makeOwnFolder } from '../../files/ownFiles';

export interface SiteRecorderOptions {
  /** Absolute. */
  readonly executable: string;
  readonly buildId: string;
  readonly graph: CallGraph;
  readonly siteMap: SiteMap;
  /** `phase` of the target. */
  readonly phase?: string | undefined;
  /** Library that records the MPI calls of runs; default: there are none, or they are not recorded. */
  readonly mpiLayer?: string | undefined;
  /** `LD_PRELOAD` of the target's runs without Kymo. */
  readonly preloaded?: string | undefined;
  readonly signal: AbortSignal;
}

/** One executable for all selections: a file lists the sites that the runtime enables (docs/formats.md). */
export class SiteRecorder implements Recorder {
  readonly baselineExecutable: string;
  readonly baselineEnvironment = {};

  constructor(private readonly options: SiteRecorderOptions) {
    this.baselineExecutable = options.executable;
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
    const { siteMap, executable } = this.options;
    const plan = planSelection(siteMap, selectedKeys(selection), intervalsOf(selection), this.phaseKeys());
    const file = path.join(folder, 'selection.kymo');
    await writeFileAtomically(file, plan.text);
    const armed: ArmedProgram = {
      executable,
      environment: (experiment) => ({
        KYMO_SELECTION: file,
        KYMO_RESULTS: resultsIn(experiment),
        ...this.layers(),
      }),
      makePlace: async (experiment) => {
        const results = resultsIn(experiment);
        await rm(results, { recursive: true, force: true });
        await makeOwnFolder(results);
      },
      collect: (experiment) => this.collect(experiment, plan),
    };
    return { id: plan.id, instrumented: plan.slots.length, arm: () => Promise.resolve(armed) };
  }

  /** Layers come first: they stand before the libraries that the program preloads itself. */
  private layers(): Readonly<Record<string, string>> {
    const { mpiLayer, preloaded = '' } = this.options;
    if (mpiLayer === undefined) return {};
    return { KYMO_JOB: '1', LD_PRELOAD: [mpiLayer, preloaded].filter((file) => file !== '').join(':') };
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
    const reason =
      phaseFunctions(graph, phase).size > 0
        ? 'was inlined into its callers or not compiled by the compiler wrappers. Mark the loop’s body with KYMO_PHASE_BEGIN and KYMO_PHASE_END, or forbid to inline the function (__attribute__((noinline)))'
        : 'is no function of the program, and no phase that its source marks. Correct “phase” in kymo.json';
    return [
      recorded === undefined
        ? `There are no iterations: “${phase}” ${reason}.`
        : `“${phase}” ${reason}. The iterations are those of “${recorded}”, which the source marks.`,
    ];
  }

  private async collect(experiment: string, plan: SelectionPlan): Promise<Recording> {
    const { graph, siteMap, executable, phase, signal } = this.options;
    const results = resultsIn(experiment);
    const { profile, calibration, messages, iterations } = await mergeResults({
      directory: results,
      selectionId: plan.id,
      slots: plan.slots,
      instances: plan.instances,
      samples: plan.samples,
      graph,
      siteMap,
      executable,
      iterationsInto: experiment,
      phase,
      signal,
    });
    await writeFileAtomically(
      path.join(experiment, 'profile.cubex'),
      cubeChunks(iterations?.withInstances ?? profile),
    );
    // Its contents are in the profile and in iterations.kymo now.
    await rm(results, { recursive: true, force: true });
    const missing = this.phaseRemarks(plan, iterations?.phase);
    return { profile, calibration, messages: [...messages, ...missing] };
  }
}

function resultsIn(experiment: string): string {
  return path.join(experiment, 'results');
}
