import { patchMeasured } from '../../core/callgraph/patchMeasured';
import type { CallGraph } from '../../core/callgraph/callGraph';
import { runName } from '../../core/functions/base';
import {
  functionMeasures,
  latestMeasures,
  type FunctionMeasures,
} from '../../core/functions/functionMeasures';
import { timedVisitsMetric } from '../../core/profile/metrics';
import type { Profile } from '../../core/profile/profile';
import { makeContext, type PropertyInput } from '../../core/properties/makeContext';
import type { OverheadRecord } from '../../core/selection/costScale';
import { accumulateKnowledge, disturbedKnowledge, type Knowledge } from '../../core/selection/knowledge';
import { predictedOverheadPercent, type NextSelection } from '../../core/selection/nextSelection';
import { nextStep } from '../../core/selection/nextStep';
import { median, overheadOf, type OverheadEstimate } from '../../core/selection/overhead';
import { medianCosts, scaledCosts, type PairCosts, type SiteKind } from '../../core/selection/pairCost';
import {
  changedFunctions,
  intervalsOf,
  sameFunctions,
  selectedKeys,
  type Selection,
} from '../../core/selection/selection';
import { defaultSelectionOptions, type SelectionOptions } from '../../core/selection/selectionOptions';
import { leastIterations, type Strategy } from '../../core/selection/strategy';
import type { ProgressSink } from '../../core/progress';
import type { RefineIteration, RefineResult } from '../refine.types';
import { explainBaseRun } from './baseRun';
import { unexplainedEdges } from './measuredEdges';
import { Runs } from './runs';

/** How the loop sees the program: something that can be run, with or without recording. */
export interface Bench {
  /** Runs once with nothing recorded; seconds of wall time. `repetition` from 1. */
  baseline(repetition: number): Promise<number>;
  /** Runs once with the selection. */
  measured(iteration: number, repetition: number, selection: Selection): Promise<MeasuredRun>;
}

export interface MeasuredRun {
  readonly wallSeconds: number;
  readonly profile: Profile;
  readonly calibration: PairCosts;
  /** Keys of the selection that could not be recorded. */
  readonly unrecorded?: ReadonlySet<string>;
}

export interface LoopInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly options: Partial<SelectionOptions>;
  /** What the user wants in or out by now; asked before each decision, so that the next iteration follows. */
  readonly pinned?: () => Promise<Pick<SelectionOptions, 'pinnedIn' | 'pinnedOut'>>;
  readonly overheadPercent: number;
  readonly maximumIterations: number;
  readonly repetitions: number;
  /** Wall time that all runs together may take. */
  readonly budgetSeconds: number;
  /** What an earlier call has measured to its end: these selections are taken as they were, and not decided again. */
  readonly earlier?: readonly EarlierIteration[];
  /** Only then may anything but an error end the loop; default 1. */
  readonly leastIterations?: number;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  /** Not called for `earlier` ones. */
  readonly onIteration: (iteration: RefineIteration, state: LoopState) => Promise<void>;
}

export interface EarlierIteration {
  readonly selection: Selection;
  readonly iteration: RefineIteration;
}

/** What is known after an iteration. */
export interface LoopState {
  readonly graph: CallGraph;
  readonly selection: Selection;
  readonly knowledge: Knowledge;
  /** Of all measured runs so far, as each found them out, and in the middle. */
  readonly calibrations: readonly PairCosts[];
  readonly pairCosts: PairCosts;
  readonly iterations: readonly RefineIteration[];
  readonly baselineSeconds: readonly number[];
  /** The run whose wall time is the median of the last iteration, with what recording really cost in it. */
  readonly run: PropertyInput & Required<Pick<PropertyInput, 'run' | 'calibration'>>;
  /** What was measured last of each function, and of which run that is. */
  readonly measures: FunctionMeasures;
  /** Overhead of the last iteration by the fastest runs of both kinds, percent: what else the machine does only makes runs slower. */
  readonly leastOverheadPercent: number;
}

export interface LoopResult extends LoopState {
  readonly stopReason: RefineResult['stopReason'];
}

/**
 * Measure, decide, measure … Baseline and measured runs take turns, so that a drift of the machine meets both. The first
 * selection needs no run; each later one is decided by everything measured so far.
 */
export async function refinementLoop(input: LoopInput, bench: Bench): Promise<LoopResult> {
  const runs = new Runs(input, bench);
  await runs.baseline();
  let state: LoopState | undefined;
  const history: OverheadRecord[] = [];
  for (let index = 0; ; index++) {
    const replayed = input.earlier?.[index];
    const decided = replayed ?? (await decide(input, runs, index, state, history));
    if ('stop' in decided) return decided.stop;
    const exploring = isExploring(input, index, state, decided);
    const measured = await runs.iteration(index, decided.selection, exploring).catch((error: unknown) => {
      throw index === 0 ? explainBaseRun(error, strategyOf(input)) : error;
    });
    state = digest(input, runs, state, decided, measured);
    const record = predictionRecord(input.sites, state);
    if (record !== undefined) history.push(record);
    const iteration = state.iterations.at(-1);
    if (iteration !== undefined && replayed === undefined) await input.onIteration(iteration, state);
  }
}

/** What is run next, with what it is expected to cost. */
interface Decided {
  readonly selection: Selection;
  readonly iteration: Pick<RefineIteration, 'predictedPercent' | 'unpredicted'>;
}

async function decide(
  input: LoopInput,
  runs: Runs,
  index: number,
  state: LoopState | undefined,
  history: readonly OverheadRecord[],
): Promise<Decided | { readonly stop: LoopResult }> {
  const step = nextStep({
    graph: state?.graph ?? input.graph,
    sites: input.sites,
    ...(state === undefined
      ? {}
      : { knowledge: state.knowledge, pairCosts: state.pairCosts, previous: state.selection }),
    baselineSeconds: median(runs.baselines),
    history,
    // Beyond the limit it only tells whether there would have been more to do.
    ...(index < input.maximumIterations ? { remainingRuns: input.maximumIterations - index } : {}),
    options: { ...input.options, ...(await input.pinned?.()), overheadPercent: input.overheadPercent },
  });
  const { selection, prediction } = step;
  if (state === undefined) return { selection, iteration: {} };
  if (index >= (input.leastIterations ?? 1)) {
    const reason = stopReason(input, runs, index, state, step);
    if (reason !== undefined) return { stop: { ...judged(input, state, selection), stopReason: reason } };
  }
  const { overheadPercent, unmeasured } = prediction;
  const unpredicted = unmeasured > 0 ? { unpredicted: unmeasured } : {};
  return { selection, iteration: { predictedPercent: overheadPercent, ...unpredicted } };
}

function strategyOf({ options }: LoopInput): Strategy {
  return options.strategy ?? defaultSelectionOptions.strategy;
}

/** The same functions once more, with what was found of those that the analysis had asked for. */
function judged(input: LoopInput, state: LoopState, selection: Selection): LoopState {
  const again = strategyOf(input) === 'agor' && sameFunctions(selection, state.selection);
  return again ? { ...state, selection } : state;
}

/** It records functions of unknown cost, and another iteration may follow. */
function isExploring(
  input: LoopInput,
  index: number,
  state: LoopState | undefined,
  { selection }: Decided,
): boolean {
  if (index + 1 >= input.maximumIterations) return false;
  return selectedKeys(selection).some((key) => state?.knowledge.functions.has(key) !== true);
}

/** The same set again ends the refinement; what kept it from growing says how. */
function stopReason(
  input: LoopInput,
  runs: Runs,
  index: number,
  state: LoopState,
  step: NextSelection,
): RefineResult['stopReason'] | undefined {
  const next = step.selection;
  if (sameFunctions(next, state.selection) || (step.exhausted && hasSettled(input, state, next))) {
    return [...next.decisions.values()].some((d) => !d.selected && d.reason.rule === 'too-expensive')
      ? 'overhead'
      : 'fixpoint';
  }
  if (index < leastIterations[strategyOf(input)]) return undefined;
  if (index >= input.maximumIterations) return 'iterations';
  return runs.spentSeconds + runs.expectedIterationSeconds() > input.budgetSeconds ? 'budget' : undefined;
}

/** So few functions at the edge of the target may come and go with the noise of the costs (or 5 % of the selection). */
const restlessFunctions = 2;

/**
 * Nothing new is to be found out, the target is met, every hot spot is recorded as it should be, the user's pins are followed, and only a
 * few functions at the edge of the target would change: another run would tell nothing.
 */
function hasSettled(input: LoopInput, state: LoopState, next: Selection): boolean {
  const last = state.iterations.at(-1);
  if (last === undefined) return false;
  const met = last.overheadPercent <= Math.max(input.overheadPercent, last.noisePercent);
  const few = Math.max(restlessFunctions, 0.05 * last.instrumented);
  const [before, after] = [intervalsOf(state.selection), intervalsOf(next)];
  const recorded = [...next.decisions.values()].every(
    ({ key, selected, reason }) =>
      !selected ||
      reason.rule !== 'hot-spot' ||
      (state.selection.decisions.get(key)?.selected === true && before.has(key) === after.has(key)),
  );
  return (
    met && recorded && followsPins(state.selection, next) && changedFunctions(state.selection, next) <= few
  );
}

/** What the user wants, even of a single function, is worth a run. */
function followsPins(measured: Selection, next: Selection): boolean {
  return [...next.decisions.values()].every(
    ({ key, selected, reason: { rule } }) =>
      (rule !== 'pinned-in' && rule !== 'pinned-out') ||
      (measured.decisions.get(key)?.selected ?? false) === selected,
  );
}

function digest(
  input: LoopInput,
  runs: Runs,
  before: LoopState | undefined,
  { selection: decided, iteration: expected }: Decided,
  measured: readonly MeasuredRun[],
): LoopState {
  const typical = medianRun(measured);
  const selection = recordedPart(decided, measured);
  const graphBefore = before?.graph ?? input.graph;
  const graph = patchMeasured(graphBefore, unexplainedEdges(typical.profile, graphBefore));
  const selected = selectedKeys(selection);
  const overhead = overheadOf(
    measured.map((run) => run.wallSeconds),
    runs.baselines,
  );
  const leastOverheadPercent =
    100 * (Math.min(...measured.map((run) => run.wallSeconds)) / Math.min(...runs.baselines) - 1);
  const seen = Math.min(overhead.percent, leastOverheadPercent);
  const { knowledge: learnt, costs } = learn(
    input,
    before,
    graph,
    selection,
    typical,
    { ...overhead, percent: seen },
    median(runs.baselines),
  );
  // All but one strategy begin with a run that records everything.
  const recordsAll = before === undefined && strategyOf(input) !== 'hotspot';
  const knowledge = recordsAll ? disturbedKnowledge(learnt) : learnt;
  const earlier = before?.iterations ?? [];
  const calibrations = [...(before?.calibrations ?? []), ...measured.map((run) => run.calibration)];
  const index = earlier.length;
  const run = {
    run: runName(index, measured.indexOf(typical) + 1),
    profile: typical.profile,
    graph,
    calibration: costs,
    sites: input.sites,
  };
  const costFactor = costs.entry.pairSeconds / typical.calibration.entry.pairSeconds;
  const iteration: RefineIteration = {
    index,
    instrumented: selected.length,
    executed: selected.filter((key) => (knowledge.functions.get(key)?.visits ?? 0) > 0).length,
    ...visitCounts(typical.profile),
    medianSeconds: median(measured.map((run) => run.wallSeconds)),
    baselineSeconds: median(runs.baselines),
    overheadPercent: overhead.percent,
    noisePercent: overhead.noisePercent,
    changed: before === undefined ? selected.length : changedFunctions(before.selection, selection),
    ...(Number.isFinite(costFactor) && costFactor !== 1 ? { costFactor } : {}),
    ...prediction(expected),
  };
  runs.deciding(iteration.index);
  return {
    graph,
    selection,
    knowledge,
    calibrations,
    pairCosts: medianCosts(calibrations),
    iterations: [...earlier, iteration],
    baselineSeconds: runs.baselines,
    run,
    // Shares of a run that recorded everything tell more of the recording than of the program.
    measures: recordsAll ? new Map() : latestMeasures(before?.measures, functionMeasures(makeContext(run))),
    leastOverheadPercent,
  };
}

/** What was really recorded: a run may show that some functions must be left out. */
function recordedPart(selection: Selection, measured: readonly MeasuredRun[]): Selection {
  const unrecorded = new Set(measured.flatMap((run) => [...(run.unrecorded ?? [])]));
  if (unrecorded.size === 0) return selection;
  const decisions = new Map(selection.decisions);
  for (const key of unrecorded)
    if (decisions.get(key)?.selected === true)
      decisions.set(key, { key, selected: false, reason: { rule: 'no-site' } });
  return { ...selection, decisions };
}

function prediction({
  predictedPercent,
  unpredicted,
}: Decided['iteration']): Pick<RefineIteration, 'predictedPercent' | 'unpredicted'> {
  return {
    ...(predictedPercent === undefined ? {} : { predictedPercent }),
    ...(unpredicted === undefined ? {} : { unpredicted }),
  };
}

/** Within these the cost of recording can differ from the calibration; beyond, the difference is something else. */
const inSituFactors = { least: 0.3, largest: 4 };
/** An overhead below this (predicted, percent) is too small to tell a factor from. */
const tellingPercent = 10;

/**
 * What the run adds to the knowledge. Where many visits were recorded, its overhead shows what a pair really cost in this program:
 * more than in the calibration where caches are short, less where the processor finds other work meanwhile. That is what is taken
 * off the times; else small functions would look hot for what recording them took, or their callers cold.
 */
function learn(
  input: LoopInput,
  before: LoopState | undefined,
  graph: CallGraph,
  selection: Selection,
  { profile, calibration }: MeasuredRun,
  overhead: OverheadEstimate,
  baseline: number,
): { readonly knowledge: Knowledge; readonly costs: PairCosts } {
  const learnt = (costs: PairCosts): ReturnType<typeof learn> => {
    const knowledge = accumulateKnowledge(
      before?.knowledge,
      profile,
      graph,
      costs,
      selectedKeys(selection),
      input.sites,
      baseline,
    );
    return { knowledge, costs: scaledCosts(costs, knowledge.costFactor ?? 1) };
  };
  const plain = learnt(calibration);
  const predicted = predictedOverheadPercent(selection, plain.knowledge, calibration, input.sites, baseline);
  if (predicted < Math.max(tellingPercent, 2 * overhead.noisePercent)) return plain;
  const factor = Math.min(inSituFactors.largest, Math.max(inSituFactors.least, overhead.percent / predicted));
  return learnt(scaledCosts(calibration, factor));
}

/** Predicted (visits × calibrated pair) against measured overhead of the last iteration. */
function predictionRecord(
  sites: ReadonlyMap<string, SiteKind>,
  state: LoopState,
): OverheadRecord | undefined {
  const iteration = state.iterations.at(-1);
  if (iteration === undefined) return undefined;
  const { selection, knowledge, pairCosts } = state;
  return {
    predictedPercent: predictedOverheadPercent(
      selection,
      knowledge,
      pairCosts,
      sites,
      iteration.baselineSeconds,
    ),
    measuredPercent: Math.min(iteration.overheadPercent, state.leastOverheadPercent),
    noisePercent: iteration.noisePercent,
  };
}

function medianRun(runs: readonly MeasuredRun[]): MeasuredRun {
  const sorted = [...runs].sort((a, b) => a.wallSeconds - b.wallSeconds);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new RangeError('an iteration without a run');
  return middle;
}

function visitCounts({ stored }: Profile): Pick<RefineIteration, 'visits' | 'timedVisits'> {
  const total = (metric: string): number | undefined =>
    stored.get(metric)?.reduce((sum, visits) => sum + visits, 0);
  const timedVisits = total(timedVisitsMetric.name);
  return { visits: total('visits') ?? 0, ...(timedVisits === undefined ? {} : { timedVisits }) };
}
