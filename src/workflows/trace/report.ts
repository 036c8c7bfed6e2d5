import { formatSeconds } from '../../core/format';
import { present } from '../../core/present';
import { callNotes } from '../../core/trace/build/replay';
import type { ProcessRanges } from '../../core/views/ranks/processRanges';
import type { Clock } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import type { Location } from '../../formats/otf2/definitions/model';
import { callKind, TraceFunctions } from '../../formats/otf2/functions';
import { eventLayouts } from '../../formats/otf2/layouts/events';
import { Partners } from '../../formats/otf2/messages';
import type { Otf2Archive } from '../../formats/otf2/open';
import { CallCounts } from './callCounts';
import { CommunicationCounts } from './communicationCounts';
import { Reading, withTrace, type OpenedTrace, type TraceContext } from './openTrace';
import type { ReportedLocation, TraceReport } from './report.types';
import { besideProfile } from './profileBeside';
import { ValueCounts } from './valueCounts';

/**
 * Reads a trace once, from the first to the last location. Memory is for the definitions, a chunk of events, and what is counted.
 * @param given `traces.otf2`, or its folder
 * @throws KymoError of `withTrace`; what can be read of a damaged trace is reported, with notes
 */
export function traceReport(
  given: string,
  options: { readonly ranks?: ProcessRanges } = {},
  context: TraceContext = {},
): Promise<TraceReport> {
  return withTrace(given, options.ranks, async (trace) => {
    const { archive, locations } = trace;
    const counts = new TraceCounts(archive);
    const reading = new Reading(`Reading ${trace.file}`, locations, context);
    const rows: ReportedLocation[] = [];
    for (const location of locations) {
      const calls = counts.calls.location(location);
      for (const chunk of archive.events(location)) {
        calls.add(chunk);
        counts.add(location, chunk);
        await reading.passed(chunk.count);
      }
      rows.push(calls.finish());
      await reading.passed(0);
    }
    const report = counts.report(trace, rows);
    return { ...report, notes: [...report.notes, ...(await besideProfile(trace.file))] };
  });
}

class TraceCounts {
  readonly calls: CallCounts;
  readonly #kinds = new Float64Array(256);
  readonly #communication: CommunicationCounts;
  readonly #values: ValueCounts;

  constructor({ definitions }: Otf2Archive) {
    this.calls = new CallCounts(new TraceFunctions(definitions), definitions.clock.ticksPerSecond);
    this.#communication = new CommunicationCounts(new Partners(definitions));
    this.#values = new ValueCounts(definitions);
  }

  add(location: Location, chunk: EventChunk): void {
    for (let index = 0; index < chunk.count; index++) {
      const type = chunk.kind[index] ?? 0;
      this.#kinds[type] = (this.#kinds[type] ?? 0) + 1;
      if (callKind(type) !== undefined) continue;
      this.#communication.add(location, chunk, index);
      this.#values.add(chunk, index);
    }
  }

  report(
    { file, archive, locations: chosen }: OpenedTrace,
    locations: readonly ReportedLocation[],
  ): TraceReport {
    const { anchor, definitions } = archive;
    const communication = this.#communication;
    const values = this.#values;
    return {
      file,
      archive: {
        version: anchor.version,
        creator: anchor.creator,
        machine: anchor.machineName,
        description: anchor.description,
        traceId: String(anchor.traceId),
        properties: [...anchor.properties].map(([name, value]) => ({ name, value })),
      },
      clock: reportedClock(definitions.clock),
      commands: values.commands(),
      exitStatuses: values.exitStatuses(),
      ...extent(locations),
      locations,
      events: [...this.#kinds]
        .flatMap((count, kind) =>
          count === 0 ? [] : [{ kind: eventLayouts[kind]?.name ?? `${kind}`, count }],
        )
        .sort((a, b) => b.count - a.count),
      functions: this.calls.report(),
      messages: communication.messages(chosen.length === definitions.locations.length),
      collectives: communication.collectives(),
      oneSided: communication.oneSided(),
      files: communication.files(),
      metrics: values.metrics(),
      parameters: values.parameters(),
      missingLeaves: this.calls.missingLeaves,
      unmatchedLeaves: this.calls.unmatchedLeaves,
      notes: [
        ...archive.notes().map(({ message }) => message),
        ...callNotes(this.calls),
        ...this.#flushNotes(definitions.clock.ticksPerSecond),
        ...(locations.every(({ events }) => events === 0) ? [`${file} has no events that can be read.`] : []),
      ],
    };
  }

  #flushNotes(ticksPerSecond: number): readonly string[] {
    const { flushes, flushTicks } = this.#values;
    if (flushes === 0) return [];
    const time = formatSeconds(flushTicks / ticksPerSecond);
    return [
      `The recording wrote full buffers to disk ${flushes === 1 ? 'once' : `${flushes} times`} during the run, which took ${time} of the locations' time: give it more memory (SCOREP_TOTAL_MEMORY).`,
    ];
  }
}

function reportedClock({
  ticksPerSecond,
  globalOffset,
  length,
  realtimeNanoseconds,
}: Clock): TraceReport['clock'] {
  return {
    ticksPerSecond,
    globalOffset: String(globalOffset),
    seconds: length / ticksPerSecond,
    ...present({ begin: realtimeNanoseconds === undefined ? undefined : isoDate(realtimeNanoseconds) }),
  };
}

/** Undefined where it is no date that exists. */
function isoDate(nanoseconds: bigint): string | undefined {
  const date = new Date(Number(nanoseconds / 1_000_000n));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function extent(locations: readonly ReportedLocation[]): Pick<TraceReport, 'firstSeconds' | 'lastSeconds'> {
  const times = locations.filter(({ events }) => events > 0);
  if (times.length === 0) return {};
  return {
    firstSeconds: times.reduce(
      (least, { firstSeconds = Infinity }) => Math.min(least, firstSeconds),
      Infinity,
    ),
    lastSeconds: times.reduce((most, { lastSeconds = -Infinity }) => Math.max(most, lastSeconds), -Infinity),
  };
}
