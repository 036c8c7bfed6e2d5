import type { CallGraph } from '../callgraph/callGraph';
import type { FunctionKnowledge, Knowledge } from '../knowledge/knowledge';
import { relativeOverhead, runtimeCosts, type RelativeOverhead } from '../cost/overheadModel';
import { scaledCost, type PairCost, type PairCosts, type SiteKind } from '../cost/pairCost';
import { entryOf } from '../callgraph/reachability';
import { chargedVisits, percentOf } from '../knowledge/recordingCost';
import type { CostBase } from '../cost/runTime';
import type { Decision, PredictedCost, Reason, Rule, Selection } from '../selection/selection';
import type { SelectionOptions } from '../selection/selectionOptions';
import { testedOverhead, type OverheadReduction } from '../selection/strategy';

/** What the strategies of performance-dynamics §13.4 decide from. */
export interface AdaptiveStep {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly knowledge: Knowledge;
  /** As calibrated, and how much more they are in this program. */
  readonly pairCosts: PairCosts;
  readonly scale: number;
  readonly baselineSeconds: number;
  readonly costBase: CostBase;
  readonly options: SelectionOptions;
  /** What was recorded last; what is on its black list stays there. */
  readonly previous?: Selection;
}

/** The rule that puts a function on the black list, by what is tested. */
const blackRules = { total: 'total-overhead', prolog: 'prolog-overhead' } as const satisfies Readonly<
  Record<string, Rule>
>;

export function isBlackListed({ rule }: Reason): boolean {
  return rule === blackRules.total || rule === blackRules.prolog;
}

/**
 * TOR and POR: everything that can be recorded is, once; then each function whose overhead in percent of its own pure time exceeds the
 * threshold is left out for good. Nothing else is decided, so what remains is as complete as it can be at that overhead.
 */
export function reduceOverhead(step: AdaptiveStep, kind: OverheadReduction): Selection {
  const black = blackList(step, kind);
  return decideEach(step, black, (key) => {
    const known = step.knowledge.functions.get(key);
    if (known === undefined) return [true, { rule: 'of-interest' }];
    return [true, { rule: 'of-interest', ...overheadReason(step, key, kind), ...costOf(step, key) }];
  });
}

/** Each function with excessive overhead, by all that is known, with the numbers; and what was on the list before. */
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
 * One decision per function: what cannot be recorded, the user's pins, entry and phase, the black list and what is never called are the
 * same for all these strategies; `decideOther` decides the rest.
 */
export function decideEach(
  step: AdaptiveStep,
  black: ReadonlyMap<string, Reason>,
  decideOther: (key: string, index: number) => readonly [selected: boolean, reason: Reason],
): Selection {
  const { graph, sites, options, knowledge } = step;
  const entry = entryOf(graph);
  const decide = (key: string, index: number): readonly [boolean, Reason] => {
    if (!sites.has(key)) return [false, { rule: 'no-site' }];
    if (options.pinnedOut.has(key)) return [false, { rule: 'pinned-out' }];
    if (options.pinnedIn.has(key)) return [true, { rule: 'pinned-in', ...costOf(step, key) }];
    if (index === entry) return [true, { rule: 'entry', ...costOf(step, key) }];
    if (options.phase.has(key)) return [true, { rule: 'phase', ...costOf(step, key) }];
    const excessive = black.get(key);
    if (excessive !== undefined) return [false, excessive];
    if (knowledge.functions.get(key)?.visits === 0) return [false, { rule: 'not-executed' }];
    return decideOther(key, index);
  };
  return {
    decisions: new Map(
      graph.functions.map(({ key }, index): [string, Decision] => {
        const [selected, reason] = decide(key, index);
        return [key, { key, selected, reason }];
      }),
    ),
  };
}

/** What recording it costs the run, where its visits are known. */
export function costOf(step: AdaptiveStep, key: string): { readonly cost?: PredictedCost } {
  const visits = chargedVisits(step.knowledge.functions.get(key), step.costBase.clock);
  if (visits <= 0) return {};
  const { pairSeconds } = pairOf(step, key);
  return { cost: { visits, pairSeconds, overheadPercent: percentOf(step.costBase, visits * pairSeconds) } };
}

/** How much of what was taken off a function's time for the cost of measuring may have been too much. */
const correctionDoubt = 0.25;

/**
 * Overheads of a function in percent of the longest own time that it may have. Where everything is recorded, nearly all of a time may be
 * cost, and what a pair really takes differs from place to place: a function is condemned only for what surely is excessive. The next run,
 * without the worst offenders, tells the rest.
 */
export function surelyAdded(known: FunctionKnowledge | undefined, pair: PairCost): RelativeOverhead {
  const longest = (known?.inclusiveSeconds ?? 0) + correctionDoubt * (known?.takenSeconds ?? 0);
  const { total, prolog } = relativeOverhead(longest, known?.allVisits ?? 0, runtimeCosts(pair));
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
