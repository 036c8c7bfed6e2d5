import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { isFile } from '../files/isFile';

/** Absolute path of the first executable file with this name in the absolute folders of `PATH`, or undefined. */
export async function findProgram(
  name: string,
  searchPath: string = process.env.PATH ?? '',
): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter)) {
    // A relative folder depends on where this process was started, which may be a workspace.
    if (!path.isAbsolute(folder)) continue;
    const file = path.resolve(folder, name);
    if (await isExecutableFile(file)) return file;
  }
  return undefined;
}

export async function isExecutableFile(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => isFile(file),
    () => false,
  );
}
