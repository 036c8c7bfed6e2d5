import { at } from '../at';
import type { CallGraph, CallGraphFunction } from '../callgraph/callGraph';
import { nearestCallers } from '../callgraph/nearestCallers';
import { present } from '../present';
import type { SiteKind } from '../cost/pairCost';
import { reachableFromEntry } from '../callgraph/reachability';
import type { Property } from '../properties/property';
import type { PropertyThresholds } from './context/thresholds';

/** Number of names in a title. */
const shownCallers = 3;
/** Maximum number of callers that are looked for. */
const mostCallers = 50;

export interface InlinedInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly thresholds: PropertyThresholds;
  /** Keys of the functions that the run recorded: the time of all others is in them. */
  readonly recorded: ReadonlySet<string>;
  readonly wanted?: ReadonlySet<string>;
  readonly whyNotRecorded?: (key: string) => string | undefined;
}

/**
 * Functions that are worth recording and have nothing in the executable that can be patched: they were inlined into their callers,
 * or the back-end leaves them out for a reason of its own. An information (severity 0) that names the nearest callers that were recorded.
 */
export function findInlinedAway(input: InlinedInput): readonly Property[] {
  const { graph, recorded, whyNotRecorded } = input;
  const missed = missedFunctions(input);
  const holds = (index: number): boolean => recorded.has(at(graph.functions, index).key);
  const callers = nearestCallers(graph, holds, { most: mostCallers });
  return missed.map((index) => {
    const f = at(graph.functions, index);
    const names = at(callers, index).map((caller) => at(graph.functions, caller).name);
    const evidence = { statements: f.statements, loops: f.loops, recordedCallers: names.length };
    return { ...missedProperty(f, whyNotRecorded?.(f.key), names), evidence };
  });
}

/** Reachable, with enough in them (or among those that are `wanted`), and without a site; positions in the graph. */
function missedFunctions({ graph, sites, thresholds, wanted }: InlinedInput): readonly number[] {
  const reachable = reachableFromEntry(graph);
  return graph.functions.flatMap((f, index) => {
    if (sites.has(f.key) || f.isSystem || reachable[index] === 0) return [];
    const isMissed = wanted === undefined ? isWorthRecording(f, thresholds) : f.hasBody && wanted.has(f.key);
    return isMissed ? [index] : [];
  });
}

/** Whether a function without a site is missed. */
export function isWorthRecording(
  { hasBody, statements, loops }: CallGraphFunction,
  { inlinedStatements }: PropertyThresholds,
): boolean {
  return hasBody && (statements >= inlinedStatements || loops > 0);
}

/**
 * The property of a function that cannot be recorded.
 * @param why follows its name in the title; absent: it was inlined
 * @param callers names of the recorded functions that contain its time
 */
export function missedProperty(
  { key, name, file, line }: Pick<CallGraphFunction, 'key' | 'name' | 'file' | 'line'>,
  why: string | undefined,
  callers: readonly string[],
): Property {
  const kind = why === undefined ? 'inlined-away' : 'not-recorded';
  return {
    id: `${kind}:${key}`,
    kind,
    title: `${name} ${why ?? 'was inlined and cannot be recorded'}${instead(callers)}`,
    severity: 0,
    confidence: 1,
    region: { name, ...present({ file, line }) },
    evidence: { recordedCallers: callers.length },
  };
}

function instead(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > shownCallers ? ` and ${names.length - shownCallers} more` : '';
  return `; its time is seen in ${names.slice(0, shownCallers).join(', ')}${more}`;
}
