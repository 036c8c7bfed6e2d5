import type { CallGraph } from '../../core/callgraph/callGraph';
import { inlinedFunctions } from '../../core/properties/inlinedAway';
import { defaultThresholds } from '../../core/properties/thresholds';
import type { SiteKind } from '../../core/selection/pairCost';
import { callersOf } from '../../core/selection/reachability';
import type { FunctionReport } from '../studies';

/** Nobody picks from a longer list, and the table stays small. */
const maximumCallers = 50;

/**
 * Who calls the functions of the table, and what those without a site were inlined into.
 * @param shown positions in the graph of the table's rows, in its order
 */
export function callerColumns(
  graph: CallGraph,
  sites: ReadonlyMap<string, SiteKind>,
  shown: readonly number[],
): readonly Pick<FunctionReport, 'callers' | 'inlinedInto'>[] {
  const rowOf = new Map(shown.map((index, row) => [index, row]));
  const rows = (functions: readonly number[]): readonly number[] =>
    functions.flatMap((index) => rowOf.get(index) ?? []).slice(0, maximumCallers);
  const callers = callersOf(graph);
  const inlined = new Map(
    inlinedFunctions(graph, sites, defaultThresholds).map((one) => [one.index, rows(one.callers)]),
  );
  return shown.map((index) => {
    const own = rows(callers[index] ?? []);
    const into = inlined.get(index);
    return {
      ...(own.length === 0 ? {} : { callers: own }),
      ...(into === undefined ? {} : { inlinedInto: into }),
    };
  });
}
