import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CallGraphFunction } from '../src/core/callgraph/callGraph';
import { silent } from '../src/core/progress';
import { readCube } from '../src/formats/cube4/read';
import { loadConfig, selectTarget } from '../src/measurement/config/loadConfig';
import { functionKeyOf } from '../src/measurement/results/slotRegions';
import { measure } from '../src/workflows/measure';
import { prepare } from '../src/measurement/backends/kymo/prepare';
import { executedFunctions, simpleName, type ExecutedFunction } from './executedFunctions';

/** How much of what a program executes can be seen at its own optimisation. */
export interface VisibleKernels {
  /** Executed user functions with own statements ≥ 10 or a loop. */
  readonly kernels: readonly Kernel[];
  /** Executed functions of many lines that the call graph does not know: missed kernels, too. */
  readonly unknown: readonly ExecutedFunction[];
}

export interface Kernel {
  readonly name: string;
  readonly place: string;
  readonly hasSite: boolean;
  readonly recorded: boolean;
}

export interface KernelProgram {
  /** Folder of the sources; stays as it is. */
  readonly sources: string;
  /** Empty folder for the two builds. */
  readonly scratch: string;
  /** Target of kymo.json; its executable and arguments are used for the coverage run, too. */
  readonly target: {
    readonly name: string;
    readonly build: { readonly command: string };
    readonly executable: string;
    readonly run: {
      readonly arguments: readonly string[];
      readonly environment?: Readonly<Record<string, string>>;
      readonly successStatuses?: readonly number[];
    };
  };
  /** Done to each copy of the sources. */
  readonly prepare?: (tree: string) => void;
}

/** Lines of code from which a function that is missing in the call graph counts as a kernel. */
const manyLines = 10;

/**
 * Executed functions according to gcov (a build at -O0, none of our code) are joined by file, line and name with the call graph, and with
 * what a run with everything selected recorded.
 */
export async function visibleKernels(program: KernelProgram): Promise<VisibleKernels> {
  const { target } = program;
  const executed = executedFunctions({
    tree: copy(program, 'coverage'),
    build: target.build.command.replace(/\$\{(cc|cxx)\}/g, (_, name: string) => `"$${name.toUpperCase()}"`),
    run: [target.executable, ...target.run.arguments],
    ...(target.run.environment === undefined ? {} : { environment: target.run.environment }),
    statuses: target.run.successStatuses ?? [0],
  });
  const workspace = copy(program, 'sites');
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  const filter = path.join(program.scratch, 'everything.filter');
  writeFileSync(filter, 'SCOREP_REGION_NAMES_BEGIN\nINCLUDE *\nSCOREP_REGION_NAMES_END\n');
  const { signal } = new AbortController();
  const measured = await measure({ workspace, filter, repetitions: 1, signal });
  const profile = readCube(readFileSync(measured.profile), measured.profile);
  const recorded = new Set(profile.regions.map(functionKeyOf));
  const { graph, sites } = await prepare({
    workspace,
    target: selectTarget((await loadConfig(workspace)).config, undefined),
    probes: true,
    minimumStatements: 10,
    environment: {},
    signal,
    progress: silent,
    note: () => undefined,
  });
  return join(executed, functionsByPlace(graph.functions, workspace), (key) => ({
    hasSite: sites.has(key),
    recorded: recorded.has(key),
  }));
}

function functionsByPlace(
  functions: readonly CallGraphFunction[],
  workspace: string,
): ReadonlyMap<string, readonly CallGraphFunction[]> {
  const byPlace = new Map<string, CallGraphFunction[]>();
  for (const one of functions) {
    if (!one.hasBody || one.isSystem || one.file === undefined || one.line === undefined) continue;
    const place = `${path.relative(workspace, one.file)}:${one.line}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), one]);
  }
  return byPlace;
}

function join(
  executed: readonly ExecutedFunction[],
  byPlace: ReadonlyMap<string, readonly CallGraphFunction[]>,
  seen: (key: string) => Pick<Kernel, 'hasSite' | 'recorded'>,
): VisibleKernels {
  const kernels = new Map<string, Kernel>();
  const unknown: ExecutedFunction[] = [];
  for (const one of executed) {
    const place = `${one.file}:${one.line}`;
    const there = byPlace.get(place) ?? [];
    // Macros define several functions on one line.
    const named = there.filter((f) => simpleName(f.name) === one.name);
    const same = named.length === 0 && there.length === 1 ? there : named;
    if (same.length === 0 && one.codeLines >= manyLines) unknown.push(one);
    const kernel = same.find((f) => f.statements >= 10 || f.loops > 0);
    if (kernel === undefined) continue;
    // Instances of a template are one function here: gcov need not have seen all of them.
    const instances = same.map((f) => seen(f.key));
    kernels.set(`${place} ${one.name}`, {
      name: one.name,
      place,
      hasSite: instances.some((i) => i.hasSite),
      recorded: instances.some((i) => i.recorded),
    });
  }
  return { kernels: [...kernels.values()], unknown };
}

/** The figure of the bar, and what is missing, in words. */
export function describeKernels(name: string, { kernels, unknown }: VisibleKernels): string {
  const all = kernels.length + unknown.length;
  const missing = [
    ...kernels
      .filter((k) => !k.recorded)
      .map((k) => `${k.name} (${k.place}, ${k.hasSite ? 'not recorded' : 'no site'})`),
    ...unknown.map((one) => `${one.name} (${one.file}:${one.line}, not in the call graph)`),
  ];
  const recorded = kernels.filter((k) => k.recorded).length;
  return `${name}: ${recorded} of ${all} executed kernels recorded (${((100 * recorded) / all).toFixed(1)} %)${missing.length === 0 ? '' : `; missing: ${missing.join(', ')}`}`;
}

function copy(program: KernelProgram, variant: string): string {
  const tree = path.join(program.scratch, variant);
  cpSync(program.sources, tree, {
    recursive: true,
    filter: (file) => !file.endsWith('.o') && path.basename(file) !== '.kymo',
  });
  program.prepare?.(tree);
  return tree;
}
