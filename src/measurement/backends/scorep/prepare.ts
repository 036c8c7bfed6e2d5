import path from 'node:path';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import { KymoError } from '../../../core/errors';
import { formatSeconds } from '../../../core/format';
import { scorepPairCosts } from '../../../core/cost/pairCost';
import type { Unit } from '../../../core/source/unit';
import { buildTarget } from '../../build/buildTarget';
import { readUnits } from '../../build/readUnits';
import { linkedGraph } from '../../symbols/linkedGraph';
import type { Backend, Prepared, PrepareOptions } from '../common/backend';
import {
  cleanBuild,
  commandsOf,
  keepExecutable,
  requireClean,
  requireExecutable,
  storeOf,
} from '../common/buildSteps';
import { buildFolder } from '../common/builtState';
import { calibrateScorep, type ScorepCalibration } from './calibration/calibrateScorep';
import { fileIdentity } from '../common/fileIdentity';
import { jumpsOf, type Jumps } from './unfit/jumps';
import { keepLibrary } from './build/keepLibrary';
import { ownLibraries, programSymbols } from './build/programSymbols';
import type { ScorepInstallation } from './installation/findScorep';
import { FilterRecorder } from './run/filterRecorder';
import { linkedParadigms } from './build/linkedParadigms';
import { dynamicRegions, phaseNote } from './build/phaseNote';
import { Recordable } from './unfit/recordable';
import { requireScorep } from './installation/scorep';
import { makeOwnFolder } from '../../files/ownFiles';

/**
 * Score-P: the compilers' plug-in inserts the events, a filter selects the functions. A plain build gives the call graph and the baseline;
 * each selection that is not compiled in needs another build.
 */
export const scorepBackend: Backend = { name: 'scorep', prepare };

/**
 * Builds the target once with the plain compilers and reads its call graph.
 * @throws KymoError `scorep-missing`, `scorep-broken`, `scorep-unfit`, `config-invalid` (no "clean"), `build-failed`, `executable-missing`, `no-sites`, `cancelled`
 */
async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { target, progress, workspace } = options;
  const executable = path.resolve(workspace, target.executable);
  const scorep = await requireScorep(options);
  requireClean(target, 'Score-P builds the program again for each selection', workspace);
  const state = await collectedBuild(withHeaders(options, scorep), executable);
  progress.report({ message: `Reading the call graph of ${target.name}` });
  const { graph, jumps, units } = await readProgram(state, storeOf(options));
  const recordable = new Recordable(graph, options.minimumStatements);
  const { sites, whyNotRecorded } = recordable;
  if (sites.size === 0)
    throw new KymoError(
      'no-sites',
      `Kymo found no function of ${executable} that Score-P could instrument. Does the build command use \${cc}, \${cxx} and \${fc}, and does it compile something? With -g, Kymo also finds Fortran procedures.`,
      { file: executable },
    );
  const calibration = await calibrateScorep({
    scorep,
    environment: { ...process.env, ...options.environment },
    measurement: target.scorep.environment,
    cache: buildFolder(workspace, target.name),
    signal: options.signal,
  });
  noteCosts(calibration, options.note);
  if (target.phase !== undefined) await notePhase(options, target.phase, graph, units);
  const recorder = new FilterRecorder({
    ...options,
    scorep,
    calibration,
    linked: await linkedParadigms([state.executable, ...state.libraries]),
    executable,
    baseline: state,
    graph,
    jumps,
    sites,
  });
  return {
    executable,
    buildId: state.buildId,
    get builds() {
      return 1 + recorder.builds;
    },
    get buildSeconds() {
      return state.seconds + recorder.buildSeconds;
    },
    graph,
    sites,
    whyNotRecorded,
    reserve: recordable,
    typicalCosts: scorepPairCosts,
    recorder,
  };
}

function noteCosts({ assumed, unsteady, recorded }: ScorepCalibration, note: PrepareOptions['note']): void {
  if (assumed !== undefined)
    note(
      `The cost of a recorded visit is a rule of thumb (70 ns) and not measured on this machine: ${assumed}.`,
    );
  if (unsteady === true)
    note(
      `The machine is so busy that the cost of a recorded visit is only a rough value: ${formatSeconds(recorded.pairSeconds)}, often ${formatSeconds(recorded.spreadSeconds)} more. Kymo measures it again the next time.`,
    );
}

/** Notes a phase without iterations before the first instrumented build: its name may be mistyped. */
async function notePhase(
  { note, progress, target }: PrepareOptions,
  phase: string,
  graph: CallGraph,
  units: readonly Unit[],
): Promise<void> {
  const sentence = phaseNote(phase, graph, await dynamicRegions(units, graph), target.scorep.flags);
  if (sentence === undefined) return;
  note(sentence);
  progress.log(sentence);
}

/** Options with Score-P's header folders, so that sources that include them also compile without the instrumenter, with empty macros. */
function withHeaders(options: PrepareOptions, { prefix }: ScorepInstallation): PrepareOptions {
  if (prefix === undefined) return options;
  const usual = options.environment.CPATH ?? process.env.CPATH;
  // An empty entry would be the working folder.
  const folders = [
    ...(usual === undefined || usual === '' ? [] : [usual]),
    path.join(prefix, 'include'),
    path.join(prefix, 'include/scorep'),
  ];
  return { ...options, environment: { ...options.environment, CPATH: folders.join(':') } };
}

/** Results of the plain build. */
interface Collected {
  /** Absolute; a copy that later builds leave alone. */
  readonly executable: string;
  /** Shared libraries of the same build, copied beside it: later builds replace them by instrumented ones. */
  readonly libraries: readonly string[];
  readonly buildId: string;
  /** Hashes of the units' fragments. */
  readonly units: readonly string[];
  readonly seconds: number;
}

async function collectedBuild(options: PrepareOptions, executable: string): Promise<Collected> {
  const { workspace, target, progress } = options;
  const folder = buildFolder(workspace, target.name);
  const store = storeOf(options);
  await makeOwnFolder(path.join(store, 'units'));
  await cleanBuild(options);
  progress.report({ message: `Building ${target.name} without instrumentation` });
  const { units, seconds } = await buildTarget({ ...commandsOf(options, store), kind: 'collecting' });
  await requireExecutable(executable, target);
  const baseline = path.join(folder, 'baseline');
  const copy = await keepExecutable(executable, baseline);
  const ownLibraryFiles = await ownLibraries(executable, path.resolve(workspace, target.build.cwd));
  const libraries = await Promise.all(ownLibraryFiles.map((library) => keepLibrary(library, baseline)));
  return {
    executable: copy,
    libraries,
    buildId: await fileIdentity(copy),
    units: units.flatMap(({ hash }) => (hash === undefined ? [] : [hash])),
    seconds,
  };
}

/** Reads the units whose functions are in the program's symbols; Fortran procedures are known from the symbols alone. */
async function readProgram(
  { executable, libraries, units }: Collected,
  store: string,
): Promise<{ readonly graph: CallGraph; readonly jumps: Jumps; readonly units: readonly Unit[] }> {
  const symbols = await programSymbols([executable, ...libraries]);
  const names = new Set(symbols.flatMap(({ mangledName, simpleName }) => [mangledName, simpleName]));
  const linked = (await readUnits(store, units)).filter(
    (unit) =>
      unit.functions.length === 0 ||
      unit.functions.some(({ name }) => names.has(name)) ||
      (unit.compiler?.functions ?? []).some((f) => f.hasBody && names.has(f.mangledName)),
  );
  const graph = linkedGraph(linked, symbols);
  return { graph, jumps: jumpsOf(linked, graph), units: linked };
}
