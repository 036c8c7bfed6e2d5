import { at, atFloat, atUint } from '../at';
import type { CallGraph, CallGraphFunction } from '../callgraph/callGraph';
import type { SiteKind } from '../cost/pairCost';
import { outsideCallees } from '../callgraph/outsideCalls';
import { callersOf, pathsToMain } from '../callgraph/reachability';
import type { Decision, Reason } from '../selection/selection';
import type { SelectionOptions } from '../selection/selectionOptions';
import { decideAll, fixedVerdict } from './decideAll';
import type { StaticAnalysis } from './staticSelection';
import { callLoopDepth, hasStaticRecord } from '../knowledge/visitEstimate';

interface FirstInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly options: SelectionOptions;
  readonly statics: StaticAnalysis;
}

/**
 * Round 0, before any measurement: statement aggregation, and functions that it would miss though they are cheap by estimate: kernels
 * (small functions with a loop) and functions without a static record (Fortran, units that did not parse), whose cost only a run can
 * show. Functions on the way to a kernel are selected with it.
 */
export function firstSelection(input: FirstInput): ReadonlyMap<string, Decision> {
  const { graph, sites, options, statics } = input;
  const loops = callLoopDepth(graph);
  const outside = outsideCallees(graph);
  const reasons = graph.functions.map((f, index) => {
    const reason = ownReason(input, f, index, atUint(loops, index));
    return outside.has(index) && isWorthALook(input, f, index, reason)
      ? ({ rule: 'outside' } as const)
      : reason;
  });
  const kernels = reasons.flatMap((r, index) => (r.rule === 'kernel' ? [index] : []));
  const context = pathsToMain(callersOf(graph), statics.reachable, kernels);
  return decideAll(graph, (index, key) => {
    const reason = at(reasons, index);
    const small =
      reason.rule === 'too-small' && atFloat(statics.inclusive, index) >= options.minimumStatements;
    return small && context[index] === 1 && sites.has(key)
      ? [true, { rule: 'path-to-main' }]
      : [isIn(reason), reason];
  }).decisions;
}

function ownReason(
  { graph, sites, options, statics }: FirstInput,
  f: CallGraphFunction,
  index: number,
  callLoops: number,
): Reason {
  const fixed = fixedVerdict(graph, sites, options, statics.entry, index);
  if (fixed !== undefined) return fixed[1];
  // Its statements and callers are unknown: record it once.
  if (!hasStaticRecord(f)) return { rule: 'expand' };
  if (statics.reachable[index] !== 1) return { rule: 'unreachable' };
  const value = atFloat(statics.inclusive, index);
  const threshold = Math.max(statics.threshold, options.minimumStatements);
  if (value >= threshold) return { rule: 'statements', value, threshold };
  return isCheapKernel(f, callLoops)
    ? { rule: 'kernel', value: f.loopDepth, threshold: 1 }
    : { rule: 'too-small', value, threshold };
}

/** Only a run shows who calls the function, and how often; a tiny function could be called too often. */
function isWorthALook(
  { statics, options }: FirstInput,
  f: CallGraphFunction,
  index: number,
  { rule }: Reason,
): boolean {
  const isLarge = f.loops > 0 || atFloat(statics.inclusive, index) >= options.minimumStatements;
  return isLarge && ['statements', 'kernel', 'too-small'].includes(rule);
}

/**
 * With rounds of about 100 and a nanosecond each, a visit of two nested loops outweighs a pair (17 ns) a hundred times, and a single
 * loop called from at most two nested loops has some 10⁴ visits, which cost microseconds.
 */
function isCheapKernel(f: CallGraphFunction, callLoops: number): boolean {
  return f.loopDepth >= 2 || (f.loops > 0 && callLoops <= 2);
}

function isIn({ rule }: Reason): boolean {
  return ['pinned-in', 'entry', 'phase', 'outside', 'expand', 'statements', 'kernel'].includes(rule);
}
