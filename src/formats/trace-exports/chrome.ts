import type { Region } from '../../core/profile/profile';
import type { MatchedMessage, PlacedEnd } from '../../core/messages/matchEnds';
import type { Call } from '../../core/trace/build/replay';
import {
  nanoseconds,
  type ExportedLocation,
  type ExportedTrace,
  type TraceBatch,
  type TraceItem,
} from './items';

/** Complete events that begin at the same time as their caller, and are held back for it; more of them are written as they come. */
const mostHeld = 10_000;

/**
 * A trace as Chrome's JSON (“Trace Event Format”), which Perfetto opens: processes and threads with names, a complete event for each call, two flow
 * events for each message, behind the calls. Times are microseconds. Viewers nest events of the same begin in the order of the file, so that callers are written first.
 * @param messages their rows are positions of locations; those without both ends are left out. They are asked for behind the last batch.
 * @returns the file in pieces, one for each batch
 */
export function* chromeTrace(
  trace: ExportedTrace,
  batches: Iterable<TraceBatch>,
  messages: Iterable<readonly MatchedMessage[]> = [],
): Generator<string> {
  const ids = chromeIds(trace.locations);
  yield `{"displayTimeUnit":"ns","otherData":${JSON.stringify({ trace: trace.name, exporter: 'kymo' })},"traceEvents":[`;
  const metadata = trace.locations.flatMap((location, position) => names(location, ids[position] ?? noIds));
  let separator = '\n';
  for (let from = 0; from < metadata.length; from += 1000) {
    yield `${separator}${metadata.slice(from, from + 1000).join(',\n')}`;
    separator = ',\n';
  }
  let writer: LocationEvents | undefined;
  let current = -1;
  for (const { location, items } of batches) {
    const events: string[] = [];
    if (location !== current) {
      writer = new LocationEvents(trace, ids[location] ?? noIds);
      current = location;
    }
    for (const item of items) writer?.add(item, events);
    if (events.length === 0) {
      yield '';
      continue;
    }
    yield `${separator}${events.join(',\n')}`;
    separator = ',\n';
  }
  let id = 0;
  for (const some of messages) {
    const events: string[] = [];
    for (const { send, receive, bytes, tag } of some) {
      if (send === undefined || receive === undefined) continue;
      const others = `"id":${++id},"name":"message","cat":"message","args":{"bytes":${bytes},"tag":${tag}}`;
      const at = ({ row, time }: PlacedEnd): string =>
        `${placeText(ids[row] ?? noIds)},"ts":${nanoseconds(time, trace) / 1000},${others}}`;
      events.push(`{"ph":"s",${at(send)}`, `{"ph":"f","bp":"e",${at(receive)}`);
    }
    yield events.length === 0 ? '' : `${separator}${events.join(',\n')}`;
    if (events.length > 0) separator = ',\n';
  }
  yield '\n]}\n';
}

function placeText({ pid, tid }: ChromeIds): string {
  return `"pid":${pid},"tid":${tid}`;
}

interface ChromeIds {
  readonly pid: number;
  readonly tid: number;
}

const noIds: ChromeIds = { pid: 0, tid: 0 };

/** Rank and number of the thread where they are unique; other locations have the next free numbers behind them. */
function chromeIds(locations: readonly ExportedLocation[]): readonly ChromeIds[] {
  const processes = new Map<string, number>();
  let nextProcess = locations.reduce((most, { rank }) => Math.max(most, rank), -1) + 1;
  let nextThread = locations.reduce((most, { thread }) => Math.max(most, thread), -1) + 1;
  const used = new Set<string>();
  return locations.map(({ rank, thread, process, isThread }) => {
    const pid = rank >= 0 ? rank : (processes.get(process) ?? nextProcess++);
    if (rank < 0) processes.set(process, pid);
    const isFree = isThread && !used.has(`${pid} ${thread}`);
    const tid = isFree ? thread : nextThread++;
    used.add(`${pid} ${tid}`);
    return { pid, tid };
  });
}

function names(
  { name, process, rank, isThread }: ExportedLocation,
  { pid, tid }: ChromeIds,
): readonly string[] {
  const entry = (ph: string, args: object): string => JSON.stringify({ ph: 'M', name: ph, pid, tid, args });
  return [
    // The stream of an accelerator does not name the process that it belongs to.
    ...(isThread || rank < 0 ? [entry('process_name', { name: rank < 0 ? process : `rank ${rank}` })] : []),
    entry('process_sort_index', { sort_index: pid }),
    entry('thread_name', { name: isThread ? name : `${process} ${name}`.trim() }),
    entry('thread_sort_index', { sort_index: tid }),
  ];
}

/** The events of one location. */
class LocationEvents {
  readonly #place: string;
  readonly #functions: string[] = [];
  /** Begins of open calls. */
  readonly #begins: number[] = [];
  /** In the order of their ends. */
  readonly #held: Call[] = [];

  constructor(
    private readonly trace: ExportedTrace,
    ids: ChromeIds,
  ) {
    this.#place = placeText(ids);
  }

  add(item: TraceItem, events: string[]): void {
    if (item.kind === 'open') this.#begins.push(this.#time(item.at));
    else this.#close(item.call, events);
  }

  #close(call: Call, events: string[]): void {
    const begin = this.#begins.pop();
    if (begin === this.#begins.at(-1) && this.#held.length < mostHeld) {
      this.#held.push(call);
      return;
    }
    // What is deeper was called from this call: others were written with their callers.
    const callees: Call[] = [];
    while ((this.#held.at(-1)?.depth ?? 0) > call.depth) callees.push(this.#held.pop() ?? call);
    for (const each of [call, ...callees.reverse().sort((a, b) => a.depth - b.depth)])
      events.push(this.#complete(each));
  }

  #complete({ function: called, begin, end }: Call): string {
    const from = this.#time(begin);
    const duration = this.#time(end) - from;
    return `{"ph":"X",${this.#place},"ts":${from / 1000},"dur":${duration / 1000},${this.#named(called)}}`;
  }

  #named(called: number): string {
    return (this.#functions[called] ??= functionFields(this.trace.functions[called]));
  }

  #time(ticks: number): number {
    return nanoseconds(ticks, this.trace);
  }
}

function functionFields(region: Region | undefined): string {
  const { name = '', paradigm = 'unknown', file, firstLine } = region ?? {};
  const fields = {
    name,
    cat: paradigm,
    ...(file === undefined
      ? {}
      : { args: { source: firstLine === undefined ? file : `${file}:${firstLine}` } }),
  };
  return JSON.stringify(fields).slice(1, -1);
}
