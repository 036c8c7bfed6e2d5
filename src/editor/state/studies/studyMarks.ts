import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Another text whenever a study, a lock or an accepted round came or went in these workspaces: names and times of the folders of
 * targets. Empty where nothing was ever measured.
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
