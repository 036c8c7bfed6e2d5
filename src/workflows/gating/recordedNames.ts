import path from 'node:path';
import { selectedKeys, type Selection } from '../../core/selection/selection';
import { writeFileAtomically } from '../../measurement/files/disk';
import { makeOwnFolder, resultsFolder } from '../../measurement/files/ownFiles';
import { functionRows } from '../studies/functionsFile';
import { roundSelection } from '../studies/rounds';
import { readStudy } from '../studies/study';
import { listStudies } from '../studies/studies';
import { acceptedSelection } from '../targets/usualSelection';
import { gateFolder } from './baselineTree';

interface Chosen {
  readonly study: string;
  readonly selection: Selection;
}

/**
 * A file with the functions that both sides of a gate are to record: those of the accepted selection, else those that the newest refinement ended with. By
 * names: keys of functions have lines, which differ between builds. Undefined: there is none, or it records nothing.
 */
export async function recordedNames(workspace: string, target: string): Promise<string | undefined> {
  const folder = path.join(workspace, resultsFolder, target);
  const chosen = (await accepted(folder)) ?? (await refined(workspace, target));
  if (chosen === undefined) return undefined;
  const selected = new Set(selectedKeys(chosen.selection));
  const names = (await functionRows(chosen.study)).flatMap(({ key, name, mangledName }) =>
    selected.has(key) ? [mangledName ?? name] : [],
  );
  if (names.length === 0) return undefined;
  const file = path.join(gateFolder(workspace), 'recorded.txt');
  await makeOwnFolder(path.dirname(file));
  await writeFileAtomically(file, `${names.join('\n')}\n`);
  return file;
}

async function accepted(folder: string): Promise<Chosen | undefined> {
  const saved = await acceptedSelection(folder);
  return saved && { study: path.join(folder, saved.accepted.study), selection: saved.selection };
}

async function refined(workspace: string, target: string): Promise<Chosen | undefined> {
  const newest = (await listStudies(workspace)).find(
    (one) =>
      one.kind === 'study' && one.target === target && one.state === 'complete' && one.iterations.length > 0,
  );
  const file = newest && (await readStudy(newest.directory));
  const round = file?.finalIteration ?? file?.iterations.at(-1)?.index;
  if (newest === undefined || round === undefined) return undefined;
  return { study: newest.directory, selection: await roundSelection(newest.directory, round) };
}
