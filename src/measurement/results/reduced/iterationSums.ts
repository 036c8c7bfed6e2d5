import { at, atFloat, atUint } from '../../../core/at';
import { otherThreads, type Digest, type DigestIterations } from '../../../core/digest/digest';
import { mostIterationsOf } from '../../../core/digest/iterations';
import { depthExceededSlot, rootSlot } from '../../../formats/kymo-result/slots';
import { GrowingPaths } from '../live/growingPaths';
import type { LiveIterations, LiveSample } from '../live/liveIterations';

/** An iteration as sums over its processes. */
export interface SummedIteration {
  /** From 0. */
  readonly number: number;
  readonly processes: number;
  readonly preemptedSeconds: number;
  /** Phases without the time in MPI: the sum, the largest of a process, and its rank. */
  readonly computingSeconds: number;
  readonly mostSeconds: number;
  readonly mostRank: number;
  /** By call path; those that were found later are 0. */
  readonly visits: Float64Array;
  readonly seconds: Float64Array;
  readonly childEvents: Float64Array;
}

/** Sums of iterations over the processes that have them, by call path whatever the process. */
export class IterationSums {
  /** By regions of the run, and `otherThreads`: slots of regions that have names only change. */
  private readonly tree = new GrowingPaths();
  /** By context. */
  private readonly places: number[] = [];
  private paths = 1;
  private phase = 0;

  constructor(private readonly live: Pick<LiveIterations, 'run'>) {}

  add(sample: LiveSample): SummedIteration {
    this.learn();
    const { contexts } = this.live.run;
    const column = (): Float64Array => new Float64Array(this.paths);
    const sums = { visits: column(), seconds: column(), childEvents: column() };
    /** Computing seconds by the location of the phase. */
    const phases = new Map<number, number>();
    for (let index = 0; index < sample.count; index++) {
      const context = atUint(sample.contexts, index);
      const place = at(this.places, context);
      const seconds = atFloat(sample.seconds, index);
      increase(sums.visits, place, atFloat(sample.visits, index));
      increase(sums.seconds, place, seconds);
      increase(sums.childEvents, place, atFloat(sample.childEvents, index));
      const location = at(contexts.locationsOf, context);
      if (contexts.isPhase(context)) phases.set(location, (phases.get(location) ?? 0) + seconds);
      else if (phases.has(location) && this.isOutermostMpi(context))
        phases.set(location, (phases.get(location) ?? 0) - seconds);
    }
    const [slowest, mostSeconds] = [...phases].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
    const computingSeconds = [...phases.values()].reduce((sum, seconds) => sum + Math.max(0, seconds), 0);
    return {
      number: sample.number,
      processes: phases.size,
      preemptedSeconds: (sample.preempted ?? []).reduce((sum, { seconds }) => sum + seconds, 0),
      computingSeconds,
      mostSeconds,
      mostRank: contexts.locations[slowest]?.rank ?? 0,
      ...sums,
    };
  }

  /**
   * The first of them, as many as fit.
   * @param regions of the digest that they come into
   */
  digestOf(
    iterations: readonly SummedIteration[],
    { regions, slotCount }: Pick<Digest, 'regions' | 'slotCount'>,
  ): DigestIterations {
    const { paths: width } = this;
    const taken = iterations.slice(0, mostIterationsOf(width));
    const positions = new Map(regions.map(({ name }, position) => [name, slotCount + position]));
    const known = this.live.run.regions;
    const slotOf = (region: number): number => {
      if (region === otherThreads) return otherThreads;
      return known.slotOf(region) ?? positions.get(at(known.regions, region).name) ?? depthExceededSlot;
    };
    const column = (name: 'visits' | 'seconds' | 'childEvents'): Float64Array => {
      const values = new Float64Array(taken.length * width);
      taken.forEach((iteration, row) => values.set(iteration[name], row * width));
      return values;
    };
    return {
      phase: slotOf(this.phase),
      parents: Int32Array.from({ length: width }, (_, path) => this.tree.parentOf(path)),
      slots: Uint32Array.from({ length: width }, (_, path) =>
        path === 0 ? rootSlot : slotOf(this.tree.regionOf(path)),
      ),
      numbers: Uint32Array.from(taken, ({ number }) => number),
      processes: Float64Array.from(taken, ({ processes }) => processes),
      preemptedSeconds: Float64Array.from(taken, ({ preemptedSeconds }) => preemptedSeconds),
      computingSeconds: Float64Array.from(taken, ({ computingSeconds }) => computingSeconds),
      mostSeconds: Float64Array.from(taken, ({ mostSeconds }) => mostSeconds),
      mostRank: Uint32Array.from(taken, ({ mostRank }) => mostRank),
      visits: column('visits'),
      seconds: column('seconds'),
      childEvents: column('childEvents'),
    };
  }

  private isOutermostMpi(context: number): boolean {
    const { contexts, regions } = this.live.run.contexts;
    const isMpi = (of: number): boolean => regions[at(contexts, of).region]?.kind === 'mpi';
    const { parent } = at(contexts, context);
    return isMpi(context) && (parent === undefined || !isMpi(parent));
  }

  /** Takes contexts in that are new: parents come before their children. */
  private learn(): void {
    const { contexts, paths } = this.live.run;
    for (let context = this.places.length; context < contexts.contexts.length; context++) {
      const region = paths.regionOf(contexts.callPathOf(context));
      const { parent, location } = at(contexts.contexts, context);
      if (contexts.isPhase(context)) this.phase = region;
      const isOther = at(contexts.locations, location).thread !== 0;
      const top = isOther ? this.child(0, otherThreads) : 0;
      this.places.push(this.child(parent === undefined ? top : at(this.places, parent), region));
    }
  }

  private child(above: number, region: number): number {
    const place = this.tree.child(above, region);
    this.paths = Math.max(this.paths, place + 1);
    return place;
  }
}

function increase(column: Float64Array, cell: number, amount: number): void {
  column[cell] = atFloat(column, cell) + amount;
}
