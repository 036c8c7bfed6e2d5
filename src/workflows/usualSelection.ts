import type { CallGraphFunction } from '../core/callgraph/callGraph';
import { selectedKeys, type Decision } from '../core/selection/selection';
import { nextSelection } from '../core/strategies/nextSelection';
import type { Prepared } from '../measurement/backends/common/backend';
import { acceptedSelection } from './accept';
import { admitNamed } from './filters/admitNamed';
import type { FilterSelection } from './filters/filterSelection';

/** The recordable functions of the accepted selection in this program, else the first selection of a refinement. */
export async function usualSelection(targetDirectory: string, prepared: Prepared): Promise<FilterSelection> {
  const { graph, sites } = prepared;
  const saved = await acceptedSelection(targetDirectory);
  if (saved === undefined) return { selection: nextSelection({ graph, sites }).selection, notes: [] };
  const { accepted, selection } = saved;
  const missing = admitNamed(prepared, new Set(selectedKeys(selection)));
  const decide = ({ key }: CallGraphFunction): Decision => {
    const decision = selection.decisions.get(key);
    if (decision === undefined) return { key, selected: false, reason: { rule: 'not-measured' } };
    return decision.selected && !sites.has(key)
      ? { key, selected: false, reason: { rule: 'no-site' } }
      : decision;
  };
  return {
    selection: { decisions: new Map(graph.functions.map((f) => [f.key, decide(f)])) },
    notes: [
      `Recorded what was accepted: iteration ${accepted.iteration} of ${accepted.study}. Give --filter to record something else.`,
      ...missing,
    ],
  };
}
