import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';

/**
 * Folder of the installed tool, with `wrapper.js`, `grammars` and `runtime`: the folder of the running bundle. Code that runs from its
 * sources (tests) finds the last build.
 */
export function toolFolder(): string {
  const candidates = [__dirname, path.resolve(__dirname, '../../../dist')];
  const folder = candidates.find((candidate) => existsSync(path.join(candidate, 'wrapper.js')));
  if (folder !== undefined) return folder;
  throw new KymoError(
    'broken-installation',
    `The measuring compilers were not found beside ${__dirname}. Reinstall Kymo; in a clone of the repository run "npm run build".`,
  );
}

/** Changes with everything of the tool that ends up in a measured program: the wrapper and the runtime. */
export function toolFingerprint(): string {
  const folder = toolFolder();
  const runtime = readdirSync(path.join(folder, 'runtime'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of [path.join(folder, 'wrapper.js'), ...runtime]) {
    hash.update(path.relative(folder, file));
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
