import { access, chmod, constants, mkdir, mkdtemp, readlink, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { cacheFolder } from '../compilers/settings';
import { hashOfParts } from '../compilers/unitHash';

const harmless = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Folder of the wrappers under a name without blanks and quotes: build systems put compilers into shell commands unquoted
 * (`$(CC) -c …`), so that a tool installed in "Program Files" could not be used otherwise.
 */
export async function wrapperFolder(wrappers: string): Promise<string> {
  await makeExecutable(wrappers);
  if (harmless.test(wrappers)) return wrappers;
  const cache = cacheFolder(process.env);
  if (harmless.test(cache)) {
    const link = path.join(cache, 'wrappers', hashOfParts([wrappers]));
    await mkdir(path.dirname(link), { recursive: true });
    await makeLink(wrappers, link);
    return link;
  }
  // Private to this user and this run.
  const link = path.join(await mkdtemp(path.join(tmpdir(), 'kymo-wrappers-')), 'bin');
  await makeLink(wrappers, link);
  return link;
}

async function makeLink(target: string, link: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    // Another build may have made it; its name contains a hash of the target.
    const existing = await readlink(link).catch(() => undefined);
    if (existing !== target) throw error;
  }
}

/** Restores the permission to execute, which archives such as extension packages may lose. */
async function makeExecutable(wrappers: string): Promise<void> {
  for (const name of ['kymo-cc', 'kymo-cxx', 'kymo-fc']) {
    const file = path.join(wrappers, name);
    try {
      await access(file, constants.X_OK);
    } catch {
      await chmod(file, 0o755).catch((error: unknown) => {
        throw new KymoError(
          'broken-installation',
          `The measuring compiler ${file} is missing or cannot be made executable. Reinstall Kymo, or run “chmod +x” on it.`,
          {},
          { cause: error },
        );
      });
    }
  }
}

/** A word quoted for the shell. */
export function shellWord(text: string): string {
  return harmless.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}
