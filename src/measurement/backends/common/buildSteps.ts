import { copyFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import { buildTarget, type BuildOptions } from '../../build/buildTarget';
import type { Target } from '../../config/config';
import { runProcess } from '../../launch/process';
import { toolFolder } from '../../files/toolFolder';
import type { PrepareOptions } from './backend';
import { buildFolder, readBuiltState } from './builtState';
import { makeOwnFolder } from '../../files/ownFiles';

/** A build that no option of a user changes. */
export const usualBuild = {
  probes: true,
  minimumStatements: 10,
  environment: {},
} as const satisfies Partial<PrepareOptions>;

/** Own statements from which on functions get probes: as in the last build, which may have fewer because a refinement found that more cost too much. */
export async function usualStatements(workspace: string, target: string): Promise<number> {
  const built = await readBuiltState(buildFolder(workspace, target));
  return built?.minimumStatements ?? usualBuild.minimumStatements;
}

/** Where the fragments of the target's units lie. */
export function storeOf({ workspace, target }: PrepareOptions): string {
  return path.join(buildFolder(workspace, target.name), 'store');
}

/**
 * The same sources built by the plain compilers, kept aside; the workspace is clean afterwards.
 * @returns the absolute path of the vanilla executable
 */
export async function buildVanilla(options: PrepareOptions): Promise<string> {
  const { workspace, target } = options;
  requireClean(target, 'The comparison with a vanilla build makes two of them', workspace);
  const executable = path.resolve(workspace, target.executable);
  const folder = path.join(buildFolder(workspace, target.name), 'vanilla');
  await makeOwnFolder(folder);
  await cleanBuild(options);
  options.progress.report({ message: `Building ${target.name} without sites` });
  await buildTarget({ ...commandsOf(options, folder), kind: 'vanilla' });
  await requireExecutable(executable, target);
  const kept = await keepExecutable(executable, folder);
  await cleanBuild(options);
  return kept;
}

/** What every build of the target has in common. @param store where fragments of the call graph go */
export function commandsOf(options: PrepareOptions, store: string): Omit<BuildOptions, 'kind'> {
  const { workspace, target, environment, signal, progress } = options;
  const { command, configure, cwd } = target.build;
  return {
    command,
    ...(configure === undefined ? {} : { configure }),
    cwd: path.resolve(workspace, cwd),
    tool: toolFolder(),
    store,
    environment,
    signal,
    progress,
  };
}

/** Objects that other compilers or other settings made must not be linked in. */
export async function cleanBuild({
  workspace,
  target,
  environment,
  signal,
  progress,
}: PrepareOptions): Promise<void> {
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
  if (result.end.kind !== 'exit' || result.end.status !== 0)
    progress.log(`The clean command did not succeed; building all the same.\n${result.stderr}`);
  await rm(path.resolve(workspace, target.executable), { force: true });
}

/** @throws KymoError `executable-missing` after a build that did not make what `kymo.json` says */
export async function requireExecutable(executable: string, target: Target): Promise<void> {
  const there = await stat(executable).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (there) return;
  throw new KymoError(
    'executable-missing',
    `The build succeeded, but ${executable} does not exist. Correct "executable" of ${target.name} in kymo.json, or make the build command produce it.`,
    { file: executable },
  );
}

/** A copy of the executable that later builds leave alone. @returns its absolute path */
export async function keepExecutable(executable: string, folder: string): Promise<string> {
  const kept = path.join(folder, path.basename(executable));
  await makeOwnFolder(folder);
  // Not into what a link of this name leads to.
  await rm(kept, { force: true });
  await copyFile(executable, kept);
  return kept;
}

/** @throws KymoError `config-invalid` when objects of one build could not be kept out of the next */
export function requireClean(target: Target, why: string, workspace: string): void {
  if (target.build.clean !== undefined) return;
  throw new KymoError(
    'config-invalid',
    `${why}, so the target's "clean" command is needed: add it to "build" of ${target.name} in kymo.json.`,
    { file: path.join(workspace, 'kymo.json') },
  );
}
