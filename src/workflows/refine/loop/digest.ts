import { patchMeasured } from '../../../core/callgraph/patchMeasured';
import { present } from '../../../core/present';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import { runName } from '../../../core/functions/base';
import { functionMeasures, sharpestMeasures, shownMeasures } from '../../../core/functions/functionMeasures';
import { timedVisitsMetric } from '../../../core/profile/metrics';
import type { Profile } from '../../../core/profile/profile';
import { makeContext } from '../../../core/problems/context/makeContext';
import { costFactor, costFactorDoubt, type OverheadRecord } from '../../../core/cost/costScale';
import {
  accumulateKnowledge,
  disturbedKnowledge,
  unexplainedSeconds,
  type Knowledge,
} from '../../../core/knowledge/knowledge';
import { overheadOf, overheadOfPairs, type OverheadEstimate } from '../../../core/cost/overhead';
import { costRatio, lowCosts, scaledCosts, type PairCosts } from '../../../core/cost/pairCost';
import { predictedOverheadPercent, showsPairCost } from '../../../core/knowledge/recordingCost';
import { costBase, decisionClock, secondsBy, type CostBase, type RunTime } from '../../../core/cost/runTime';
import { changedFunctions, selectedKeys, type Selection } from '../../../core/selection/selection';
import { recordsEverything } from '../../../core/selection/strategy';
import type { RefineRound } from '../../studies/refine.types';
import { strategyOf, type LoopInput, type LoopState, type MeasuredRun } from './loop.types';
import { unexplainedEdges } from './measuredEdges';
import { typicalRun } from './typicalRun';

/** The runs of a round and their baselines, which the round is judged by. */
export interface Evidence {
  readonly measured: readonly MeasuredRun[];
  /** Baseline runs between the measured ones. */
  readonly beside: readonly RunTime[];
  /** Each baseline run took turns with the measured run at the same position. */
  readonly paired: boolean;
  /** All baseline runs, for display. */
  readonly baselines: readonly RunTime[];
}

type DigestInput = Pick<LoopInput, 'graph' | 'sites' | 'typicalCosts' | 'options'>;

/** The state after a round. `expected`: its predicted overhead. */
export function digest(
  input: DigestInput,
  before: LoopState | undefined,
  decided: Selection,
  expected: Pick<RefineRound, 'predictedPercent' | 'unpredicted'>,
  evidence: Evidence,
): LoopState {
  const { measured, beside, baselines } = evidence;
  const clock = decisionClock([...measured, ...beside]);
  const typical = typicalRun(measured, clock);
  const base = costBase(beside, clock);
  const ownBase = baseOf(typical, evidence, clock);
  const selection = recordedPart(decided, measured);
  const graphBefore = before?.graph ?? input.graph;
  const graph = patchMeasured(graphBefore, unexplainedEdges(typical.profile, graphBefore));
  const overhead = overheadBy(clock, evidence);
  const seen = { ...overhead, percent: Math.min(overhead.percent, leastOverhead(clock, evidence)) };
  const {
    knowledge: learnt,
    costs,
    costDoubt,
  } = learn(input, before, graph, selection, typical, seen, ownBase);
  const recordsAll = before === undefined && recordsEverything(strategyOf(input));
  const knowledge = recordsAll ? disturbedKnowledge(learnt) : learnt;
  const calibrations = [...(before?.calibrations ?? []), ...measured.map((run) => run.calibration)];
  const pairCosts = lowCosts(calibrations);
  const predict = (part: Selection): number =>
    predictedOverheadPercent(part, knowledge, pairCosts, input.sites, base);
  const record: OverheadRecord = {
    predictedPercent: predict(selection),
    measuredPercent: seen.percent,
    doubtPercent: seen.doubtPercent,
  };
  const selected = selectedKeys(selection);
  const earlier = before?.iterations ?? [];
  const index = earlier.length;
  const typicalRepetition = measured.indexOf(typical) + 1;
  const run = {
    run: runName(index, typicalRepetition),
    profile: typical.profile,
    graph,
    calibration: costs,
    sites: input.sites,
  };
  const context = makeContext(run);
  const last = functionMeasures(context, {
    unexplainedSeconds: unexplainedSeconds(context.times, ownBase),
    costDoubt,
  });
  const sharpest = sharpestMeasures(before?.sharpest, last);
  const factor = costRatio(costs, typical.calibration);
  const iteration: RefineRound = {
    index,
    runs: measured.length,
    instrumented: selected.length,
    executed: selected.filter((key) => (knowledge.functions.get(key)?.visits ?? 0) > 0).length,
    ...visitCounts(typical.profile),
    ...measuredOverhead(evidence),
    changed: before === undefined ? selected.length : changedFunctions(before.selection, selection),
    ...(factor === 1 ? {} : { costFactor: factor }),
    typicalRun: typicalRepetition,
    ...expected,
  };
  return {
    graph,
    selection,
    knowledge,
    calibrations,
    pairCosts,
    iterations: [...earlier, iteration],
    baselineSeconds: baselines.map((run) => run.wallSeconds),
    costBase: base,
    run,
    measures: shownMeasures(sharpest, last),
    sharpest,
    history: [...(before?.history ?? []), ...(showsPairCost(selection, predict) ? [record] : [])],
  };
}

/** Time of the baseline: that of the paired run, else of all baseline runs. */
function baseOf(
  run: MeasuredRun,
  { measured, beside, paired }: Evidence,
  clock: CostBase['clock'],
): CostBase {
  const twin = paired ? beside[measured.indexOf(run)] : undefined;
  return costBase(twin === undefined ? beside : [twin], clock);
}

export type ComparedRuns = { readonly measured: readonly RunTime[] } & Pick<Evidence, 'beside' | 'paired'>;

/** Overhead of the measured runs over the baseline runs, by a clock. */
export function overheadBy(
  clock: CostBase['clock'],
  { measured, beside, paired }: ComparedRuns,
): OverheadEstimate {
  const seconds = (run: RunTime): number => secondsBy(clock, run);
  const estimate = paired ? overheadOfPairs : overheadOf;
  return estimate(measured.map(seconds), beside.map(seconds));
}

/** Overhead by the fastest runs of both kinds, percent: other work on the machine only makes runs slower, except for paired ones. */
function leastOverhead(clock: CostBase['clock'], { measured, beside, paired }: Evidence): number {
  if (paired) return Infinity;
  const least = (runs: readonly RunTime[]): number => Math.min(...runs.map((run) => secondsBy(clock, run)));
  return 100 * (least(measured) / least(beside) - 1);
}

export type MeasuredOverhead = Pick<
  RefineRound,
  | 'medianSeconds'
  | 'baselineSeconds'
  | 'paired'
  | 'window'
  | 'clock'
  | 'cpuSeconds'
  | 'baselineCpuSeconds'
  | 'rankSeconds'
  | 'baselineRankSeconds'
  | 'slowestRank'
  | 'overheadPercent'
  | 'noisePercent'
>;

/** Times of both kinds of runs and the overhead, for results. */
export function measuredOverhead(runs: ComparedRuns): MeasuredOverhead {
  const { measured, beside: baselines } = runs;
  const clock = decisionClock([...measured, ...baselines]);
  const { percent, noisePercent } = overheadBy(clock, runs);
  return {
    medianSeconds: costBase(measured, 'wall').seconds,
    baselineSeconds: costBase(baselines, 'wall').seconds,
    ...(runs.measured.some(({ isWindow }) => isWindow)
      ? { window: true }
      : runs.paired
        ? { paired: true }
        : {}),
    clock,
    ...decidingTimes(clock, runs),
    overheadPercent: percent,
    ...(noisePercent === undefined ? {} : { noisePercent }),
  };
}

/** Times by the clock of the overhead, if it is not the wall's. */
function decidingTimes(
  clock: CostBase['clock'],
  { measured, beside }: ComparedRuns,
): Partial<MeasuredOverhead> {
  const [seconds, baseline] = [costBase(measured, clock).seconds, costBase(beside, clock).seconds];
  switch (clock) {
    case 'rank':
      return {
        rankSeconds: seconds,
        baselineRankSeconds: baseline,
        ...present({ slowestRank: usualRank(measured) }),
      };
    case 'cpu':
      return { cpuSeconds: seconds, baselineCpuSeconds: baseline };
    case 'wall':
      return {};
  }
}

/** The slowest rank of most runs: ranks with the same work are slowest in turns. */
function usualRank(runs: readonly RunTime[]): number | undefined {
  const ranks = runs.flatMap(({ slowestRank }) => (slowestRank === undefined ? [] : [slowestRank.rank]));
  const timesOf = (rank: number): number => ranks.filter((other) => other === rank).length;
  return [...ranks].sort((a, b) => timesOf(b) - timesOf(a) || a - b)[0];
}

/** The functions actually recorded: a run may show that some must be excluded. */
function recordedPart(selection: Selection, measured: readonly MeasuredRun[]): Selection {
  const unrecorded = new Set(measured.flatMap((run) => [...(run.unrecorded ?? [])]));
  if (unrecorded.size === 0) return selection;
  const decisions = new Map(selection.decisions);
  for (const key of unrecorded)
    if (decisions.get(key)?.selected === true)
      decisions.set(key, { key, selected: false, reason: { rule: 'no-site' } });
  return { ...selection, decisions };
}

interface Learnt {
  readonly knowledge: Knowledge;
  readonly costs: PairCosts;
  /** Relative uncertainty of all costs. */
  readonly costDoubt: number;
}

/**
 * Adds the run to the knowledge. Its overhead shows the actual cost of a pair in this program: more than calibrated if caches are
 * scarce, less if the processor overlaps it with other work. This cost is subtracted from the times; otherwise small functions
 * would appear hot because of their recording, or their callers cold.
 */
function learn(
  input: DigestInput,
  before: LoopState | undefined,
  graph: CallGraph,
  selection: Selection,
  { profile, calibration }: MeasuredRun,
  overhead: OverheadEstimate,
  base: CostBase,
): Learnt {
  const learnt = (costs: PairCosts, costDoubt: number): Learnt => {
    const knowledge = accumulateKnowledge(
      before?.knowledge,
      profile,
      graph,
      costs,
      selectedKeys(selection),
      input.sites,
      base,
    );
    return { knowledge, costs: scaledCosts(costs, knowledge.costFactor ?? 1), costDoubt };
  };
  const plain = learnt(calibration, 0);
  const predicted = predictedOverheadPercent(selection, plain.knowledge, calibration, input.sites, base);
  if (!(predicted > 0)) return plain;
  const assumed = before?.iterations.at(-1)?.costFactor;
  const shown = { ...overhead, predictedPercent: predicted };
  return learnt(scaledCosts(calibration, costFactor(assumed, shown)), costFactorDoubt(assumed, shown));
}

function visitCounts({ stored }: Profile): Pick<RefineRound, 'visits' | 'timedVisits'> {
  const total = (metric: string): number | undefined =>
    stored.get(metric)?.reduce((sum, visits) => sum + visits, 0);
  const timedVisits = total(timedVisitsMetric.name);
  return { visits: total('visits') ?? 0, ...(timedVisits === undefined ? {} : { timedVisits }) };
}
