import { KymoError } from '../../core/errors';
import type { NamedSource } from '../byteSource';

export type TraceFileErrorReason = 'not-a-trace' | 'invalid-trace';

/** The trace of one process. Times are ticks of its timer, which need more than 53 bits on machines that have run for weeks. */
export interface ProcessTrace {
  /** Id of the selection, 16 hex digits. */
  readonly selectionId: string;
  readonly pid: number;
  readonly host: string;
  readonly ticksPerSecond: number;
  readonly begin: bigint;
  /** CLOCK_REALTIME at `begin`, in nanoseconds. */
  readonly beginNanoseconds: bigint;
  /** The iterations that were to be recorded, from 1; absent: the whole run. */
  readonly iterations?: {
    readonly first: number;
    readonly last: number;
    /** 0n: not reached. */
    readonly from: bigint;
    readonly until: bigint;
  };
  /** Readings of this timer and of that of rank 0 at the same moment: none, one, or the first and the latest. */
  readonly clocks: readonly { readonly own: bigint; readonly root: bigint }[];
  /** Whether a full buffer lost its oldest events, and not the new ones. */
  readonly keepsLast: boolean;
  /** Of all events of the process. */
  readonly memoryBytes: number;
  readonly communicators: readonly Communicator[];
  readonly threads: readonly TraceThread[];
}

/** Ranks are those in `MPI_COMM_WORLD`. */
export interface Communicator {
  /** The same in all its processes. */
  readonly id: number;
  readonly kind: 'world' | 'self' | 'other';
  readonly ranks: readonly number[];
  /** The other group of an intercommunicator. */
  readonly remote?: readonly number[];
}

export interface TraceThread {
  readonly number: number;
  readonly begin: bigint;
  readonly end: bigint;
  /** Events that the buffer had no room for; `lostTime` is that of the first one, or, where the last events are kept, behind the last one. */
  readonly lost: number;
  readonly lostTime: bigint;
  /** Ticks that the times of the profile lack: the thread was pre-empted, or recorded. */
  readonly removedTicks: number;
  /** The innermost calls that ended at `parkedUntil`, for the thread waited for work from then on. */
  readonly parked: number;
  readonly parkedUntil: bigint;
  readonly pages: { readonly offset: number; readonly count: number };
}

/** Takes the events of a thread in their order. Times are ticks since the base that the reader was given, and never go backwards. */
export interface EventVisitor {
  enter(time: number, slot: number): void;
  leave(time: number, slot: number): void;
  /** Its fiber has the thread again (`resumes`), or loses it. */
  fiber(time: number, slot: number, resumes: boolean): void;
  /** An event of a layer (`kymo_layer_event` in runtime/layers.h). @param words valid during the call */
  other(time: number, code: number, words: readonly number[]): void;
}

const magic = 'KYMOTRC1';
const headerBytes = 256;
const threadBytes = 64;
const pageBytes = 1 << 15;
const pageHeaderBytes = 16;
/** Ticks per second. */
const fastestTimer = 1e12;
const enterKind = 1;
const leaveKind = 2;
const otherKind = 3;
const timeCode = 1;
const resumeCode = 2;
const suspendCode = 3;

/** @throws KymoError `not-a-trace`, `invalid-trace` */
export function openTrace(source: NamedSource): ProcessTrace {
  const { file } = source;
  if (source.size < headerBytes || text(viewOf(source, 0, 8), 0, 8) !== magic)
    throw new KymoError<TraceFileErrorReason>('not-a-trace', `${file}: not the trace of a process.`, {
      file,
    });
  const head = viewOf(source, 0, headerBytes);
  if (head.getUint32(112, true) !== pageBytes) throw damaged(source, 112, 'pages of another size');
  const u64 = (offset: number): bigint => head.getBigUint64(offset, true);
  const definitionBytes = head.getUint32(120, true);
  const first = Number(u64(64));
  const ticksPerSecond = head.getFloat64(40, true);
  // The times of all processes depend on it.
  if (!(ticksPerSecond >= 1 && ticksPerSecond < fastestTimer))
    throw damaged(source, 40, 'a timer without a rate');
  return {
    selectionId: u64(8).toString(16).padStart(16, '0'),
    pid: head.getUint32(16, true),
    host: text(head, 128, 48),
    ticksPerSecond,
    begin: u64(24),
    beginNanoseconds: u64(32),
    ...(first === 0 ? {} : { iterations: { first, last: Number(u64(72)), from: u64(48), until: u64(56) } }),
    clocks: [80, 96]
      .map((offset) => ({ own: u64(offset), root: u64(offset + 8) }))
      .filter(({ own }) => own !== 0n),
    keepsLast: head.getUint32(116, true) === 1,
    memoryBytes: head.getUint32(124, true) * pageBytes,
    communicators: readCommunicators(source, definitionBytes),
    threads: readThreads(source, headerBytes + definitionBytes, head.getUint32(20, true)),
  };
}

const communicatorKinds = ['other', 'world', 'self'] as const;

function readCommunicators(source: NamedSource, length: number): readonly Communicator[] {
  const view = viewOf(source, headerBytes, length);
  const found: Communicator[] = [];
  let offset = 0;
  const word = (): number => {
    if (offset + 4 > length) throw damaged(source, headerBytes + offset, 'a communicator is cut off');
    offset += 4;
    return view.getUint32(offset - 4, true);
  };
  const ranks = (count: number): readonly number[] => {
    if (count * 4 > length - offset) throw damaged(source, headerBytes + offset, 'a group is cut off');
    return Array.from({ length: count }, word);
  };
  while (offset < length) {
    const [id, kind, count, remoteCount] = [word(), word(), word(), word()];
    const own = ranks(count);
    const remote = ranks(remoteCount);
    found.push({
      id,
      kind: communicatorKinds[kind] ?? 'other',
      ranks: own,
      ...(remoteCount === 0 ? {} : { remote }),
    });
  }
  return found;
}

function readThreads(source: NamedSource, begin: number, count: number): readonly TraceThread[] {
  const threads: TraceThread[] = [];
  let offset = begin;
  for (let left = count; left > 0; left--) {
    const view = viewOf(source, offset, threadBytes);
    const pages = { offset: offset + threadBytes, count: view.getUint32(4, true) };
    offset = pages.offset + pages.count * pageBytes;
    if (offset > source.size) throw damaged(source, pages.offset, 'a thread is cut off');
    threads.push({
      number: view.getUint32(0, true),
      begin: view.getBigUint64(8, true),
      end: view.getBigUint64(16, true),
      lost: Number(view.getBigUint64(24, true)),
      lostTime: view.getBigUint64(32, true),
      removedTicks: Number(view.getBigUint64(40, true)),
      parkedUntil: view.getBigUint64(48, true),
      parked: view.getUint32(56, true),
      pages,
    });
  }
  return threads;
}

/**
 * Reads the events of a thread; yields after each page.
 * @param base tick from which times count
 * @throws KymoError `invalid-trace`
 */
export function* readEvents(
  source: NamedSource,
  { pages }: TraceThread,
  base: bigint,
  visitor: EventVisitor,
): Generator<void, void, void> {
  const decoder = new Decoder(source, base, visitor);
  for (let page = 0; page < pages.count; page++) {
    decoder.page(pages.offset + page * pageBytes);
    yield;
  }
}

class Decoder {
  /** Ticks that the bits of a record count from. */
  private high = 0;
  private latest = -Infinity;
  private readonly words: number[] = [];

  constructor(
    private readonly source: NamedSource,
    private readonly base: bigint,
    private readonly visitor: EventVisitor,
  ) {}

  page(offset: number): void {
    const view = viewOf(this.source, offset, pageBytes);
    this.setHigh(view.getBigUint64(8, true));
    const { visitor } = this;
    for (let at = pageHeaderBytes; at < pageBytes; at += 8) {
      const low = view.getUint32(at, true);
      const kind = low & 3;
      if (kind === 0) continue;
      const slot = (low >>> 2) & 0x3f_ffff;
      if (kind === otherKind && (slot & 0xff) === timeCode) {
        this.setHigh(view.getBigUint64(at + 8, true));
        at += 8;
        continue;
      }
      const time = this.time(view.getUint32(at + 4, true) * 256 + (low >>> 24));
      if (kind === enterKind) visitor.enter(time, slot);
      else if (kind === leaveKind) visitor.leave(time, slot);
      else at += 8 * this.other(view, at, offset, time, slot);
    }
  }

  private setHigh(whole: bigint): void {
    this.high = Number(((whole >> 40n) << 40n) - this.base);
  }

  /** A signal handler between the reading of the timer and the record has later events before it. */
  private time(low: number): number {
    this.latest = Math.max(this.latest, this.high + low);
    return this.latest;
  }

  /** @returns the number of words behind the first one */
  private other(view: DataView, at: number, page: number, time: number, slot: number): number {
    const code = slot & 0xff;
    const count = slot >>> 8;
    if (at + 8 * (count + 1) > pageBytes) throw damaged(this.source, page + at, 'a record is cut off');
    const { words, visitor } = this;
    words.length = 0;
    for (let word = 1; word <= count; word++) words.push(Number(view.getBigUint64(at + 8 * word, true)));
    if (code === resumeCode || code === suspendCode) visitor.fiber(time, words[0] ?? 0, code === resumeCode);
    else visitor.other(time, code, words);
    return count;
  }
}

/** Does not read what is not there: a damaged length may be anything. */
function viewOf(source: NamedSource, offset: number, length: number): DataView {
  const bytes = offset + length <= source.size ? source.read(offset, length) : undefined;
  if (bytes === undefined || bytes.length < length)
    throw damaged(source, offset, `${length} bytes are cut off`);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

function text(view: DataView, offset: number, length: number): string {
  const field = Buffer.from(view.buffer, view.byteOffset + offset, length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

function damaged({ file }: NamedSource, offset: number, what: string): KymoError<TraceFileErrorReason> {
  return new KymoError<TraceFileErrorReason>(
    'invalid-trace',
    `${file}, byte ${offset}: ${what}. The file is damaged; measure again.`,
    { file, offset },
  );
}
