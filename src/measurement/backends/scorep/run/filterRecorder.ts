import { createHash } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CallGraph, CallGraphFunction } from '../../../../core/callgraph/callGraph';
import { KymoError } from '../../../../core/errors';
import type { Profile } from '../../../../core/profile/profile';
import type { SiteKind } from '../../../../core/cost/pairCost';
import { selectedKeys, type Selection } from '../../../../core/selection/selection';
import { readCube } from '../../../../formats/cube4/read';
import { writeExclusions } from '../../../../formats/scorep-filter/lists/write';
import type { Target } from '../../../config/config';
import { writeFileAtomically } from '../../../files/disk';
import type {
  ArmedProgram,
  PrepareOptions,
  Recorder,
  Recording,
  RecordingPlan,
  RunAgain,
} from '../../common/backend';
import { requireExecutable } from '../../common/buildSteps';
import { alignProfile } from './alignProfile';
import type { ScorepCalibration } from '../calibration/calibrateScorep';
import { fileIdentity } from '../../common/fileIdentity';
import type { ScorepInstallation } from '../installation/findScorep';
import { instrumentedBuild } from '../build/instrumentedBuild';
import { instrumenterCommand } from '../build/instrumenterCommand';
import type { Jumps } from '../unfit/jumps';
import { LastRun } from './lastRun';
import { LeftOut } from '../unfit/leftOut';
import type { LinkedParadigms } from '../build/linkedParadigms';
import { withPlainPath } from '../build/plainPath';
import { measurementEnvironment, moreMemoryBytes } from '../installation/measurementEnvironment';
import { problemIn, troubleOf, type Remedies } from './runTrouble';
import { readScorepConfig } from './scorepConfig';
import { selectionFilter } from './selectionFilter';
import { makeOwnFolder } from '../../../files/ownFiles';

export interface FilterRecorderOptions extends PrepareOptions {
  readonly scorep: ScorepInstallation;
  readonly calibration: ScorepCalibration;
  readonly linked: LinkedParadigms;
  /** The executable that the build makes; absolute. */
  readonly executable: string;
  /** The same program without instrumentation; absolute paths. */
  readonly baseline: { readonly executable: string; readonly libraries: readonly string[] };
  readonly graph: CallGraph;
  readonly jumps: Jumps;
  /** The recorder removes functions that a run shows to be unfit for instrumentation. */
  readonly sites: Map<string, SiteKind>;
}

/** The functions that are compiled into the executable in the workspace. */
interface Compiled {
  readonly keys: ReadonlySet<string>;
  readonly identity: string;
}

/** Largest accepted cost, as a share of the last run's time, of visits that a filter skips at run time. */
const leftBehindShare = 0.005;
/** Cost of a skipped visit: a call, a test of the region's handle (together 0.4–1.6 ns), and the prevented inlining. */
const leftBehindSeconds = 5e-9;

/** Recursions up to this depth are recorded level by level; deeper ones make unreadable profiles. */
const deepestRecursion = 1000;
const depthMargin = 20;

/**
 * Applies selections as Score-P filters: in the plug-in at compile time, in the measurement at run time, or in both, as the target's
 * setting decides (docs/formats.md).
 */
export class FilterRecorder implements Recorder {
  readonly baselineExecutable: string;
  readonly baselineEnvironment: Readonly<Record<string, string>>;
  builds = 0;
  buildSeconds = 0;
  private compiled: Compiled | undefined;
  /** Keys that the last run should record. */
  private recorded: ReadonlySet<string> = new Set();
  private readonly lastRun = new LastRun();
  private readonly leftOut: LeftOut;
  private readonly byKey: ReadonlyMap<string, CallGraphFunction>;

  constructor(private readonly options: FilterRecorderOptions) {
    const { executable, libraries } = options.baseline;
    this.baselineExecutable = executable;
    this.baselineEnvironment = libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraryPath(options) };
    this.leftOut = new LeftOut(options.graph, options.sites, options.jumps);
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

  plan(selection: Selection, folder: string): Promise<RecordingPlan> {
    const keys = selectedKeys(selection);
    const { filtering } = this.options.target.scorep;
    return Promise.resolve({
      id: createHash('sha256')
        .update([filtering, ...[...keys].sort()].join('\n'))
        .digest('hex')
        .slice(0, 16),
      instrumented: keys.length,
      arm: () => this.arm(keys, selection, folder),
    });
  }

  private async arm(
    selected: readonly string[],
    selection: Selection,
    folder: string,
  ): Promise<ArmedProgram> {
    const compilation = this.keysToCompile(this.leftOut.without(selected));
    if (compilation !== undefined) await this.build(compilation, selection, folder);
    // The build may have shown that some functions cannot be instrumented.
    const keys = this.leftOut.without(selected);
    this.recorded = keys;
    await writeFileAtomically(path.join(folder, 'scorep.filter'), this.filterText(keys, selection));
    const filter = await this.filterOfRuns(keys, folder);
    const { executable, target, linked, scorep } = this.options;
    return {
      executable,
      makePlace: async (experiment) => {
        await rm(resultsIn(experiment), { recursive: true, force: true });
        await makeOwnFolder(experiment);
      },
      environment: (experiment) => {
        const preload = target.run.environment.LD_PRELOAD ?? process.env.LD_PRELOAD;
        return measurementEnvironment({
          results: resultsIn(experiment),
          slowExceptions: linked.throws && scorep.features.unwinding,
          preload,
          filter,
          totalMemoryBytes: this.lastRun.memoryBytes,
          callpathDepth: this.lastRun.callpathDepth,
          environment: target.scorep.environment,
        });
      },
      collect: (experiment) => this.collect(experiment),
      failed: (experiment, error) => troubleOf(experiment, this.remedies, error),
    };
  }

  /** Undefined when the compiled functions serve this selection as well. */
  private keysToCompile(keys: ReadonlySet<string>): ReadonlySet<string> | undefined {
    const { filtering } = this.options.target.scorep;
    const compiled = this.compiled?.keys;
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
    for (const key of compiled) if (!keys.has(key)) visits += this.lastRun.visitsOf(key);
    const secondsPerVisit = Math.max(leftBehindSeconds, this.options.calibration.filteredSeconds);
    return visits * secondsPerVisit > leftBehindShare * this.lastRun.seconds;
  }

  private async build(keys: ReadonlySet<string>, selection: Selection, folder: string): Promise<void> {
    const { executable, target, scorep, linked, progress, workspace, note } = this.options;
    const filter = path.join(folder, 'scorep.compile.filter');
    await writeFileAtomically(filter, this.filterText(keys, selection));
    const { flags } = target.scorep;
    this.compiled = undefined;
    progress.report({ message: `Building ${target.name} with Score-P, ${keys.size} functions instrumented` });
    const result = await withPlainPath(filter, (plainPath) =>
      instrumentedBuild(
        this.options,
        instrumenterCommand({ scorep, flags, linked, filter: plainPath, target: target.name }),
      ),
    );
    if ('pluginCrashed' in result) {
      const without = this.withoutStructors(keys);
      note(
        `The compiler crashed in Score-P's plug-in, a known problem of constructors and destructors with -flto. They are not instrumented: ${keys.size - without.size} functions.`,
      );
      return this.build(without, selection, folder);
    }
    await requireExecutable(path.resolve(workspace, target.executable), target);
    this.builds++;
    this.buildSeconds += result.seconds;
    this.compiled = { keys, identity: await fileIdentity(executable) };
  }

  /** @throws KymoError `scorep-lto-constructor` when the keys contain no constructor or destructor */
  private withoutStructors(keys: ReadonlySet<string>): ReadonlySet<string> {
    if (this.leftOut.structorsOf(keys) === 0)
      throw new KymoError(
        'scorep-lto-constructor',
        `The compiler crashed in Score-P's plug-in. The build of ${this.options.target.name} seems to use -flto: build with -fno-lto for the measurement, or set "backend" to "kymo".`,
      );
    return this.leftOut.without(keys);
  }

  private filterText(keys: Iterable<string>, selection: Selection): string {
    return selectionFilter(keys, this.byKey, selection, this.options.target.name);
  }

  /**
   * Excludes compiled functions that are not wanted by their names: `EXCLUDE *` would also exclude the program's user regions.
   * @returns the absolute path of the filter; undefined when all compiled functions are wanted
   */
  private async filterOfRuns(keys: ReadonlySet<string>, folder: string): Promise<string | undefined> {
    const unwanted = [...this.compiledKeys].filter((key) => !keys.has(key));
    if (unwanted.length === 0) return undefined;
    const file = path.join(folder, 'scorep.run.filter');
    const entries = unwanted.flatMap((key) => this.byKey.get(key) ?? []);
    const plain = entries.map(({ name, mangledName }) =>
      mangledName === undefined ? { name } : { name, mangledName },
    );
    const title = `Written by Kymo for ${this.options.target.name}: compiled in and not recorded`;
    await writeFileAtomically(file, writeExclusions(plain, [], title));
    return file;
  }

  private async collect(experiment: string): Promise<Recording | RunAgain> {
    const { scorep, graph, calibration } = this.options;
    const results = resultsIn(experiment);
    const file = path.join(experiment, 'profile.cubex');
    const config = readScorepConfig(await readFile(path.join(results, 'scorep.cfg'), 'utf8').catch(() => ''));
    const moved = await rename(path.join(results, 'profile.cubex'), file).then(
      () => undefined,
      (cause: unknown) => cause ?? 'not there',
    );
    await rm(results, { recursive: true, force: true });
    if (moved !== undefined) return this.withoutProfile(experiment, moved);
    const profile = alignProfile(readCube(await readFile(file), file), graph);
    const messages = collapsed(profile) ? await this.collapse(experiment) : [];
    if ('runAgain' in messages) return messages;
    this.requireFunctions(profile);
    this.lastRun.learn(profile, graph);
    return {
      profile,
      calibration: { probe: calibration.recorded, entry: calibration.recorded },
      messages,
      unrecorded: this.leftOut.keys,
      scorep: { version: scorep.version, config },
    };
  }

  /** Handles a tree that is deeper than Score-P records: Score-P missed exits, or the program has a deep recursion. */
  private async collapse(experiment: string): Promise<RunAgain | readonly string[]> {
    const message = this.leftOut.throwing(this.compiledKeys);
    if (message !== undefined) return { runAgain: true, messages: [message] };
    const problem = await problemIn(experiment);
    if (problem?.depth === undefined) return [];
    const usersOwn = 'SCOREP_PROFILING_MAX_CALLPATH_DEPTH' in this.options.target.scorep.environment;
    if (usersOwn || problem.depth > deepestRecursion) return [problem.message];
    this.lastRun.callpathDepth = problem.depth + depthMargin;
    return {
      runAgain: true,
      messages: [
        `The program calls ${problem.depth} levels deep, more than Score-P records by itself; the run was repeated with a limit of ${this.lastRun.callpathDepth}.`,
      ],
    };
  }

  /** Handles a successful run without a profile. */
  private async withoutProfile(experiment: string, cause: unknown): Promise<RunAgain> {
    const trouble = await troubleOf(experiment, this.remedies, cause);
    if (trouble instanceof Error) throw trouble;
    if (trouble !== undefined) return trouble;
    const { executable, linked } = this.options;
    throw new KymoError(
      'no-results',
      switchedOff(this.options.target) ??
        `${executable} ended without a Score-P profile. Was it linked by the build command with \${cc}, \${cxx} or \${fc}, and did it end by exit or by the end of main${linked.mpi ? ', after MPI_Finalize' : ''}? Its output lies in ${path.join(experiment, 'output.txt')}.`,
      { file: path.join(experiment, 'output.txt') },
      { cause },
    );
  }

  /**
   * Refuses a profile without any function although the program's entry, which is always visited, should be in it: the objects were
   * compiled without instrumentation.
   * @throws KymoError `scorep-not-instrumented`
   */
  private requireFunctions({ regions }: Profile): void {
    const { target, executable, graph } = this.options;
    const entry = graph.functions[graph.entry ?? -1];
    if (entry === undefined || !this.recorded.has(entry.key)) return;
    if (regions.some(({ paradigm }) => paradigm === 'compiler')) return;
    throw new KymoError(
      'scorep-not-instrumented',
      switchedOff(target) ??
        `Score-P recorded no function of ${executable}: it was linked with Score-P, but its objects were compiled without. Does the build command compile with \${cc}, \${cxx} or \${fc}, and does "clean" remove all objects? (A compiler cache in between, such as ccache, may give back objects without instrumentation.)`,
      { file: executable },
    );
  }

  private readonly remedies: Remedies = {
    leaveOut: (inner, outer) => this.leftOut.frames(this.compiledKeys, inner, outer),
    moreMemory: () => {
      const { environment } = this.options.target.scorep;
      const more = moreMemoryBytes(this.lastRun.memoryBytes);
      if (more === undefined || 'SCOREP_TOTAL_MEMORY' in environment) return undefined;
      this.lastRun.memoryBytes = more;
      return `Score-P's memory was not enough for all call paths; the run was repeated with ${Math.round(more / 1e6)} MB per process.`;
    },
  };

  private get compiledKeys(): ReadonlySet<string> {
    return this.compiled?.keys ?? new Set();
  }
}

/** Search path that finds the plain libraries beside the plain executable before those of the last build. */
function libraryPath({ baseline, environment, target }: FilterRecorderOptions): string {
  const usual =
    target.run.environment.LD_LIBRARY_PATH ?? environment.LD_LIBRARY_PATH ?? process.env.LD_LIBRARY_PATH;
  return [path.dirname(baseline.executable), ...(usual === undefined ? [] : [usual])].join(':');
}

/** A sentence about the target's setting that keeps Score-P from recording functions, if there is one. */
function switchedOff({ scorep }: Target): string | undefined {
  const [what] = [
    ...scorep.flags.filter((flag) => flag === '--nocompiler'),
    ...Object.entries(scorep.environment)
      .filter(
        ([name, value]) =>
          (name === 'SCOREP_ENABLE_UNWINDING' && /^(true|yes|on|[1-9]\d*)$/i.test(value)) ||
          (name === 'SCOREP_ENABLE_PROFILING' && /^(false|no|off|0)$/i.test(value)) ||
          (name === 'SCOREP_PROFILING_FORMAT' && !/^(default|cube4|cube_tuple)$/i.test(value)),
      )
      .map(([name, value]) => `${name}=${value}`),
  ];
  return what === undefined
    ? undefined
    : `Score-P recorded no function, because ${what} in "scorep" of kymo.json switches that off. Remove it.`;
}

/** Whether Score-P met a call tree deeper than its limit. */
function collapsed(profile: Profile): boolean {
  return profile.regions.some(({ name, paradigm }) => name === 'COLLAPSE' && paradigm !== 'compiler');
}

/** Score-P makes this folder itself, and no parent of it. */
function resultsIn(experiment: string): string {
  return path.join(experiment, 'scorep');
}
