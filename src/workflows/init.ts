import { stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../core/errors';
import type { Config } from '../measurement/config/config';
import { configName } from '../measurement/config/loadConfig';
import { parseConfig } from '../measurement/config/parseConfig';
import { writeFileAtomically } from '../measurement/files/disk';
import { findBuild, type FindOptions } from './init/buildSystem';
import { configText } from './init/configText';
import type { Drafts, TargetDraft } from './init/asking/draft';
import { requireProgramFolder } from './init/asking/folders';
import { importPira } from './init/pira';

export interface InitOptions extends FindOptions {
  /** Folder to write `kymo.json` into. */
  readonly workspace: string;
  /** Replace an existing file. */
  readonly force?: boolean;
  /** A PIRA configuration (version 1 or 2) to import instead of looking for a build system. */
  readonly pira?: string;
}

type ProposalOptions = Omit<InitOptions, 'force'>;

export interface InitResult {
  /** Absolute path of the file that was written. */
  readonly file: string;
  readonly targets: readonly string[];
  /** Detected settings, and points that the user should check. */
  readonly notes: readonly string[];
}

/** A proposed `kymo.json`. */
export interface ProposedConfig {
  /** Absolute path of the proposed file. */
  readonly file: string;
  readonly text: string;
  readonly config: Config;
  /** Detected settings, and points that the user should check. */
  readonly notes: readonly string[];
}

/**
 * Writes a first `kymo.json` for the build system of the workspace.
 * @throws KymoError `config-exists`, `disk-full`, `write-failed`, and those of `proposeConfig`
 */
export async function initWorkspace(options: InitOptions): Promise<InitResult> {
  await requireNew(options);
  const { text, config, notes } = await proposeConfig(options);
  const file = await writeConfig({ ...options, text });
  return { file, targets: config.targets.map(({ name }) => name), notes };
}

/**
 * Writes a proposed `kymo.json` and returns its absolute path.
 * @throws KymoError `config-exists`, `disk-full` or `write-failed`
 */
export async function writeConfig(
  options: Pick<InitOptions, 'workspace' | 'force'> & { readonly text: string },
): Promise<string> {
  await requireNew(options);
  const file = configFileOf(options);
  await writeFileAtomically(file, options.text);
  return file;
}

async function requireNew(options: Pick<InitOptions, 'workspace' | 'force'>): Promise<void> {
  const file = configFileOf(options);
  if (options.force !== true && (await exists(file)))
    throw new KymoError(
      'config-exists',
      `${file} exists already and stays unchanged. Edit it, or replace it with "kymo init --force".`,
      { file },
    );
}

/**
 * What `initWorkspace` would write.
 * @throws KymoError `nothing-to-build`, `program-unknown`, `folder-too-wide`, `cancelled` or `pira-invalid`
 */
export async function proposeConfig(options: ProposalOptions): Promise<ProposedConfig> {
  const file = configFileOf(options);
  const workspace = path.dirname(file);
  await requireProgramFolder(workspace);
  const { targets, notes } =
    options.pira === undefined
      ? await lookForBuild(workspace, options)
      : await importPira(options.pira, workspace, options);
  const text = configText({ targets: withDifferentNames(targets), notes });
  const { config, warnings } = parseConfig(text, file);
  return { file, text, config, notes: [...notes, ...warnings.map(({ message }) => message)] };
}

function configFileOf({ workspace }: Pick<InitOptions, 'workspace'>): string {
  return path.join(path.resolve(workspace), configName);
}

async function lookForBuild(workspace: string, options: FindOptions): Promise<Drafts> {
  const build = await findBuild(workspace, options);
  if (build === undefined)
    throw new KymoError(
      'nothing-to-build',
      `${workspace} has no CMakeLists.txt, meson.build, Makefile.am or Makefile, and no C, C++ or Fortran file with a main program. Name the folder of the program with --workspace.`,
    );
  return build;
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
