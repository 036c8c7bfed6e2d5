import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import { buildTarget, type BuildOptions } from '../../build/buildTarget';
import type { Target } from '../../config/config';
import { runProcess, succeeded } from '../../launch/process';
import { toolFolder } from '../../files/toolFolder';
import type { PrepareOptions } from './backend';
import { buildFolder, readBuiltState } from './builtState';
import { isFile } from '../../files/isFile';
import { makeOwnFolder } from '../../files/ownFiles';

/** Options of a build without a user's choices. */
export const usualBuild = {
  probes: true,
  minimumStatements: 10,
  environment: {},
} as const satisfies Partial<PrepareOptions>;

/** Smallest number of own statements of a function with a probe, as in the last build: a refinement may have raised it to save cost. */
export async function usualStatements(workspace: string, target: string): Promise<number> {
  const built = await readBuiltState(buildFolder(workspace, target));
  return built?.minimumStatements ?? usualBuild.minimumStatements;
}

/** Folder of the fragments of the target's units. */
export function storeOf({ workspace, target }: PrepareOptions): string {
  return path.join(buildFolder(workspace, target.name), 'store');
}

/**
 * Builds the same sources by the plain compilers and copies the executable aside; the workspace is clean afterwards.
 * @returns the absolute path of the vanilla executable, and the wall time of the build
 */
export async function buildVanilla(
  options: PrepareOptions,
): Promise<{ readonly executable: string; readonly seconds: number }> {
  const { workspace, target } = options;
  requireClean(target, 'The comparison with a vanilla build makes two of them', workspace);
  const built = path.resolve(workspace, target.executable);
  const folder = path.join(buildFolder(workspace, target.name), 'vanilla');
  await makeOwnFolder(folder);
  await cleanBuild(options);
  options.progress.report({ message: `Building ${target.name} without patch points` });
  const { seconds } = await buildTarget({ ...commandsOf(options, folder), kind: 'vanilla' });
  await requireExecutable(built, target);
  const executable = await keepExecutable(built, folder);
  await cleanBuild(options);
  return { executable, seconds };
}

/** Options that all builds of the target share. @param store folder for the fragments of the call graph */
export function commandsOf(options: PrepareOptions, store: string): Omit<BuildOptions, 'kind'> {
  const { workspace, target, environment, signal, progress } = options;
  const { command, configure, cwd } = target.build;
  return {
    command,
    configure,
    cwd: path.resolve(workspace, cwd),
    tool: toolFolder(),
    store,
    environment,
    signal,
    progress,
  };
}

/** Removes objects that other compilers or settings made. */
export async function cleanBuild(options: PrepareOptions): Promise<void> {
  const { workspace, target, environment, signal, progress } = options;
  const command = target.build.clean;
  if (command === undefined) return;
  progress.log(`$ ${command}`);
  const result = await runProcess(
    { shell: command },
    {
      cwd: path.resolve(workspace, target.build.cwd),
      env: { ...process.env, ...environment },
      signal,
      timeoutSeconds: 600,
    },
  );
  if (result.end.kind === 'aborted') throw new KymoError('cancelled', 'Cancelled while cleaning the build.');
  if (!succeeded(result))
    progress.log(`The clean command did not succeed; building all the same.\n${result.stderr}`);
  await rm(path.resolve(workspace, target.executable), { force: true });
}

/** @throws KymoError `executable-missing` after a build that did not make what `kymo.json` says */
export async function requireExecutable(executable: string, target: Target): Promise<void> {
  if (await isFile(executable)) return;
  throw new KymoError(
    'executable-missing',
    `The build succeeded, but ${executable} does not exist. Correct "executable" of ${target.name} in kymo.json, or make the build command produce it.`,
    { file: executable },
  );
}

/** A copy of the executable that later builds leave alone. @returns its absolute path */
export async function keepExecutable(executable: string, folder: string): Promise<string> {
  const copy = path.join(folder, path.basename(executable));
  await makeOwnFolder(folder);
  // A link of this name must not be written through.
  await rm(copy, { force: true });
  await copyFile(executable, copy);
  return copy;
}

/** @throws KymoError `config-invalid` when the target has no command that removes the objects of the previous build */
export function requireClean(target: Target, why: string, workspace: string): void {
  if (target.build.clean !== undefined) return;
  throw new KymoError(
    'config-invalid',
    `${why}, so the target's "clean" command is needed: add it to "build" of ${target.name} in kymo.json.`,
    { file: path.join(workspace, 'kymo.json') },
  );
}
