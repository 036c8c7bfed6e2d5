import type { CallGraph } from '../../core/callgraph/callGraph';
import { KymoError } from '../../core/errors';
import type { SlotInstance, SlotSample } from '../symbols/planSelection';
import type { SiteMap } from '../symbols/sites';
import { mergeIterations, type MergedIterations } from './mergeIterations';
import { mergeProcesses, type MergedParts, type MergedProcesses } from './mergeProcesses';
import { readResults } from './readResults';
import type { SwitchedInRun } from './switchedInRun';
import { writeTrace, type WrittenTrace } from './trace/writeTrace';
import { present } from '../../core/present';

export interface MergeOptions {
  /** `KYMO_RESULTS` of the run. */
  readonly directory: string;
  /** `SelectionPlan.id`: results of another selection are refused. */
  readonly selectionId: string;
  /** `SelectionPlan.slots` and `.instances`. */
  readonly slots: readonly string[];
  readonly instances?: readonly (SlotInstance | undefined)[];
  /** `SelectionPlan.samples`: the slots whose visits were not all timed. */
  readonly samples?: readonly (SlotSample | undefined)[];
  /** Names and places of the functions. */
  readonly graph: CallGraph;
  readonly siteMap?: SiteMap;
  /** Folder for `iterations.kymo` if a phase was visited; default: iterations are not read. */
  readonly iterationsInto?: string;
  /** Folder for the OTF2 archive of the events that the processes recorded; default: they are not read. */
  readonly traceInto?: string;
  /** The marked phase whose iterations are requested; default: the one with the most time. */
  readonly phase?: string | undefined;
  /** Path of the program; its name is the root of the call tree. */
  readonly executable: string;
  /** Calls of input and output were recorded. */
  readonly recordsIo?: boolean;
  readonly switched?: SwitchedInRun;
  readonly signal?: AbortSignal;
}

/** What the processes of a run and their files hold. */
export interface MergedResults extends MergedProcesses {
  /** Iterations of the phase, if it was visited and they were requested. */
  readonly iterations?: Omit<MergedIterations, 'messages'>;
  /** The archive of their events, if it was requested and there are any. */
  readonly trace?: WrittenTrace;
}

/** Merges the results of a run's processes into one profile. Throws a `KymoError` if there are none. */
export async function mergeResults(options: MergeOptions): Promise<MergedResults> {
  const { results, messages } = await readResults(options);
  const { parts, ...merged } = await mergeProcesses(results, options);
  const { iterations, messages: ofIterations } = await iterationsOf(options, parts);
  const { trace, messages: ofTrace } = await traceOf(options, { ...parts, phase: iterations?.phase });
  return {
    ...merged,
    ...present({ iterations, trace }),
    messages: [...messages, ...merged.messages, ...ofIterations, ...ofTrace],
  };
}

/** A damaged file of iterations only loses the iterations, not the profile. */
async function iterationsOf(
  { selectionId, iterationsInto: into, phase, signal, switched }: MergeOptions,
  merged: MergedParts,
): Promise<{ readonly iterations?: MergedIterations; readonly messages: readonly string[] }> {
  if (into === undefined) return { messages: [] };
  try {
    const iterations = await mergeIterations({
      ...merged,
      ...{ selectionId, into, phase, signal },
      switches: switched?.switches ?? [],
    });
    return iterations === undefined ? { messages: [] } : { iterations, messages: iterations.messages };
  } catch (error) {
    if (!(error instanceof KymoError) || !damages.includes(String(error.reason))) throw error;
    return { messages: [`The profile lacks the iterations of this run: ${error.message}`] };
  }
}

/** Functions of which the profile times a part of the visits would be in the trace with these visits only. */
async function traceOf(
  { directory, selectionId, traceInto: into, samples = [], signal }: MergeOptions,
  merged: MergedParts & { readonly phase: string | undefined },
): ReturnType<typeof writeTrace> {
  if (into === undefined) return { messages: [] };
  const { regions, profile, results, phase } = merged;
  const left = new Set(
    samples.flatMap((sample, slot) => (sample === undefined ? [] : [regions.ofSlot(slot)])),
  ).size;
  const { trace, messages } = await writeTrace({
    directory,
    selectionId,
    into,
    results,
    regions: profile.regions,
    phase,
    system: profile.system,
    locations: profile.locations,
    regionOf: (result, slot) => (samples[slot] === undefined ? regions.ofSlotIn(result, slot) : undefined),
    signal,
  });
  if (left === 0 || trace === undefined) return { ...present({ trace }), messages };
  return {
    trace,
    messages: [
      ...messages,
      `The trace lacks the visits of ${left} tiny functions, because the profile times only samples of their visits; their time belongs to their callers there.`,
    ],
  };
}

const damages: readonly string[] = ['not-iterations', 'invalid-iterations', 'other-selection'];
