import type { CallGraph } from '../callgraph/callGraph';
import { wantsProbe } from '../source/wantsProbe';
import { shareOf } from '../functions/share';
import { explore } from './explore';
import type { Knowledge } from './knowledge';
import type { SiteKind } from '../cost/pairCost';
import { chargedVisits, percentOf } from './recordingCost';
import type { CostBase } from '../cost/runTime';
import { estimateVisitSeconds } from './visitEstimate';

/** What sites may cost while nothing is recorded, percent of the run. */
export const offLimitPercent = 3;

/**
 * What a visit of a function with idle sites takes, seconds. Measured on x86-64 with gcc -O2 in Lua (entries of 2.1 × 10⁸ visits cost 3.2 % of 1.05 s) and
 * bzip2 (two sleds each), runs of the programs with and without taking turns on one processor. Most is what a function costs whose loop
 * moves in its cache line, which can be 2 ns and hits few of the functions of a program.
 */
const idleSeconds: Readonly<Record<SiteKind, { readonly typical: number; readonly most: number }>> = {
  entry: { typical: 0.15e-9, most: 0.3e-9 },
  probe: { typical: 0.15e-9, most: 1e-9 },
};

/** What sites cost while nothing is recorded, by visits × cost of an idle site. */
export interface OffCost {
  readonly percent: number;
  /** With what moved code may cost, and the functions whose visits are unknown. */
  readonly mostPercent: number;
  /** Functions with known visits. */
  readonly functions: number;
}

/** At least that part of a target is for recording, whatever the sites cost. */
const leastRoom = 0.5;

/** What recording may cost of a target that idle sites count towards, too; percent. */
export function roomBeside(offCost: Pick<OffCost, 'percent'>, targetPercent: number): number {
  return Math.max(leastRoom * targetPercent, targetPercent - offCost.percent);
}

export interface OffCostInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly knowledge: Knowledge;
  /** Of runs with nothing recorded. */
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

/** It is worth a vanilla build to know. */
export function mayExceed({ mostPercent }: OffCost): boolean {
  return mostPercent > offLimitPercent;
}

/** What was never recorded can only spend time that is in the exclusive time of measured functions above it, as in `explore`. */
function unknownPercent({ graph, sites, knowledge }: OffCostInput): number {
  const keyOf = (index: number): string => graph.functions[index]?.key ?? '';
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

/** Beyond what no probes at all would cost, probes may cost that much of it. */
const nearlyAll = 1.05;

/** Settings of the build with fewer probes: own statements from which on functions get them. The last one leaves none. */
export const raisedMinimums: readonly number[] = Array.from({ length: 12 }, (_, at) => 20 * 2 ** at);

/**
 * The smallest setting that brings what was measured below the limit, by the visits of the functions that lose their probes. What the entries
 * should cost stays; all else of what was measured is taken to be the probes', in proportion to their visits. Where that is not
 * enough, probes that cost next to nothing stay all the same.
 */
export function fewerProbes({ graph, sites, knowledge, costBase }: OffCostInput, measured: number): number {
  const probed = graph.functions.filter(({ key }) => sites.get(key) === 'probe');
  const percent = (keys: Iterable<string>, kind: SiteKind): number => {
    let visits = 0;
    for (const key of keys) visits += chargedVisits(knowledge.functions.get(key), costBase.clock);
    return percentOf(costBase, visits * idleSeconds[kind].typical);
  };
  const entries = [...sites].filter(([, kind]) => kind === 'entry').map(([key]) => key);
  const atEntries = percent(entries, 'entry');
  const all = percent(
    probed.map(({ key }) => key),
    'probe',
  );
  const scale = all > 0 ? Math.max(0, measured - atEntries) / all : 0;
  const costAt = (minimum: number): number => {
    const kept = probed.filter((one) => wantsProbe(one, minimum)).map(({ key }) => key);
    const lost = probed.filter((one) => !wantsProbe(one, minimum)).map(({ key }) => key);
    return atEntries + percent(lost, 'entry') + scale * percent(kept, 'probe');
  };
  const none = raisedMinimums.at(-1) ?? Infinity;
  const enough = Math.max(offLimitPercent, nearlyAll * costAt(none));
  return raisedMinimums.find((minimum) => costAt(minimum) <= enough) ?? none;
}
