import type { CallGraphFunction } from '../../core/callgraph/callGraph';
import { median } from '../../core/selection/overhead';
import { visitCost, type SiteKind } from '../../core/selection/pairCost';
import type { Prepared } from '../../measurement/backends/backend';
import { explainReason } from '../../core/selection/explainReason';
import type { Decision } from '../../core/selection/selection';
import type { FunctionReport } from '../studies';
import { callerColumns } from './callerColumns';
import type { HotFunction } from '../refine.types';
import type { LoopState } from './loop';

/** One row per known function, in the graph's order: the decision in words, and what was measured of it. */
export function functionTable(
  state: LoopState,
  { sites, whyNotRecorded }: Pick<Prepared, 'sites' | 'whyNotRecorded'>,
): readonly FunctionReport[] {
  // Seconds of the same runs are compared, so that shares hold on a machine whose speed changes between runs.
  const whole = Number.isFinite(state.knowledge.runSeconds)
    ? state.knowledge.runSeconds
    : median(state.baselineSeconds);
  const shown = state.graph.functions.flatMap((f, index) =>
    !f.isSystem && (f.hasBody || sites.has(f.key)) ? [index] : [],
  );
  const callersOfRow = callerColumns(state.graph, sites, shown);
  return shown.flatMap((index, row) => {
    const f = state.graph.functions[index];
    if (f === undefined) return [];
    const decision = state.selection.decisions.get(f.key);
    const kind = sites.get(f.key);
    const why = kind === undefined ? whyNotRecorded?.(f.key) : undefined;
    return [
      {
        key: f.key,
        name: f.name,
        ...place(f),
        selected: decision?.selected ?? false,
        ...(decision === undefined ? {} : { rule: decision.reason.rule }),
        reason: reasonOf(decision, why),
        ...(why === undefined ? {} : { notRecorded: why }),
        hasSite: kind !== undefined,
        ...(kind === undefined ? {} : { site: kind }),
        ...measures(state, f.key, kind ?? 'entry', whole),
        ...callersOfRow[row],
      },
    ];
  });
}

/** What the back-end knows of a function without a site says more than the rule. */
function reasonOf(decision: Decision | undefined, why: string | undefined): string {
  if (decision === undefined) return 'not known when the selection was made';
  return why !== undefined && decision.reason.rule === 'no-site'
    ? `out: it ${why}`
    : explainReason(decision.reason);
}

function place(f: CallGraphFunction): Partial<FunctionReport> {
  return {
    ...(f.mangledName === undefined ? {} : { mangledName: f.mangledName }),
    ...(f.file === undefined ? {} : { file: f.file }),
    ...(f.line === undefined ? {} : { line: f.line }),
    ...(f.endLine === undefined ? {} : { endLine: f.endLine }),
  };
}

function measures(state: LoopState, key: string, kind: SiteKind, whole: number): Partial<FunctionReport> {
  const known = state.knowledge.functions.get(key);
  if (known === undefined) return {};
  const interval = state.selection.decisions.get(key)?.reason.cost?.interval;
  const cost = known.visits * visitCost(state.pairCosts[kind], interval);
  return {
    visits: known.visits,
    ...(interval === undefined ? {} : { timedOneIn: interval }),
    // Shares of a run that recorded everything tell more of the recording than of the program.
    ...(known.disturbed === true
      ? {}
      : {
          inclusiveShare: Math.min(1, known.inclusiveSeconds / whole),
          exclusiveShare: Math.min(1, known.exclusiveSeconds / whole),
        }),
    overheadPercent: (100 * cost) / median(state.baselineSeconds),
  };
}

/** The measured functions with the largest exclusive shares. */
export function hotFunctions(table: readonly FunctionReport[], most: number): readonly HotFunction[] {
  return table
    .filter((row) => (row.visits ?? 0) > 0 && row.exclusiveShare !== undefined)
    .sort((a, b) => (b.exclusiveShare ?? 0) - (a.exclusiveShare ?? 0))
    .slice(0, most)
    .map((row) => ({
      name: row.name,
      ...(row.file === undefined ? {} : { file: row.file }),
      ...(row.line === undefined ? {} : { line: row.line }),
      exclusiveShare: row.exclusiveShare ?? 0,
      inclusiveShare: row.inclusiveShare ?? 0,
      visits: row.visits ?? 0,
      ...(row.timedOneIn === undefined ? {} : { timedOneIn: row.timedOneIn }),
      selected: row.selected,
      hasSite: row.hasSite,
    }));
}
