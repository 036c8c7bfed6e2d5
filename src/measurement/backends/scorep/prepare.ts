import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import { mergeUnits } from '../../../core/callgraph/mergeUnits';
import { KymoError } from '../../../core/errors';
import type { SiteKind } from '../../../core/selection/pairCost';
import { buildTarget } from '../../build/buildTarget';
import { readUnits } from '../../build/readUnits';
import { addSymbolFunctions } from '../../symbols/addSymbolFunctions';
import type { FunctionSymbol } from '../../symbols/objectSymbols';
import { readObject } from '../../symbols/readObject';
import { toolFingerprint } from '../../toolFolder';
import type { Backend, Prepared, PrepareOptions } from '../backend';
import {
  cleanBuild,
  commandsOf,
  keepExecutable,
  requireClean,
  requireExecutable,
  storeOf,
} from '../buildSteps';
import { buildFolder } from '../builtState';
import { fileIdentity } from './fileIdentity';
import { instrumentable, worthRecording } from './instrumentable';
import { FilterRecorder } from './filterRecorder';
import { readCollected, writeCollected, type Collected } from './collectedState';
import { requireScorep } from './scorep';

/**
 * Score-P: the compilers' own plug-in puts the events in, a filter says where. A plain build tells the call graph and is the baseline; each
 * selection that is not compiled in is another build.
 */
export const scorepBackend: Backend = { name: 'scorep', prepare };

/**
 * Builds the target once with the plain compilers and reads its call graph.
 * @throws KymoError `scorep-missing`, `config-invalid` (no "clean"), `build-failed`, `executable-missing`, `no-sites`, `cancelled`
 */
async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { target, progress, workspace } = options;
  const executable = path.resolve(workspace, target.executable);
  const scorep = await requireScorep(options);
  requireClean(target, 'Score-P builds the program again for each selection', workspace);
  const { state, builds } = await collectedBuild(options, executable);
  progress.report({ message: `Reading the call graph of ${target.name}` });
  const graph = await readGraph(state, storeOf(options));
  const sites = new Map<string, SiteKind>(
    graph.functions
      .filter(
        (f, position) =>
          instrumentable(f) && (position === graph.entry || worthRecording(f, options.minimumStatements)),
      )
      .map((f) => [f.key, 'probe']),
  );
  if (sites.size === 0)
    throw new KymoError(
      'no-sites',
      `No function of ${executable} is known that Score-P could instrument. Does the build command use \${cc}, \${cxx} and \${fc}, and does it compile something? Building with -g lets Kymo see Fortran procedures, too.`,
      { file: executable },
    );
  const recorder = new FilterRecorder({
    ...options,
    scorep,
    executable,
    baseline: state.executable,
    graph,
    sites,
  });
  return {
    executable,
    buildId: state.buildId,
    get builds() {
      return builds + recorder.builds;
    },
    get buildSeconds() {
      return (builds === 0 ? 0 : state.seconds) + recorder.buildSeconds;
    },
    graph,
    sites,
    recorder,
  };
}

/** The plain build; none when a refinement goes on and its baseline is still there. */
async function collectedBuild(
  options: PrepareOptions,
  executable: string,
): Promise<{ readonly state: Collected; readonly builds: number }> {
  const { workspace, target, progress } = options;
  const folder = buildFolder(workspace, target.name);
  const before = await readCollected(folder);
  const same = before?.tool === toolFingerprint() && before.command === target.build.command;
  if (before !== undefined && same && before.buildId === options.resumeBuildId && (await isThere(before)))
    return { state: before, builds: 0 };
  const store = storeOf(options);
  await mkdir(store, { recursive: true });
  await cleanBuild(options);
  progress.report({ message: `Building ${target.name} without instrumentation` });
  const { units, seconds } = await buildTarget({ ...commandsOf(options, store), kind: 'collecting' });
  await requireExecutable(executable, target);
  const kept = await keepExecutable(executable, path.join(folder, 'baseline'));
  const state: Collected = {
    kymoCollected: 1,
    tool: toolFingerprint(),
    command: target.build.command,
    executable: kept,
    buildId: await fileIdentity(kept),
    units: units.flatMap(({ hash }) => (hash === undefined ? [] : [hash])),
    seconds,
  };
  await writeCollected(folder, state);
  return { state, builds: 1 };
}

async function isThere({ executable, buildId }: Collected): Promise<boolean> {
  const there = await stat(executable).then(
    (entry) => entry.isFile(),
    () => false,
  );
  return there && (await fileIdentity(executable)) === buildId;
}

/** Of the units that ended up in the executable, as far as its symbols tell; Fortran's procedures are known from these alone. */
async function readGraph(state: Collected, store: string): Promise<CallGraph> {
  const { functions } = await readObject(state.executable);
  const symbols = functions.flatMap((one) => userSymbol(one));
  const names = new Set(symbols.flatMap(({ mangledName, simpleName }) => [mangledName, simpleName]));
  const units = await readUnits(store, state.units);
  const linked = units.filter(
    (unit) =>
      unit.functions.length === 0 ||
      unit.functions.some(({ name }) => names.has(name)) ||
      (unit.compiler?.functions ?? []).some((one) => one.hasBody && names.has(one.mangledName)),
  );
  const located = symbols.flatMap(({ mangledName, name, simpleName, file, line, column }) =>
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
  return addSymbolFunctions(mergeUnits(linked, located), symbols);
}

const startFiles =
  /^(_start|_init|_fini|_dl_relocate_static_pie|deregister_tm_clones|register_tm_clones|__do_global_dtors_aux|frame_dummy|__libc_csu_\w+)$/;

/** What is not the C library's start code; its own address stands for the patchable entry, which it has not. */
function userSymbol(symbol: FunctionSymbol): readonly FunctionSymbol[] {
  if (startFiles.test(symbol.mangledName)) return [];
  return [symbol.address === undefined ? symbol : { ...symbol, entry: symbol.address }];
}
