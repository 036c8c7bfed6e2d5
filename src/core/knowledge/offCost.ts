import { at } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import { wantsProbe } from '../source/wantsProbe';
import { shareOf } from '../functions/share';
import { explore } from './explore';
import type { Knowledge } from './knowledge';
import type { SiteKind } from '../cost/pairCost';
import { chargedVisits, percentOf } from './recordingCost';
import type { CostBase } from '../cost/runTime';
import { estimateVisitSeconds } from './visitEstimate';

/** Limit of the cost of sites while nothing is recorded, percent of the run. */
export const offLimitPercent = 3;

/**
 * Cost of a visit of a function with idle sites, seconds. Measured on x86-64 with gcc -O2 in Lua (entries of 2.1 × 10⁸ visits cost 3.2 %
 * of 1.05 s) and bzip2 (two sleds each); runs with and without sites took turns on one processor. `most` applies to functions whose loop
 * moves in its cache line, which can cost 2 ns and concerns few functions of a program.
 */
const idleSeconds: Readonly<Record<SiteKind, { readonly typical: number; readonly most: number }>> = {
  entry: { typical: 0.15e-9, most: 0.3e-9 },
  probe: { typical: 0.15e-9, most: 1e-9 },
};

/** Cost of sites while nothing is recorded, by visits × cost of an idle site. */
export interface OffCost {
  readonly percent: number;
  /** Upper estimate, including moved code and functions with unknown visits. */
  readonly mostPercent: number;
  /** Number of functions with known visits. */
  readonly functions: number;
}

/** Minimum part of the target that is reserved for recording, at any cost of idle patch points. */
const leastRoom = 0.5;

/** Limit of the cost of recording under a target that includes the idle sites; percent. */
export function roomBeside(offCost: Pick<OffCost, 'percent'>, targetPercent: number): number {
  return Math.max(leastRoom * targetPercent, targetPercent - offCost.percent);
}

export interface OffCostInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly knowledge: Knowledge;
  /** Base of runs with nothing recorded. */
  readonly costBase: CostBase;
}

export function estimateOffCost(input: OffCostInput): OffCost {
  const { sites, knowledge, costBase } = input;
  let functions = 0;
  const seconds = { typical: 0, most: 0 };
  for (const [key, kind] of sites) {
    const known = knowledge.functions.get(key);
    if (known === undefined) continue;
    functions++;
    const visits = chargedVisits(known, costBase.clock);
    seconds.typical += visits * idleSeconds[kind].typical;
    seconds.most += visits * idleSeconds[kind].most;
  }
  return {
    percent: percentOf(costBase, seconds.typical),
    mostPercent: percentOf(costBase, seconds.most) + unknownPercent(input),
    functions,
  };
}

/** Whether a measurement against a vanilla build is worth its time. */
export function mayExceed({ mostPercent }: OffCost): boolean {
  return mostPercent > offLimitPercent;
}

/** Functions that were never recorded can only spend time that is in the exclusive time of measured functions above them, as in `explore`. */
function unknownPercent({ graph, sites, knowledge }: OffCostInput): number {
  const keyOf = (index: number): string => at(graph.functions, index).key;
  const above = new Map<number, number>();
  graph.functions.forEach(({ key }, index) => {
    const share = shareOf(knowledge.functions.get(key)?.exclusiveSeconds ?? 0, {
      seconds: knowledge.runSeconds,
    });
    if (share > 0) above.set(index, share);
  });
  return explore({
    graph,
    above,
    leastShare: 0,
    isNew: (index) => sites.has(keyOf(index)) && !knowledge.functions.has(keyOf(index)),
    isSettled: (index) => knowledge.functions.has(keyOf(index)),
    visitSeconds: estimateVisitSeconds(graph),
    costOfVisit: (index) => ({ timed: idleSeconds[sites.get(keyOf(index)) ?? 'entry'].typical }),
    limitPercent: Infinity,
  }).riskPercent;
}

/** The remaining probes may make the cost larger than that of a build without probes by this factor. */
const nearlyAll = 1.05;

/** Settings of the build with fewer probes: least own statements of functions with probes. The last setting leaves no probes. */
export const raisedMinimums: readonly number[] = Array.from({ length: 12 }, (_, step) => 20 * 2 ** step);

/**
 * The smallest setting that brings the measured cost below the limit, by the visits of the functions that lose their probes. The predicted
 * cost of entries stays; the rest of the measured cost is ascribed to the probes, in proportion to their visits. Where no setting is
 * enough, probes that cost next to nothing stay nevertheless.
 */
export function fewerProbes({ graph, sites, knowledge, costBase }: OffCostInput, measured: number): number {
  const probed = graph.functions.filter(({ key }) => sites.get(key) === 'probe');
  const percent = (sitesOf: Iterable<string>, kind: SiteKind): number => {
    let visits = 0;
    for (const key of sitesOf) visits += chargedVisits(knowledge.functions.get(key), costBase.clock);
    return percentOf(costBase, visits * idleSeconds[kind].typical);
  };
  const entries = [...sites].filter(([, kind]) => kind === 'entry').map(([key]) => key);
  const atEntries = percent(entries, 'entry');
  const keys = (functions: typeof probed): readonly string[] => functions.map(({ key }) => key);
  const all = percent(keys(probed), 'probe');
  const scale = all > 0 ? Math.max(0, measured - atEntries) / all : 0;
  const costAt = (minimum: number): number => {
    const probes = probed.filter((f) => wantsProbe(f, minimum));
    const entries = probed.filter((f) => !wantsProbe(f, minimum));
    return atEntries + percent(keys(entries), 'entry') + scale * percent(keys(probes), 'probe');
  };
  const none = at(raisedMinimums, raisedMinimums.length - 1);
  const enough = Math.max(offLimitPercent, nearlyAll * costAt(none));
  return raisedMinimums.find((minimum) => costAt(minimum) <= enough) ?? none;
}
