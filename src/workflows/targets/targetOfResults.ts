import path from 'node:path';
import { resultsFolder } from '../../measurement/files/ownFiles';

/** The folder with `kymo.json` and the name of the target, of results below `.kymo/<target>`. */
export function targetOfResults(
  results: string,
): { readonly workspace: string; readonly target: string } | undefined {
  const parts = path.resolve(results).split(path.sep);
  const below = parts.lastIndexOf(resultsFolder);
  const target = parts[below + 1];
  if (below < 1 || target === undefined) return undefined;
  return { workspace: parts.slice(0, below).join(path.sep) || path.sep, target };
}
