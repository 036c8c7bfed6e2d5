import { at } from '../../../core/at';
import type { ClockOffset } from '../../../formats/otf2/definitions/clock';
import type { ProcessTrace } from '../../../formats/kymo-trace/traceFile';

/** How the timer of a process becomes the time of its locations in the archive. */
export interface ProcessClock {
  /** Tick of the timer that is 0 in the archive. */
  readonly base: bigint;
  /** Differences to the clock of the first process, where one shift is not enough. */
  readonly offsets: readonly ClockOffset[];
}

export interface TraceClocks {
  readonly ticksPerSecond: number;
  /** By process. */
  readonly clocks: readonly ProcessClock[];
  /** Ticks of the archive from its begin to the last event. */
  readonly length: number;
  /** CLOCK_REALTIME at its begin, in nanoseconds. */
  readonly beginNanoseconds: bigint;
  /** Nodes whose clocks nothing compared: their times are by the time of day. */
  readonly unsynchronised: readonly string[];
}

/** Differences of a few ticks in a second belong to the measurement of rates. */
const noticedRate = 1e-6;

/**
 * Processes of a node share its timer. Those of other nodes compared theirs with that of rank 0 at the begin and at the end of the job; where they did not,
 * the time of day at their begin tells the difference.
 * @param traces not empty
 */
export function traceClocks(traces: readonly ProcessTrace[]): TraceClocks {
  const first = at(traces, 0);
  const unsynchronised = new Set<string>();
  // Tick of each process's timer when that of the first one was 0.
  const shifts = traces.map((trace) => {
    const [compared] = trace.clocks;
    if (compared !== undefined) return compared.own - compared.root;
    if (trace.host === first.host) return 0n;
    unsynchronised.add(trace.host);
    const later = Number(trace.beginNanoseconds - first.beginNanoseconds) * 1e-9 * first.ticksPerSecond;
    return trace.begin - first.begin - BigInt(Math.round(later));
  });
  const shiftOf = (process: number): bigint => shifts[process] ?? 0n;
  const origin = traces
    .map(({ begin }, process) => begin - shiftOf(process))
    .reduce((least, begin) => (begin < least ? begin : least));
  const clocks = traces.map((trace, process) => {
    const base = origin + shiftOf(process);
    return { base, offsets: offsetsOf(trace, base, origin, first.ticksPerSecond, unsynchronised) };
  });
  const length = Math.max(
    ...traces.flatMap(({ threads }, process) =>
      threads.map(({ end }) => Number(end - origin - shiftOf(process))),
    ),
    1,
  );
  const sinceOrigin = Number(first.begin - origin) / first.ticksPerSecond;
  return {
    ticksPerSecond: Math.round(first.ticksPerSecond),
    clocks,
    length,
    beginNanoseconds: first.beginNanoseconds - BigInt(Math.round(sinceOrigin * 1e9)),
    unsynchronised: [...unsynchronised].sort(),
  };
}

/** Two times at which the difference is known; between them it changes steadily. */
function offsetsOf(
  { clocks, host, begin, threads, ticksPerSecond }: ProcessTrace,
  base: bigint,
  origin: bigint,
  rate: number,
  unsynchronised: ReadonlySet<string>,
): readonly ClockOffset[] {
  const [one, other] = clocks;
  if (one !== undefined && other !== undefined)
    return [one, other].map(({ own, root }) => ({
      time: own - base,
      offset: root - origin - (own - base),
      deviation: 0,
    }));
  const ratio = rate / ticksPerSecond - 1;
  if (!unsynchronised.has(host) || Math.abs(ratio) < noticedRate) return [];
  const end = threads.reduce((latest, thread) => (thread.end > latest ? thread.end : latest), begin);
  const length = Number(end - begin);
  const time = begin - base;
  return [
    { time, offset: 0n, deviation: 0 },
    { time: time + BigInt(length), offset: BigInt(Math.round(length * ratio)), deviation: 0 },
  ];
}
