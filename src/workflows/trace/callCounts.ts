import { present } from '../../core/present';
import type { Call } from '../../core/trace/build/replay';
import { CallReplay } from '../../core/trace/build/replay';
import type { Location } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { callKind, type TraceFunctions } from '../../formats/otf2/functions';
import type { ReportedFunction, ReportedLocation } from './report.types';

/** Times are ticks. */
interface FunctionCounts {
  visits: number;
  exclusive: number;
  inclusive: number;
  samples: number;
}

/** Visits and times of functions, over locations that are read one after the other. */
export class CallCounts {
  missingLeaves = 0;
  unmatchedLeaves = 0;
  readonly #counts: FunctionCounts[] = [];

  constructor(
    private readonly functions: TraceFunctions,
    private readonly ticksPerSecond: number,
  ) {}

  /** Begins the next location. */
  location(location: Location): LocationCounts {
    return new LocationCounts(location, this.functions, this.ticksPerSecond, this);
  }

  of(position: number): FunctionCounts {
    while (this.#counts.length <= position)
      this.#counts.push({ visits: 0, exclusive: 0, inclusive: 0, samples: 0 });
    return this.#counts[position] ?? { visits: 0, exclusive: 0, inclusive: 0, samples: 0 };
  }

  /** Functions with a visit or a sample. */
  report(): readonly ReportedFunction[] {
    const rows = this.#counts.flatMap(({ visits, exclusive, inclusive, samples }, position) => {
      const region = this.functions.list[position];
      if (region === undefined || visits + samples === 0) return [];
      const { name, mangledName, file, firstLine, lastLine, role, paradigm } = region;
      return [
        {
          name,
          ...present({ mangledName, file, line: firstLine, endLine: lastLine }),
          role,
          paradigm,
          visits,
          exclusiveSeconds: exclusive / this.ticksPerSecond,
          inclusiveSeconds: inclusive / this.ticksPerSecond,
          ...(samples === 0 ? {} : { samples }),
        },
      ];
    });
    return rows.sort((a, b) => b.exclusiveSeconds - a.exclusiveSeconds || b.visits - a.visits);
  }
}

class LocationCounts {
  events = 0;
  #calls = 0;
  #depth = 0;
  #inOutermost = 0;
  #first = Infinity;
  #last = -Infinity;
  readonly #replay: CallReplay;

  constructor(
    private readonly location: Location,
    private readonly functions: TraceFunctions,
    private readonly ticksPerSecond: number,
    private readonly counts: CallCounts,
  ) {
    this.#replay = new CallReplay((call) => this.#ended(call));
  }

  add({ count, kind, time, first, values }: EventChunk): void {
    const replay = this.#replay;
    for (let index = 0; index < count; index++) {
      const at = time[index] ?? 0;
      if (at < this.#first) this.#first = at;
      if (at > this.#last) this.#last = at;
      const type = kind[index] ?? 0;
      const means = callKind(type);
      if (means === undefined) continue;
      const position = this.functions.positionOf(type, values[first[index] ?? 0] ?? 0);
      if (means === 'enter') {
        replay.enter(position, at);
        if (replay.depth > this.#depth) this.#depth = replay.depth;
      } else if (means === 'leave') replay.leave(position, at);
      else this.counts.of(position).samples++;
    }
    this.events += count;
  }

  #ended({ function: called, depth, begin, end, exclusive, isOutermost }: Call): void {
    const own = this.counts.of(called);
    own.visits++;
    own.exclusive += exclusive;
    if (isOutermost) own.inclusive += end - begin;
    this.#calls++;
    if (depth === 0) this.#inOutermost += end - begin;
  }

  /** Calls that are still open end with the last event. */
  finish(): ReportedLocation {
    const replay = this.#replay;
    replay.finish(this.#last);
    this.counts.missingLeaves += replay.missingLeaves;
    this.counts.unmatchedLeaves += replay.unmatchedLeaves;
    const { id, name, type, rank, thread, group, events } = this.location;
    const seconds = (ticks: number): number => ticks / this.ticksPerSecond;
    return {
      id: String(id),
      name,
      type,
      rank,
      thread,
      process: group?.name ?? '',
      ...present({ node: group?.parent?.name }),
      events: this.events,
      ...(events === this.events ? {} : { announced: events }),
      calls: this.#calls,
      depth: this.#depth,
      ...(this.events === 0 ? {} : { firstSeconds: seconds(this.#first), lastSeconds: seconds(this.#last) }),
      callSeconds: seconds(this.#inOutermost),
    };
  }
}
