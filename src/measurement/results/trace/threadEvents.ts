import { at } from '../../../core/at';
import type { EventVisitor, ProcessTrace, TraceThread } from '../../../formats/kymo-trace/traceFile';
import { eventKind, eventLayouts } from '../../../formats/otf2/layouts/events';
import type { LocationWriter } from '../../../formats/otf2/write/locationWriter';

/** What of a thread's events is not as the thread recorded it. */
export interface ThreadGaps {
  /** Ends of calls that began before the first event that the trace has. */
  unmatched: number;
  /** Calls that were open at the end of what was recorded, and end there. */
  closed: number;
  /** Calls that went on when their fiber got the thread again: they are entered more than once. */
  resumed: number;
  /** Events of MPI whose communicator the trace does not know. */
  unknown: number;
  /** Seconds from the begin of the archive to the first and to the last event. */
  first: number;
  last: number;
}

export interface ThreadWriting {
  readonly writer: LocationWriter;
  /** Position of a slot's region; undefined for slots that the trace leaves out. */
  readonly regionOf: (slot: number) => number | undefined;
  /** Numbers in the archive by numbers in the trace; undefined: no events of MPI. */
  readonly communicators: ReadonlyMap<number, number> | undefined;
  /** Of the process: those that have begun and not ended. */
  readonly requests: Set<number>;
}

/** The record of an event of a layer: its name in OTF2, and the positions of its communicator and of its request. */
interface LayerRecord {
  readonly name: string;
  readonly communicator?: number;
  readonly request?: number;
  readonly does?: 'begins' | 'ends';
  /** What it is without the request that it ends; absent: nothing. */
  readonly alone?: string;
}

/** `kymo_layer_event` of runtime/layers.h, from 8. */
const firstLayerCode = 8;
const layerRecords: readonly LayerRecord[] = [
  { name: 'MPI_SEND', communicator: 1 },
  { name: 'MPI_ISEND', communicator: 1, request: 4, does: 'begins' },
  { name: 'MPI_ISEND_COMPLETE', request: 0, does: 'ends' },
  { name: 'MPI_IRECV_REQUEST', request: 0, does: 'begins' },
  { name: 'MPI_RECV', communicator: 1 },
  { name: 'MPI_IRECV', communicator: 1, request: 4, does: 'ends', alone: 'MPI_RECV' },
  { name: 'MPI_REQUEST_CANCELLED', request: 0, does: 'ends' },
  // A thread is in one collective operation at a time.
  { name: 'MPI_COLLECTIVE_BEGIN', request: -1, does: 'begins' },
  { name: 'MPI_COLLECTIVE_END', communicator: 1, request: -1, does: 'ends' },
  { name: 'NON_BLOCKING_COLLECTIVE_REQUEST', request: 0, does: 'begins' },
  { name: 'NON_BLOCKING_COLLECTIVE_COMPLETE', communicator: 1, request: 5, does: 'ends' },
];
/** Values of each record. A damaged trace may have any number of words. */
const wordCounts = layerRecords.map(({ name }) => at(eventLayouts, eventKind(name))?.fields.length);
const undefinedId = 0xffff_ffff;

/** Writes the events of one thread so that calls are nested: each that begins ends, and none ends that has not begun. */
export class ThreadEvents implements EventVisitor {
  readonly gaps: ThreadGaps = { unmatched: 0, closed: 0, resumed: 0, unknown: 0, first: 0, last: 0 };
  /** Regions of the open calls, outermost first. */
  private readonly open: number[] = [];
  private time = 0;
  private inCollective = false;

  constructor(private readonly to: ThreadWriting) {}

  enter(time: number, slot: number): void {
    const region = this.to.regionOf(slot);
    if (region === undefined) return;
    this.seen(time);
    this.open.push(region);
    this.to.writer.enter(time, region);
  }

  leave(time: number, slot: number): void {
    const region = this.to.regionOf(slot);
    if (region === undefined) return;
    const { open } = this;
    // A jump out of a signal handler may leave calls above it open.
    const depth = open.at(-1) === region ? open.length - 1 : open.lastIndexOf(region);
    if (depth < 0) {
      this.gaps.unmatched++;
      return;
    }
    this.seen(time);
    this.closeTo(depth, time);
  }

  fiber(time: number, slot: number, resumes: boolean): void {
    if (!resumes) this.leave(time, slot);
    else if (this.to.regionOf(slot) !== undefined) {
      this.gaps.resumed++;
      this.enter(time, slot);
    }
  }

  other(time: number, code: number, words: readonly number[]): void {
    const record = layerRecords[code - firstLayerCode];
    const { writer, communicators } = this.to;
    if (record === undefined || communicators === undefined || this.open.length === 0) return;
    const isWhole = words.length === wordCounts[code - firstLayerCode];
    const name = isWhole ? this.matched(record, words) : undefined;
    if (name === undefined) return;
    const values = name === record.name ? [...words] : words.slice(0, record.request);
    if (record.communicator !== undefined) {
      const communicator = communicators.get(at(words, record.communicator));
      if (communicator === undefined && !name.includes('COLLECTIVE')) {
        this.gaps.unknown++;
        return;
      }
      values[record.communicator] = communicator ?? undefinedId;
    }
    this.seen(time);
    writer.event(name, time, values);
  }

  /** The name of a record: its own one, unless what it ends began before the first event that the trace has. */
  private matched(record: LayerRecord, words: readonly number[]): string | undefined {
    const { name, request, does, alone } = record;
    if (request === undefined) return name;
    if (request < 0) {
      const fits = does === 'begins' || this.inCollective;
      this.inCollective = does === 'begins';
      return fits ? name : undefined;
    }
    const number = at(words, request);
    if (does === 'begins') {
      this.to.requests.add(number);
      return name;
    }
    return this.to.requests.delete(number) ? name : alone;
  }

  /** Ends the calls that are open: some where the thread began to wait for work, the others at the end of what it recorded. */
  finish(thread: TraceThread, { iterations, keepsLast }: ProcessTrace, base: bigint): void {
    const ticks = (tick: bigint): number => Math.max(this.time, Number(tick - base));
    if (this.open.length === 0) return;
    this.gaps.closed = this.open.length;
    if (thread.parked > 0)
      this.closeTo(Math.max(0, this.open.length - thread.parked), ticks(thread.parkedUntil));
    const until = iterations === undefined || iterations.until === 0n ? thread.end : iterations.until;
    this.closeTo(0, ticks(thread.lost > 0 && !keepsLast ? thread.lostTime : until));
  }

  private closeTo(depth: number, time: number): void {
    const { open } = this;
    while (open.length > depth) this.to.writer.leave(time, open.pop() ?? 0);
    this.time = Math.max(this.time, time);
  }

  private seen(time: number): void {
    if (this.to.writer.events === 0) this.gaps.first = time;
    this.gaps.last = this.time = time;
  }
}
