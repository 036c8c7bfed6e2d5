import { bytesSource } from '../byteSource';
import { pairCost, type FourCosts, type PairCost } from '../kymo-result/pairCost';
import { VarintReader } from '../kymo-iterations/varints';
import { callStacks, type CallStackSample } from './callStacks';
import { Cursor } from './cursor';
import type { ControlFrame } from './frames';

/** What a watched process says. `serial` is that of the request which a message answers; 0: it answers none. */
export type ControlMessage =
  | { readonly kind: 'refused'; readonly serial: number; readonly why: RefusalReason; readonly text: string }
  | ({ readonly kind: 'welcome'; readonly serial: number } & ProcessState)
  | ({ readonly kind: 'state'; readonly serial: number } & ProcessState)
  | ({ readonly kind: 'switched'; readonly serial: number } & Switched)
  /** `unknownSlots`: those of the request that are not sampled. */
  | { readonly kind: 'sampled'; readonly serial: number; readonly unknownSlots: number }
  | { readonly kind: 'done'; readonly serial: number }
  | { readonly kind: 'threads'; readonly threads: readonly WatchedThread[] }
  | { readonly kind: 'regions'; readonly regions: readonly WatchedRegion[] }
  | { readonly kind: 'paths'; readonly first: number; readonly paths: readonly WatchedPath[] }
  | ({ readonly kind: 'communicator' } & WatchedCommunicator)
  | ({ readonly kind: 'values'; readonly serial: number } & Values)
  | { readonly kind: 'nodes'; readonly first: number; readonly nodes: readonly IterationNode[] }
  | ({ readonly kind: 'iteration' } & IterationSample)
  | { readonly kind: 'suspended'; readonly iteration: number }
  | ({ readonly kind: 'stacks' } & StackSample)
  /** Beside answers, with the serial number 0, where an interval was asked for. */
  | ({ readonly kind: 'callStacks'; readonly serial: number } & CallStackSample)
  /** Lines of `/proc/<pid>/maps`. */
  | { readonly kind: 'code'; readonly serial: number; readonly text: string }
  | { readonly kind: 'end'; readonly flags: number; readonly iterations: number };

export type RefusalReason = 'cannot-switch' | 'not-understood' | 'no-room' | 'other';

export interface ProcessState {
  readonly pid: number;
  readonly rank: number;
  readonly ranks: number;
  readonly host: string;
  readonly program: string;
  /** Why sites cannot be switched; undefined: they can. */
  readonly noSwitching: string | undefined;
  readonly writesIterations: boolean;
  /** The program waits at the end of an iteration. */
  readonly isSuspended: boolean;
  readonly timerIsMonotonicClock: boolean;
  /** Number of changes of the selection so far. */
  readonly generation: number;
  readonly slotCount: number;
  readonly threadCount: number;
  /** The first slot of the selection whose visits are iterations; undefined: the source names phases, or nothing does. */
  readonly phaseSlot: number | undefined;
  /** 16 hex digits. */
  readonly selectionId: string;
  readonly iterations: number;
  /** Timer now, and ticks per second so far. */
  readonly tick: bigint;
  readonly ticksPerSecond: number;
  /** CLOCK_REALTIME now, in ns. */
  readonly realNanoseconds: bigint;
  readonly beginTick: bigint;
  readonly beginRealNanoseconds: bigint;
  /** Of the process so far, without the thread that answers here. */
  readonly cpuSeconds: number;
  /** Costs of recording, as in the result. */
  readonly probeCost: PairCost;
  readonly entryCost: PairCost;
}

export interface Switched {
  readonly generation: number;
  /** Sites that were changed. */
  readonly sites: number;
  /** Slots without a site that can be switched. */
  readonly unknownSlots: number;
  /** Sites that the kernel refused to change. */
  readonly failedSites: number;
  /** From this tick on all threads run the changed code. */
  readonly tick: bigint;
}

export interface WatchedThread {
  readonly number: number;
  /** Of the operating system. */
  readonly tid: number;
}

/** A region that the source names or a layer records; kinds as in the result file. */
export interface WatchedRegion {
  readonly slot: number;
  readonly kind: number;
  readonly line: number;
  readonly name: string;
  readonly file: string;
}

/** A communicator that the process has met. Ranks are those in `MPI_COMM_WORLD`. */
export interface WatchedCommunicator {
  /** The same in all its processes. */
  readonly id: number;
  readonly of: 'world' | 'self' | 'other';
  readonly ranks: readonly number[];
  /** The other group of an intercommunicator; otherwise empty. */
  readonly remoteRanks: readonly number[];
}

/** What values belong to: a call path or a function, of one thread or (undefined) of all. */
export interface WatchedPath {
  readonly thread: number | undefined;
  /** Number of the path above, from 1; 0: it begins at the root of its thread; undefined: a function, whatever called it. */
  readonly parent: number | undefined;
  /** As in the result file: bit 31 for visits that were only counted, and slots of counters. */
  readonly slot: number;
}

/** Columns of equal length. Paths without a change are absent when differences were asked for, and those without a value always. */
export interface Values {
  readonly of: 'paths' | 'functions';
  readonly perThread: boolean;
  readonly differences: boolean;
  /** More messages follow for the same request. */
  readonly hasMore: boolean;
  readonly tick: bigint;
  /** Threads whose open visits could not be read, because they had an event at each attempt. */
  readonly threadsWithoutOpen: number;
  readonly path: Uint32Array;
  readonly visits: Float64Array;
  /** Inclusive time of visits that have ended, in ticks of the threads' clocks; for functions without that of recursive visits. */
  readonly ticks: Float64Array;
  /** Time so far of visits that are open, no part of `ticks`. */
  readonly openTicks: Float64Array;
}

/** A node of the file of iterations; see docs/formats.md, "Iterations of a process". */
export interface IterationNode {
  readonly thread: number;
  readonly parent: number;
  readonly slot: number;
  /** Of a phase: the slots around it, innermost first. */
  readonly above?: readonly number[];
}

/** The values of one iteration, the same as in the process's file. Columns of equal length. */
export interface IterationSample {
  /** From 1. */
  readonly number: number;
  /** Samples that this client did not get so far, because it did not read, or the process was faster. */
  readonly lost: number;
  readonly cutShort: boolean;
  readonly preemptedNanoseconds: number;
  readonly node: Uint32Array;
  readonly visits: Float64Array;
  readonly ticks: Float64Array;
  readonly childEvents: Float64Array;
}

export interface StackSample {
  readonly tick: bigint;
  readonly lost: number;
  /** Threads that had an event at each attempt to read their stack. */
  readonly threadsInMotion: number;
  readonly threads: readonly ThreadStack[];
}

export interface ThreadStack {
  readonly thread: number;
  /** Open visits; `slots` has the innermost 1,024 of them. */
  readonly depth: number;
  /** Outermost first. */
  readonly slots: Uint32Array;
}

const none = 0xffff_ffff;
const noSlot = 0xffff_fffd;

/**
 * Decodes a message; undefined for a type that this version does not know, which is to be ignored.
 * @throws KymoError `invalid-message`
 */
export function decodeMessage({ type, serial, body }: ControlFrame): ControlMessage | undefined {
  const decoder = decoders.get(type);
  if (decoder === undefined) return undefined;
  const cursor = new Cursor(body, decoder.name);
  const message = decoder.decode(cursor, serial);
  cursor.end();
  return message;
}

type Decode = (cursor: Cursor, serial: number) => ControlMessage;

const refusals: readonly RefusalReason[] = ['other', 'cannot-switch', 'not-understood', 'no-room'];

const decoders: ReadonlyMap<number, { readonly name: string; readonly decode: Decode }> = new Map([
  [64, { name: 'refused', decode: refused }],
  [65, { name: 'welcome', decode: (cursor, serial) => ({ kind: 'welcome', serial, ...state(cursor) }) }],
  [66, { name: 'state', decode: (cursor, serial) => ({ kind: 'state', serial, ...state(cursor) }) }],
  [67, { name: 'switched', decode: switched }],
  [68, { name: 'threads', decode: threads }],
  [69, { name: 'regions', decode: regions }],
  [70, { name: 'paths', decode: paths }],
  [71, { name: 'values', decode: values }],
  [72, { name: 'nodes', decode: nodes }],
  [73, { name: 'iteration', decode: iteration }],
  [74, { name: 'suspended', decode: (cursor) => ({ kind: 'suspended', iteration: cursor.amount() }) }],
  [75, { name: 'done', decode: (_, serial) => ({ kind: 'done', serial }) }],
  [76, { name: 'stacks', decode: stacks }],
  [77, { name: 'end', decode: end }],
  [78, { name: 'communicator', decode: communicator }],
  [
    79,
    {
      name: 'sampled',
      decode: (cursor, serial) => ({ kind: 'sampled', serial, unknownSlots: cursor.u32() }),
    },
  ],
  [
    80,
    {
      name: 'callStacks',
      decode: (cursor, serial) => ({ kind: 'callStacks', serial, ...callStacks(cursor) }),
    },
  ],
  [
    81,
    { name: 'code', decode: (cursor, serial) => ({ kind: 'code', serial, text: cursor.text(cursor.left) }) },
  ],
]);

function refused(cursor: Cursor, serial: number): ControlMessage {
  const why = refusals[cursor.u32()] ?? 'other';
  return { kind: 'refused', serial, why, text: cursor.text(cursor.left) };
}

function state(cursor: Cursor): ProcessState {
  const pid = cursor.u32();
  const rank = cursor.u32();
  const ranks = cursor.u32();
  const flags = cursor.u32();
  const generation = cursor.u32();
  const slotCount = cursor.u32();
  const threadCount = cursor.u32();
  const phase = cursor.u32();
  const selectionId = cursor.u64().toString(16).padStart(16, '0');
  const iterations = cursor.amount();
  const tick = cursor.u64();
  const ticksPerSecond = cursor.f64();
  const realNanoseconds = cursor.u64();
  const beginTick = cursor.u64();
  const beginRealNanoseconds = cursor.u64();
  const cpuSeconds = cursor.amount() / 1e9;
  const [probe, entry, sampledProbe, sampledEntry] = [four(cursor), four(cursor), four(cursor), four(cursor)];
  const host = cursor.text(cursor.count(1));
  const program = cursor.text(cursor.count(1));
  const reason = cursor.text(cursor.count(1));
  return {
    pid,
    rank,
    ranks,
    host,
    program,
    noSwitching: flags & 1 ? undefined : reason,
    writesIterations: (flags & 2) !== 0,
    isSuspended: (flags & 4) !== 0,
    timerIsMonotonicClock: (flags & 8) !== 0,
    generation,
    slotCount,
    threadCount,
    phaseSlot: phase === noSlot ? undefined : phase,
    selectionId,
    iterations,
    tick,
    ticksPerSecond,
    realNanoseconds,
    beginTick,
    beginRealNanoseconds,
    cpuSeconds,
    probeCost: pairCost(probe, sampledProbe),
    entryCost: pairCost(entry, sampledEntry),
  };
}

function four(cursor: Cursor): FourCosts {
  return [cursor.f64(), cursor.f64(), cursor.f64(), cursor.f64()];
}

function switched(cursor: Cursor, serial: number): ControlMessage {
  return {
    kind: 'switched',
    serial,
    generation: cursor.u32(),
    sites: cursor.u32(),
    unknownSlots: cursor.u32(),
    failedSites: cursor.u32(),
    tick: cursor.u64(),
  };
}

function list<Item>(count: number, item: () => Item): readonly Item[] {
  return Array.from({ length: count }, item);
}

function threads(cursor: Cursor): ControlMessage {
  const items = list(cursor.count(8), () => ({ number: cursor.u32(), tid: cursor.u32() }));
  return { kind: 'threads', threads: items };
}

function regions(cursor: Cursor): ControlMessage {
  const items = list(cursor.count(20), () => {
    const [slot, kind, line] = [cursor.u32(), cursor.u32(), cursor.u32()];
    const [nameLength, fileLength] = [cursor.u32(), cursor.u32()];
    return { slot, kind, line, name: cursor.text(nameLength), file: cursor.text(fileLength) };
  });
  return { kind: 'regions', regions: items };
}

function communicator(cursor: Cursor): ControlMessage {
  const id = cursor.u32();
  const kind = cursor.u32();
  const size = cursor.u32();
  const remote = cursor.u32();
  if ((size + remote) * 4 !== cursor.left) cursor.fail(`${size + remote} ranks`);
  return {
    kind: 'communicator',
    id,
    of: kind === 1 ? 'world' : kind === 2 ? 'self' : 'other',
    ranks: list(size, () => cursor.u32()),
    remoteRanks: list(remote, () => cursor.u32()),
  };
}

function paths(cursor: Cursor): ControlMessage {
  const first = cursor.u32();
  const items = list(cursor.count(12), () => {
    const [thread, parent, slot] = [cursor.u32(), cursor.u32(), cursor.u32()];
    return {
      thread: thread === none ? undefined : thread,
      parent: parent === none ? undefined : parent,
      slot,
    };
  });
  return { kind: 'paths', first, paths: items };
}

function values(cursor: Cursor, serial: number): ControlMessage {
  const tick = cursor.u64();
  const threadsWithoutOpen = cursor.u32();
  const count = cursor.u32();
  const [functions, perThread, differences, isLast] = [
    cursor.byte(),
    cursor.byte(),
    cursor.byte(),
    cursor.byte(),
  ];
  if (count * 28 !== cursor.left) cursor.fail(`${count} values of 28 bytes`);
  const path = new Uint32Array(count);
  const visits = new Float64Array(count);
  const ticks = new Float64Array(count);
  const openTicks = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    path[i] = cursor.u32();
    visits[i] = cursor.amount();
    ticks[i] = cursor.amount();
    openTicks[i] = cursor.amount();
  }
  return {
    kind: 'values',
    serial,
    of: functions ? 'functions' : 'paths',
    perThread: perThread !== 0,
    differences: differences !== 0,
    hasMore: isLast === 0,
    tick,
    threadsWithoutOpen,
    path,
    visits,
    ticks,
    openTicks,
  };
}

function nodes(cursor: Cursor): ControlMessage {
  const first = cursor.u32();
  const items = list(cursor.count(16), (): IterationNode => {
    const node = { thread: cursor.u32(), parent: cursor.u32(), slot: cursor.u32() };
    const depth = cursor.u32();
    if (depth === none) return node;
    if (depth * 4 > cursor.left) cursor.fail(`${depth} slots around a phase`);
    return { ...node, above: list(depth, () => cursor.u32()) };
  });
  return { kind: 'nodes', first, nodes: items };
}

const keys = { end: 0, cutShort: 3, preempted: 4, values: 5 } as const;

/** The records of the values are those of the file, without the definitions of nodes. */
function iteration(cursor: Cursor): ControlMessage {
  const number = cursor.amount();
  const lost = cursor.amount();
  cursor.u32();
  const records = cursor.rest();
  const reader = new VarintReader(bytesSource(records), 0, records.length, (_, what) => cursor.fail(what));
  const columns: [number[], number[], number[], number[]] = [[], [], [], []];
  let preemptedNanoseconds = 0;
  for (let key = reader.next(); ; key = reader.next()) {
    if (key === keys.end || key === keys.cutShort) {
      if (!reader.isAtEnd) cursor.fail('no more records after the end of the iteration');
      return {
        kind: 'iteration',
        number,
        lost,
        cutShort: key === keys.cutShort,
        preemptedNanoseconds,
        node: Uint32Array.from(columns[0]),
        visits: Float64Array.from(columns[1]),
        ticks: Float64Array.from(columns[2]),
        childEvents: Float64Array.from(columns[3]),
      };
    }
    if (key === keys.preempted) preemptedNanoseconds += reader.next();
    else if (key < keys.values || key - keys.values > none) cursor.fail('the key of a record');
    else {
      columns[0].push(key - keys.values);
      for (const column of columns.slice(1)) column.push(reader.next());
    }
  }
}

function stacks(cursor: Cursor): ControlMessage {
  const tick = cursor.u64();
  const lost = cursor.amount();
  const threadsInMotion = cursor.u32();
  const items = list(cursor.count(12), () => {
    const [thread, depth] = [cursor.u32(), cursor.u32()];
    const slots = new Uint32Array(cursor.count(4));
    for (let i = 0; i < slots.length; i++) slots[i] = cursor.u32();
    return { thread, depth, slots };
  });
  return { kind: 'stacks', tick, lost, threadsInMotion, threads: items };
}

function end(cursor: Cursor): ControlMessage {
  const flags = cursor.u32();
  cursor.u32();
  return { kind: 'end', flags, iterations: cursor.amount() };
}
