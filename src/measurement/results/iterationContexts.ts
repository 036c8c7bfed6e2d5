import { remembered } from '../../core/remembered';
import { kindOf } from '../../core/series/regionKind';
import type { SeriesRegion } from '../../core/series/series';
import type { CallPaths, Location, Region } from '../../core/profile/profile';
import type {
  IterationContext,
  IterationLocation,
  IterationsDirectory,
} from '../../formats/kymo-iterations/iterationsFile';
import { present } from '../../core/present';

/** Finds call paths of the merged tree by their parent and region. */
export class CallPathFinder {
  private readonly below = new Map<string, number>();

  constructor({ count, parent, region }: CallPaths) {
    for (let path = 0; path < count; path++)
      this.below.set(`${parent[path] ?? -1}:${region[path] ?? 0}`, path);
  }

  /** The call path of the region directly below another one. */
  child(parent: number, region: number): number | undefined {
    return this.below.get(`${parent}:${region}`);
  }
}

/** Numbers the contexts of an `iterations.kymo` in order of appearance, parents first. */
export class ContextList {
  private readonly regions: SeriesRegion[] = [];
  private readonly regionAt = new Map<string, number>();
  private readonly contexts: IterationContext[] = [];
  private readonly contextAt = new Map<number, number>();
  private readonly phases = new Set<number>();
  /** Call path and location by context. */
  readonly callPaths: number[] = [];
  readonly locationsOf: number[] = [];

  constructor(
    private readonly all: readonly Region[],
    private readonly callPathsOfProfile: CallPaths,
    private readonly locations: readonly Location[],
  ) {}

  /** The context of a call path at a location. @param above its parent context */
  at(callPath: number, location: number, above: number | undefined, isPhase: boolean): number {
    const cell = callPath * this.locations.length + location;
    const existing = this.contextAt.get(cell);
    if (existing !== undefined) return existing;
    const region = this.region(this.callPathsOfProfile.region[callPath] ?? 0, isPhase);
    const context = this.contexts.push({ region, location, ...present({ parent: above }) }) - 1;
    if (isPhase) this.phases.add(context);
    this.contextAt.set(cell, context);
    this.callPaths.push(callPath);
    this.locationsOf.push(location);
    return context;
  }

  isPhase(context: number): boolean {
    return this.phases.has(context);
  }

  /** @param phaseThread for each rank, the thread that runs the phase; the directory exchanges its number with 0 */
  directory(
    phase: string,
    phaseThread: ReadonlyMap<number, number>,
    notes: readonly string[],
  ): Omit<IterationsDirectory, 'iterations'> {
    const locations = this.locations.map(({ rank, thread }): IterationLocation => {
      const first = phaseThread.get(rank) ?? 0;
      return { rank, thread: thread === first ? 0 : thread === 0 ? first : thread };
    });
    return { phase, regions: this.regions, locations, contexts: this.contexts, notes };
  }

  private region(position: number, isPhase: boolean): number {
    const add = (): number => this.regions.push(seriesRegion(this.all[position], isPhase)) - 1;
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
