import { KymoError } from '../../../core/errors';
import { present } from '../../../core/present';
import { remembered } from '../../../core/remembered';
import type { IterationNode, IterationSample as SentIteration } from '../../../formats/control/messages';
import type {
  IterationLocation,
  IterationSample,
  IterationsDirectory,
} from '../../../formats/kymo-iterations/iterationsFile';
import {
  slotOf,
  type StreamIteration,
  type StreamNode,
} from '../../../formats/kymo-iterations/processStream';
import type { ResultHead } from '../../../formats/kymo-result/resultFile';
import { ContextList } from '../iterationContexts';
import { sampleOf } from '../iterationSample';
import { ProcessIterations, type IterationValue, type RunOfIterations } from '../processIterations';
import { functionKeyOf, SlotRegions, type SlotRegionsOptions } from '../slotRegions';
import { joinedRanges } from '../switchedInRun';
import { GrowingPaths } from './growingPaths';
import { LiveEstimates } from './liveEstimates';

/** The program whose processes are watched, as it was built and its selection was planned. */
export interface WatchedProgram extends SlotRegionsOptions {
  readonly selectionId: string;
  /** Of the target; default: the first phase that is visited. */
  readonly phase?: string | undefined;
}

/** A process that has none after the others had so many iterations has no iterations at all. */
const patience = 256;

export interface LiveSample extends IterationSample {
  /** From 0. */
  readonly number: number;
}

/** What a process said of itself last. */
export type WatchedProcess = Pick<ResultHead, 'regions' | 'ticksPerSecond'>;

/**
 * The iterations of a run that is not over, merged over its processes as `mergeIterations` does: iteration i of each is part of the i-th. Times of visits
 * that were only counted, and the length of a tick, are as known so far.
 */
export class LiveIterations {
  /** Names of phases that were visited, and are not the one. */
  readonly otherPhases = new Set<string>();
  private readonly locations: IterationLocation[] = [];
  private readonly places = new Map<string, number>();
  private readonly streams = new Set<LiveStream>();
  private readonly withoutAny = new Set<LiveStream>();
  /** What the contexts of samples are: grows. */
  readonly run: RunOfIterations;
  private chosen: string | undefined;
  private expected: number | undefined;

  constructor(private readonly program: WatchedProgram) {
    const regions = new SlotRegions(program);
    const paths = new GrowingPaths();
    const contexts = new ContextList(regions.regions, paths, this.locations);
    this.run = { regions, paths, contexts, estimates: new LiveEstimates(paths, contexts) };
  }

  /** What the contexts of samples are: grows. Undefined before the phase is known. */
  get directory(): Omit<IterationsDirectory, 'iterations' | 'notes'> | undefined {
    const { chosen: phase, locations } = this;
    const { regions, contexts } = this.run.contexts;
    if (phase === undefined) return undefined;
    return { phase, regions, locations, contexts, ...this.switched() };
  }

  /** Where the processes have several phases, the iterations of a switch are known in the result only. */
  private switched(): Pick<IterationsDirectory, 'partlyRecorded' | 'switches'> {
    const { switched } = this.program;
    if (switched === undefined || switched.switches.length === 0) return {};
    const parts = switched.parts();
    const ranges = switched.switches.map(({ iterations: [before, after] }) => {
      const first = Math.max(0, before - this.before);
      return [first, Math.max(first, after - this.before)] as const;
    });
    return this.run.contexts.switched(
      (region) => parts.has(functionKeyOf(region) ?? ''),
      joinedRanges(ranges),
    );
  }

  /** Iterations of the phase that came before the first that is taken: it has the number 1 nevertheless. */
  before = 0;
  /** Iterations that were lost on the way later. */
  lost = 0;

  /** A process that began, or that is watched again. @param rank as it is known when the first iteration comes @param name unique, and for messages */
  begin(rank: () => number, name: string): LiveStream {
    const place = (thread: number): number =>
      remembered(this.places, `${name} ${thread}`, () => this.locations.push({ rank: rank(), thread }) - 1);
    const stream = new LiveStream(this.run, place, name, (phase, regions) => this.isChosen(phase, regions));
    this.streams.add(stream);
    return stream;
  }

  /** The iterations that all processes have, in order, each once. */
  take(): readonly LiveSample[] {
    const samples: LiveSample[] = [];
    for (;;) {
      for (const stream of this.streams) if (stream.isOver) this.streams.delete(stream);
      const streams = this.sending();
      if (streams.length === 0 || streams.some(({ next }) => next === undefined)) return samples;
      // Those that a process did not send are missing in all.
      const next = Math.max(...streams.map(({ next = 0 }) => next));
      if (streams.reduce((dropped, stream) => dropped + stream.dropBefore(next), 0) > 0) continue;
      if (this.expected === undefined) this.before = next;
      else this.lost += Math.max(0, next - this.expected);
      this.expected = next + 1;
      const values = streams.flatMap((stream) => stream.take());
      samples.push({ number: next, ...sampleOf(values.sort((a, b) => a.context - b.context)) });
    }
  }

  /** Processes that have iterations; none while another one may still begin to: what others have begun would be missing in it. */
  private sending(): readonly LiveStream[] {
    const all = [...this.streams];
    const sending = all.filter(({ hasBegun }) => hasBegun);
    if (sending.some(({ waiting }) => waiting >= patience))
      for (const stream of all) if (!stream.hasBegun) this.withoutAny.add(stream);
    return all.every((stream) => stream.hasBegun || this.withoutAny.has(stream)) ? sending : [];
  }

  /** As `mergeIterations`: the target's phase, where the source marks one of this name; else the first. */
  private isChosen(phase: string, regions: WatchedProcess['regions']): boolean {
    const requested = this.program.phase;
    this.chosen ??= regions.some(({ name, kind }) => kind === 'phase' && name === requested)
      ? requested
      : phase;
    if (phase !== this.chosen) this.otherPhases.add(phase);
    return phase === this.chosen;
  }
}

interface NumberedValues {
  readonly number: number;
  readonly values: IterationValue[];
}

/** The iterations of one process. */
export class LiveStream {
  private readonly nodes: (StreamNode | undefined)[] = [undefined];
  private readonly iterations: ProcessIterations;
  private readonly queue: NumberedValues[] = [];
  private readonly locationAt = new Map<number, number>();
  private first: number | undefined;
  private result: WatchedProcess = { regions: [], ticksPerSecond: 1 };
  private arrived: StreamIteration | undefined;
  /** Iterations of the process, and of these the ones of other phases. */
  private count = 0;
  private others = 0;
  private hasEnded = false;

  constructor(
    run: RunOfIterations,
    private readonly place: (thread: number) => number,
    private readonly name: string,
    private readonly isChosen: (phase: string, regions: WatchedProcess['regions']) => boolean,
  ) {
    const stream = { nodes: this.nodes, next: () => this.arrived };
    const of = (): [] => [];
    const process = { result: () => this.result, locationOf: (thread: number) => this.locationOf(thread) };
    this.iterations = new ProcessIterations(stream, { of }, process, run);
  }

  /** Number of the next iteration of the phase, from 0; undefined while it is not there. */
  get next(): number | undefined {
    return this.queue[0]?.number;
  }

  get hasBegun(): boolean {
    return this.count > this.others;
  }

  /** Iterations that were not taken. */
  get waiting(): number {
    return this.queue.length;
  }

  get isOver(): boolean {
    return this.hasEnded && this.queue.length === 0;
  }

  /** Nodes of the process's call trees, numbered from `first`. @throws KymoError `invalid-iterations` */
  define(first: number, nodes: readonly IterationNode[]): void {
    if (first !== this.nodes.length) this.fail(`node ${first} after node ${this.nodes.length - 1}`);
    for (const { thread, parent, slot, above } of nodes) {
      if (parent >= this.nodes.length) this.fail(`a node below node ${parent}, which is not known`);
      this.nodes.push({ thread, parent, ...slotOf(slot), ...present({ above: above?.toReversed() }) });
    }
  }

  /** The next iteration. @throws KymoError `invalid-iterations` */
  add(sent: SentIteration, result: WatchedProcess): void {
    const { node: nodes, visits, ticks, childEvents, cutShort, preemptedNanoseconds } = sent;
    const phase = nodes[0] ?? 0;
    if (this.nodes[phase]?.above === undefined) this.fail('an iteration that is of no phase');
    if (nodes.some((node) => node < 1 || node >= this.nodes.length)) this.fail('a node that is not known');
    this.result = result;
    this.arrived = {
      phase,
      cutShort,
      count: nodes.length,
      nodes,
      visits,
      ticks,
      childEvents,
      preemptedNanoseconds,
    };
    const iteration = this.iterations.next();
    if (iteration === undefined) return;
    this.count = Math.max(this.count + 1, sent.number);
    if (this.isChosen(iteration.phase, result.regions))
      this.queue.push({ number: this.count - 1 - this.others, values: iteration.values() });
    else this.others++;
  }

  /** @returns how many were dropped */
  dropBefore(number: number): number {
    const first = this.queue.findIndex((queued) => queued.number >= number);
    return this.queue.splice(0, first < 0 ? this.queue.length : first).length;
  }

  take(): IterationValue[] {
    return this.queue.shift()?.values ?? [];
  }

  /** No more iterations follow. */
  end(): void {
    this.hasEnded = true;
  }

  /** The first thread is that of the phase, and has the number 0. */
  private locationOf(thread: number): number {
    this.first ??= thread;
    const shown = thread === this.first ? 0 : thread === 0 ? this.first : thread;
    return remembered(this.locationAt, thread, () => this.place(shown));
  }

  private fail(what: string): never {
    throw new KymoError('invalid-iterations', `${this.name} sent iterations that cannot be read: ${what}.`);
  }
}
