import path from 'node:path';
import { isKymoError, KymoError } from '../core/errors';
import { visibleControls } from '../core/names/visibleControls';
import type { ProgressSink } from '../core/progress';
import { ownFolder, type Config, type Target } from '../measurement/config/config';
import { loadConfig, selectTarget } from '../measurement/config/loadConfig';
import { requireOneProgram } from '../measurement/config/oneProgram';
import { literally } from '../measurement/config/substitute';
import { proposeConfig, type ProposedConfig } from './init';
import { meantProgram } from './init/meantProgram';
import type { RunOverride } from './refine/refineOptions';
import { sourcesOfBuildFolder } from './runCommand/buildFolderOf';
import { programPlace, realPlace } from './runCommand/programPlace';
import { readRun, type TypedRun } from './runCommand/typedRun';

export interface RunCommandOptions {
  /** Absolute path of the folder with `kymo.json`, or of the one that gets it. */
  readonly workspace: string;
  /** Absolute path of the folder that the words were typed in. */
  readonly here: string;
  /** Program and arguments, with a launcher in front if there is one. */
  readonly words: readonly string[];
  /** Name of the target, where several have the program. */
  readonly target?: string;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
}

/** What a typed run is: a target of `kymo.json` with what replaces its run, or a `kymo.json` that does not exist yet. */
export type FoundRun =
  | { readonly kind: 'target'; readonly target: Target; readonly run: RunOverride }
  | { readonly kind: 'proposal'; readonly proposal: ProposedConfig; readonly target: Target };

/**
 * Finds out how the program of a typed run is built: by the target of `kymo.json` that has it, else as `kymo init` would propose. Writes
 * nothing, and runs nothing but what `kymo init` runs in a copy of the folder.
 * @throws KymoError `usage`, `program-outside`, `no-program`, `unknown-target`; `several-programs`; and those of `loadConfig` and
 * `proposeConfig`
 */
export async function findRun(options: RunCommandOptions): Promise<FoundRun> {
  const typed = readRun(options.words);
  const file = await programPlace(options.workspace, options.here, typed);
  const config = await existingConfig(options.workspace);
  const found =
    config === undefined ? await propose(options, typed, file) : await target(options, config, typed, file);
  const { target: chosen } = found;
  requireOneProgram(found.kind === 'proposal' ? chosen : { ...chosen, run: { ...chosen.run, ...found.run } });
  return found;
}

async function existingConfig(workspace: string): Promise<Config | undefined> {
  try {
    return (await loadConfig(workspace)).config;
  } catch (error) {
    if (isKymoError(error) && error.reason === 'config-missing') return undefined;
    throw error;
  }
}

async function propose(options: RunCommandOptions, typed: TypedRun, executable: string): Promise<FoundRun> {
  if (options.target !== undefined)
    throw new KymoError(
      'unknown-target',
      `There is no kymo.json in ${options.workspace}, so there is no target ${JSON.stringify(options.target)}. Leave out --target.`,
    );
  const { workspace, signal, progress } = options;
  await requireSources(workspace, executable);
  const { launcher } = literal(typed);
  const proposal = await proposeConfig({
    workspace,
    signal,
    progress,
    executable,
    typed: {
      arguments: typed.arguments.map(literally),
      runFolder: await runFolder(options),
      ...(launcher === undefined ? {} : { launcher }),
    },
  }).catch((error: unknown) => {
    throw withHint(error, typed);
  });
  return { kind: 'proposal', proposal, target: selectTarget(proposal.config) };
}

async function requireSources(workspace: string, executable: string): Promise<void> {
  const sources = await sourcesOfBuildFolder(workspace);
  if (sources === undefined) return;
  throw new KymoError(
    'nothing-to-build',
    `${workspace} is a build folder of ${visibleControls(sources)}. Kymo builds in a folder of its own, so start in the folder of the sources: kymo refine -- ${path.join(path.relative(sources, workspace), executable)}.`,
    { file: workspace },
  );
}

async function target(
  options: RunCommandOptions,
  config: Config,
  typed: TypedRun,
  file: string,
): Promise<FoundRun> {
  const { targets } = config;
  const named = options.target === undefined ? targets : [selectTarget(config, options.target)];
  const workspace = await realPlace(config.workspace);
  const files = await Promise.all(
    named.map(async ({ executable }) =>
      path.relative(workspace, await realPlace(path.resolve(workspace, executable))),
    ),
  );
  const position = meantProgram(files, file);
  const chosen = position === undefined ? undefined : named[position];
  if (chosen === undefined) throw noTarget(config, named, typed);
  const { launcher } = literal(typed);
  return {
    kind: 'target',
    target: chosen,
    run: {
      arguments: typed.arguments.map(literally),
      ...(chosen.run.cwd === ownFolder ? {} : { cwd: await runFolder(options) }),
      ...(launcher === undefined ? {} : { launcher: { arguments: [], ...launcher } }),
    },
  };
}

function noTarget(config: Config, named: readonly Target[], { program, hint }: TypedRun): KymoError {
  const shown = visibleControls(program);
  const list = named
    .slice(0, 8)
    .map(({ name, executable }) => `${name} (${visibleControls(executable)})`)
    .join(', ');
  const isTarget = config.targets.some(({ name }) => name === program);
  const advice = isTarget
    ? `To refine the target of this name: kymo refine --target ${JSON.stringify(program)}.`
    : `Name one of these programs, or add a target with ${JSON.stringify(program)} as "executable" and the command that builds it as "build".`;
  return new KymoError(
    'unknown-target',
    `${config.file} has no target whose executable is ${shown}. It has: ${list}. ${advice}${hint}`,
    { file: config.file },
  );
}

/** The folder of the typed words, which may have paths, relative to the workspace. */
async function runFolder({ workspace, here }: RunCommandOptions): Promise<string> {
  return path.relative(await realPlace(workspace), await realPlace(here)) || '.';
}

/** The launcher, of whose options none is a placeholder. */
function literal({ launcher }: TypedRun): Pick<TypedRun, 'launcher'> {
  if (launcher?.arguments === undefined) return launcher === undefined ? {} : { launcher };
  return { launcher: { ...launcher, arguments: launcher.arguments.map(literally) } };
}

function withHint(error: unknown, { hint }: TypedRun): unknown {
  if (!isKymoError(error) || error.reason !== 'program-unknown' || hint === '') return error;
  return new KymoError(error.reason, `${error.message}${hint}`, error.where, { cause: error });
}
