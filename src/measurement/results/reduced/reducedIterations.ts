import { at, atFloat, atInt, atUint } from '../../../core/at';
import { otherThreads, type Digest, type DigestIterations } from '../../../core/digest/digest';
import { remembered } from '../../../core/remembered';
import type {
  IterationLocation,
  IterationSample,
  IterationsDirectory,
} from '../../../formats/kymo-iterations/iterationsFile';
import { ContextList } from '../iterationContexts';
import { GrowingPaths } from '../live/growingPaths';
import { SlotRegions, type SlotRegionsOptions } from '../slotRegions';
import { namedRegions } from './namedRegions';

/** Processes that have none after others had so many iterations have no iterations at all. */
const patience = 256;
/** The threads that run the phase, and all others: sums over the processes. */
const locations: readonly IterationLocation[] = [
  { rank: 0, thread: 0 },
  { rank: 0, thread: 1 },
];

/** The iterations of a reduced run: each is taken once, when all processes have it. */
export class ReducedIterations {
  /** The first iteration that is wanted, from 0. */
  next = 0;
  /** Iterations that came before the first that was taken, and those that were lost later. */
  before = 0;
  lost = 0;
  /** Processes that have iterations. */
  processes = 0;
  /** Of the iterations that were taken last. */
  slowest: SlowestProcess | undefined;
  private phase: string | undefined;
  private readonly regions: SlotRegions;
  private readonly paths = new GrowingPaths();
  private readonly contexts: ContextList;
  private readonly below = new Map<string, number>();

  constructor(program: SlotRegionsOptions) {
    this.regions = new SlotRegions(program);
    this.contexts = new ContextList(this.regions.regions, this.paths, locations);
  }

  /** What the contexts of samples are: grows. Undefined before the phase is known. */
  get directory(): Omit<IterationsDirectory, 'iterations' | 'notes'> | undefined {
    const { phase, contexts } = this;
    return phase === undefined
      ? undefined
      : { phase, regions: contexts.regions, locations, contexts: contexts.contexts };
  }

  /** The iterations of a digest that are new, and that all processes have. */
  take(digest: Digest): readonly IterationSample[] {
    const { iterations } = digest;
    this.processes = Math.max(this.processes, expected(digest));
    if (iterations === undefined || this.processes === 0) return [];
    const rows = Array.from(iterations.numbers, (_, row) => row).filter(
      (row) =>
        atUint(iterations.numbers, row) >= this.next && atFloat(iterations.processes, row) === this.processes,
    );
    if (rows.length === 0) return [];
    this.slowest = slowestOf(iterations, rows);
    const contexts = this.contextsOf(digest, iterations);
    return rows.map((row) => {
      const number = atUint(iterations.numbers, row);
      if (this.next === 0) this.before = number;
      else this.lost += number - this.next;
      this.next = number + 1;
      return this.sampleOf(iterations, row, contexts);
    });
  }

  /** The context of each path but the root and what stands for other threads. */
  private contextsOf(digest: Digest, { phase, parents, slots }: DigestIterations): readonly PathContext[] {
    const regions = namedRegions(digest);
    const regionOf = (slot: number): number => this.regions.ofSlotIn({ regions }, slot);
    this.phase ??= at(this.regions.regions, regionOf(phase)).name;
    const places: (number | undefined)[] = [];
    const found: PathContext[] = [];
    const isOfOthers: boolean[] = [];
    slots.forEach((slot, path) => {
      const above = path === 0 ? 0 : atInt(parents, path);
      isOfOthers[path] = path > 0 && (slot === otherThreads || isOfOthers[above] === true);
      if (path === 0 || slot === otherThreads) return;
      const context = this.context(places[above], regionOf(slot), isOfOthers[path] ? 1 : 0);
      places[path] = context;
      found.push({ path, context });
    });
    return found.sort((a, b) => a.context - b.context);
  }

  private sampleOf(
    iterations: DigestIterations,
    row: number,
    contexts: readonly PathContext[],
  ): IterationSample {
    const first = row * iterations.parents.length;
    const visited = contexts.filter(({ path }) => atFloat(iterations.visits, first + path) > 0);
    const column = (values: Float64Array): Float64Array =>
      Float64Array.from(visited, ({ path }) => atFloat(values, first + path));
    const preempted = atFloat(iterations.preemptedSeconds, row);
    const phase = visited.find(({ context }) => this.contexts.isPhase(context));
    return {
      count: visited.length,
      contexts: Uint32Array.from(visited, ({ context }) => context),
      visits: column(iterations.visits),
      seconds: column(iterations.seconds),
      childEvents: column(iterations.childEvents),
      preempted:
        phase === undefined || preempted === 0 ? [] : [{ context: phase.context, seconds: preempted }],
    };
  }

  private context(above: number | undefined, region: number, location: number): number {
    return remembered(this.below, `${above ?? ''}:${region}:${location}`, () => {
      const pathAbove = above === undefined ? 0 : this.contexts.callPathOf(above);
      const isPhase = above === undefined && location === 0;
      return this.contexts.at(this.paths.child(pathAbove, region), location, above, isPhase);
    });
  }
}

/** The process that computes longest most often; time in MPI is none, because processes wait for each other there. */
export interface SlowestProcess {
  readonly rank: number;
  /** In so many of so many iterations. */
  readonly iterations: number;
  readonly of: number;
  /** How long it computes in these, as a multiple of the mean of all processes. */
  readonly ratio: number;
}

function slowestOf(iterations: DigestIterations, rows: readonly number[]): SlowestProcess | undefined {
  const { processes, computingSeconds, mostRank, mostSeconds } = iterations;
  const found = new Map<number, { count: number; most: number; mean: number }>();
  for (const row of rows) {
    const own = remembered(found, atUint(mostRank, row), () => ({ count: 0, most: 0, mean: 0 }));
    own.count++;
    own.most += atFloat(mostSeconds, row);
    own.mean += atFloat(computingSeconds, row) / atFloat(processes, row);
  }
  const [first] = [...found].sort(([, a], [, b]) => b.count - a.count);
  if (first === undefined || first[1].mean === 0) return undefined;
  const [rank, { count, most, mean }] = first;
  return { rank, iterations: count, of: rows.length, ratio: most / mean };
}

interface PathContext {
  readonly path: number;
  readonly context: number;
}

/** How many processes have iterations; 0 while another one may still begin to. */
function expected({ clusters }: Digest): number {
  let [processes, iterating, most] = [0, 0, 0];
  for (const cluster of clusters) {
    processes += cluster.processes;
    iterating += cluster.iterating;
    most = Math.max(most, cluster.mostIterations);
  }
  return iterating === processes || most >= patience ? iterating : 0;
}
