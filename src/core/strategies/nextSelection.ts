import { shareOf } from '../functions/share';
import type { CallGraph } from '../callgraph/callGraph';
import { spendBudget, type BudgetResult, type Candidate } from './budget';
import { predictedScale, type OverheadRecord } from '../cost/costScale';
import { explore, surelyCheap, wayDown, type Exploration, type VisitCosts } from '../knowledge/explore';
import { countFirst } from './countFirst';
import { firstSelection } from './firstSelection';
import { noKnowledge, type FunctionKnowledge, type Knowledge } from '../knowledge/knowledge';
import { typicalPairCosts, visitCost, type PairCosts, type SiteKind } from '../cost/pairCost';
import { measureAgain } from './measureAgain';
import { countingInterval } from './sampling';
import { callersOf, pathsToMain, reachableFrom, shortestWay } from '../callgraph/reachability';
import { chargedVisits, percentOf } from '../knowledge/recordingCost';
import type { CostBase } from '../cost/runTime';
import type { Decision, PredictedCost, Reason, Selection } from '../selection/selection';
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
  /** Median run time with nothing recorded: what shares are of. */
  readonly baselineSeconds?: number;
  /** What costs are a percentage of; default: `baselineSeconds` as wall time. */
  readonly costBase?: CostBase;
  /** Overheads predicted and then measured so far; shows by how much calibrated costs fall short in this program. */
  readonly history?: readonly OverheadRecord[];
  /** What pairs cost in the last run, as a factor of `pairCosts` (`costFactor`). */
  readonly costFactor?: number;
  /** Runs that may still follow, the one with this selection included; with 1 nothing of unknown cost is selected. */
  readonly remainingRuns?: number;
  readonly options?: Partial<SelectionOptions>;
  /** What was recorded last. */
  readonly previous?: Selection;
}

export interface Prediction {
  /** Of the selected functions whose visits are known: exact up to the calibration. */
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
  /** Nothing is left to find out: another run would only confirm this selection. */
  readonly exhausted: boolean;
}

/**
 * One refinement step: a pure, deterministic function of everything known. Without knowledge it is the static selection; with it,
 * the affordable functions (`budget.ts`) plus, while runs remain, what should be looked into below hot ones (`explore.ts`).
 * As knowledge only gets sharper and every run settles what it recorded, the steps reach a fixpoint.
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
      ...(interval === undefined ? {} : { interval }),
    };
  };
  // Of the same runs as the times of the functions, so that shares hold on a machine whose speed changes between runs.
  const runSeconds = Number.isFinite(knowledge.runSeconds) ? knowledge.runSeconds : baseline;
  const { remainingRuns = Infinity, previous } = input;
  return measuredStep(step, { costOf, runSeconds, scale, remainingRuns, previous });
}

/** What the rooms of this step share. */
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
  /** With an interval: when about one in so many visits is timed. */
  readonly costOf: (key: string, interval?: number) => PredictedCost | undefined;
  readonly runSeconds: number;
  readonly scale: number;
  readonly remainingRuns: number;
  readonly previous: Selection | undefined;
}

/** Without a run to follow, what was counted would never be timed. */
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
  const decisions = new Map<string, Decision>();
  let unmeasured = 0;
  let untimed = again.size;
  graph.functions.forEach(({ key }, index) => {
    const [selected, reason] = decide(index);
    decisions.set(key, { key, selected, reason });
    if (!selected) return;
    const known = step.knowledge.functions.get(key);
    if (known === undefined) unmeasured++;
    else if (known.counted === true && !budget.intervals.has(key)) untimed++;
  });
  return {
    selection: { decisions },
    prediction: {
      overheadPercent: budget.overheadPercent,
      riskPercent: exploration.riskPercent,
      unmeasured,
      withinTarget: budget.overheadPercent <= options.overheadPercent,
    },
    exhausted: unmeasured + untimed === 0,
  };
}

/** What is looked into below a hot spot has to find it recorded in full, or not at all. */
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
    const chosen = [...exploration.chosen.keys()].map((index) => graph.functions[index]?.key ?? '');
    const over = [...budget.intervals.keys()].filter((key) => chosen.some((one) => below(key).has(one)));
    if (over.length === 0) return { budget, exploration };
    for (const key of over) inFull.add(key);
  }
}

/** Keys of what one of these functions may call, at any depth. */
function belowAny(graph: CallGraph, intervals: BudgetResult['intervals']): ReadonlySet<string> {
  const starts = graph.functions.flatMap(({ key }, index) =>
    intervals.has(key) ? (graph.edges[index] ?? []).map(({ callee }) => callee) : [],
  );
  const reached = reachableFrom(graph, starts);
  return new Set(graph.functions.filter((_, index) => reached[index] === 1).map(({ key }) => key));
}

/** For each key, the keys of what it may call at any depth; it is one of them only if it is recursive. */
function belowOf(graph: CallGraph): (key: string) => ReadonlySet<string> {
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  const known = new Map<string, ReadonlySet<string>>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const callees = graph.edges[positions.get(key) ?? -1]?.map((edge) => edge.callee) ?? [];
    const reached = reachableFrom(graph, callees);
    const keys = new Set(graph.functions.filter((_, index) => reached[index] === 1).map((f) => f.key));
    known.set(key, keys);
    return keys;
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
  const entry = statics.entry === undefined ? undefined : graph.functions[statics.entry];
  if (entry !== undefined) mandatory.add(entry.key);
  const callers = callersOf(graph);
  const reachable = graph.entry === undefined ? new Uint8Array(callers.length).fill(1) : statics.reachable;
  const pathsTo = (keys: readonly string[]): ReadonlySet<string> => {
    const targets = keys.map((key) => positions.get(key) ?? -1).filter((index) => index >= 0);
    const on = pathsToMain(callers, reachable, targets);
    return new Set(graph.functions.filter((_, index) => on[index] === 1).map((f) => f.key));
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
  const key = (index: number): string => graph.functions[index]?.key ?? '';
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

/** Functions on the way to hot spots that were never recorded: their callers show less time than they have, so they are new too. */
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
    const cheap = surelyCheap(costs, visitSeconds[index] ?? 0, briefSeconds[index] ?? 0);
    if (cheap || costs.counted !== undefined) chosen.set(index, { below: index, share: 0, counted: !cheap });
  });
  return { ...exploration, chosen };
}

const nobody: ReadonlySet<string> = new Set();

/** What costs at most so much is measured again; by `measureAgain.ts`, beside what is recorded anyhow and not sampled. */
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
    // Just measured again: it shows what it can.
    if (previous?.decisions.get(key)?.reason.rule === 'again') return [];
    return sites.has(key) && !options.pinnedOut.has(key)
      ? [{ key, known, overheadPercent: cost.overheadPercent }]
      : [];
  });
  return measureAgain(candidates, runSeconds, overheadPercent, options);
}

type Decide = (index: number) => readonly [selected: boolean, reason: Reason];

interface Chosen {
  readonly budget: BudgetResult;
  readonly exploration: Exploration;
  readonly again: ReadonlySet<string>;
}

function decider(step: Step, measures: Measures, { budget, exploration, again }: Chosen): Decide {
  const { graph, sites, knowledge, options, statics } = step;
  return (index) => {
    const f = graph.functions[index];
    if (f === undefined) return [false, { rule: 'unreachable' }];
    if (!sites.has(f.key)) return [false, { rule: 'no-site' }];
    if (options.pinnedOut.has(f.key)) return [false, { rule: 'pinned-out' }];
    const cost = measures.costOf(f.key);
    const withCost = cost === undefined ? {} : { cost };
    if (options.pinnedIn.has(f.key)) return [true, { rule: 'pinned-in', ...withCost }];
    if (index === statics.entry) return [true, { rule: 'entry', ...withCost }];
    if (options.phase.has(f.key)) return [true, { rule: 'phase', ...withCost }];
    const known = knowledge.functions.get(f.key);
    if (known === undefined) return unmeasuredReason(step, exploration, index);
    if (cost === undefined) return [false, { rule: 'not-executed' }];
    if (again.has(f.key)) return [true, { rule: 'again', cost }];
    const interval = budget.intervals.get(f.key);
    return measuredReason(step, measures, budget, index, measures.costOf(f.key, interval) ?? cost);
  };
}

function unmeasuredReason(step: Step, exploration: Exploration, index: number): ReturnType<Decide> {
  const { statics, graph, options } = step;
  const chosen = exploration.chosen.get(index);
  if (chosen !== undefined) {
    const counted = chosen.counted ? { countedFirst: countingInterval } : {};
    if (chosen.below === index) return [true, { rule: 'path-to-main', ...counted }];
    const path = wayDown(graph, chosen.below, index);
    const threshold = options.hotInclusiveShare;
    return [true, { rule: 'expand', value: chosen.share, threshold, path, ...counted }];
  }
  const risk = exploration.refused.get(index);
  if (risk !== undefined) {
    return [false, { rule: 'not-measured', value: risk, threshold: options.explorationPercent }];
  }
  if (statics.reachable[index] !== 1) return [false, { rule: 'unreachable' }];
  const value = statics.inclusive[index] ?? 0;
  const threshold = Math.max(statics.threshold, options.minimumStatements);
  return [false, value < threshold ? { rule: 'too-small', value, threshold } : { rule: 'not-measured' }];
}

function measuredReason(
  step: Step,
  { runSeconds }: Measures,
  budget: BudgetResult,
  index: number,
  cost: PredictedCost,
): ReturnType<Decide> {
  const { graph, knowledge, options } = step;
  const key = graph.functions[index]?.key ?? '';
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
    const path = wayToHotSpot(graph, index, budget.hotSpots);
    return [true, { rule: 'path-to-main', value: inclusive, measure: 'inclusive', cost, ...path }];
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

function wayToHotSpot(
  graph: CallGraph,
  from: number,
  hotSpots: ReadonlySet<string>,
): { path?: readonly string[] } {
  const way = shortestWay(
    from,
    (node) => hotSpots.has(graph.functions[node]?.key ?? ''),
    (node) => graph.edges[node]?.map((e) => e.callee) ?? [],
  );
  return way === undefined ? {} : { path: way.map((index) => graph.functions[index]?.name ?? '') };
}

/** Where nothing else is known, whatever has a body can be recorded. */
export function assumedSites(graph: CallGraph): ReadonlyMap<string, SiteKind> {
  return new Map(
    graph.functions.filter((f) => f.hasBody && !f.isSystem).map((f) => [f.key, 'entry'] as const),
  );
}
