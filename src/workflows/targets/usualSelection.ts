import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CallGraphFunction } from '../../core/callgraph/callGraph';
import { present } from '../../core/present';
import { selectedKeys, type Decision, type Selection } from '../../core/selection/selection';
import { nextSelection } from '../../core/strategies/nextSelection';
import { admitNamed } from '../filters/admitNamed';
import type { FilterSelection } from '../filters/filterSelection';
import { readAccepted, type Accepted } from '../studies/acceptedFile';
import { roundSelection } from '../studies/rounds';
import { readStudy } from '../studies/study';

/** The recordable functions of the accepted selection in this program, else the first selection of a refinement. */
export async function usualSelection(
  targetDirectory: string,
  prepared: Parameters<typeof admitNamed>[0],
): Promise<FilterSelection> {
  const { graph, sites } = prepared;
  const saved = await acceptedSelection(targetDirectory);
  if (saved === undefined)
    return {
      selection: nextSelection({ graph, sites }).selection,
      notes: [],
      ...present({ origin: await notAccepted(targetDirectory) }),
    };
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
    notes: missing,
    origin: `Recorded the accepted selection: round ${accepted.iteration} of ${accepted.study}. Give --filter to record something else.`,
  };
}

/** That a refinement has found a selection, which nobody has accepted. */
async function notAccepted(targetDirectory: string): Promise<string | undefined> {
  const names = await readdir(targetDirectory).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('refine-')).sort((a, b) => b.localeCompare(a))) {
    const study = await readStudy(path.join(targetDirectory, name)).catch(() => undefined);
    if (study !== undefined && study.iterations.length > 0)
      return `No selection is accepted, so what a refinement begins with was recorded. To record the selection of ${name}: kymo accept, then kymo measure.`;
  }
  return undefined;
}

/** The accepted selection of a target and its origin; undefined if none is accepted, or its study was deleted. */
export async function acceptedSelection(
  targetDirectory: string,
): Promise<{ readonly accepted: Accepted; readonly selection: Selection } | undefined> {
  const accepted = await readAccepted(targetDirectory);
  if (accepted === undefined) return undefined;
  const selection = await roundSelection(
    path.join(targetDirectory, accepted.study),
    accepted.iteration,
  ).catch(() => undefined);
  return selection === undefined ? undefined : { accepted, selection };
}
