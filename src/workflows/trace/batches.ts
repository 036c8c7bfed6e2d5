import { CallReplay } from '../../core/trace/build/replay';
import type { Location } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { callKind, type TraceFunctions } from '../../formats/otf2/functions';
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
  readonly range: TickRange;
  /** Sees all events of the locations, also those behind the range. */
  readonly visitor?: (location: Location, position: number) => (chunk: EventChunk) => void;
}

/** Calls of locations, one location after the other; calls are cut to the range, and those outside of it are left out. */
export function* traceBatches(source: BatchSource, counts: BatchCounts): Generator<TraceBatch> {
  const { archive, locations } = source;
  for (const [position, location] of locations.entries()) {
    const items = new LocationItems(source);
    // Locations without events are there, too.
    yield { location: position, items: [] };
    const visit = source.visitor?.(location, position);
    for (const chunk of archive.events(location)) {
      yield { location: position, items: items.add(chunk) };
      visit?.(chunk);
      counts.events += chunk.count;
      if (items.isBehind && visit === undefined) break;
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

  constructor(private readonly source: BatchSource) {
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
    if (means !== undefined && means !== 'sample') {
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

  /** Calls that are still open end with the range, or with the last event. */
  finish(): readonly TraceItem[] {
    this.#items = [];
    const { missingLeaves } = this.#replay;
    this.#replay.finish(this.isBehind ? this.source.range.to : this.#last);
    this.missingLeaves = this.isBehind ? missingLeaves : this.#replay.missingLeaves;
    return this.#items;
  }
}
