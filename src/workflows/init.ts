import { stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../core/errors';
import { configName } from '../measurement/config/loadConfig';
import { parseConfig } from '../measurement/config/parseConfig';
import { writeFileAtomically } from '../measurement/experiments/disk';
import { findBuild } from './init/buildSystem';
import { configText } from './init/configText';
import type { Drafts, TargetDraft } from './init/draft';
import { importPira } from './init/pira';

export interface InitOptions {
  /** Folder to write `kymo.json` into. */
  readonly workspace: string;
  /** Replace an existing file. */
  readonly force?: boolean;
  /** A PIRA configuration (version 1 or 2) to import instead of looking for a build system. */
  readonly pira?: string;
}

export interface InitResult {
  /** Absolute path of the file that was written. */
  readonly file: string;
  readonly targets: readonly string[];
  /** What was found, and what the user should look at. */
  readonly notes: readonly string[];
}

/**
 * Writes a first `kymo.json` for the build system of the workspace.
 * @throws KymoError `config-exists`, `nothing-to-build`, `pira-invalid`, `disk-full` or `write-failed`
 */
export async function initWorkspace(options: InitOptions): Promise<InitResult> {
  const workspace = path.resolve(options.workspace);
  const file = path.join(workspace, configName);
  if (options.force !== true && (await exists(file)))
    throw new KymoError(
      'config-exists',
      `${file} exists already and is left as it is. Edit it, or replace it with "kymo init --force".`,
      { file },
    );
  const { targets, notes } =
    options.pira === undefined ? await lookForBuild(workspace) : await importPira(options.pira, workspace);
  const named = withDifferentNames(targets);
  const text = configText(named);
  const { warnings } = parseConfig(text, file);
  await writeFileAtomically(file, text);
  return {
    file,
    targets: named.map(({ name }) => name),
    notes: [...notes, ...warnings.map(({ message }) => message)],
  };
}

async function lookForBuild(workspace: string): Promise<Drafts> {
  const found = await findBuild(workspace);
  if (found === undefined)
    throw new KymoError(
      'nothing-to-build',
      `${workspace} has no CMakeLists.txt, meson.build, Makefile.am or Makefile, and no C, C++ or Fortran file with a main program. Name the folder of the program with --workspace.`,
    );
  return { targets: found.targets, notes: [`Found: ${found.system}.`, ...found.notes] };
}

function withDifferentNames(targets: readonly TargetDraft[]): readonly TargetDraft[] {
  const seen = new Set<string>();
  return targets.map((target) => {
    let { name } = target;
    for (let number = 2; seen.has(name.toLowerCase()); number++)
      name = `${target.name.slice(0, 50)}-${number}`;
    seen.add(name.toLowerCase());
    return { ...target, name };
  });
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
