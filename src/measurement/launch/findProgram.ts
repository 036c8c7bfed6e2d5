import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** Absolute path of the first executable file with this name in the absolute folders of `PATH`, or undefined. */
export async function findProgram(
  name: string,
  searchPath: string = process.env.PATH ?? '',
): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter)) {
    // What a relative folder means depends on where this process was started, which may be in a workspace.
    if (!path.isAbsolute(folder)) continue;
    const file = path.resolve(folder, name);
    if (await isExecutableFile(file)) return file;
  }
  return undefined;
}

export async function isExecutableFile(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
