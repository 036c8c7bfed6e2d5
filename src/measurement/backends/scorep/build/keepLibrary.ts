import { readdir, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { keepExecutable } from '../../common/buildSteps';

/**
 * A copy of a shared library under all names that it has in its folder: programs ask for `libx.so.5`, which is a link to `libx.so.5.1.0`.
 * @returns absolute path of the copy
 */
export async function keepLibrary(library: string, folder: string): Promise<string> {
  const copy = await keepExecutable(library, folder);
  const libraryFolder = path.dirname(library);
  for (const name of await readdir(libraryFolder)) {
    if (name === path.basename(library) || !name.includes('.so')) continue;
    const target = await realpath(path.join(libraryFolder, name)).catch(() => undefined);
    // Another build's link of this name has the same target.
    if (target === library)
      await symlink(path.basename(library), path.join(folder, name)).catch(() => undefined);
  }
  return copy;
}
