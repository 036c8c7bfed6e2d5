import type { Prepared } from '../../measurement/backends/common/backend';
import { inlinedPhase, phaseFunctions } from '../../core/selection/phase';
import { notRecordable } from './notRecordable';

/**
 * Gives functions that the user names a site where the back-end can, however small they are.
 * @returns a sentence for each reason why some cannot be recorded
 */
export function admitNamed(
  { graph, sites, reserve, whyNotRecorded }: Pick<Prepared, 'graph' | 'sites' | 'reserve' | 'whyNotRecorded'>,
  keys: ReadonlySet<string>,
): readonly string[] {
  reserve?.admit(keys);
  return notRecordable(
    graph.functions
      .filter(({ key }) => keys.has(key) && !sites.has(key))
      .map(({ key, name }) => {
        const why = whyNotRecorded?.(key);
        return why === undefined ? { name } : { name, why };
      }),
  );
}

/**
 * The same of the functions that a target's `phase` means. That none of them has a patch point is one sentence, the one that a run without iterations has, too.
 */
export function admitPhase(
  prepared: Pick<Prepared, 'graph' | 'sites' | 'reserve' | 'whyNotRecorded'>,
  phase: string,
): { readonly functions: ReadonlySet<string>; readonly notes: readonly string[] } {
  const functions = phaseFunctions(prepared.graph, phase);
  const notes = admitNamed(prepared, functions);
  const isInlined = [...functions].every(
    (key) => !prepared.sites.has(key) && prepared.whyNotRecorded?.(key) === undefined,
  );
  return { functions, notes: functions.size > 0 && isInlined ? [inlinedPhase(phase)] : notes };
}
