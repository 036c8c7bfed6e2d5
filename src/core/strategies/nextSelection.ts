import { at, atFloat } from '../at';
import { present } from '../present';
import { remembered } from '../remembered';
import { shareOf } from '../functions/share';
import type { CallGraph } from '../callgraph/callGraph';
import { spendBudget, type BudgetResult, type Candidate } from './budget';
import { predictedScale, type OverheadRecord } from '../cost/costScale';
import { explore, surelyCheap, wayDown, type Exploration, type VisitCosts } from '../knowledge/explore';
import { countFirst } from './countFirst';
import { decideAll, fixedVerdict, type Verdict } from './decideAll';
import { firstSelection } from './firstSelection';
import { noKnowledge, type FunctionKnowledge, type Knowledge } from '../knowledge/knowledge';
import { typicalPairCosts, visitCost, type PairCosts, type SiteKind } from '../cost/pairCost';
import { measureAgain } from './measureAgain';
import { countingInterval } from './sampling';
import { calleesOf, callersOf, pathsToMain, reachableFrom } from '../callgraph/reachability';
import { chargedVisits, percentOf } from '../knowledge/recordingCost';
import type { CostBase } from '../cost/runTime';
import type { PredictedCost, Reason, Selection } from '../selection/selection';
import { defaultSelectionOptions, type SelectionOptions } from '../selection/selectionOptions';
import { analyseStatements, type StaticAnalysis } from './staticSelection';
import { briefVisitSeconds, estimateVisitSeconds } from '../knowledge/visitEstimate';

export interface SelectionInput {
  readonly graph: CallGraph;
  /** Kind of site per function key; a function without one cannot be recorded. Undefined: every function with a body can. */
  readonly sites?: ReadonlyMap<string, SiteKind>;
  /** All measured runs so far; undefined before the first. */
  readonly knowledge?: Knowledge;
  readonly pairCosts?: PairCosts;
  /** Median run time with nothing recorded: the base of shares. */
  readonly baselineSeconds?: number;
  /** Base of costs in percent; default: `baselineSeconds` as wall time. */
  readonly costBase?: CostBase;
  /** Predicted and measured overheads so far, which show by how much calibrated costs fall short in this program. */
  readonly history?: readonly OverheadRecord[];
  /** Cost of pairs in the last run as a factor of `pairCosts` (`costFactor`). */
  readonly costFactor?: number;
  /** Number of runs that may follow, including the one with this selection; with 1 no function of unknown cost is selected. */
  readonly remainingRuns?: number;
  readonly options?: Partial<SelectionOptions>;
  /** The last selection. */
  readonly previous?: Selection;
}

export interface Prediction {
  /** Overhead of the selected functions whose visits are known: exact up to the calibration. */
  readonly overheadPercent: number;
  /** Upper estimate for the selected functions that were never measured. */
  readonly riskPercent: number;
  /** Number of selected functions whose cost is unknown. */
  readonly unmeasured: number;
  /** False when even the smallest selection (entry and pinned functions) exceeds the target. */
  readonly withinTarget: boolean;
}

export interface NextSelection {
  readonly selection: Selection;
  readonly prediction: Prediction;
  /** Another run would only confirm this selection. */
  readonly exhausted: boolean;
}

/**
 * The selection of the next round: a pure, deterministic function of all knowledge. Without knowledge it is the static selection; with
 * it, the affordable functions (`budget.ts`) and, while runs remain, new functions below hot ones (`explore.ts`).
 * As knowledge only gets sharper and every run settles the functions that it recorded, the rounds reach a fixpoint.
 */
export function nextSelection(input: SelectionInput): NextSelection {
  const options = { ...defaultSelectionOptions, ...input.options };
  const step: Step = {
    graph: input.graph,
    sites: input.sites ?? assumedSites(input.graph),
    knowledge: input.knowledge ?? noKnowledge,
    pairCosts: input.pairCosts ?? typicalPairCosts,
    options,
    statics: analyseStatements(input.graph, options.cutoff),
    visitSeconds: estimateVisitSeconds(input.graph),
    briefSeconds: briefVisitSeconds(input.graph),
  };
  if (step.knowledge.runs === 0) return firstStep(step, input.remainingRuns ?? Infinity);
  const { knowledge } = step;
  const baseline = input.baselineSeconds ?? knowledge.runSeconds;
  const scale = predictedScale(input, options.overheadPercent * options.aimShare);
  const { costBase = { clock: 'wall', seconds: baseline } } = input;
  const costOf = (key: string, interval?: number): PredictedCost | undefined => {
    const visits = chargedVisits(knowledge.functions.get(key), costBase.clock);
    if (visits <= 0) return undefined;
    const pairSeconds = visitCost(step.pairCosts[step.sites.get(key) ?? 'entry'], interval) * scale;
    return {
      visits,
      pairSeconds,
      overheadPercent: percentOf(costBase, visits * pairSeconds),
      ...present({ interval }),
    };
  };
  // From the same runs as the times of the functions, so that shares are right on a machine whose speed changes between runs.
  const runSeconds = Number.isFinite(knowledge.runSeconds) ? knowledge.runSeconds : baseline;
  const { remainingRuns = Infinity, previous } = input;
  return measuredStep(step, { costOf, runSeconds, scale, remainingRuns, previous });
}

/** What all parts of this step share. */
interface Step {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly knowledge: Knowledge;
  readonly pairCosts: PairCosts;
  readonly options: SelectionOptions;
  readonly statics: StaticAnalysis;
  readonly visitSeconds: Float64Array;
  readonly briefSeconds: Float64Array;
}

interface Measures {
  /** With an interval: the cost when about one in `interval` visits is timed. */
  readonly costOf: (key: string, interval?: number) => PredictedCost | undefined;
  readonly runSeconds: number;
  readonly scale: number;
  readonly remainingRuns: number;
  readonly previous: Selection | undefined;
}

/** Counts functions first only where another run follows to time them. */
function firstStep(step: Step, remainingRuns: number): NextSelection {
  const selected = firstSelection(step);
  const decisions = remainingRuns > 1 ? countFirst(selected, step) : selected;
  const unmeasured = [...decisions.values()].filter((d) => d.selected).length;
  return {
    selection: { decisions },
    prediction: { overheadPercent: 0, riskPercent: 0, unmeasured, withinTarget: true },
    exhausted: unmeasured === 0,
  };
}

function measuredStep(step: Step, measures: Measures): NextSelection {
  const { graph, options } = step;
  const { budget, exploration } = choose(step, measures);
  const again = measures.remainingRuns > 1 ? chooseAgain(step, measures, budget) : nobody;
  const decide = decider(step, measures, { budget, exploration, again });
  const selection = decideAll(graph, decide);
  let unmeasured = 0;
  let untimed = again.size;
  for (const { key, selected } of selection.decisions.values()) {
    if (!selected) continue;
    const known = step.knowledge.functions.get(key);
    if (known === undefined) unmeasured++;
    else if (known.counted === true && !budget.intervals.has(key)) untimed++;
  }
  return {
    selection,
    prediction: {
      overheadPercent: budget.overheadPercent,
      riskPercent: exploration.riskPercent,
      unmeasured,
      withinTarget: budget.overheadPercent <= options.overheadPercent,
    },
    exhausted: unmeasured + untimed === 0,
  };
}

/** A hot spot with new functions below it must be recorded in full or not at all. */
function choose(
  step: Step,
  measures: Measures,
): { readonly budget: BudgetResult; readonly exploration: Exploration } {
  const { graph } = step;
  const below = belowOf(graph);
  const inFull = new Set<string>();
  for (;;) {
    const budget = chooseMeasured(step, measures, below, inFull);
    const exploration = chooseNew(step, measures, budget);
    const chosen = [...exploration.chosen.keys()].map((index) => at(graph.functions, index).key);
    const over = [...budget.intervals.keys()].filter((key) =>
      chosen.some((callee) => below(key).has(callee)),
    );
    if (over.length === 0) return { budget, exploration };
    for (const key of over) inFull.add(key);
  }
}

/** Keys of the functions that are marked with 1. */
function keysOf(graph: CallGraph, marks: Uint8Array): ReadonlySet<string> {
  return new Set(graph.functions.filter((_, index) => marks[index] === 1).map(({ key }) => key));
}

/** Keys of the functions that one of these functions may call, at any depth. */
function belowAny(graph: CallGraph, intervals: BudgetResult['intervals']): ReadonlySet<string> {
  const callees = graph.functions.flatMap(({ key }, index) =>
    intervals.has(key) ? calleesOf(graph, index) : [],
  );
  return keysOf(graph, reachableFrom(graph, callees));
}

/** For each key, the keys of the functions that it may call at any depth; itself only if it is recursive. */
function belowOf(graph: CallGraph): (key: string) => ReadonlySet<string> {
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  const memo = new Map<string, ReadonlySet<string>>();
  return (key) => {
    const position = positions.get(key);
    const callees = position === undefined ? [] : calleesOf(graph, position);
    return remembered(memo, key, () => keysOf(graph, reachableFrom(graph, callees)));
  };
}

function chooseMeasured(
  step: Step,
  { costOf, runSeconds, remainingRuns }: Measures,
  below: (key: string) => ReadonlySet<string>,
  inFull: ReadonlySet<string>,
): BudgetResult {
  const { graph, sites, knowledge, options, statics } = step;
  const candidates: Candidate[] = [];
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  for (const { key } of graph.functions) {
    const known = knowledge.functions.get(key);
    const cost = costOf(key);
    if (known === undefined || cost === undefined || !sites.has(key) || options.pinnedOut.has(key)) continue;
    const canSample = step.pairCosts[sites.get(key) ?? 'entry'].sampled !== undefined && !inFull.has(key);
    candidates.push({
      key,
      known,
      overheadPercent: cost.overheadPercent,
      ...(canSample
        ? { sampledPercent: (interval: number) => costOf(key, interval)?.overheadPercent ?? 0 }
        : {}),
    });
  }
  const mandatory = new Set([...options.pinnedIn, ...options.phase]);
  if (statics.entry !== undefined) mandatory.add(at(graph.functions, statics.entry).key);
  const callers = callersOf(graph);
  const reachable = graph.entry === undefined ? new Uint8Array(callers.length).fill(1) : statics.reachable;
  const pathsTo = (keys: readonly string[]): ReadonlySet<string> => {
    const targets = keys.flatMap((key) => positions.get(key) ?? []);
    return keysOf(graph, pathsToMain(callers, reachable, targets));
  };
  const canTry = remainingRuns > 1;
  return spendBudget({ candidates, knowledge, runSeconds, mandatory, pathsTo, below, options, canTry });
}

function visitCosts({ pairCosts, sites }: Step, { scale }: Measures, key: string): VisitCosts {
  const { pairSeconds, sampled } = pairCosts[sites.get(key) ?? 'entry'];
  return {
    timed: pairSeconds * scale,
    counted: sampled === undefined ? undefined : sampled.countedSeconds * scale,
  };
}

const nothingNew: Exploration = { chosen: new Map(), refused: new Map(), riskPercent: 0 };

function chooseNew(step: Step, measures: Measures, budget: BudgetResult): Exploration {
  const { graph, sites, knowledge, options } = step;
  if (options.mode === 'filter-only') return nothingNew;
  const above = new Map<number, number>();
  graph.functions.forEach(({ key }, index) => {
    const share = shareOf(knowledge.functions.get(key)?.exclusiveSeconds ?? 0, {
      seconds: measures.runSeconds,
    });
    if (share >= options.hotInclusiveShare / 20) above.set(index, share);
  });
  const key = (index: number): string => at(graph.functions, index).key;
  const exploration = explore({
    graph,
    above,
    leastShare: options.hotInclusiveShare,
    isNew: (index) =>
      sites.has(key(index)) && !knowledge.functions.has(key(index)) && !options.pinnedOut.has(key(index)),
    isSettled: (index) => knowledge.functions.has(key(index)),
    visitSeconds: step.visitSeconds,
    briefSeconds: step.briefSeconds,
    costOfVisit: (index) => visitCosts(step, measures, key(index)),
    limitPercent: options.explorationPercent,
    timedPercent: options.timedAtOncePercent,
  });
  if (measures.remainingRuns > 1) return withContext(step, measures, exploration, budget);
  const refused = new Map(exploration.refused);
  for (const index of exploration.chosen.keys()) refused.set(index, exploration.riskPercent);
  return { chosen: new Map(), refused, riskPercent: 0 };
}

/** Adds functions on the way to hot spots that were never recorded: their callers show less time than they have, so they are new, too. */
function withContext(
  step: Step,
  measures: Measures,
  exploration: Exploration,
  budget: BudgetResult,
): Exploration {
  const { graph, sites, knowledge, options, visitSeconds, briefSeconds } = step;
  const chosen = new Map(exploration.chosen);
  graph.functions.forEach(({ key }, index) => {
    if (!budget.context.has(key) || knowledge.functions.has(key) || chosen.has(index)) return;
    if (!sites.has(key) || options.pinnedOut.has(key)) return;
    const costs = visitCosts(step, measures, key);
    const cheap = surelyCheap(costs, atFloat(visitSeconds, index), atFloat(briefSeconds, index));
    if (cheap || costs.counted !== undefined) chosen.set(index, { below: index, share: 0, counted: !cheap });
  });
  return { ...exploration, chosen };
}

const nobody: ReadonlySet<string> = new Set();

/** Functions that are measured again (`measureAgain.ts`) beside the budget's selection, none of them below a sampled function. */
function chooseAgain(
  { graph, sites, knowledge, options }: Step,
  { costOf, runSeconds, previous }: Measures,
  { kept, intervals, overheadPercent }: BudgetResult,
): ReadonlySet<string> {
  if (options.mode === 'filter-only') return nobody;
  const sampled = belowAny(graph, intervals);
  const candidates = graph.functions.flatMap(({ key }) => {
    const known = knowledge.functions.get(key);
    const cost = costOf(key);
    if (known === undefined || cost === undefined || kept.has(key) || sampled.has(key)) return [];
    // The last run measured it again, so its time cannot get more precise.
    if (previous?.decisions.get(key)?.reason.rule === 'again') return [];
    return sites.has(key) && !options.pinnedOut.has(key)
      ? [{ key, known, overheadPercent: cost.overheadPercent }]
      : [];
  });
  return measureAgain(candidates, runSeconds, overheadPercent, options);
}

interface Chosen {
  readonly budget: BudgetResult;
  readonly exploration: Exploration;
  readonly again: ReadonlySet<string>;
}

function decider(
  step: Step,
  measures: Measures,
  { budget, exploration, again }: Chosen,
): (index: number, key: string) => Verdict {
  const { graph, sites, knowledge, options, statics } = step;
  return (index, key) => {
    const cost = measures.costOf(key);
    const fixed = fixedVerdict(graph, sites, options, statics.entry, index);
    if (fixed?.[0] === true) return [true, { ...fixed[1], ...present({ cost }) }];
    if (fixed !== undefined) return fixed;
    if (!knowledge.functions.has(key)) return unmeasuredReason(step, exploration, index);
    if (cost === undefined) return [false, { rule: 'not-executed' }];
    if (again.has(key)) return [true, { rule: 'again', cost }];
    const interval = budget.intervals.get(key);
    return measuredReason(step, measures, budget, index, measures.costOf(key, interval) ?? cost);
  };
}

function unmeasuredReason(step: Step, exploration: Exploration, index: number): Verdict {
  const { statics, graph, options } = step;
  const chosen = exploration.chosen.get(index);
  if (chosen !== undefined) {
    const counted = chosen.counted ? { countedFirst: countingInterval } : {};
    if (chosen.below === index) return [true, { rule: 'path-to-main', ...counted }];
    const path = wayDown(graph, chosen.below, (node) => node === index) ?? [];
    const threshold = options.hotInclusiveShare;
    return [true, { rule: 'expand', value: chosen.share, threshold, path, ...counted }];
  }
  const risk = exploration.refused.get(index);
  if (risk !== undefined) {
    return [false, { rule: 'not-measured', value: risk, threshold: options.explorationPercent }];
  }
  if (statics.reachable[index] !== 1) return [false, { rule: 'unreachable' }];
  const value = atFloat(statics.inclusive, index);
  const threshold = Math.max(statics.threshold, options.minimumStatements);
  return [false, value < threshold ? { rule: 'too-small', value, threshold } : { rule: 'not-measured' }];
}

function measuredReason(
  step: Step,
  { runSeconds }: Measures,
  budget: BudgetResult,
  index: number,
  cost: PredictedCost,
): Verdict {
  const { graph, knowledge, options } = step;
  const { key } = at(graph.functions, index);
  const known = knowledge.functions.get(key);
  const whole = { seconds: runSeconds };
  const exclusive = shareOf(budget.exclusiveSeconds.get(key) ?? known?.exclusiveSeconds ?? 0, whole);
  const inclusive = shareOf(known?.inclusiveSeconds ?? 0, whole);
  if (!budget.kept.has(key)) {
    const wanted = inclusive >= options.usefulShare || budget.context.has(key);
    return [
      false,
      wanted ? tooExpensive(options, budget, key, cost) : notHot(options, known, inclusive, cost),
    ];
  }
  if (budget.hotSpots.has(key)) {
    const threshold = options.hotExclusiveShare;
    return [true, { rule: 'hot-spot', value: exclusive, threshold, measure: 'exclusive', cost }];
  }
  if (inclusive >= options.hotInclusiveShare) {
    const threshold = options.hotInclusiveShare;
    return [true, { rule: 'hot-spot', value: inclusive, threshold, measure: 'inclusive', cost }];
  }
  if (budget.context.has(key)) {
    const path = wayDown(graph, index, (node) => budget.hotSpots.has(at(graph.functions, node).key));
    return [
      true,
      { rule: 'path-to-main', value: inclusive, measure: 'inclusive', cost, ...present({ path }) },
    ];
  }
  return [true, { rule: 'budget', value: cost.overheadPercent, threshold: options.overheadPercent, cost }];
}

function notHot(
  { usefulShare: threshold }: SelectionOptions,
  known: FunctionKnowledge | undefined,
  value: number,
  cost: PredictedCost,
): Reason {
  const estimated = known?.counted === true ? ({ estimated: true } as const) : {};
  return { rule: 'not-hot', value, threshold, measure: 'inclusive', cost, ...estimated };
}

function tooExpensive(
  { overheadPercent }: SelectionOptions,
  { dropped, limits }: BudgetResult,
  key: string,
  cost: PredictedCost,
): Reason {
  const limit = dropped.has(key) ? limits.hotSpots : limits.others;
  return { rule: 'too-expensive', value: cost.overheadPercent, threshold: overheadPercent, limit, cost };
}

/** Sites where only the graph is known: every function with a body can be recorded. */
export function assumedSites(graph: CallGraph): ReadonlyMap<string, SiteKind> {
  return new Map(
    graph.functions.filter((f) => f.hasBody && !f.isSystem).map((f) => [f.key, 'entry'] as const),
  );
}
