import { atFloat, atUint } from '../../core/at';
import { remembered } from '../../core/remembered';
import type { ResultHead } from '../../formats/kymo-result/resultFile';
import {
  counterOfSlot,
  isQuantitySlot,
  isTimeCounter,
  waitCounters,
  waitingSlot,
  type CounterName,
} from '../../formats/kymo-result/slots';
import type { ProcessStream, StreamIteration } from '../../formats/kymo-iterations/processStream';
import type { ProcessWaits } from '../../formats/kymo-result/processWaits';
import type { ContextList, PathsOfRun } from './iterationContexts';
import type { SlotRegions } from './slotRegions';
import { withinCallers, type EstimatedTime, type FittedTimes } from './withinCallers';

/** Values of a context in one iteration. */
export interface IterationValue {
  readonly context: number;
  visits: number;
  timedVisits: number;
  seconds: number;
  childEvents: number;
  /** The part of the exclusive seconds in which the thread was blocked. */
  waitingSeconds: number;
  /** What layers counted: bytes, or seconds. */
  readonly counters: Map<CounterName, number>;
  /** Of a phase: time in which its thread had no processor though it was ready, no part of `seconds`. */
  preemptedSeconds: number;
}

/** The run that the iterations of a process are part of. */
export interface RunOfIterations {
  readonly regions: SlotRegions;
  readonly paths: PathsOfRun;
  readonly contexts: ContextList;
  readonly estimates: VisitEstimates;
  /** What becomes of estimates that fit their callers in one iteration; default: they are as they are. */
  readonly settle?: (times: FittedTimes) => readonly EstimatedTime[];
}

/** Times of visits that were only counted. */
export interface VisitEstimates {
  /** Takes the timed visits of an iteration into account. */
  learn?(values: Iterable<IterationValue>): void;
  /** Seconds of a visit. */
  of(callPath: number, location: number): number;
}

/** What has to be known of a process. */
export interface ProcessOfRun {
  result(): Pick<ResultHead, 'regions' | 'ticksPerSecond'>;
  /** Location in the profile of a thread, by its number in the process. */
  locationOf(thread: number): number | undefined;
}

/** Position of a process's node in the merged run. */
interface NodePlace {
  readonly callPath: number;
  readonly location: number;
  /** Undefined for what another thread's path has above the phase: it is no part of the iterations. */
  readonly context: number | undefined;
  /** The node contains only this quantity of that place. */
  readonly quantity?: 'waiting' | CounterName;
}

interface CountedVisits {
  readonly value: IterationValue;
  readonly place: NodePlace;
  readonly visits: number;
}

/** Reads the iterations of one process as contexts of the merged run. */
export class ProcessIterations {
  private iterations = 0;
  private readonly places: (NodePlace | undefined)[] = [];
  private readonly abovePhase = new Set<number>();
  private learnedPhase: number | undefined;
  /** Location in the profile of the thread that runs the phase. */
  phaseLocation: number | undefined;

  constructor(
    private readonly stream: Pick<ProcessStream, 'nodes' | 'next'>,
    private readonly waits: Pick<ProcessWaits, 'of'>,
    private readonly process: ProcessOfRun,
    private readonly run: RunOfIterations,
  ) {}

  /** Iterations that were read, of all phases. */
  get count(): number {
    return this.iterations;
  }

  /** Reads the next iteration; returns the name of its phase, and a function for its values. */
  next(): { readonly phase: string; readonly values: () => IterationValue[] } | undefined {
    const iteration = this.stream.next();
    if (iteration === undefined) return undefined;
    const number = this.iterations++;
    return { phase: this.phaseName(iteration), values: () => this.values(iteration, number) };
  }

  /** Seconds of the phase itself. */
  phaseSeconds(values: readonly IterationValue[]): number {
    return values.reduce(
      (sum, { context, seconds }) => sum + (this.run.contexts.isPhase(context) ? seconds : 0),
      0,
    );
  }

  private phaseName({ phase }: StreamIteration): string {
    const slot = this.stream.nodes[phase]?.slot ?? 0;
    return this.run.regions.regions[this.run.regions.ofSlotIn(this.process.result(), slot)]?.name ?? '?';
  }

  private values(sample: StreamIteration, iteration: number): IterationValue[] {
    const { phase, preemptedNanoseconds } = sample;
    this.learnAbove(phase);
    const byContext = new Map<number, IterationValue>();
    const counted = this.addRecorded(sample, byContext);
    const { estimates, contexts, settle = ({ fitted }) => fitted } = this.run;
    estimates.learn?.(byContext.values());
    const requests = counted.map(({ value, place, visits }) => ({
      value,
      seconds: visits * estimates.of(place.callPath, place.location),
    }));
    for (const { value, seconds } of settle(withinCallers(requests, byContext, contexts)))
      value.seconds += seconds;
    for (const { node, counter, ticks: waited } of this.waits.of(iteration)) {
      const context = this.place(node)?.context;
      if (context === undefined) continue;
      const value = remembered(byContext, context, () => noValue(context));
      addAmount(value, counter, waited / this.process.result().ticksPerSecond);
    }
    const ofPhase = byContext.get(this.place(phase)?.context ?? -1);
    if (ofPhase !== undefined) ofPhase.preemptedSeconds += preemptedNanoseconds / 1e9;
    return [...byContext.values()].sort((a, b) => a.context - b.context);
  }

  /** Adds what was recorded. @returns visits that were counted and not timed */
  private addRecorded(
    { count, nodes, visits, ticks, childEvents }: StreamIteration,
    byContext: Map<number, IterationValue>,
  ): readonly CountedVisits[] {
    const counted: CountedVisits[] = [];
    for (let index = 0; index < count; index++) {
      const number = atUint(nodes, index);
      const seconds = atFloat(ticks, index) / this.process.result().ticksPerSecond;
      const place = this.place(number);
      if (place?.context === undefined) continue;
      const { context } = place;
      const value = remembered(byContext, context, () => noValue(context));
      if (place.quantity === 'waiting') {
        value.waitingSeconds += seconds;
        continue;
      }
      if (place.quantity !== undefined) {
        addAmount(value, place.quantity, isTimeCounter(place.quantity) ? seconds : atFloat(ticks, index));
        continue;
      }
      const visitCount = atFloat(visits, index);
      value.visits += visitCount;
      value.seconds += seconds;
      value.childEvents += atFloat(childEvents, index);
      if (this.stream.nodes[number]?.untimed === true) counted.push({ value, place, visits: visitCount });
      else value.timedVisits += visitCount;
    }
    return counted;
  }

  private place(number: number): NodePlace | undefined {
    // A damaged list of waits may have any number.
    if (number >= this.stream.nodes.length) return undefined;
    // Nodes are numbered in order, parents first.
    for (let next = this.places.length; next <= number; next++) this.places.push(this.findPlace(next));
    return this.places[number];
  }

  private findPlace(number: number): NodePlace | undefined {
    const node = this.stream.nodes[number];
    if (node === undefined) return undefined;
    const { contexts } = this.run;
    const location = this.process.locationOf(node.thread);
    if (location === undefined) return undefined;
    const isPhase = node.above !== undefined;
    const above = node.parent === 0 ? undefined : this.places[node.parent];
    if (node.parent !== 0 && above === undefined) return undefined;
    if (isQuantitySlot(node.slot)) return quantityPlace(node.slot, above);
    const callPath = this.descend(above?.callPath ?? 0, [...(node.above ?? []), node.slot]);
    if (callPath === undefined) return undefined;
    if (isPhase) this.phaseLocation ??= location;
    if (this.abovePhase.has(callPath)) return { callPath, location, context: undefined };
    return { callPath, location, context: contexts.at(callPath, location, above?.context, isPhase) };
  }

  /** Remembers the call paths above a phase, which threads that work for it have, too. */
  private learnAbove(phase: number): void {
    if (this.learnedPhase === phase) return;
    this.learnedPhase = phase;
    const { slot, above } = this.stream.nodes[phase] ?? {};
    if (slot === undefined || above === undefined) return;
    const { paths } = this.run;
    const ofPhase = this.descend(0, [...above, slot]);
    if (ofPhase === undefined) return;
    for (let path = paths.parentOf(ofPhase); path >= 0; path = paths.parentOf(path))
      this.abovePhase.add(path);
  }

  /** The call path below `from` along the regions of slots, outermost first. */
  private descend(from: number, slots: readonly number[]): number | undefined {
    const { paths, regions } = this.run;
    let callPath: number | undefined = from;
    for (const slot of slots) {
      if (callPath === undefined) return undefined;
      callPath = paths.child(callPath, regions.ofSlotIn(this.process.result(), slot));
    }
    return callPath;
  }
}

function noValue(context: number): IterationValue {
  return {
    context,
    visits: 0,
    timedVisits: 0,
    seconds: 0,
    childEvents: 0,
    waitingSeconds: 0,
    counters: new Map(),
    preemptedSeconds: 0,
  };
}

function addAmount({ counters }: IterationValue, name: CounterName, amount: number): void {
  counters.set(name, (counters.get(name) ?? 0) + amount);
}

function quantityPlace(slot: number, above: NodePlace | undefined): NodePlace | undefined {
  const quantity = slot === waitingSlot ? 'waiting' : counterOfSlot(slot);
  // What ranks waited for each other is found out in another iteration, or after all of them (`ProcessWaits`).
  if (quantity === undefined || waitCounters.some((name) => name === quantity)) return undefined;
  return above === undefined ? undefined : { ...above, quantity };
}
