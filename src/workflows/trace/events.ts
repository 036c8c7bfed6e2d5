import { EventDescriber, type DescribedField } from '../../formats/otf2/describeEvent';
import { eventLayouts } from '../../formats/otf2/layouts/events';
import { Reading, withTrace, type TraceContext, type TracePart } from './openTrace';

export interface ListedEvent {
  /** Since the beginning of the trace. */
  readonly seconds: number;
  readonly rank: number;
  readonly thread: number;
  /** Id of the location. */
  readonly location: string;
  /** `ENTER`, `MPI_SEND`, … */
  readonly kind: string;
  readonly fields: readonly DescribedField[];
}

export interface EventList {
  readonly file: string;
  readonly events: readonly ListedEvent[];
  /** Whether there are more events in this part of the trace. */
  readonly hasMore: boolean;
  readonly notes: readonly string[];
}

/**
 * The events of a part of a trace, in the order of their times.
 * @param options most: number of events
 * @throws KymoError of `withTrace`
 */
export function traceEvents(
  given: string,
  options: TracePart & { readonly most: number },
  context: TraceContext = {},
): Promise<EventList> {
  const { ranks, from = -Infinity, to = Infinity, most } = options;
  return withTrace(given, ranks, async ({ file, archive, locations }) => {
    const { ticksPerSecond } = archive.definitions.clock;
    const describer = new EventDescriber(archive.definitions);
    const reading = new Reading(`Reading ${file}`, locations, context);
    const events: ListedEvent[] = [];
    let passed = 0;
    for (const { location, chunk, from: begin, to: end } of archive.mergedRuns(locations)) {
      for (let index = begin; index < end && events.length <= most; index++) {
        const seconds = (chunk.time[index] ?? 0) / ticksPerSecond;
        if (seconds < from || seconds > to) continue;
        const { rank, thread, id } = location;
        const kind = eventLayouts[chunk.kind[index] ?? 0]?.name ?? '';
        const fields = describer.fields(chunk, index);
        events.push({ seconds, rank, thread, location: String(id), kind, fields });
      }
      if (events.length > most || (chunk.time[begin] ?? 0) / ticksPerSecond > to) break;
      passed += end - begin;
      if (passed < eventsBetweenTurns) continue;
      await reading.passed(passed);
      passed = 0;
    }
    const notes = archive.notes().map(({ message }) => message);
    return { file, events: events.slice(0, most), hasMore: events.length > most, notes };
  });
}

/** Runs of events are short where locations do the same at the same time. */
export const eventsBetweenTurns = 10_000;
