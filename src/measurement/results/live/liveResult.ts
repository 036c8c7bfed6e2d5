import { at, atFloat } from '../../../core/at';
import { KymoError } from '../../../core/errors';
import type {
  ControlMessage,
  ProcessState,
  WatchedPath,
  WatchedRegion,
} from '../../../formats/control/messages';
import { regionKinds, type NamedRegion, type ResultFlags } from '../../../formats/kymo-result/resultFile';
import {
  counterOfSlot,
  firstCounterSlot,
  isQuantitySlot,
  rootSlot,
  waitingSlot,
  type CounterName,
} from '../../../formats/kymo-result/slots';
import type { ResultThread } from '../../../formats/kymo-result/threads';
import type { ProcessResult } from '../readResults';
import { eventsBelow } from './eventsBelow';

/** What a watched process measured in a part of its run, as its result file would have it. */
export interface WindowResult extends ProcessResult {
  readonly threads: readonly ResultThread[];
  /** Of the threads that are in a recorded function: their time by the clock of the wall, and for how long of it they were pre-empted; absent where that is not known. */
  readonly inside?: { readonly wallSeconds: number; readonly preemptedSeconds: number };
}

/** Values of a call path since the process began. */
interface Amounts {
  readonly visits: number;
  readonly ticks: number;
  /** A visit was open when the process was asked last. */
  readonly isOpen?: boolean;
}

export const noFlags: ResultFlags = {
  incomplete: false,
  depthLimitHit: false,
  outOfMemory: false,
  monotonicClock: false,
  iterationsLost: false,
  unbalanced: false,
  unpatched: false,
  confined: false,
};
const untimedBit = 0x8000_0000;
/** Of the runtime (`KYMO_USER_REGIONS`). */
const mostRegions = 4096;

/** Where a window begins: the values and the state of a process at a moment. */
export interface WindowBegin {
  readonly amounts: readonly Amounts[];
  readonly suspendedTicks: number;
  readonly tick: bigint;
  readonly cpuSeconds: number;
  readonly realNanoseconds: bigint;
}

/**
 * The result of a process that runs, by what its runtime answers to `counters` (call paths of each thread, totals). Visits that are open count with the time
 * that they took so far. Shortest and longest visits are not known: both are the mean.
 */
export class LiveResult {
  private paths: readonly WatchedPath[] = [];
  private readonly regions: NamedRegion[] = [];
  private readonly now: Amounts[] = [];
  private suspendedTicks = 0;
  private begin: WindowBegin;

  constructor(private state: ProcessState) {
    const { beginTick: tick, beginRealNanoseconds: realNanoseconds } = state;
    this.begin = { amounts: [], suspendedTicks: 0, tick, cpuSeconds: 0, realNanoseconds };
  }

  /** Definitions and values; other messages are none of its business. @throws KymoError `invalid-message` for what was never defined */
  take(message: ControlMessage): void {
    if (message.kind === 'state') this.follow(message);
    else if (message.kind === 'paths') {
      if (message.first !== this.paths.length + 1) this.fail(`call path ${message.first} out of turn`);
      this.paths = [...this.paths, ...message.paths];
    } else if (message.kind === 'regions') for (const region of message.regions) this.addRegion(region);
    else if (message.kind === 'values')
      message.path.forEach((path, i) => {
        if (path < 1 || path > this.paths.length)
          this.fail(`values of call path ${path}, which it never named`);
        this.now[path - 1] = {
          visits: atFloat(message.visits, i),
          ticks: atFloat(message.ticks, i) + atFloat(message.openTicks, i),
          isOpen: atFloat(message.openTicks, i) > 0,
        };
      });
  }

  /** What the process said of itself last. */
  get process(): ProcessState {
    return this.state;
  }

  get namedRegions(): readonly NamedRegion[] {
    return this.regions;
  }

  /** What is measured from here on, by the values and the state that arrived last, is a new window. */
  restart(): void {
    this.begin = this.mark();
  }

  /** A window of its own begins, beside the one of `restart`. */
  mark(): WindowBegin {
    const { tick, cpuSeconds, realNanoseconds } = this.state;
    const { suspendedTicks } = this;
    return { amounts: [...this.now], suspendedTicks, tick, cpuSeconds, realNanoseconds };
  }

  /** What a window has so far; default: that of `restart`, of which the first one begins with the process. */
  window(begin = this.begin): WindowResult {
    const { state } = this;
    const { tick, realNanoseconds, cpuSeconds, probeCost, entryCost } = state;
    const { threads, inside } = this.threads(
      begin.amounts,
      Math.max(0, Number(tick - begin.tick) - (this.suspendedTicks - begin.suspendedTicks)),
      (cpuSeconds - begin.cpuSeconds) * state.ticksPerSecond,
    );
    return {
      file: `process ${state.pid} on ${state.host}`,
      flags: { ...noFlags, monotonicClock: state.timerIsMonotonicClock },
      selectionId: state.selectionId,
      pid: state.pid,
      parentPid: 0,
      beginNanoseconds: Number(begin.realNanoseconds),
      endNanoseconds: Number(realNanoseconds),
      ticksPerSecond: state.ticksPerSecond,
      probeCost,
      entryCost,
      mappedBytes: 0,
      nodeBytes: 0,
      rank: state.rank,
      rankCount: Math.max(1, state.ranks),
      host: state.host,
      cpuSeconds: cpuSeconds - begin.cpuSeconds,
      iterations: 0,
      regions: [...this.regions],
      threads,
      inside,
      readTrees: () => Promise.resolve(threads),
      readThreads: () => Promise.resolve(threads),
      iterationsFile: { file: '', range: { offset: 0, length: 0 } },
    };
  }

  /** The clocks of threads stand still while the program is suspended, and the timer does not. */
  private follow(state: ProcessState): void {
    if (this.state.isSuspended) this.suspendedTicks += Number(state.tick - this.state.tick);
    this.state = state;
  }

  private addRegion({ slot, kind, line, name, file }: WatchedRegion): void {
    const position = slot - this.state.slotCount;
    if (position < 0 || position >= mostRegions) this.fail(`a region in slot ${slot}`);
    this.regions[position] = {
      name,
      kind: regionKinds[kind] ?? 'region',
      ...(file === '' ? {} : { file }),
      ...(line === 0 ? {} : { line }),
    };
  }

  /**
   * The part of the threads' time outside of recorded functions in which they had a processor: clocks of threads stand still otherwise, and outside of
   * functions only the CPU time of the process shows it. It is taken to be the same in all threads.
   */
  private processorPart(builders: readonly ThreadBuilder[], cpuTicks: number): number {
    const sum = (of: (builder: ThreadBuilder) => number): number =>
      builders.reduce((total, builder) => total + of(builder), 0);
    const outside = sum((builder) => builder.ticksOutside);
    const left = cpuTicks - sum((builder) => builder.processorTicksInside);
    return outside > 0 ? Math.min(1, Math.max(0, left / outside)) : 1;
  }

  private fail(what: string): never {
    const { pid, host } = this.state;
    throw new KymoError('invalid-message', `Process ${pid} on ${host} sent ${what}.`);
  }

  private threads(
    before: WindowBegin['amounts'],
    windowTicks: number,
    cpuTicks: number,
  ): Required<Pick<WindowResult, 'threads' | 'inside'>> {
    const byThread = new Map<number, ThreadBuilder>();
    this.paths.forEach((path, i) => {
      const { thread = 0 } = path;
      let builder = byThread.get(thread);
      if (builder === undefined) byThread.set(thread, (builder = new ThreadBuilder(thread, windowTicks)));
      const [now, then] = [this.now[i] ?? nothing, before[i] ?? nothing];
      builder.add(
        i + 1,
        path,
        Math.max(0, now.visits - then.visits),
        Math.max(0, now.ticks - then.ticks),
        now.isOpen === true,
      );
    });
    const builders = [...byThread.values()];
    for (const builder of builders) builder.settle();
    const part = this.processorPart(builders, cpuTicks);
    const threads = builders.map((builder) => builder.build(part)).sort((a, b) => a.number - b.number);
    const seconds = (of: (builder: ThreadBuilder) => number): number =>
      builders.reduce((sum, builder) => sum + of(builder), 0) / this.state.ticksPerSecond;
    const wallSeconds = seconds((builder) => builder.ticksOfInside);
    return { threads, inside: { wallSeconds, preemptedSeconds: seconds((one) => one.preemptedTicks) } };
  }
}

const nothing: Amounts = { visits: 0, ticks: 0 };

/** The call tree of a thread, parents before their children. */
class ThreadBuilder {
  private readonly parent = [-1];
  private readonly slot = [rootSlot];
  private readonly untimed = [0];
  private readonly visits = [1];
  private readonly ticks: number[];
  private readonly waiting = [0];
  private readonly counters = new Map<CounterName, number[]>();
  private outermostTicks = 0;
  /** An outermost visit is open: then the thread's own clock, which stands still while it has no processor, is known from the outermost visits. */
  private isInside = false;
  /** By the number of a path. */
  private readonly nodeOf = new Map<number, number>([[0, 0]]);

  constructor(
    private readonly number: number,
    private readonly windowTicks: number,
  ) {
    this.ticks = [windowTicks];
  }

  add(
    number: number,
    { parent = 0, slot }: WatchedPath,
    visits: number,
    ticks: number,
    isOpen: boolean,
  ): void {
    const above = this.nodeOf.get(parent);
    if (above === undefined) return;
    if (isQuantitySlot(slot)) {
      this.addQuantity(slot, above, ticks);
      return;
    }
    const isUntimed = slot >= untimedBit && slot < firstCounterSlot;
    this.nodeOf.set(number, this.parent.push(above) - 1);
    if (above === 0) this.isInside ||= isOpen;
    this.slot.push(isUntimed ? slot - untimedBit : slot);
    this.untimed.push(isUntimed ? 1 : 0);
    this.visits.push(visits);
    this.ticks.push(ticks);
    this.waiting.push(0);
  }

  /** Values of a path and of its callees are read one after the other: a path takes at least what its callees do. */
  settle(): void {
    const below = this.ticks.map(() => 0);
    for (let node = this.ticks.length - 1; node > 0; node--) {
      const ticks = Math.max(at(this.ticks, node), at(below, node));
      this.ticks[node] = ticks;
      const above = at(this.parent, node);
      below[above] = at(below, above) + ticks;
    }
    this.outermostTicks = at(below, 0);
  }

  /** Of the window, what is neither in a recorded function nor waiting outside of all, as threads of a team do between parallel regions. */
  get ticksOutside(): number {
    return this.isInside ? 0 : Math.max(0, this.windowTicks - this.outermostTicks - this.waitingOutside);
  }

  /** The window, of a thread that is in a recorded function. */
  get ticksOfInside(): number {
    return this.isInside ? this.windowTicks : 0;
  }

  /** Of that, the time in which the thread's own clock stood still. */
  get preemptedTicks(): number {
    return Math.max(0, this.ticksOfInside - this.outermostTicks - this.waitingOutside);
  }

  /** Time in recorded functions, without waiting. */
  get processorTicksInside(): number {
    const waiting = this.waitingInside();
    return this.outermostTicks - waiting.reduce((sum, ticks, node) => (node === 0 ? sum : sum + ticks), 0);
  }

  private get waitingOutside(): number {
    return Math.min(at(this.waiting, 0), Math.max(0, this.windowTicks - this.outermostTicks));
  }

  /**
   * Waiting arrives when it is over, also if it began before the window: what is longer than the path's own time in the window is no part of it. Paths
   * without a time of their own, whose visits were not timed, have all of theirs.
   */
  private waitingInside(): readonly number[] {
    const own = [...this.ticks];
    this.parent.forEach((above, node) => {
      if (above >= 0) own[above] = at(own, above) - at(this.ticks, node);
    });
    return this.waiting.map((ticks, node) =>
      node === 0
        ? this.waitingOutside
        : at(this.untimed, node) === 1
          ? ticks
          : Math.min(ticks, Math.max(0, at(own, node))),
    );
  }

  /** @param part of the time outside of recorded functions in which the thread had a processor */
  build(part: number): ResultThread {
    const { length } = this.parent;
    this.ticks[0] = Math.min(
      this.windowTicks,
      this.outermostTicks + this.waitingOutside + part * this.ticksOutside,
    );
    const column = (values: readonly number[]): Float64Array =>
      Float64Array.from({ length }, (_, node) => values[node] ?? 0);
    const mean = column(this.ticks.map((ticks, node) => ticks / Math.max(1, at(this.visits, node))));
    return {
      number: this.number,
      lifetimeTicks: at(this.ticks, 0),
      preemptedSeconds: 0,
      cpuSeconds: 0,
      parent: Int32Array.from(this.parent),
      slot: Uint32Array.from(this.slot),
      untimed: Uint8Array.from(this.untimed),
      counterNames: new Set(this.counters.keys()),
      visits: column(this.visits),
      inclusiveTicks: column(this.ticks),
      minimumTicks: mean,
      maximumTicks: mean,
      childEvents: eventsBelow(Int32Array.from(this.parent), this.untimed, this.visits),
      waitingTicks: column(this.waitingInside()),
      counters: new Map([...this.counters].map(([name, amounts]) => [name, column(amounts)])),
    };
  }

  private addQuantity(slot: number, above: number, amount: number): void {
    if (slot === waitingSlot) this.waiting[above] = at(this.waiting, above) + amount;
    const name = counterOfSlot(slot);
    if (name === undefined) return;
    const amounts = this.counters.get(name) ?? [];
    amounts[above] = (amounts[above] ?? 0) + amount;
    this.counters.set(name, amounts);
  }
}
