import { at, atFloat } from '../../core/at';
import { getOrMake } from '../../core/getOrMake';
import { placeOf } from '../../core/profile/place';
import type { MessageKey } from '../../core/trace/callTrace';
import type { KeyTable } from '../../core/trace/keyTable';
import { CallReplay } from '../../core/trace/build/replay';
import type { TraceSink } from '../../core/trace/build/traceBuilder';
import { contribution } from './contribution';
import { undefinedRef } from './definitions/globalDefinitions';
import type { Location, MetricMember } from './definitions/model';
import type { EventChunk } from './events/chunk';
import { callKind, TraceFunctions } from './functions';
import { enumName } from './layouts/enums';
import { collectiveEnds, eventKind } from './layouts/events';
import { messageEnd, Partners, type MessageEnd } from './messages';
import type { Otf2Archive } from './open';

/** The threads of a process, the first one first. */
export interface ProcessThreads {
  readonly rank: number;
  readonly threads: readonly Location[];
}

/** What of the calls of a location does not match. */
export interface CallProblems {
  readonly unmatchedLeaves: number;
  readonly missingLeaves: number;
}

const metricKind = eventKind('METRIC');
const onOffKind = eventKind('MEASUREMENT_ON_OFF');
const flushKind = eventKind('BUFFER_FLUSH');
const measurementOff = 2;
/** Creating communicators, windows and files exchanges no data of the program. */
const noData = /HANDLE|ALLOCATE/;

/** Counters that count instructions, whatever they are called. */
const instructions = /^(PAPI_TOT_INS|instructions|INST_RETIRED.*)$/i;

/** The calls, messages and counters of an archive's locations, for the builder of call-graph traces. */
export class Otf2Calls {
  /** Names of the counters of calls: metrics that are recorded with them and add up. */
  readonly counters: readonly string[];
  /** In the order of the ranks: the first thread of each process, and its others that have events. */
  readonly processes: readonly ProcessThreads[];
  readonly #functions: TraceFunctions;
  readonly #partners: Partners;
  readonly #keys = new Map<number, number>();
  readonly #messages = new Map<string, number>();
  /** Positions of a metric's values among the counters; −1: it is none. */
  readonly #positions = new Map<number, readonly number[]>();

  constructor(
    readonly archive: Otf2Archive,
    private readonly table: KeyTable,
  ) {
    const { definitions } = archive;
    this.#functions = new TraceFunctions(definitions);
    this.#partners = new Partners(definitions);
    this.processes = processesOf(definitions.locations);
    const counters: string[] = [];
    for (const { id, members, occurrence } of definitions.metrics.values()) {
      const own = members.map((member) => {
        if (!addsUp(member) || !occurrence.startsWith('SYNCHRONOUS')) return -1;
        const name = instructions.test(member.name) ? 'instructions' : member.name;
        const known = counters.indexOf(name);
        return known >= 0 ? known : counters.push(name) - 1;
      });
      this.#positions.set(id, own);
    }
    this.counters = counters;
  }

  /** Keys of the functions of this name, and of those that the trace itself marks as an iteration where none is given. */
  phases(name: string | undefined): readonly number[] {
    const keys: number[] = [];
    for (const [position, { name: own, mangledName }] of this.#functions.list.entries())
      if (
        name !== undefined &&
        (own === name ||
          mangledName === name ||
          own
            .replace(/\(.*$/, '')
            .split(/[\s:]+/)
            .at(-1) === name)
      )
        keys.push(this.#key(position));
    if (name !== undefined) return keys;
    const marked = [...this.archive.definitions.regions.values()].filter(({ flags }) =>
      flags.includes('PHASE'),
    );
    return marked.map(({ id }) => this.#key(this.#functions.positionOf(eventKind('ENTER'), id)));
  }

  /** Passes the events of a location on, in their order. */
  read(location: Location, sink: TraceSink): CallProblems {
    const { clock } = this.archive.definitions;
    const replay = new Replay(sink, this.counters.length, 1 / clock.ticksPerSecond);
    for (const chunk of this.archive.events(location)) {
      const { count, kind, first, values, time } = chunk;
      for (let index = 0; index < count; index++) {
        const type = kind[index] ?? 0;
        const now = atFloat(time, index);
        const call = callKind(type);
        if (call === 'enter' || call === 'leave')
          replay.call(
            call === 'enter',
            this.#key(this.#functions.positionOf(type, values[first[index] ?? 0] ?? 0)),
            now,
          );
        else if (call === undefined) this.#other(chunk, index, location.rank, replay, now);
      }
    }
    return replay.finish();
  }

  #key(position: number): number {
    const known = this.#keys.get(position);
    if (known !== undefined) return known;
    const region = at(this.#functions.list, position);
    const key = this.table.context(region.name, placeOf(region), region.lastLine);
    this.#keys.set(position, key);
    return key;
  }

  #other(chunk: EventChunk, index: number, rank: number, replay: Replay, now: number): void {
    const type = chunk.kind[index] ?? 0;
    const from = chunk.first[index] ?? 0;
    if (type === metricKind) this.#metric(chunk, from, replay, now);
    else if (type === onOffKind) replay.pause(now, chunk.values[from] === measurementOff);
    else if (type === flushKind) replay.skip(now, chunk.values[from] ?? now);
    else if (collectiveEnds.includes(type))
      this.#collective(chunk.values.subarray(from, from + 5), rank, replay);
    else {
      const end = messageEnd(chunk, index);
      if (end !== undefined)
        replay.message(this.#messageKey(end, rank), end.bytes, this.table.tagSet(end.tag));
    }
  }

  #metric({ values }: EventChunk, from: number, replay: Replay, now: number): void {
    const metric = values[from] ?? 0;
    const members = this.archive.definitions.metrics.get(metric)?.members ?? [];
    const positions = this.#positions.get(metric) ?? [];
    for (const [number, member] of members.entries()) {
      const position = positions[number] ?? -1;
      // Before each value stands its type.
      const value = (values[from + 3 + 2 * number] ?? 0) * member.base ** member.exponent;
      if (position >= 0) replay.counter(position, value, member.mode.startsWith('RELATIVE'), now);
    }
  }

  #collective(
    [operation = 0, communicator = 0, root = 0, sent = 0, received = 0]: Float64Array,
    rank: number,
    replay: Replay,
  ): void {
    const name = enumName('collectiveOp', operation);
    if (noData.test(name)) return;
    const partner =
      root >= undefinedRef - 2 ? undefined : this.#partners.worldRank({ communicator, partner: root }, rank);
    const key = this.#numbered(
      { kind: 'collective', call: name.toLowerCase(), ...(partner === undefined ? {} : { partner }) },
      communicator,
    );
    replay.message(key, contribution(name, sent, received, this.#partners.sizeOf(communicator)), 0);
  }

  #messageKey(end: MessageEnd, rank: number): number {
    const partner = this.#partners.worldRank(end, rank);
    const call = end.isSend ? 'send' : 'receive';
    return this.#numbered(
      { kind: call, call, ...(partner === undefined ? {} : { partner }) },
      end.communicator,
    );
  }

  /** Communicators other than the whole world are named. */
  #numbered(key: MessageKey, communicator: number): number {
    const name = `${key.kind} ${key.call} ${key.partner ?? ''} ${communicator}`;
    const known = this.#messages.get(name);
    if (known !== undefined) return known;
    const own = this.archive.definitions.communicators.get(communicator)?.name ?? '';
    const number = this.table.message(
      own === '' || own === 'MPI_COMM_WORLD' ? key : { ...key, communicator: own },
    );
    this.#messages.set(name, number);
    return number;
  }
}

function processesOf(locations: readonly Location[]): readonly ProcessThreads[] {
  const processes = new Map<number, Location[]>();
  for (const location of locations.toSorted((a, b) => a.rank - b.rank || a.thread - b.thread)) {
    const { type, rank, thread, events } = location;
    if (type === 'CPU_THREAD' && rank >= 0 && (thread === 0 || events > 0))
      getOrMake(processes, rank, () => []).push(location);
  }
  return [...processes].map(([rank, threads]) => ({ rank, threads }));
}

function addsUp({ mode }: MetricMember): boolean {
  return mode.startsWith('ACCUMULATED') || mode.startsWith('RELATIVE');
}

/** Exclusive times and counts of calls from their times and the states of counters. */
class Replay {
  readonly #calls = new CallReplay(({ exclusive }) => this.#ended(exclusive));
  /** Exclusive counts of each open call, one call after the other. */
  readonly #counts: number[] = [];
  readonly #state: (number | undefined)[];
  readonly #own: Float64Array;
  #last = -Infinity;
  /** Time that is no part of the program's. */
  #skipped = 0;
  #pausedAt: number | undefined;
  /** Key of a call event that waits for the counters of its time; a leave has the complement. */
  #pending: number | undefined;
  #pendingTime = NaN;
  #counterTime = NaN;

  constructor(
    private readonly sink: TraceSink,
    private readonly counters: number,
    private readonly secondsPerTick: number,
  ) {
    this.#state = Array.from({ length: counters }, () => undefined);
    this.#own = new Float64Array(counters);
  }

  /** Counters of a call stand before it or behind it, with the same time. */
  call(isEnter: boolean, key: number, time: number): void {
    this.#flush();
    if (this.counters > 0 && this.#counterTime !== time) {
      this.#pending = isEnter ? key : -1 - key;
      this.#pendingTime = time;
    } else this.#do(isEnter ? key : -1 - key, time);
  }

  counter(position: number, value: number, isRelative: boolean, time: number): void {
    if (this.#pending !== undefined && this.#pendingTime !== time) this.#flush();
    this.#counterTime = time;
    const before = this.#state[position];
    this.#state[position] = value;
    const more = isRelative ? value : before === undefined ? 0 : Math.max(0, value - before);
    const { depth } = this.#calls;
    if (depth === 0 || more === 0) return;
    const at = (depth - 1) * this.counters + position;
    this.#counts[at] = (this.#counts[at] ?? 0) + more;
  }

  message(key: number, bytes: number, marks: number): void {
    this.#flush();
    this.sink.message(key, bytes, marks);
  }

  pause(time: number, isOff: boolean): void {
    this.#flush();
    if (isOff) this.#pausedAt ??= time;
    else if (this.#pausedAt !== undefined) {
      this.skip(this.#pausedAt, time);
      this.#pausedAt = undefined;
    }
  }

  skip(from: number, to: number): void {
    this.#flush();
    this.#skipped += Math.max(0, to - from);
  }

  finish(): CallProblems {
    this.#flush();
    this.#calls.finish(this.#last);
    return this.#calls;
  }

  #flush(): void {
    if (this.#pending === undefined) return;
    const pending = this.#pending;
    this.#pending = undefined;
    this.#do(pending, this.#pendingTime);
  }

  #do(event: number, time: number): void {
    this.#last = time - this.#skipped;
    if (event < 0) {
      this.#calls.leave(-1 - event, this.#last);
      return;
    }
    this.#calls.enter(event, this.#last);
    for (let counter = 0; counter < this.counters; counter++) this.#counts.push(0);
    this.sink.enter(event);
  }

  #ended(exclusive: number): void {
    for (let counter = this.counters - 1; counter >= 0; counter--)
      this.#own[counter] = this.#counts.pop() ?? 0;
    this.sink.leave(Math.max(0, exclusive) * this.secondsPerTick, this.#own);
  }
}
