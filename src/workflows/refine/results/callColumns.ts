import { isMpiName } from '../../../core/functions/activities';
import type { CallGraph, CallGraphFunction } from '../../../core/callgraph/callGraph';
import { nearestCallers } from '../../../core/callgraph/nearestCallers';
import { isWorthRecording } from '../../../core/problems/inlinedAway';
import { defaultThresholds } from '../../../core/problems/context/thresholds';
import type { SiteKind } from '../../../core/cost/pairCost';
import { callersOf, reachableFromEntry } from '../../../core/callgraph/reachability';
import type { Prepared } from '../../../measurement/backends/common/backend';
import type { FunctionRow } from '../../../core/functions/functionRow';
import type { LoopState } from '../loop/loop.types';

/** Maximum number of functions in a list, which limits the size of the table. */
const mostFunctions = 50;

/** Share of an earlier round from which a function matters. */
const matteringShare = 0.01;

/** Weight of a nested loop in statements, as a rule of thumb. */
const loopWeight = 10;

type CallColumns = Pick<FunctionRow, 'callers' | 'libraryCallees' | 'timeIn' | 'contains' | 'missed'>;
type Known = Pick<LoopState, 'graph' | 'selection' | 'measures'>;
type Sited = Pick<Prepared, 'sites' | 'inlinedToo'>;

/**
 * The callers of the functions of the table; the recorded functions that contain the time of unrecorded ones, whether inlined or excluded;
 * and the reverse relation.
 * @param calls of the graph's functions (`callsOf`)
 * @param shown positions in the graph of the table's rows, in its order
 */
export function callColumns(
  known: Known,
  prepared: Sited,
  { callers, timeIn }: Calls,
  shown: readonly number[],
): readonly CallColumns[] {
  const { graph } = known;
  const rowOf = new Map(shown.map((index, row) => [index, row]));
  const rows = (functions: readonly number[]): readonly number[] =>
    functions.flatMap((index) => rowOf.get(index) ?? []).slice(0, mostFunctions);
  const contains = containedFunctions(known, timeIn, shown);
  return shown.map((index) => {
    const f = graph.functions[index];
    const holders = rows(timeIn[index] ?? []);
    const contained = contains.get(index);
    return {
      ...listed('callers', rows(callers[index] ?? [])),
      ...libraryCallees(graph, index, rowOf),
      ...listed('timeIn', holders),
      ...(contained === undefined
        ? {}
        : { contains: { count: contained.length, functions: rows(contained.slice(0, mostFunctions)) } }),
      ...(holders.length > 0 && isMissed(f, prepared.sites) ? { missed: true } : {}),
    };
  });
}

/** Calls of MPI are recorded by themselves. */
function libraryCallees(graph: CallGraph, index: number, rowOf: ReadonlyMap<number, number>): CallColumns {
  const count = (graph.edges[index] ?? []).filter(({ callee }) => {
    const own = graph.functions[callee];
    return !rowOf.has(callee) && own !== undefined && !isMpiName(own.mangledName ?? own.name);
  }).length;
  return count === 0 ? {} : { libraryCallees: count };
}

function listed(name: 'callers' | 'timeIn', positions: readonly number[]): CallColumns {
  return positions.length === 0 ? {} : { [name]: positions };
}

function isMissed(f: CallGraphFunction | undefined, sites: ReadonlyMap<string, SiteKind>): boolean {
  return f?.isSystem === false && !sites.has(f.key) && isWorthRecording(f, defaultThresholds);
}

/** Call relations by position in the graph. */
export interface Calls {
  readonly callers: readonly (readonly number[])[];
  /** For an unrecorded function that runs: the nearest recorded callers, those with the most exclusive time first. */
  readonly timeIn: readonly (readonly number[])[];
}

export function callsOf({ graph, selection, measures }: Known, { sites, inlinedToo }: Sited): Calls {
  const callers = callersOf(graph);
  const reachable = reachableFromEntry(graph);
  const decisions = graph.functions.map(({ key }) => selection.decisions.get(key));
  const exclusive = Float64Array.from(graph.functions, ({ key }) => measures.get(key)?.exclusive ?? 0);
  const nearest = nearestCallers(
    graph,
    (index) => decisions[index]?.selected === true && sites.has(graph.functions[index]?.key ?? ''),
    { callers, rank: (index) => -(exclusive[index] ?? 0), most: mostFunctions },
  );
  const isNowhere = (index: number): boolean =>
    decisions[index]?.reason.rule === 'not-executed' &&
    inlinedToo?.has(graph.functions[index]?.key ?? '') !== true;
  const timeIn = nearest.map((holders, index) => (reachable[index] === 0 || isNowhere(index) ? [] : holders));
  return { callers, timeIn };
}

/** By recorded function: the other functions in its time, the most important first; those of system headers only if they are known to matter. */
function containedFunctions(
  { graph, measures }: Known,
  timeIn: readonly (readonly number[])[],
  shown: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const importance = graph.functions.map((f, index) =>
    importanceOf(f, measures.get(f.key)?.inclusive, timeIn[index]?.length),
  );
  const order = (a: number, b: number): number => {
    const [first = unimportant, second = unimportant] = [importance[a], importance[b]];
    return second.class - first.class || second.weight - first.weight || a - b;
  };
  const isTrifle = (index: number): boolean =>
    graph.functions[index]?.isSystem === true && (importance[index] ?? unimportant).class !== 2;
  const contains = new Map<number, number[]>();
  for (const index of shown.filter((position) => !isTrifle(position)).sort(order))
    for (const holder of timeIn[index] ?? []) {
      const others = contains.get(holder);
      if (others === undefined) contains.set(holder, [index]);
      else others.push(index);
    }
  return contains;
}

interface Importance {
  /** 2: a share shows that it matters, 1: unknown, 0: a share shows that it does not. */
  readonly class: 0 | 1 | 2;
  readonly weight: number;
}

const unimportant: Importance = { class: 0, weight: 0 };

/**
 * The importance of functions: by their measured share, if there is one. For all others only the source is known: the more statements and the
 * deeper their loops, the more time a call may take; the more functions may contain it, the less is here.
 */
function importanceOf(
  { statements, loopDepth }: CallGraphFunction,
  share: number | undefined,
  holders = 1,
): Importance {
  if (share !== undefined) return { class: share >= matteringShare ? 2 : 0, weight: share };
  return {
    class: 1,
    weight: ((1 + statements) * loopWeight ** loopDepth) / Math.max(1, holders),
  };
}
