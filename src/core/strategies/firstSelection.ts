import type { CallGraph, CallGraphFunction } from '../callgraph/callGraph';
import type { SiteKind } from '../cost/pairCost';
import { outsideCallees } from '../callgraph/outsideCalls';
import { callersOf, pathsToMain } from '../callgraph/reachability';
import type { Decision, Reason } from '../selection/selection';
import type { SelectionOptions } from '../selection/selectionOptions';
import type { StaticAnalysis } from './staticSelection';
import { callLoopDepth, hasStaticRecord } from '../knowledge/visitEstimate';

interface FirstInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly options: SelectionOptions;
  readonly statics: StaticAnalysis;
}

/**
 * Iteration 0, before anything was measured: statement aggregation, and what it would miss but is cheap by estimate:
 * kernels (small functions with a loop) and functions without a static record (Fortran, units that did not parse), about which
 * only a run can tell. Functions on the way to a kernel come with it.
 */
export function firstSelection(input: FirstInput): ReadonlyMap<string, Decision> {
  const { graph, sites, options, statics } = input;
  const loops = callLoopDepth(graph);
  const outside = outsideCallees(graph);
  const reasons = graph.functions.map((f, index) => {
    const reason = ownReason(input, f, index, loops[index] ?? 0);
    return outside.has(index) && isWorthALook(input, f, index, reason)
      ? ({ rule: 'outside' } as const)
      : reason;
  });
  const kernels = reasons.flatMap((r, index) => (r.rule === 'kernel' ? [index] : []));
  const context = pathsToMain(callersOf(graph), statics.reachable, kernels);
  const decisions = graph.functions.map((f, index): Decision => {
    const reason = reasons[index] ?? { rule: 'unreachable' };
    const small = reason.rule === 'too-small' && (reason.value ?? 0) >= options.minimumStatements;
    if (small && context[index] === 1 && sites.has(f.key)) {
      return { key: f.key, selected: true, reason: { rule: 'path-to-main' } };
    }
    return { key: f.key, selected: isIn(reason), reason };
  });
  return new Map(decisions.map((d) => [d.key, d]));
}

function ownReason(
  { sites, options, statics }: FirstInput,
  f: CallGraphFunction,
  index: number,
  callLoops: number,
): Reason {
  if (!sites.has(f.key)) return { rule: 'no-site' };
  if (options.pinnedOut.has(f.key)) return { rule: 'pinned-out' };
  if (options.pinnedIn.has(f.key)) return { rule: 'pinned-in' };
  if (index === statics.entry) return { rule: 'entry' };
  if (options.phase.has(f.key)) return { rule: 'phase' };
  // Nothing is known of its statements or of who calls it: record it once.
  if (!hasStaticRecord(f)) return { rule: 'expand' };
  if (statics.reachable[index] !== 1) return { rule: 'unreachable' };
  const value = statics.inclusive[index] ?? 0;
  const threshold = Math.max(statics.threshold, options.minimumStatements);
  if (value >= threshold) return { rule: 'statements', value, threshold };
  return isCheapKernel(f, callLoops)
    ? { rule: 'kernel', value: f.loopDepth, threshold: 1 }
    : { rule: 'too-small', value, threshold };
}

/** What calls it, and how often, only a run can tell; of what is tiny that could be too often. */
function isWorthALook(
  { statics, options }: FirstInput,
  f: CallGraphFunction,
  index: number,
  { rule }: Reason,
): boolean {
  const isLarge = f.loops > 0 || (statics.inclusive[index] ?? 0) >= options.minimumStatements;
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
