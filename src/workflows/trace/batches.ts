import { CallReplay } from '../../core/trace/replay';
import type { Location } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { callKind, type TraceFunctions } from '../../formats/otf2/functions';
import { messageEnd, type Partners } from '../../formats/otf2/messages';
import type { Otf2Archive } from '../../formats/otf2/open';
import type { TraceBatch, TraceItem } from '../../formats/trace-exports/items';

/** A part of a trace in ticks. */
export interface TickRange {
  readonly from: number;
  readonly to: number;
}

/** What happens on the way through a trace, and what did not match. */
export interface BatchCounts {
  calls: number;
  events: number;
  missingLeaves: number;
  unmatchedLeaves: number;
}

export interface BatchSource {
  readonly archive: Otf2Archive;
  readonly locations: readonly Location[];
  readonly functions: TraceFunctions;
  readonly partners: Partners;
  readonly range: TickRange;
  /** Messages to and from other ranks are left out. */
  readonly isChosen: (rank: number) => boolean;
}

/** Calls and messages of locations, one location after the other; calls are cut to the range, and those outside of it are left out. */
export function* traceBatches(source: BatchSource, counts: BatchCounts): Generator<TraceBatch> {
  const { archive, locations } = source;
  for (const [position, location] of locations.entries()) {
    const items = new LocationItems(location, source);
    // Locations without events are there, too.
    yield { location: position, items: [] };
    for (const chunk of archive.events(location)) {
      yield { location: position, items: items.add(chunk) };
      counts.events += chunk.count;
      if (items.isBehind) break;
    }
    yield { location: position, items: items.finish() };
    counts.calls += items.calls;
    counts.missingLeaves += items.missingLeaves;
    counts.unmatchedLeaves += items.unmatchedLeaves;
  }
}

class LocationItems {
  calls = 0;
  /** Whether an event behind the range was met. */
  isBehind = false;
  missingLeaves = 0;
  /** Whether an event in the range or behind it was met. */
  #isReached = false;
  #items: TraceItem[] = [];
  #last = -Infinity;
  readonly #replay: CallReplay;
  /** Messages so far by partner, communicator and tag: they do not overtake each other. */
  readonly #messages = new Map<string, number>();

  constructor(
    private readonly location: Location,
    private readonly source: BatchSource,
  ) {
    this.#replay = new CallReplay((call) => {
      if (!this.#isReached) return;
      this.#items.push({ kind: 'close', call });
      this.calls++;
    });
  }

  get unmatchedLeaves(): number {
    return this.#replay.unmatchedLeaves;
  }

  add(chunk: EventChunk): readonly TraceItem[] {
    this.#items = [];
    for (let index = 0; index < chunk.count && !this.isBehind; index++) this.#event(chunk, index);
    return this.#items;
  }

  #event(chunk: EventChunk, index: number): void {
    const { range, functions } = this.source;
    const time = chunk.time[index] ?? 0;
    if (time >= range.from) this.#reach();
    if (time > range.to) {
      this.isBehind = true;
      return;
    }
    this.#last = time;
    const type = chunk.kind[index] ?? 0;
    const means = callKind(type);
    if (means === undefined) this.#message(chunk, index);
    else if (means !== 'sample') {
      const position = functions.positionOf(type, chunk.values[chunk.first[index] ?? 0] ?? 0);
      const at = Math.max(time, range.from);
      if (means === 'leave') this.#replay.leave(position, at);
      else {
        this.#replay.enter(position, at);
        if (this.#isReached) this.#items.push({ kind: 'open', function: position, at: this.#replay.now });
      }
    }
  }

  /** Calls from before the range go on in it. */
  #reach(): void {
    if (this.#isReached) return;
    this.#isReached = true;
    for (const { function: open, begin } of this.#replay.openCalls())
      this.#items.push({ kind: 'open', function: open, at: begin });
  }

  #message(chunk: EventChunk, index: number): void {
    const end = messageEnd(chunk, index);
    if (end === undefined) return;
    const { rank } = this.location;
    const partner = this.source.partners.worldRank(end, rank);
    if (partner === undefined) return;
    const { isSend, communicator, tag, bytes } = end;
    const key = `${isSend ? 's' : 'r'} ${communicator} ${partner} ${tag}`;
    const number = this.#messages.get(key) ?? 0;
    this.#messages.set(key, number + 1);
    const time = chunk.time[index] ?? 0;
    if (!this.#isReached || !this.source.isChosen(partner)) return;
    const [sender, receiver] = isSend ? [rank, partner] : [partner, rank];
    const id = hash([communicator, sender, receiver, tag, number]);
    this.#items.push({ kind: 'message', isSend, at: time, bytes, tag, id });
  }

  /** Calls that are still open end with the range, or with the last event. */
  finish(): readonly TraceItem[] {
    this.#items = [];
    const { missingLeaves } = this.#replay;
    this.#replay.finish(this.isBehind ? this.source.range.to : this.#last);
    this.missingLeaves = this.isBehind ? missingLeaves : this.#replay.missingLeaves;
    return this.#items;
  }
}

/** 53 bits of numbers: a message is found again at its other end, without a table of all messages. */
function hash(numbers: readonly number[]): number {
  let high = 0xdead_beef;
  let low = 0x41c6_ce57;
  for (const value of numbers) {
    high = Math.imul(high ^ value, 2_654_435_761);
    low = Math.imul(low ^ value, 1_597_334_677);
    high ^= low >>> 15;
    low ^= high >>> 13;
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
