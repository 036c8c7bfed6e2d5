import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Experiment } from '../../core/profile/experiment';
import { experimentFileName, readExperiment } from './experimentFile';
import { experimentName } from './experimentName';
import { isFile } from '../files/isFile';
import { resultsFolder } from '../files/ownFiles';

/** `<workspace>/.kymo/<target>/<study>` */
export function studyDirectory(workspace: string, target: string, study: string): string {
  return path.join(path.resolve(workspace), resultsFolder, target, study);
}

/** `<study>/i<N>` */
export function roundDirectory(study: string, round: number): string {
  return path.join(study, `i${round}`);
}

/** `<study>/i<N>/<prefix>.<param><value>….r<rep>`; with more than one rank count, the ranks are Extra-P's parameter `p`. */
export function experimentDirectory(
  study: string,
  experiment: Pick<Experiment, 'iteration' | 'variant' | 'parameters' | 'ranks' | 'repetition'>,
): string {
  const { iteration, variant, parameters, ranks, repetition } = experiment;
  const named =
    ranks > 1 && !Object.hasOwn(parameters, 'p') ? { p: String(ranks), ...parameters } : parameters;
  return path.join(roundDirectory(study, iteration), experimentName(variant, named, repetition));
}

/** A study on disk. `changedAt` is when it last changed, in milliseconds since 1970. */
export interface StudyEntry {
  readonly target: string;
  readonly study: string;
  readonly directory: string;
  readonly changedAt: number;
}

/** All refinements and measurements of a workspace, the newest first. A workspace without results has none. */
export function listStudyFolders(workspace: string): Promise<readonly StudyEntry[]> {
  return listFolders(workspace, isStudy);
}

/** The plan of a study over parameters and what of it is measured, in its folder. */
export const parameterStudyFileName = 'parameter-study.json';

/** All studies over parameters of a workspace, the newest first; also those whose file is damaged. */
export function listParameterStudyFolders(workspace: string): Promise<readonly StudyEntry[]> {
  return listFolders(workspace, (directory) => isFile(path.join(directory, parameterStudyFileName)));
}

async function listFolders(
  workspace: string,
  isWanted: (directory: string) => Promise<boolean>,
): Promise<readonly StudyEntry[]> {
  const root = path.join(path.resolve(workspace), resultsFolder);
  const entries: StudyEntry[] = [];
  for (const target of await folders(root)) {
    for (const study of await folders(path.join(root, target))) {
      const directory = path.join(root, target, study);
      if (!(await isWanted(directory))) continue;
      entries.push({ target, study, directory, changedAt: await modifiedAt(directory) });
    }
  }
  return entries.sort((a, b) => b.changedAt - a.changedAt || a.directory.localeCompare(b.directory));
}

/** A complete experiment, or the reason why it cannot be used. */
export type ExperimentEntry =
  | { readonly kind: 'complete'; readonly directory: string; readonly experiment: Experiment }
  | { readonly kind: 'unusable'; readonly directory: string; readonly message: string };

/** The experiments of a study by round and name; without folders that a stopped run left without `experiment.json`. */
export async function listExperiments(study: string): Promise<readonly ExperimentEntry[]> {
  const entries: ExperimentEntry[] = [];
  const rounds = (await folders(study))
    .filter(isRound)
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  for (const round of rounds) {
    for (const name of await folders(path.join(study, round))) {
      const directory = path.join(study, round, name);
      if (!(await isFile(path.join(directory, experimentFileName)))) continue;
      entries.push(await readEntry(directory));
    }
  }
  return entries;
}

async function readEntry(directory: string): Promise<ExperimentEntry> {
  try {
    return { kind: 'complete', directory, experiment: await readExperiment(directory) };
  } catch (error) {
    return { kind: 'unusable', directory, message: error instanceof Error ? error.message : String(error) };
  }
}

async function isStudy(directory: string): Promise<boolean> {
  return (await folders(directory)).some(isRound);
}

export function isRound(name: string): boolean {
  return /^i\d+$/.test(name);
}

async function folders(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  } catch {
    return [];
  }
}

async function modifiedAt(directory: string): Promise<number> {
  const times = await Promise.all(
    [directory, ...(await folders(directory)).map((name) => path.join(directory, name))].map((name) =>
      stat(name).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}
