import { existsSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../core/errors';

/**
 * Folder of the installed tool: it holds `wrapper.js`, `grammars` and `runtime`. That is where the running bundle lies; code that
 * runs from its sources (tests) finds the last build.
 */
export function toolFolder(): string {
  const candidates = [__dirname, path.resolve(__dirname, '../../dist')];
  const found = candidates.find((folder) => existsSync(path.join(folder, 'wrapper.js')));
  if (found !== undefined) return found;
  throw new KymoError(
    'broken-installation',
    `The measuring compilers were not found beside ${__dirname}. Reinstall Kymo; in a clone of the repository run "npm run build".`,
  );
}
