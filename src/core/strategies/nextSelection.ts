import { present } from '../present';
import type { CallGraph } from '../callgraph/callGraph';
import { predictedScale, type OverheadRecord } from '../cost/costScale';
import { countFirst } from './countFirst';
import { decideAll } from './decideAll';
import { firstSelection } from './firstSelection';
import { noKnowledge, type Knowledge } from '../knowledge/knowledge';
import { typicalPairCosts, visitCost, type PairCosts, type SiteKind } from '../cost/pairCost';
import { chargedVisits, percentOf } from '../knowledge/recordingCost';
import type { CostBase } from '../cost/runTime';
import type { PredictedCost, Selection } from '../selection/selection';
import { defaultSelectionOptions, type SelectionOptions } from '../selection/selectionOptions';
import { analyseStatements } from './staticSelection';
import { briefVisitSeconds, estimateVisitSeconds } from '../knowledge/visitEstimate';
import { choose, chooseAgain, nobody } from './choices';
import type { Measures, Step } from './selectionStep';
import { decider } from './verdicts';

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
    const measured = step.knowledge.functions.get(key);
    if (measured === undefined) unmeasured++;
    else if (measured.counted === true && !budget.intervals.has(key)) untimed++;
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

/** Sites where only the graph is known: every function with a body can be recorded. */
export function assumedSites(graph: CallGraph): ReadonlyMap<string, SiteKind> {
  return new Map(
    graph.functions.filter((f) => f.hasBody && !f.isSystem).map((f) => [f.key, 'entry'] as const),
  );
}
