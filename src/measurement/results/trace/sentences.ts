import { formatBytes, formatCount, formatSeconds } from '../../../core/format';
import type { ResultHead } from '../../../formats/kymo-result/resultFile';
import type { ProcessTrace, TraceThread } from '../../../formats/kymo-trace/traceFile';
import type { ProcessClock } from './clocks';
import type { ThreadGaps } from './threadEvents';

export interface WrittenThread {
  readonly result: ResultHead;
  readonly thread: TraceThread;
  /** Position among the threads of its process. */
  readonly index: number;
  readonly gaps: ThreadGaps;
  readonly clock: ProcessClock;
}

export interface TraceFacts {
  readonly traces: readonly ProcessTrace[];
  readonly threads: readonly WrittenThread[];
  readonly ticksPerSecond: number;
  readonly unsynchronised: readonly string[];
  readonly hasMpi: boolean;
  /** Iterations of the phase in the run. */
  readonly iterations: number;
}

const namedThreads = 3;

/** What a reader of the trace has to know. */
export function traceSentences(facts: TraceFacts): readonly string[] {
  return [
    ...lostEvents(facts),
    ...iterationSentences(facts),
    ...cutCalls(facts),
    ...resumedCalls(facts),
    ...messagesMissing(facts),
    ...clockSentences(facts),
  ];
}

function lostEvents({ traces, threads, ticksPerSecond }: TraceFacts): readonly string[] {
  const losing = threads
    .filter(({ thread }) => thread.lost > 0)
    .sort((a, b) => b.thread.lost - a.thread.lost);
  const [trace] = traces;
  if (losing.length === 0 || trace === undefined) return [];
  const lost = losing.reduce((sum, { thread }) => sum + thread.lost, 0);
  const named = losing.slice(0, namedThreads).map(({ result, thread, index, clock }) => {
    const seconds = formatSeconds(Math.max(0, Number(thread.lostTime - clock.base)) / ticksPerSecond);
    const who = `${index === 0 ? 'the master thread' : `thread ${index}`} of rank ${result.rank}`;
    return `${formatCount(thread.lost)} of ${who} ${trace.keepsLast ? `up to ${seconds}` : `from ${seconds} on`}`;
  });
  const more = losing.length - namedThreads;
  const others = more > 0 ? `, and those of ${more} more ${more === 1 ? 'thread' : 'threads'}` : '';
  return [
    `The trace lacks ${formatCount(lost)} events, for which ${formatBytes(trace.memoryBytes)} per process were not enough: ${named.join('; ')}${others}. The profile has all of them. More memory (--trace-memory), fewer iterations (--trace-iterations) or fewer functions help.`,
  ];
}

function iterationSentences({ traces, iterations: count }: TraceFacts): readonly string[] {
  const [trace] = traces;
  const wanted = trace?.iterations;
  if (wanted === undefined) return [];
  const range =
    wanted.first === wanted.last
      ? `iteration ${wanted.first}`
      : `iterations ${wanted.first} to ${wanted.last}`;
  const missing = traces.filter(({ iterations }) => iterations?.from === 0n).length;
  if (missing === traces.length)
    return [
      count === 0
        ? 'The trace has no events: no phase was visited, so there were no iterations. Name the phase in kymo.json (“phase”), or mark it in the source.'
        : `The trace has no events: the run has ${formatCount(count)} iterations, and ${range} did not come.`,
    ];
  return [
    `The trace has ${range} only, and the calls that began in them${missing > 0 ? `; ${missing} processes did not come to them` : ''}.`,
  ];
}

function cutCalls({ traces, threads }: TraceFacts): readonly string[] {
  const unmatched = threads.reduce((sum, { gaps }) => sum + gaps.unmatched, 0);
  const isLossy = threads.some(({ thread }) => thread.lost > 0);
  const isCut = isLossy || traces.some(({ iterations }) => iterations !== undefined);
  const closed = isCut ? threads.reduce((sum, { gaps }) => sum + gaps.closed, 0) : 0;
  if (unmatched === 0 && closed === 0) return [];
  const began = `${formatCount(unmatched)} calls that began before the first event of the trace are not in it`;
  const end = `${formatCount(closed)} calls that were open at the end of the recording end there`;
  return [`${[...(unmatched > 0 ? [began] : []), ...(closed > 0 ? [end] : [])].join('; ')}.`];
}

function resumedCalls({ threads }: TraceFacts): readonly string[] {
  const resumed = threads.reduce((sum, { gaps }) => sum + gaps.resumed, 0);
  if (resumed === 0) return [];
  return [
    `The program switches between stacks (coroutines, user threads): the trace enters a call again when its stack goes on, ${formatCount(resumed)} times, which are no visits.`,
  ];
}

function messagesMissing({ hasMpi, traces, threads }: TraceFacts): readonly string[] {
  const unknown = threads.reduce((sum, { gaps }) => sum + gaps.unknown, 0);
  if (unknown > 0)
    return [
      `The trace lacks ${formatCount(unknown)} messages of communicators with processes of another MPI_COMM_WORLD.`,
    ];
  if (hasMpi || !traces.some(({ communicators }) => communicators.length > 0)) return [];
  return [
    'The trace has no messages and collective operations of MPI, because it does not have one process for each rank of one MPI_COMM_WORLD.',
  ];
}

function clockSentences({ unsynchronised }: TraceFacts): readonly string[] {
  if (unsynchronised.length === 0) return [];
  return [
    `The clocks of the nodes are not synchronised in the trace: nothing compared those of ${unsynchronised.join(', ')} with the first one, so that the time of day relates them. Times of different nodes may be wrong by milliseconds and more.`,
  ];
}
