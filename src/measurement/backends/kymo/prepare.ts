import path from 'node:path';
import { at } from '../../../core/at';
import { KymoError } from '../../../core/errors';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import { withOutsideCalls } from '../../../core/callgraph/outsideCalls';
import { typicalSampledCosts, type SiteKind } from '../../../core/cost/pairCost';
import { buildTarget, type BuildResult } from '../../build/buildTarget';
import { readUnits } from '../../build/readUnits';
import { linkedGraph } from '../../symbols/linkedGraph';
import { findLinkedObjects } from '../../symbols/linkedObjects';
import { currentBuildId } from '../../symbols/readObject';
import { makeSiteMap } from '../../symbols/siteMap';
import type { SiteMap } from '../../symbols/sites';
import { readObjectSymbols } from '../../symbols/symbolCache';
import { toolFingerprint } from '../../files/toolFolder';
import type { Backend, Prepared, PrepareOptions } from '../common/backend';
import { cleanBuild, commandsOf, requireExecutable, storeOf } from '../common/buildSteps';
import { buildFolder, readBuiltState, writeBuiltState, type BuiltState } from '../common/builtState';
import { SiteRecorder } from './siteRecorder';
import { isFile } from '../../files/isFile';
import { mpiLayer } from '../../layers/mpiLayer';
import { ioLayer } from '../../layers/ioLayer';
import { openmpLayer, pthreadLayer } from '../../layers/threadLayers';
import { makeOwnFolder } from '../../files/ownFiles';
import { present } from '../../../core/present';

/** Kymo's own back-end: one build with sites in all functions, which the runtime enables for each run. */
export const kymoBackend: Backend = { name: 'kymo', prepare };

/**
 * Builds the target once with sites and reads its call graph and sites.
 * @throws KymoError `build-failed`, `executable-missing`, `no-sites`, `no-build-id`, `cancelled`
 */
export async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { workspace, target, note, progress } = options;
  const executable = path.resolve(workspace, target.executable);
  const built = await build(options, executable);
  progress.report({ message: `Reading the call graph and the symbols of ${target.name}` });
  const { graph, siteMap } = await analyse(options, executable, storeOf(options));
  const problems = siteMap.problems ?? [];
  for (const problem of problems) note(problem);
  const sites = siteKinds(siteMap);
  if (sites.size === 0) throw noSites(executable, problems);
  const environment = { ...process.env, ...target.run.environment };
  const mpi = await mpiLayer(executable, environment, options.signal);
  const io = target.io ? [await ioLayer(executable, environment, options.signal)] : [];
  const layers = [
    mpi,
    await openmpLayer(executable, environment, options.signal),
    ...(target.pthreads ? [await pthreadLayer(executable, environment, options.signal)] : []),
    ...io,
  ];
  for (const layer of layers) if (layer.kind === 'missing') note(layer.note);
  const recorder = new SiteRecorder({
    ...options,
    phase: target.phase,
    executable,
    buildId: built.buildId,
    graph,
    siteMap,
    layers: layers.flatMap((layer) => (layer.kind === 'layer' ? [layer.library] : [])),
    recordsMpi: mpi.kind === 'layer',
    recordsIo: io.some(({ kind }) => kind === 'layer'),
    counters: target.counters,
    preloaded: environment.LD_PRELOAD,
  });
  const { inlinedToo } = siteMap;
  return {
    executable,
    ...built,
    graph,
    sites,
    ...present({ inlinedToo }),
    typicalCosts: typicalSampledCosts,
    recorder,
  };
}

/** One build, from clean unless the objects on disk are Kymo's with the same settings. */
async function build(
  options: PrepareOptions,
  executable: string,
): Promise<Pick<Prepared, 'buildId' | 'builds' | 'buildSeconds'>> {
  const { workspace, target, progress } = options;
  const folder = buildFolder(workspace, target.name);
  await makeOwnFolder(path.join(storeOf(options), 'units'));
  const before = await readBuiltState(folder);
  const trusted = before !== undefined && sameSettings(before, options) ? before.buildId : undefined;
  const existing = await buildIdIfPresent(executable);
  if (existing !== undefined && existing !== trusted) await cleanBuild(options);
  progress.report({ message: `Building ${target.name}` });
  const built = await buildTarget({
    ...commandsOf(options, storeOf(options)),
    kind: 'measuring',
    probes: options.probes,
    minimumStatements: options.minimumStatements,
  });
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

async function analyse(
  options: PrepareOptions,
  executable: string,
  store: string,
): Promise<{ readonly graph: CallGraph; readonly siteMap: SiteMap }> {
  const libraryPath = options.target.run.environment.LD_LIBRARY_PATH;
  const objects = await findLinkedObjects(executable, {
    folders: [path.resolve(options.workspace, options.target.build.cwd)],
    libraryPath,
  });
  const symbols = await Promise.all(objects.map((object) => readObjectSymbols(object)));
  const units = await readUnits(store, new Set(symbols.flatMap((object) => object.units)));
  const functions = symbols.flatMap((object) => object.functions);
  const linked = linkedGraph(units, functions);
  const siteMap = await makeSiteMap({ executable, libraries: objects.slice(1), units, graph: linked });
  const graph = withOutsideCalls(linked, (position) =>
    siteMap.functions.has(at(linked.functions, position).key),
  );
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

function sameSettings(state: BuiltState, options: PrepareOptions): boolean {
  return (
    state.tool === toolFingerprint() &&
    state.command === options.target.build.command &&
    state.probes === options.probes &&
    state.minimumStatements === options.minimumStatements
  );
}

async function buildIdIfPresent(executable: string): Promise<string | undefined> {
  return (await isFile(executable)) ? currentBuildId(executable).catch(() => '') : undefined;
}

/** Sentences about units without probes, with the reasons. */
function unitNotes(units: BuildResult['units']): readonly string[] {
  const withoutFragment = units.filter((unit) => unit.sites === 'entries' && !isFortran(unit.source));
  const options = new Set(withoutFragment.map(({ option }) => option));
  return [...options].map((option) => {
    const concerned = withoutFragment.filter((unit) => unit.option === option);
    const count = `${concerned.length} of ${units.length} compiled units`;
    const first = `(first: ${concerned[0]?.source ?? ''})`;
    return option === undefined
      ? `${count} have patchable entries only, because their text could not be analysed ${first}.`
      : `${count} have patchable entries only, because ${option} needs the compiler's own way of compiling ${first}: Kymo cannot record functions that are inlined there, and does not know their calls. Build without ${option} to measure them in full.`;
  });
}

function isFortran(source: string): boolean {
  return /\.(f|for|ftn|f77|f90|f95|f03|f08|f18)$/i.test(source);
}

function noSites(executable: string, problems: readonly string[]): KymoError {
  return new KymoError(
    'no-sites',
    `${executable} has no function that could be measured. ${problems.join(' ')} Does the build command use \${cc}, \${cxx} and \${fc}, and does the build begin from clean?`,
    { file: executable },
  );
}
