import type { Prepared } from '../../measurement/backends/common/backend';
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
