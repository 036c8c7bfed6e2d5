import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CallGraph, CallGraphFunction } from '../../../core/callgraph/callGraph';
import { KymoError } from '../../../core/errors';
import type { Profile } from '../../../core/profile/profile';
import { regionKeys } from '../../../core/selection/regionKeys';
import type { SiteKind } from '../../../core/selection/pairCost';
import { selectedKeys, type Selection } from '../../../core/selection/selection';
import { readCube } from '../../../formats/cube4/read';
import { writeFilter } from '../../../formats/scorep-filter/write';
import { buildTarget } from '../../build/buildTarget';
import { writeFileAtomically } from '../../experiments/disk';
import type { ArmedProgram, PrepareOptions, Recorder, Recording, RecordingPlan, RunAgain } from '../backend';
import { cleanBuild, commandsOf, requireExecutable, storeOf } from '../buildSteps';
import { fileIdentity } from './fileIdentity';
import { leftByExceptions } from './leftByExceptions';
import type { Scorep } from './scorep';

export interface FilterRecorderOptions extends PrepareOptions {
  readonly scorep: Scorep;
  /** What the build makes; absolute. */
  readonly executable: string;
  /** The same program without instrumentation; absolute. */
  readonly baseline: string;
  readonly graph: CallGraph;
  /** Loses what a run shows to be unfit for instrumentation. */
  readonly sites: Map<string, SiteKind>;
}

/** What is compiled into the executable that lies in the workspace. */
interface Compiled {
  readonly keys: ReadonlySet<string>;
  readonly identity: string;
}

/** Visits that a filter skips at run time are few when they would cost less than this share of the baseline. */
const leftBehindShare = 0.005;
/** A call, a look at the region's handle, and what the compiler could not inline for it (spec of the field: 0.4–1.6 ns without the last). */
const leftBehindSeconds = 5e-9;

/**
 * Selections as Score-P filters. The plug-in applies one while it compiles, the measurement another while the program runs; by the
 * target's setting only one of them, or both (docs/formats.md).
 */
export class FilterRecorder implements Recorder {
  readonly baselineExecutable: string;
  builds = 0;
  buildSeconds = 0;
  private compiled: Compiled | undefined;
  /** Visits per function key as last recorded. */
  private readonly visits = new Map<string, number>();
  /** Instrumented, they spoil the measurement. */
  private readonly unfit = new Set<string>();
  private readonly byKey: ReadonlyMap<string, CallGraphFunction>;

  constructor(private readonly options: FilterRecorderOptions) {
    this.baselineExecutable = options.baseline;
    this.byKey = new Map(options.graph.functions.map((f) => [f.key, f]));
  }

  async requireSameProgram(): Promise<void> {
    const { executable } = this.options;
    if (this.compiled === undefined) return;
    const now = await fileIdentity(executable).catch(() => '');
    if (now === this.compiled.identity) return;
    throw new KymoError(
      'executable-changed',
      `${executable} was rebuilt while it was being measured. Nothing was measured with the new one; run the same command again.`,
      { file: executable },
    );
  }

  async plan(selection: Selection, folder: string): Promise<RecordingPlan> {
    const keys = selectedKeys(selection);
    const { filtering } = this.options.target.scorep;
    return {
      id: createHash('sha256')
        .update([filtering, ...[...keys].sort()].join('\n'))
        .digest('hex')
        .slice(0, 16),
      instrumented: keys.length,
      arm: () => this.arm(new Set(keys.filter((key) => !this.unfit.has(key))), selection, folder),
    };
  }

  private async arm(keys: ReadonlySet<string>, selection: Selection, folder: string): Promise<ArmedProgram> {
    const file = path.join(folder, 'scorep.filter');
    await writeFileAtomically(file, this.filterText([...keys], selection));
    const wanted = this.keysToCompile(keys);
    if (wanted !== undefined) await this.build(wanted, selection, folder);
    const { executable, target } = this.options;
    const filtersRun = [...(this.compiled?.keys ?? [])].some((key) => !keys.has(key));
    return {
      executable,
      begin: async (experiment) => {
        const results = resultsIn(experiment);
        await rm(results, { recursive: true, force: true });
        await mkdir(experiment, { recursive: true });
        return {
          SCOREP_ENABLE_PROFILING: 'true',
          SCOREP_ENABLE_TRACING: 'false',
          SCOREP_EXPERIMENT_DIRECTORY: results,
          SCOREP_OVERWRITE_EXPERIMENT_DIRECTORY: 'true',
          SCOREP_TOTAL_MEMORY: '256M',
          SCOREP_PROFILING_ENABLE_CLUSTERING: 'false',
          ...(filtersRun ? { SCOREP_FILTERING_FILE: file } : {}),
          ...target.scorep.environment,
        };
      },
      collect: (experiment) => this.collect(experiment),
    };
  }

  /** Undefined: what is compiled in serves this selection as well. */
  private keysToCompile(keys: ReadonlySet<string>): ReadonlySet<string> | undefined {
    const { filtering } = this.options.target.scorep;
    const compiled = this.compiled?.keys;
    if (compiled !== undefined && [...compiled].some((key) => this.unfit.has(key))) return keys;
    const covers = compiled !== undefined && [...keys].every((key) => compiled.has(key));
    switch (filtering) {
      case 'compile-time':
        return covers && compiled.size === keys.size ? undefined : keys;
      case 'run-time':
        return covers ? undefined : new Set([...(compiled ?? this.options.sites.keys()), ...keys]);
      case 'hybrid':
        return covers && !this.leavesTooMuchBehind(compiled, keys) ? undefined : keys;
    }
  }

  private leavesTooMuchBehind(compiled: ReadonlySet<string>, keys: ReadonlySet<string>): boolean {
    let visits = 0;
    for (const key of compiled) if (!keys.has(key)) visits += this.visits.get(key) ?? 0;
    return visits * leftBehindSeconds > leftBehindShare * this.seconds;
  }

  /** Of the last recorded run; until then, nothing is known that could be too much. */
  private seconds = Infinity;

  private async build(keys: ReadonlySet<string>, selection: Selection, folder: string): Promise<void> {
    const { executable, target, scorep, progress, workspace } = this.options;
    const file = path.join(folder, 'scorep.compile.filter');
    await writeFileAtomically(file, this.filterText([...keys], selection));
    this.compiled = undefined;
    await cleanBuild(this.options);
    progress.report({ message: `Building ${target.name} with Score-P, ${keys.size} functions instrumented` });
    const result = await buildTarget({
      ...commandsOf(this.options, storeOf(this.options)),
      kind: 'instrumenting',
      instrumenter: [scorep.path, ...target.scorep.flags, `--instrument-filter=${file}`],
    });
    await requireExecutable(path.resolve(workspace, target.executable), target);
    this.builds++;
    this.buildSeconds += result.seconds;
    this.compiled = { keys, identity: await fileIdentity(executable) };
  }

  private filterText(keys: readonly string[], selection: Selection): string {
    const entries = keys.flatMap((key) => {
      const f = this.byKey.get(key);
      if (f === undefined) return [];
      const rule = selection.decisions.get(key)?.reason.rule;
      return [
        {
          name: f.name,
          ...(f.mangledName === undefined ? {} : { mangledName: f.mangledName }),
          ...(rule === undefined ? {} : { reason: rule }),
        },
      ];
    });
    return writeFilter(entries, `Written by Kymo for ${this.options.target.name}`);
  }

  private async collect(experiment: string): Promise<Recording | RunAgain> {
    const { executable } = this.options;
    const results = resultsIn(experiment);
    const from = path.join(results, 'profile.cubex');
    const file = path.join(experiment, 'profile.cubex');
    try {
      await rename(from, file);
    } catch (cause) {
      throw new KymoError(
        'no-results',
        `${executable} ended without a Score-P profile (${from} is not there). Was it linked by the build command with \${cc}, \${cxx} or \${fc}? Its output lies in ${path.join(experiment, 'output.txt')}.`,
        { file: from },
        { cause },
      );
    }
    await rename(path.join(results, 'scorep.cfg'), path.join(experiment, 'scorep.cfg')).catch(
      () => undefined,
    );
    await rm(results, { recursive: true, force: true });
    const profile = readCube(await readFile(file), file);
    const left = collapsed(profile) ? this.leaveOut() : [];
    if (left.length > 0) return { runAgain: true, messages: [exceptionMessage(left, this.byKey)] };
    this.learn(profile);
    return { profile, calibration: { probe: pair, entry: pair }, messages: [], unrecorded: this.unfit };
  }

  /** Calls without an exit pile up until the tree is too deep. @returns the functions that are not instrumented from now on */
  private leaveOut(): readonly string[] {
    const { graph, sites } = this.options;
    const keys = this.compiled?.keys ?? new Set<string>();
    const likely = leftByExceptions(graph, keys, false);
    const left = likely.length > 0 ? likely : leftByExceptions(graph, keys, true);
    for (const key of left) {
      this.unfit.add(key);
      sites.delete(key);
    }
    return left;
  }

  private learn(profile: Profile): void {
    const keys = regionKeys(profile, this.options.graph);
    const visits = profile.stored.get('visits');
    const width = Math.max(1, profile.locations.length);
    const counted = new Map<string, number>();
    for (let row = 0; visits !== undefined && row < profile.callPaths.count; row++) {
      const key = keys[profile.callPaths.region[row] ?? -1] ?? '';
      let most = 0;
      for (let at = row * width; at < (row + 1) * width; at++) most = Math.max(most, visits[at] ?? 0);
      counted.set(key, (counted.get(key) ?? 0) + most);
    }
    for (const [key, count] of counted) this.visits.set(key, count);
    const time = profile.stored.get('time');
    let seconds = 0;
    for (let at = 0; time !== undefined && at < width; at++) seconds = Math.max(seconds, time[at] ?? 0);
    this.seconds = seconds;
  }
}

/** Whether Score-P met a call tree deeper than its limit. */
function collapsed(profile: Profile): boolean {
  return profile.regions.some(({ name, paradigm }) => name === 'COLLAPSE' && paradigm !== 'compiler');
}

function exceptionMessage(
  keys: readonly string[],
  functions: ReadonlyMap<string, CallGraphFunction>,
): string {
  const names = keys.slice(0, 5).map((key) => functions.get(key)?.name ?? key);
  const rest = keys.length > names.length ? ` and ${keys.length - names.length} more` : '';
  return `An exception or a long jump leaves ${names.join(', ')}${rest}. Score-P does not see their exits then, so they are not instrumented, and the run was repeated without them.`;
}

/** Score-P makes this folder itself, and no parent of it. */
function resultsIn(experiment: string): string {
  return path.join(experiment, 'scorep');
}

const pair = { pairSeconds: 70e-9, spreadSeconds: 5e-9, insideSeconds: 35e-9, outsideSeconds: 35e-9 };
