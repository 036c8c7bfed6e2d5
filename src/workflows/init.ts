import { stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../core/errors';
import type { Config } from '../measurement/config/config';
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

/** A `kymo.json` that is not written yet. */
interface ProposedConfig {
  /** Absolute path of the file that it would be. */
  readonly file: string;
  readonly text: string;
  readonly config: Config;
  /** What was found, and what the user should look at. */
  readonly notes: readonly string[];
}

/**
 * Writes a first `kymo.json` for the build system of the workspace.
 * @throws KymoError `config-exists`, `nothing-to-build`, `pira-invalid`, `disk-full` or `write-failed`
 */
export async function initWorkspace(options: InitOptions): Promise<InitResult> {
  const file = configFileOf(options);
  if (options.force !== true && (await exists(file)))
    throw new KymoError(
      'config-exists',
      `${file} exists already and is left as it is. Edit it, or replace it with "kymo init --force".`,
      { file },
    );
  const { text, config, notes } = await proposeConfig(options);
  await writeFileAtomically(file, text);
  return { file, targets: config.targets.map(({ name }) => name), notes };
}

/**
 * What `initWorkspace` would write.
 * @throws KymoError `nothing-to-build` or `pira-invalid`
 */
export async function proposeConfig(
  options: Pick<InitOptions, 'workspace' | 'pira'>,
): Promise<ProposedConfig> {
  const file = configFileOf(options);
  const workspace = path.dirname(file);
  const { targets, notes } =
    options.pira === undefined ? await lookForBuild(workspace) : await importPira(options.pira, workspace);
  const text = configText(withDifferentNames(targets));
  const { config, warnings } = parseConfig(text, file);
  return { file, text, config, notes: [...notes, ...warnings.map(({ message }) => message)] };
}

function configFileOf({ workspace }: Pick<InitOptions, 'workspace'>): string {
  return path.join(path.resolve(workspace), configName);
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
