import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * A text that changes whenever a study, a lock or an accepted round appears or disappears in these workspaces. It has the names and times
 * of the targets' folders, and is empty if nothing was ever measured.
 */
export async function studyMarks(workspaces: readonly string[]): Promise<string> {
  const marks = await Promise.all(
    workspaces.map(async (workspace) => {
      const folder = path.join(workspace, '.kymo');
      const names = await readdir(folder).catch(() => []);
      return Promise.all(names.map((name) => mark(path.join(folder, name))));
    }),
  );
  return marks.flat().join('\n');
}

async function mark(file: string): Promise<string> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
  return `${file} ${mtimeMs}`;
}
