import type { CallGraph } from '../callgraph/callGraph';
import type { FunctionKnowledge, Knowledge } from '../knowledge/knowledge';
import { relativeOverhead, runtimeCosts, type RelativeOverhead } from '../cost/overheadModel';
import { scaledCost, type PairCost, type PairCosts, type SiteKind } from '../cost/pairCost';
import { entryOf } from '../callgraph/reachability';
import { chargedVisits, percentOf } from '../knowledge/recordingCost';
import type { CostBase } from '../cost/runTime';
import type { PredictedCost, Reason, Rule, Selection } from '../selection/selection';
import type { SelectionOptions } from '../selection/selectionOptions';
import { testedOverhead, type OverheadReduction } from '../selection/strategy';
import { decideAll, fixedVerdict, type Verdict } from './decideAll';

/** Input of the strategies of performance-dynamics §13.4. */
export interface AdaptiveStep {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly knowledge: Knowledge;
  /** Calibrated costs, and the factor by which they are larger in this program. */
  readonly pairCosts: PairCosts;
  readonly scale: number;
  readonly baselineSeconds: number;
  readonly costBase: CostBase;
  readonly options: SelectionOptions;
  /** The last selection; functions on its black list stay there. */
  readonly previous?: Selection;
}

/** The rule that puts a function on the black list, by the tested overhead. */
const blackRules = { total: 'total-overhead', prolog: 'prolog-overhead' } as const satisfies Readonly<
  Record<string, Rule>
>;

export function isBlackListed({ rule }: Reason): boolean {
  return rule === blackRules.total || rule === blackRules.prolog;
}

/**
 * TOR and POR record everything once. Then each function whose overhead in percent of its own pure time exceeds the threshold is left
 * out for good. They decide nothing else, so the profile is as complete as it can be at that overhead.
 */
export function reduceOverhead(step: AdaptiveStep, kind: OverheadReduction): Selection {
  const black = blackList(step, kind);
  return decideEach(step, black, (key) =>
    step.knowledge.functions.has(key)
      ? [true, { rule: 'of-interest', ...overheadReason(step, key, kind), ...costOf(step, key) }]
      : [true, { rule: 'of-interest' }],
  );
}

/** Each function with excessive overhead, with the numbers, and all functions that were on the list before. */
export function blackList(step: AdaptiveStep, kind: OverheadReduction): ReadonlyMap<string, Reason> {
  const black = new Map<string, Reason>();
  const tested = testedOverhead[kind];
  for (const { key } of step.graph.functions) {
    const before = step.previous?.decisions.get(key)?.reason;
    if (before !== undefined && isBlackListed(before)) black.set(key, before);
    else {
      const { value, threshold } = overheadReason(step, key, kind);
      if (value > threshold)
        black.set(key, { rule: blackRules[tested], value, threshold, ...costOf(step, key) });
    }
  }
  return black;
}

/**
 * One decision per function. Fixed decisions, the black list and functions that are never called are the same for all these strategies;
 * `decideOther` decides the rest.
 */
export function decideEach(
  step: AdaptiveStep,
  black: ReadonlyMap<string, Reason>,
  decideOther: (key: string, index: number) => Verdict,
): Selection {
  const { graph, sites, options, knowledge } = step;
  const entry = entryOf(graph);
  return decideAll(graph, (index, key) => {
    const fixed = fixedVerdict(graph, sites, options, entry, index);
    if (fixed?.[0] === true) return [true, { ...fixed[1], ...costOf(step, key) }];
    if (fixed !== undefined) return fixed;
    const excessive = black.get(key);
    if (excessive !== undefined) return [false, excessive];
    if (knowledge.functions.get(key)?.visits === 0) return [false, { rule: 'not-executed' }];
    return decideOther(key, index);
  });
}

/** The cost of recording a function whose visits are known. */
export function costOf(step: AdaptiveStep, key: string): { readonly cost?: PredictedCost } {
  const visits = chargedVisits(step.knowledge.functions.get(key), step.costBase.clock);
  if (visits <= 0) return {};
  const { pairSeconds } = pairOf(step, key);
  return { cost: { visits, pairSeconds, overheadPercent: percentOf(step.costBase, visits * pairSeconds) } };
}

/** Part of the correction of a function's time that may have been too much. */
const correctionDoubt = 0.25;

/**
 * Overheads of a function in percent of the longest own time that it may have. Where everything is recorded, nearly all of a time may be
 * cost, and the real cost of a pair differs from place to place: only a function whose overhead is surely excessive is condemned. The
 * next run, without the worst offenders, shows the others more precisely.
 */
export function surelyAdded(measured: FunctionKnowledge | undefined, pair: PairCost): RelativeOverhead {
  const longest = (measured?.inclusiveSeconds ?? 0) + correctionDoubt * (measured?.takenSeconds ?? 0);
  const { total, prolog } = relativeOverhead(longest, measured?.allVisits ?? 0, runtimeCosts(pair));
  // Numbers that JSON can hold.
  return { total: Math.min(Number.MAX_VALUE, total), prolog: Math.min(Number.MAX_VALUE, prolog) };
}

function overheadReason(
  step: AdaptiveStep,
  key: string,
  kind: OverheadReduction,
): { readonly value: number; readonly threshold: number } {
  const added = surelyAdded(step.knowledge.functions.get(key), pairOf(step, key));
  return { value: added[testedOverhead[kind]], threshold: step.options.overheadPercent };
}

function pairOf({ pairCosts, sites, scale }: AdaptiveStep, key: string): PairCost {
  return scaledCost(pairCosts[sites.get(key) ?? 'entry'], scale);
}
