import { at } from '../../core/at';
import { remembered } from '../../core/remembered';
import { kindOf } from '../../core/series/regionKind';
import type { SeriesRegion, SwitchedIterations } from '../../core/series/series';
import type { CallPaths, Region } from '../../core/profile/profile';
import type {
  IterationContext,
  IterationLocation,
  IterationsDirectory,
} from '../../formats/kymo-iterations/iterationsFile';
import { present } from '../../core/present';

/** The call paths of a run by number; 0 is the root. */
export interface PathsOfRun {
  /** The call path of the region directly below another one. */
  child(parent: number, region: number): number | undefined;
  /** -1 for the root. */
  parentOf(callPath: number): number;
  regionOf(callPath: number): number;
}

/** Call paths of the merged tree. */
export class MergedPaths implements PathsOfRun {
  private readonly below = new Map<string, number>();

  constructor(private readonly callPaths: CallPaths) {
    for (let path = 0; path < callPaths.count; path++)
      this.below.set(`${this.parentOf(path)}:${this.regionOf(path)}`, path);
  }

  child(parent: number, region: number): number | undefined {
    return this.below.get(`${parent}:${region}`);
  }

  parentOf(callPath: number): number {
    return this.callPaths.parent[callPath] ?? -1;
  }

  regionOf(callPath: number): number {
    return this.callPaths.region[callPath] ?? 0;
  }
}

/** More call paths than any run has. */
const mostPaths = 2 ** 26;

/** Numbers the contexts of an `iterations.kymo` in order of appearance, parents first. */
export class ContextList {
  readonly regions: SeriesRegion[] = [];
  private readonly regionAt = new Map<string, number>();
  /** Position in the run's regions by region. */
  private readonly positions: number[] = [];
  readonly contexts: IterationContext[] = [];
  private readonly contextAt = new Map<number, number>();
  private readonly phases = new Set<number>();
  /** Call path and location by context. */
  readonly callPaths: number[] = [];
  readonly locationsOf: number[] = [];

  constructor(
    private readonly all: readonly Region[],
    private readonly paths: PathsOfRun,
    readonly locations: readonly IterationLocation[],
  ) {}

  /** The context of a call path at a location. @param above its parent context */
  at(callPath: number, location: number, above: number | undefined, isPhase: boolean): number {
    const cell = location * mostPaths + callPath;
    const existing = this.contextAt.get(cell);
    if (existing !== undefined) return existing;
    const region = this.region(this.paths.regionOf(callPath), isPhase);
    const context = this.contexts.push({ region, location, ...present({ parent: above }) }) - 1;
    if (isPhase) this.phases.add(context);
    this.contextAt.set(cell, context);
    this.callPaths.push(callPath);
    this.locationsOf.push(location);
    return context;
  }

  parentOf(context: number): number | undefined {
    return this.contexts[context]?.parent;
  }

  callPathOf(context: number): number {
    return at(this.callPaths, context);
  }

  isPhase(context: number): boolean {
    return this.phases.has(context);
  }

  /** @param phaseThread for each rank, the thread that runs the phase; the directory exchanges its number with 0 */
  directory(
    phase: string,
    phaseThread: ReadonlyMap<number, number>,
    pairSeconds: number,
  ): Omit<IterationsDirectory, 'iterations'> {
    const locations = this.locations.map(({ rank, thread }): IterationLocation => {
      const first = phaseThread.get(rank) ?? 0;
      return { rank, thread: thread === first ? 0 : thread === 0 ? first : thread };
    });
    return { phase, regions: this.regions, locations, contexts: this.contexts, pairSeconds, notes: [] };
  }

  /** What a directory says of switched functions. @param isPart whether a region of the run was recorded in a part of it only */
  switched(
    isPart: (region: Region) => boolean,
    switches: SwitchedIterations,
  ): Pick<IterationsDirectory, 'partlyRecorded' | 'switches'> {
    const partlyRecorded = this.positions.flatMap((position, index) => {
      const region = this.all[position];
      return region !== undefined && isPart(region) ? [index] : [];
    });
    return {
      ...(partlyRecorded.length === 0 ? {} : { partlyRecorded }),
      ...(switches.length === 0 ? {} : { switches }),
    };
  }

  private region(position: number, isPhase: boolean): number {
    const add = (): number => {
      this.positions.push(position);
      return this.regions.push(seriesRegion(this.all[position], isPhase)) - 1;
    };
    return remembered(this.regionAt, `${position}:${isPhase}`, add);
  }
}

function seriesRegion(region: Region | undefined, isPhase: boolean): SeriesRegion {
  const { name = '?', file, firstLine, lastLine } = region ?? {};
  const kind = region === undefined ? 'function' : kindOf(region);
  return {
    name,
    kind: isPhase ? 'phase' : kind,
    ...present({ file, line: firstLine, endLine: lastLine }),
  };
}
