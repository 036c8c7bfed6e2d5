import { existsSync } from 'node:fs';
import path from 'node:path';
import { visibleControls } from '../../core/names/visibleControls';
import { ownFolder, type Target } from '../../measurement/config/config';

/**
 * The files and folders among what a program is run with that are in a folder and not in another one, as what git ignores is not in a
 * checkout. What the program or its build makes is in both after the runs.
 */
export function missingInputs(run: Target['run'], here: string, there: string): readonly string[] {
  if (run.cwd === ownFolder) return [];
  const isIn = (folder: string, name: string): boolean => existsSync(path.resolve(folder, run.cwd, name));
  const named = [...run.arguments, ...(run.input === undefined ? [] : [run.input])]
    // Such as --mesh=grid.dat
    .map((word) => word.slice(word.indexOf('=') + 1))
    .filter((name) => name !== '' && isIn(here, name) && !isIn(there, name));
  return [...new Set(named)];
}

/** Why the baseline may have computed nothing, or another thing. */
export function missingInputsSentence(names: readonly string[]): string {
  return `The program is run with ${names.map(visibleControls).join(', ')}, which the commit of the baseline does not have: the baseline was run without. Commit ${names.length === 1 ? 'it' : 'them'}, or give the absolute path in "run" of kymo.json.`;
}
