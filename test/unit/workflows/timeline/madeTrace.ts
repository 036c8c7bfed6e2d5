import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { ArchiveWriter, type ArchiveOptions } from '../../../../src/formats/otf2/write/archiveWriter';

/** Numbers of regions; the last one is not defined. */
export const functionCount = 12;
const undefinedRegion = 99;
const noRef = 0xffffffff;
const ticksPerSecond = 1000;
const globalOffset = 5_000_000;

export interface NaiveCall {
  readonly function: number;
  readonly depth: number;
  readonly begin: number;
  end: number;
}

/** A piece of time in which one function ran itself; −1: none. */
export interface NaivePiece {
  readonly function: number;
  readonly begin: number;
  readonly end: number;
}

export interface NaiveMessage {
  readonly sender: number;
  readonly receiver: number;
  readonly sent: number;
  received: number;
  readonly bytes: number;
  readonly tag: number;
}

/** What is in a trace, by a replay that keeps everything. Times are seconds since its first event. */
export interface NaiveTrace {
  readonly rows: readonly { readonly calls: NaiveCall[]; readonly pieces: NaivePiece[]; events: number }[];
  readonly messages: readonly NaiveMessage[];
  readonly seconds: number;
}

interface RawEvent {
  readonly time: number;
  readonly kind: 'enter' | 'leave' | 'send' | 'receive' | 'request' | 'requested' | 'isend';
  readonly values: readonly number[];
}

export interface MadeOptions extends ArchiveOptions {
  readonly rows?: number;
  readonly events?: number;
  /** Times that go backwards, leaves without enters, and calls without leaves. */
  readonly isDamaged?: boolean;
}

/** Writes `traces.otf2` with random calls and messages. */
export function madeTrace(folder: string, seed: number, options: MadeOptions = {}): NaiveTrace {
  const { rows = 3, events = 9000, isDamaged = false, ...archive } = options;
  const random = randomNumbers(seed);
  const messages: NaiveMessage[] = [];
  const raw = Array.from({ length: rows }, (_, row) => callsOf(random, row, events, isDamaged));
  const inbox = sendAll(random, raw, messages);
  receiveAll(raw, inbox);
  write(folder, raw, archive);
  const origin = Math.min(...raw.filter((list) => list.length > 0).map((list) => list[0]?.time ?? 0));
  const seconds = (ticks: number): number => (ticks - origin) / ticksPerSecond;
  const replayed = raw.map((list) => replay(list));
  return {
    rows: replayed.map(({ calls, pieces, events: count }) => ({
      calls: calls.map((call) => ({ ...call, begin: seconds(call.begin), end: seconds(call.end) })),
      pieces: pieces.map((piece) => ({ ...piece, begin: seconds(piece.begin), end: seconds(piece.end) })),
      events: count,
    })),
    messages: messages
      .filter(({ received }) => received >= 0)
      .map((message) => ({
        ...message,
        sent: seconds(message.sent),
        received: seconds(message.received),
      })),
    seconds: Math.max(0, ...replayed.map(({ end }) => seconds(end))),
  };
}

function callsOf(random: () => number, row: number, count: number, isDamaged: boolean): RawEvent[] {
  const list: RawEvent[] = [];
  const stack: number[] = [];
  let time = 100 + row * 37;
  // In some rows everything is called by a function that is called once; between the calls of the others nothing runs.
  const root = row % 2 === 0 && count > 0 ? 1 : 0;
  if (root > 0) {
    stack.push(0);
    list.push({ time, kind: 'enter', values: [0] });
  }
  // Some stretches have many short calls, others few long ones; a function is typical of each.
  let scale = 1;
  let typical = 1;
  while (list.length < count) {
    if (random() < 0.003) {
      scale = 10 ** Math.floor(random() * 5);
      typical = 1 + Math.floor(random() * (functionCount - 1));
    }
    time += Math.floor(random() * random() * 20 * scale);
    if (isDamaged && random() < 0.01) time = Math.max(0, time - Math.floor(random() * 50));
    const chosen = random() < 0.5 ? typical : 1 + Math.floor(random() * (functionCount - 1));
    list.push({
      time,
      ...(isDamaged && random() < 0.02 ? wrong(random, stack, chosen) : right(random, stack, chosen, root)),
    });
  }
  if (!isDamaged)
    while (stack.length > 0) list.push({ time: ++time, kind: 'leave', values: [stack.pop() ?? 0] });
  return list;
}

type Change = Omit<RawEvent, 'time'>;

function right(random: () => number, stack: number[], chosen: number, root: number): Change {
  if (stack.length > root && (stack.length > 8 || random() < 0.51))
    return { kind: 'leave', values: [stack.pop() ?? 0] };
  stack.push(chosen);
  return { kind: 'enter', values: [chosen] };
}

/** A leave of any function, or of a caller without that of the function that it called. */
function wrong(random: () => number, stack: number[], chosen: number): Change {
  if (stack.length < 3 || random() < 0.5) return { kind: 'leave', values: [chosen] };
  stack.pop();
  return { kind: 'leave', values: [stack.pop() ?? 0] };
}

interface Sent {
  readonly message: NaiveMessage;
  readonly delay: number;
}

/** Puts sends between the events; their messages arrive in their order. */
function sendAll(random: () => number, raw: RawEvent[][], messages: NaiveMessage[]): Sent[] {
  const inbox: Sent[] = [];
  for (const [row, list] of raw.entries())
    for (let at = 50; at < list.length && raw.length > 1; at += 20 + Math.floor(random() * 100)) {
      const { time } = list[at] ?? { time: 0 };
      // The events around a message do not go backwards.
      const sent = Math.max(time, ...list.slice(0, at).map((event) => event.time));
      const receiver = (row + 1 + Math.floor(random() * (raw.length - 1))) % raw.length;
      const message = {
        sender: row,
        receiver,
        sent,
        received: -1,
        bytes: Math.floor(random() * 1000),
        tag: Math.floor(random() * 3),
      };
      messages.push(message);
      const kind = random() < 0.5 ? 'send' : 'isend';
      list.splice(at, 0, { time: sent, kind, values: [receiver, 0, message.tag, message.bytes, 1] });
      inbox.push({ message, delay: random() < 0.02 ? 500 + random() * 5000 : random() * 30 });
    }
  return inbox;
}

/** Puts receives where there are events after the send; some are posted long before they are complete, and complete in another order. */
function receiveAll(raw: RawEvent[][], inbox: readonly Sent[]): void {
  const channels = new Map<string, Sent[]>();
  for (const sent of inbox) {
    const { sender, receiver, tag } = sent.message;
    const key = `${sender} ${receiver} ${tag}`;
    channels.set(key, [...(channels.get(key) ?? []), sent]);
  }
  let request = 10;
  for (const channel of channels.values()) {
    channel.sort((one, other) => one.message.sent - other.message.sent);
    const list = raw[channel[0]?.message.receiver ?? 0] ?? [];
    let posted = 0;
    for (const { message, delay } of channel) {
      const { sender, tag, bytes } = message;
      const from = clampedFrom(list, message.sent + delay);
      if (from === undefined || from < posted) continue;
      if (request % 3 === 0) {
        const { at, time } = place(list, Math.max(posted, from - 40));
        list.splice(at, 0, { time, kind: 'request', values: [request] });
        posted = at + 1;
        const later = place(list, from + 1 + (request % 40));
        list.splice(later.at, 0, {
          time: later.time,
          kind: 'requested',
          values: [sender, 0, tag, bytes, request],
        });
        message.received = later.time;
      } else {
        const { at, time } = place(list, from);
        list.splice(at, 0, { time, kind: 'receive', values: [sender, 0, tag, bytes] });
        posted = at + 1;
        message.received = time;
      }
      request++;
    }
    // What is left out has no receive: the ones behind it would match it.
    const first = channel.findIndex(({ message }) => message.received < 0);
    if (first >= 0) {
      const times = channel.filter(({ message }) => message.received >= 0).map(({ message }) => message);
      const received = times.map((message) => message.received);
      for (const { message } of channel) message.received = -1;
      for (const [at, time] of received.entries()) {
        const sent = channel[at];
        if (sent !== undefined) sent.message.received = time;
      }
    }
  }
}

function clampedFrom(list: readonly RawEvent[], time: number): number | undefined {
  let now = -Infinity;
  for (const [at, event] of list.entries()) {
    now = Math.max(now, event.time);
    if (now >= time) return at;
  }
  return undefined;
}

/** Where an event is put in, with the time that counts there. */
function place(list: readonly RawEvent[], at: number): { at: number; time: number } {
  const inside = Math.max(1, Math.min(list.length, at));
  return { at: inside, time: list.slice(0, inside).reduce((now, event) => Math.max(now, event.time), 0) };
}

function replay(list: readonly RawEvent[]): {
  calls: NaiveCall[];
  pieces: NaivePiece[];
  end: number;
  events: number;
} {
  const calls: NaiveCall[] = [];
  const pieces: NaivePiece[] = [];
  const stack: NaiveCall[] = [];
  let now = list[0]?.time ?? 0;
  let since = now;
  const run = (): void => {
    if (now > since) pieces.push({ function: stack.at(-1)?.function ?? -1, begin: since, end: now });
    since = now;
  };
  for (const { time, kind, values } of list) {
    now = Math.max(now, time);
    const which = values[0] ?? 0;
    if (kind === 'enter') {
      run();
      const call = { function: which, depth: stack.length, begin: now, end: now };
      calls.push(call);
      stack.push(call);
    } else if (kind === 'leave' && stack.some((call) => call.function === which)) {
      run();
      for (let call = stack.pop(); call !== undefined; call = stack.pop()) {
        call.end = now;
        if (call.function === which) break;
      }
    }
  }
  run();
  for (const call of stack) call.end = now;
  return { calls, pieces, end: now, events: list.length };
}

const names = {
  send: 'MPI_SEND',
  isend: 'MPI_ISEND',
  receive: 'MPI_RECV',
  request: 'MPI_IRECV_REQUEST',
  requested: 'MPI_IRECV',
} as const;

function write(folder: string, raw: readonly (readonly RawEvent[])[], options: ArchiveOptions): void {
  mkdirSync(path.join(folder, 'traces'), { recursive: true });
  const writer = new ArchiveWriter(
    'traces',
    (file) => (bytes) => appendFileSync(path.join(folder, file), bytes),
    { chunkBytes: 4096, ...options },
  );
  const region = (which: number): number => (which === functionCount - 1 ? undefinedRegion : which);
  for (const [row, list] of raw.entries()) {
    const events = writer.location(row);
    for (const { time, kind, values } of list) {
      const at = globalOffset + time;
      if (kind === 'enter') events.enter(at, region(values[0] ?? 0));
      else if (kind === 'leave') events.leave(at, region(values[0] ?? 0));
      else events.event(names[kind], at, kind === 'send' ? values.slice(0, 4) : values);
    }
    writer.close(row);
    writer.localDefinitions(row);
  }
  writer.define('CLOCK_PROPERTIES', {
    ticksPerSecond,
    globalOffset,
    length: 1,
    realtimeNanoseconds: 2n ** 64n - 1n,
  });
  const name = (text: string): number => writer.string(text);
  const empty = name('');
  for (let id = 0; id < functionCount - 1; id++)
    writer.define('REGION', {
      id,
      name: name(`function ${id}`),
      canonicalName: empty,
      description: empty,
      role: 1,
      paradigm: id === 0 ? 4 : 2,
      flags: 0,
      file: name('/src/main.c'),
      firstLine: id + 1,
      lastLine: id + 1,
    });
  writer.define('SYSTEM_TREE_NODE', { id: 0, name: empty, className: empty, parent: noRef });
  for (const [id, list] of raw.entries()) {
    writer.define('LOCATION_GROUP', { id, name: empty, type: 1, parent: 0, creator: noRef });
    writer.define('LOCATION', { id, name: empty, type: 1, events: list.length, group: id });
  }
  const members = raw.map((_, row) => row);
  writer.define('GROUP', { id: 0, name: empty, members, type: 4, paradigm: 4, flags: 0 });
  writer.define('GROUP', { id: 1, name: empty, members, type: 5, paradigm: 4, flags: 0 });
  writer.define('COMM', { id: 0, name: empty, group: 1, parent: noRef, flags: 0 });
  writer.finish();
}
