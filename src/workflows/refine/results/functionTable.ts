import { parallelFacts } from '../../../core/efficiency/parallelFacts';
import { makeContext } from '../../../core/problems/context/makeContext';
import type { PropertyContext } from '../../../core/problems/context/propertyContext';
import { recordedPartOf, type RecordedPart } from '../../../core/profile/recordedPart';
import { at } from '../../../core/at';
import { present } from '../../../core/present';
import type { CallGraphFunction } from '../../../core/callgraph/callGraph';
import { chargedVisits, percentOf } from '../../../core/knowledge/recordingCost';
import { visitCost, type SiteKind } from '../../../core/cost/pairCost';
import type { Prepared } from '../../../measurement/backends/common/backend';
import { isMpiName } from '../../../core/functions/activities';
import { shownReason } from '../../../core/functions/shownReason';
import { byShare } from '../../../core/functions/shareOrder';
import type { FunctionMeasure } from '../../../core/functions/functionMeasures';
import type { FunctionDecision, FunctionRow } from '../../../core/functions/functionRow';
import { callColumns, callsOf } from './callColumns';
import type { HotFunction } from '../../studies/refine.types';
import type { LoopState } from '../loop/loop.types';

/**
 * One row per known function, in the graph's order: the decision and the measurements. A function of a system header (an instance of
 * `std::string`) has a row if it was recorded, because readers of the profiles subtract its recording cost, or if a recorded function contains
 * its time, because users may find it in the output of another profiler. MPI is no part of the program: its calls are regions of the profile.
 */
export function functionTable(
  state: LoopState,
  prepared: Pick<Prepared, 'sites' | 'inlinedToo' | 'whyNotRecorded' | 'reserve'>,
): readonly FunctionRow[] {
  const { sites, inlinedToo, whyNotRecorded, reserve } = prepared;
  const isRecorded = (key: string): boolean =>
    state.knowledge.functions.has(key) || state.selection.decisions.get(key)?.selected === true;
  const calls = callsOf(state, prepared);
  const isHeld = (index: number): boolean => (calls.timeIn[index] ?? []).length > 0;
  const shown = state.graph.functions.flatMap((f, index) => {
    if (!f.hasBody && isMpiName(f.mangledName ?? f.name)) return [];
    const isMeant = f.isSystem ? f.hasBody && isHeld(index) : f.hasBody || sites.has(f.key);
    return isMeant || isRecorded(f.key) ? [index] : [];
  });
  const columns = callColumns(state, prepared, calls, shown);
  const context = makeContext(state.run);
  const parallel = parallelFacts(context);
  const parts = recordedParts(context);
  return shown.flatMap((index, row) => {
    const f = state.graph.functions[index];
    if (f === undefined) return [];
    const decision = state.selection.decisions.get(f.key);
    const kind = sites.get(f.key);
    const why = kind === undefined ? whyNotRecorded?.(f.key) : undefined;
    const isInlinedToo = inlinedToo?.has(f.key) === true && state.knowledge.functions.has(f.key);
    return [
      {
        key: f.key,
        name: f.name,
        ...place(f),
        selected: decision?.selected ?? false,
        decision: decisionOf(state, f.key, why, isInlinedToo),
        ...siteOf(kind, why, reserve?.has(f.key) === true),
        ...(isInlinedToo ? { inlinedToo: true as const } : {}),
        ...measures(state, f.key, kind ?? 'entry'),
        ...present({ recordedPart: parts.get(f.key) }),
        ...parallel.get(f.key),
        ...columns[row],
      },
    ];
  });
}

/** By key, of functions that somebody switched in the last run. */
function recordedParts({ profile, keys }: PropertyContext): ReadonlyMap<string, RecordedPart> {
  const parts = new Map<string, RecordedPart>();
  profile.regions.forEach((region, index) => {
    const part = recordedPartOf(region);
    if (part !== undefined) parts.set(at(keys, index), part);
  });
  return parts;
}

/** @param canBePinned the function gets a site when the user pins it */
function siteOf(
  kind: SiteKind | undefined,
  why: string | undefined,
  canBePinned: boolean,
): Pick<FunctionRow, 'hasSite' | 'site' | 'notRecorded'> {
  if (kind !== undefined) return { hasSite: true, site: kind };
  if (canBePinned) return { hasSite: true };
  return { hasSite: false, ...(why === undefined ? {} : { notRecorded: why }) };
}

/** The back-end's reason for a function without a patch point is more specific than the rule. */
function decisionOf(
  state: LoopState,
  key: string,
  why: string | undefined,
  isInlinedToo: boolean,
): FunctionDecision {
  const decision = state.selection.decisions.get(key);
  if (decision === undefined) return { clause: 'not known when the selection was made', details: '' };
  const { rule } = decision.reason;
  if (why !== undefined && rule === 'no-site') return { rule, clause: `it ${why}`, details: '' };
  const measure = state.measures.get(key);
  const { clause, details } = shownReason(decision.reason, measure, {
    round: state.iterations.length - 1,
    isEarlier: measure !== undefined && isEarlier(state, measure),
  });
  const copies = isInlinedToo ? '; copies of it that were inlined count for their callers' : '';
  return { rule, clause, details: `${details}${copies}` };
}

function isEarlier({ run }: LoopState, { base }: FunctionMeasure): boolean {
  return base.run !== run.run;
}

function place(f: CallGraphFunction): Partial<FunctionRow> {
  return {
    ...present({ mangledName: f.mangledName, file: f.file, line: f.line, endLine: f.endLine }),
  };
}

function measures(state: LoopState, key: string, kind: SiteKind): Partial<FunctionRow> {
  const knowledge = state.knowledge.functions.get(key);
  if (knowledge === undefined) return {};
  const decided = state.selection.decisions.get(key)?.reason.cost;
  const interval = decided?.interval;
  const cost = chargedVisits(knowledge, state.costBase.clock) * visitCost(state.pairCosts[kind], interval);
  const measure = state.measures.get(key);
  return {
    visits: measure?.visits ?? knowledge.allVisits,
    ...(interval === undefined ? {} : { timedOneIn: interval }),
    ...(measure === undefined ? {} : sharesOf(measure, isEarlier(state, measure))),
    // The reason names the same cost.
    overheadPercent: decided?.overheadPercent ?? percentOf(state.costBase, cost),
  };
}

function sharesOf(
  { inclusive, exclusive, base, waitingSeconds }: FunctionMeasure,
  earlier: boolean,
): Partial<FunctionRow> {
  return {
    inclusiveShare: inclusive,
    ...(exclusive === undefined ? {} : { exclusiveShare: exclusive }),
    base,
    ...(earlier ? { earlier } : {}),
    ...(waitingSeconds === undefined ? {} : { waitingSeconds }),
  };
}

/** The measured functions with the largest exclusive shares; shares of the last run before those of earlier ones. */
export function hotFunctions(table: readonly FunctionRow[], most: number): readonly HotFunction[] {
  const hot = table.flatMap((row): readonly HotFunction[] => {
    const { exclusiveShare, inclusiveShare = 0, base, visits = 0 } = row;
    if (visits === 0 || exclusiveShare === undefined || base === undefined) return [];
    const { key, name, file, line, earlier, waitingSeconds, timedOneIn, selected, hasSite } = row;
    return [
      {
        key,
        name,
        ...present({ file, line }),
        exclusiveShare,
        inclusiveShare,
        base,
        ...present({ earlier, waitingSeconds }),
        visits,
        ...present({ timedOneIn }),
        selected,
        hasSite,
        ...namedTimes(row, table),
      },
    ];
  });
  return hot.sort(byShare('exclusiveShare')).slice(0, most);
}

/** Replaces positions by names, because the result is used without the table. */
function namedTimes(
  { timeIn, contains }: FunctionRow,
  table: readonly FunctionRow[],
): Pick<HotFunction, 'timeIn' | 'contains'> {
  const names = (positions: readonly number[]): readonly string[] =>
    positions.flatMap((position) => table[position]?.name ?? []);
  return {
    ...(timeIn === undefined ? {} : { timeIn: names(timeIn) }),
    ...(contains === undefined
      ? {}
      : { contains: { count: contains.count, functions: names(contains.functions) } }),
  };
}
