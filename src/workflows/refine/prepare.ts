import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { CallGraph } from '../../core/callgraph/callGraph';
import { mergeUnits } from '../../core/callgraph/mergeUnits';
import type { ProgressSink } from '../../core/progress';
import type { SiteKind } from '../../core/selection/pairCost';
import { buildTarget, type BuildResult } from '../../measurement/build/buildTarget';
import { readUnits } from '../../measurement/build/readUnits';
import type { Target } from '../../measurement/config/config';
import { runProcess } from '../../measurement/launch/process';
import { addSymbolFunctions } from '../../measurement/symbols/addSymbolFunctions';
import { findLinkedObjects } from '../../measurement/symbols/linkedObjects';
import { currentBuildId } from '../../measurement/symbols/readObject';
import { makeSiteMap } from '../../measurement/symbols/siteMap';
import type { SiteMap } from '../../measurement/symbols/sites';
import { readObjectSymbols } from '../../measurement/symbols/symbolCache';
import { toolFingerprint, toolFolder } from '../../measurement/toolFolder';
import { buildFolder, readBuiltState, writeBuiltState, type BuiltState } from './builtState';

export interface PrepareOptions {
  readonly workspace: string;
  readonly target: Target;
  readonly probes: boolean;
  readonly minimumStatements: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Build id of a refinement that is gone on with: an executable that still has it is used as it is. */
  readonly resumeBuildId: string;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  readonly note: (sentence: string) => void;
}

/** A build that no option of a user changes, and that does not go on with an earlier one. */
export const usualBuild = {
  probes: true,
  minimumStatements: 10,
  environment: {},
  resumeBuildId: '',
} as const satisfies Partial<PrepareOptions>;

/** A program that can be measured, and what is known of it before the first run. */
export interface Prepared {
  /** Absolute. */
  readonly executable: string;
  readonly buildId: string;
  readonly builds: number;
  readonly buildSeconds: number;
  readonly graph: CallGraph;
  readonly siteMap: SiteMap;
  /** The kind of site of each function that has one. */
  readonly sites: ReadonlyMap<string, SiteKind>;
}

/**
 * Builds the target once with sites (unless a refinement is resumed and the program is still the same) and reads its call graph
 * and sites.
 * @throws KymoError `build-failed`, `executable-missing`, `no-sites`, `no-build-id`, `cancelled`
 */
export async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { workspace, target, note, progress } = options;
  const executable = path.resolve(workspace, target.executable);
  const built = await buildUnlessResumed(options, executable);
  progress.report({ message: `Reading the call graph and the symbols of ${target.name}` });
  const { graph, siteMap } = await analyse(options, executable, storeOf(options));
  const problems = siteMap.problems ?? [];
  for (const problem of problems) note(problem);
  const sites = siteKinds(siteMap);
  if (sites.size === 0) throw noSites(executable, problems);
  return { executable, ...built, graph, siteMap, sites };
}

/** One build, from clean unless the objects on disk are known to be ours; none when the program of a resumed refinement is there. */
async function buildUnlessResumed(
  options: PrepareOptions,
  executable: string,
): Promise<Pick<Prepared, 'buildId' | 'builds' | 'buildSeconds'>> {
  const { workspace, target, progress } = options;
  const folder = buildFolder(workspace, target.name);
  await mkdir(storeOf(options), { recursive: true });
  const before = await readBuiltState(folder);
  const trusted = before !== undefined && sameSettings(before, options) ? before.buildId : undefined;
  const present = await buildIdIfPresent(executable);
  if (present !== undefined && present === trusted && present === options.resumeBuildId)
    return { buildId: present, builds: 0, buildSeconds: 0 };
  if (present !== undefined && present !== trusted) await clean(options);
  progress.report({ message: `Building ${target.name}` });
  const built = await buildTarget({ ...buildOptions(options, storeOf(options)), kind: 'measuring' });
  for (const sentence of unitNotes(built.units)) options.note(sentence);
  await requireExecutable(executable, target);
  const buildId = await currentBuildId(executable);
  await writeBuiltState(folder, {
    kymoBuild: 1,
    tool: toolFingerprint(),
    command: target.build.command,
    probes: options.probes,
    minimumStatements: options.minimumStatements,
    buildId,
    seconds: built.seconds,
  });
  return { buildId, builds: 1, buildSeconds: built.seconds };
}

function storeOf({ workspace, target }: PrepareOptions): string {
  return path.join(buildFolder(workspace, target.name), 'store');
}

/**
 * The same sources built by the plain compilers, kept aside; the workspace is clean afterwards.
 * @returns the absolute path of the vanilla executable
 */
export async function buildVanilla(options: PrepareOptions): Promise<string> {
  const { workspace, target } = options;
  if (target.build.clean === undefined)
    throw new KymoError(
      'config-invalid',
      `The comparison with a vanilla build needs the target's "clean" command: add it to "build" of ${target.name} in kymo.json.`,
      { file: path.join(workspace, 'kymo.json') },
    );
  const executable = path.resolve(workspace, target.executable);
  const kept = path.join(buildFolder(workspace, target.name), 'vanilla', path.basename(executable));
  await mkdir(path.dirname(kept), { recursive: true });
  await clean(options);
  options.progress.report({ message: `Building ${target.name} without sites` });
  await buildTarget({ ...buildOptions(options, path.dirname(kept)), kind: 'vanilla' });
  await requireExecutable(executable, target);
  await copyFile(executable, kept);
  await clean(options);
  return kept;
}

async function analyse(
  options: PrepareOptions,
  executable: string,
  store: string,
): Promise<{ readonly graph: CallGraph; readonly siteMap: SiteMap }> {
  const libraryPath = options.target.run.environment.LD_LIBRARY_PATH;
  const objects = await findLinkedObjects(executable, {
    folders: [path.resolve(options.workspace, options.target.build.cwd)],
    ...(libraryPath === undefined ? {} : { libraryPath }),
  });
  const symbols = await Promise.all(objects.map((object) => readObjectSymbols(object)));
  const units = await readUnits(store, new Set(symbols.flatMap((object) => object.units)));
  const functions = symbols.flatMap((object) => object.functions);
  const located = functions.flatMap(({ mangledName, name, simpleName, file, line, column }) =>
    file === undefined || line === undefined
      ? []
      : [
          {
            mangledName,
            name: simpleName,
            prettyName: name,
            file,
            line,
            ...(column === undefined ? {} : { column }),
          },
        ],
  );
  const graph = addSymbolFunctions(mergeUnits(units, located), functions);
  const siteMap = await makeSiteMap({ executable, libraries: objects.slice(1), units, graph });
  return { graph, siteMap };
}

function siteKinds(siteMap: SiteMap): ReadonlyMap<string, SiteKind> {
  return new Map(
    [...siteMap.functions].map(([key, sites]) => [
      key,
      sites.some((site) => site.kind === 'in') ? 'probe' : 'entry',
    ]),
  );
}

function buildOptions(
  options: PrepareOptions,
  store: string,
): Omit<Parameters<typeof buildTarget>[0], 'kind'> {
  const { workspace, target, probes, minimumStatements, environment, signal, progress } = options;
  return {
    command: target.build.command,
    cwd: path.resolve(workspace, target.build.cwd),
    tool: toolFolder(),
    store,
    probes,
    minimumStatements,
    environment,
    signal,
    progress,
  };
}

/** Objects that other compilers or other settings made must not be linked in. */
async function clean({ workspace, target, environment, signal, progress }: PrepareOptions): Promise<void> {
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

function sameSettings(state: BuiltState, options: PrepareOptions): boolean {
  return (
    state.tool === toolFingerprint() &&
    state.command === options.target.build.command &&
    state.probes === options.probes &&
    state.minimumStatements === options.minimumStatements
  );
}

async function buildIdIfPresent(executable: string): Promise<string | undefined> {
  const there = await stat(executable).then(
    (entry) => entry.isFile(),
    () => false,
  );
  return there ? currentBuildId(executable).catch(() => '') : undefined;
}

async function requireExecutable(executable: string, target: Target): Promise<void> {
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

function unitNotes(units: BuildResult['units']): readonly string[] {
  const withoutFragment = units.filter((unit) => unit.sites === 'entries' && !isFortran(unit.source));
  if (withoutFragment.length === 0) return [];
  const first = withoutFragment[0]?.source ?? '';
  return [
    `${withoutFragment.length} of ${units.length} compiled units have patchable entries only, because their text could not be analysed (first: ${first}).`,
  ];
}

function isFortran(source: string): boolean {
  return /\.(f|for|ftn|f77|f90|f95|f03|f08|f18)$/i.test(source);
}

function noSites(executable: string, problems: readonly string[]): KymoError {
  return new KymoError(
    'no-sites',
    `${executable} has nothing that could be measured. ${problems.join(' ')} Does the build command use \${cc}, \${cxx} and \${fc}, and does the build begin from clean?`,
    { file: executable },
  );
}
