import type { CallGraph } from '../callgraph/callGraph';
import type { SiteKind } from '../selection/pairCost';
import { callersOf, entryOf, reachableFrom } from '../selection/reachability';
import type { Property } from './property';
import type { PropertyThresholds } from './thresholds';

/** Names that a title can hold. */
const shownCallers = 3;

/** A function without a site and the nearest callers that have one; both as positions in the graph. */
export interface InlinedFunction {
  readonly index: number;
  /** Ascending. */
  readonly callers: readonly number[];
}

export interface InlinedInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly thresholds: PropertyThresholds;
  readonly wanted?: ReadonlySet<string>;
  readonly whyNotRecorded?: (key: string) => string | undefined;
}

/**
 * Functions that are worth recording and have nothing in the executable that can be patched: they were inlined into their callers,
 * or the back-end leaves them out for a reason of its own. An information (severity 0) that names the nearest callers that can be recorded instead.
 */
export function findInlinedAway({
  graph,
  sites,
  thresholds,
  wanted,
  whyNotRecorded,
}: InlinedInput): readonly Property[] {
  return inlinedFunctions(graph, sites, thresholds, wanted).flatMap(({ index, callers }) => {
    const f = graph.functions[index];
    if (f === undefined) return [];
    const names = callers.map((caller) => graph.functions[caller]?.name ?? '');
    const why = whyNotRecorded?.(f.key);
    const kind = why === undefined ? ('inlined-away' as const) : ('not-recorded' as const);
    return [
      {
        id: `${kind}:${f.key}`,
        kind,
        title: `${f.name} ${why ?? 'was inlined and cannot be recorded'}${instead(names)}`,
        severity: 0,
        confidence: 1,
        region: {
          name: f.name,
          ...(f.file === undefined ? {} : { file: f.file }),
          ...(f.line === undefined ? {} : { line: f.line }),
        },
        evidence: { statements: f.statements, loops: f.loops, recordableCallers: callers.length },
      },
    ];
  });
}

/** The functions behind the properties: reachable, with enough in them (or among those that are `wanted`), and without a site. */
export function inlinedFunctions(
  graph: CallGraph,
  sites: ReadonlyMap<string, SiteKind>,
  thresholds: PropertyThresholds,
  wanted?: ReadonlySet<string>,
): readonly InlinedFunction[] {
  const entry = entryOf(graph);
  const reachable = entry === undefined ? undefined : reachableFrom(graph, [entry]);
  const callers = callersOf(graph);
  return graph.functions.flatMap((f, index) => {
    if (sites.has(f.key) || !f.hasBody || f.isSystem || reachable?.[index] === 0) return [];
    const missed =
      wanted === undefined ? f.statements >= thresholds.inlinedStatements || f.loops > 0 : wanted.has(f.key);
    return missed ? [{ index, callers: nearestRecordable(graph, sites, callers, index) }] : [];
  });
}

function instead(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > shownCallers ? ` and ${names.length - shownCallers} more` : '';
  return `; its time is seen in ${names.slice(0, shownCallers).join(', ')}${more}`;
}

/** Backwards over callers without a site to the first ones that have one, ascending. */
function nearestRecordable(
  graph: CallGraph,
  sites: ReadonlyMap<string, SiteKind>,
  callers: readonly (readonly number[])[],
  start: number,
): readonly number[] {
  const seen = new Set<number>([start]);
  const queue = [start];
  const found: number[] = [];
  for (const node of queue) {
    for (const caller of callers[node] ?? []) {
      if (seen.has(caller)) continue;
      seen.add(caller);
      if (sites.has(graph.functions[caller]?.key ?? '')) found.push(caller);
      else queue.push(caller);
    }
  }
  return found.sort((a, b) => a - b);
}
