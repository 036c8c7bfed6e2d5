import { KymoError } from '../../core/errors';

/** A region that the source names: `KYMO_PHASE_BEGIN`, `KYMO_REGION_BEGIN` and what stands for these. */
export interface NamedRegion {
  readonly name: string;
  /** Its visits are iterations. */
  readonly isPhase: boolean;
  readonly file?: string;
  readonly line?: number;
}

/** What one process measured (docs/formats.md, "Result file"). Times are seconds. */
export interface KymoResult {
  readonly file: string;
  readonly flags: ResultFlags;
  /** 16 hex digits: the selection that was measured. */
  readonly selectionId: string;
  readonly pid: number;
  readonly parentPid: number;
  /** CLOCK_REALTIME, nanoseconds since 1970, as doubles (exact to 256 ns). */
  readonly beginNanoseconds: number;
  readonly endNanoseconds: number;
  readonly ticksPerSecond: number;
  readonly probeCost: PairCost;
  readonly entryCost: PairCost;
  readonly mappedBytes: number;
  readonly nodeBytes: number;
  readonly rank: number;
  readonly rankCount: number;
  readonly host: string;
  /** Of the phase; their values are in the file beside this one. */
  readonly iterations: number;
  /** The first has the slot that follows those of the selection, and so on. */
  readonly regions: readonly NamedRegion[];
  /** By number. */
  readonly threads: readonly ResultThread[];
}

export interface ResultFlags {
  /** A fatal signal ended the program; what was measured until then is here. */
  readonly incomplete: boolean;
  readonly depthLimitHit: boolean;
  readonly outOfMemory: boolean;
  /** Ticks are nanoseconds of CLOCK_MONOTONIC. */
  readonly monotonicClock: boolean;
  /** The file of the iterations could not be written to its end. */
  readonly iterationsLost: boolean;
  /** Regions of the source began or ended where they should not. */
  readonly unbalanced: boolean;
  /** Code of the program could not be changed (a security policy): at least one linked object is not measured. */
  readonly unpatched: boolean;
  /** The program forbade itself system calls (seccomp); what it did from then on is not here. */
  readonly confined: boolean;
}

export interface PairCost {
  readonly pairSeconds: number;
  readonly spreadSeconds: number;
  readonly insideSeconds: number;
  readonly outsideSeconds: number;
  /** Of slots of which not every visit is timed; absent where the runtime cannot do that. */
  readonly sampled?: SampledCost;
}

/** Seconds. */
export interface SampledCost {
  /** A visit that is counted and not timed, and how much that spreads. */
  readonly countedSeconds: number;
  readonly spreadSeconds: number;
  /** A visit that is timed, and the part of it inside the measured interval. */
  readonly pairSeconds: number;
  readonly insideSeconds: number;
}

/** One column per field, one element per node; parents stand before their children, node 0 is the root. */
export interface ResultThread {
  readonly number: number;
  readonly beginTick: number;
  readonly endTick: number;
  readonly parent: Int32Array;
  readonly slot: Uint32Array;
  /** 1: the node counts the visits of its slot that were not timed. It has no times, and stands beside the one that has (if there is one). */
  readonly untimed: Uint8Array;
  readonly visits: Float64Array;
  readonly inclusiveTicks: Float64Array;
  readonly minimumTicks: Float64Array;
  readonly maximumTicks: Float64Array;
  readonly childEvents: Float64Array;
}

/** Slots that name no function. */
export const rootSlot = 0xffff_ffff;
export const depthExceededSlot = 0xffff_fffe;

export type ResultFileErrorReason = 'not-a-result' | 'invalid-result';

/** The last character of the magic is the version. */
const headerBytesOf: Readonly<Record<string, number>> = { KYMORES1: 192, KYMORES2: 256, KYMORES3: 320 };
const untimedBit = 0x8000_0000;
/** From here on slots name no function. */
const firstMark = 0xffff_fffd;
const threadBytes = 24;
const nodeBytes = 48;

/** Reads and checks a whole result file; throws a `KymoError` with file and offset. */
export function parseResult(bytes: Uint8Array, file: string): KymoResult {
  const reader = new Reader(bytes, file);
  const headerBytes = headerBytesOf[Buffer.from(bytes.subarray(0, 8)).toString('latin1')];
  if (headerBytes === undefined) {
    throw new KymoError<ResultFileErrorReason>(
      'not-a-result',
      `${file}: not a result of the measurement library (it does not begin with KYMORES1, KYMORES2 or KYMORES3).`,
      { file, offset: 0 },
    );
  }
  reader.need(0, headerBytes, 'the header');
  const flags = reader.u32(8);
  const threadCount = reader.u32(12);
  const ticksPerSecond = reader.f64(48);
  if (!(ticksPerSecond > 0 && Number.isFinite(ticksPerSecond))) {
    reader.fail(48, `${ticksPerSecond} ticks per second`);
  }
  if (threadCount > (bytes.length - headerBytes) / threadBytes) {
    reader.fail(12, `${threadCount} threads cannot fit in ${bytes.length} bytes`);
  }
  const threads: ResultThread[] = [];
  let offset = headerBytes;
  for (let i = 0; i < threadCount; i++) {
    const thread = readThread(reader, offset);
    threads.push(thread);
    offset += threadBytes + thread.parent.length * nodeBytes;
  }
  const regions: NamedRegion[] = [];
  const regionCount = headerBytes < 320 ? 0 : reader.u32(264);
  for (let i = 0; i < regionCount; i++) {
    const { region, end } = readRegion(reader, offset);
    regions.push(region);
    offset = end;
  }
  if (offset !== bytes.length) reader.fail(offset, `${bytes.length - offset} bytes too many at the end`);
  const withSamples = headerBytes > 192;
  const rankCount = Math.max(reader.u32(140), 1);
  return {
    file,
    flags: {
      incomplete: (flags & 1) !== 0,
      depthLimitHit: (flags & 2) !== 0,
      outOfMemory: (flags & 4) !== 0,
      monotonicClock: (flags & 8) !== 0,
      iterationsLost: (flags & 16) !== 0,
      unbalanced: (flags & 32) !== 0,
      unpatched: (flags & 64) !== 0,
      confined: (flags & 128) !== 0,
    },
    selectionId: reader.hex64(16),
    pid: reader.u32(24),
    parentPid: reader.u32(28),
    beginNanoseconds: reader.u64(32),
    endNanoseconds: reader.u64(40),
    ticksPerSecond,
    probeCost: readCost(reader, 56, withSamples ? 192 : undefined),
    entryCost: readCost(reader, 88, withSamples ? 224 : undefined),
    mappedBytes: reader.u64(120),
    nodeBytes: reader.u64(128),
    rank: reader.u32(136),
    rankCount,
    host: reader.text(144, 48),
    iterations: headerBytes < 320 ? 0 : reader.u64(256),
    regions,
    threads: threads.sort((a, b) => a.number - b.number),
  };
}

function readCost(reader: Reader, offset: number, sampledOffset: number | undefined): PairCost {
  const [pairSeconds, spreadSeconds, insideSeconds, outsideSeconds] = fourCosts(reader, offset);
  const sampled = sampledOffset === undefined ? undefined : readSampledCost(reader, sampledOffset);
  return {
    pairSeconds,
    spreadSeconds,
    insideSeconds,
    outsideSeconds,
    ...(sampled === undefined ? {} : { sampled }),
  };
}

/** All zero: not calibrated. */
function readSampledCost(reader: Reader, offset: number): SampledCost | undefined {
  const [countedSeconds, spreadSeconds, pairSeconds, insideSeconds] = fourCosts(reader, offset);
  return pairSeconds === 0 ? undefined : { countedSeconds, spreadSeconds, pairSeconds, insideSeconds };
}

function fourCosts(reader: Reader, offset: number): [number, number, number, number] {
  return [0, 8, 16, 24].map((at) => {
    const value = reader.f64(offset + at);
    if (!Number.isFinite(value) || value < 0) reader.fail(offset + at, `a calibrated cost of ${value} s`);
    return value;
  }) as [number, number, number, number];
}

function readThread(reader: Reader, begin: number): ResultThread {
  reader.need(begin, threadBytes, 'a thread');
  const count = reader.u32(begin + 4);
  if (count === 0) reader.fail(begin + 4, 'a thread without a root node');
  reader.need(begin + threadBytes, count * nodeBytes, `${count} nodes`);
  const thread = {
    number: reader.u32(begin),
    beginTick: reader.u64(begin + 8),
    endTick: reader.u64(begin + 16),
    parent: new Int32Array(count),
    slot: new Uint32Array(count),
    untimed: new Uint8Array(count),
    visits: new Float64Array(count),
    inclusiveTicks: new Float64Array(count),
    minimumTicks: new Float64Array(count),
    maximumTicks: new Float64Array(count),
    childEvents: new Float64Array(count),
  };
  for (let node = 0; node < count; node++) {
    const offset = begin + threadBytes + node * nodeBytes;
    const parent = reader.u32(offset);
    const slot = reader.u32(offset + 4);
    if (node > 0 && parent >= node) reader.fail(offset, `node ${node} stands before its parent ${parent}`);
    if ((slot === rootSlot) !== (node === 0)) reader.fail(offset + 4, `node ${node} has slot ${slot}`);
    thread.parent[node] = node === 0 ? -1 : parent;
    const untimed = slot >= untimedBit && slot < firstMark;
    thread.slot[node] = untimed ? slot - untimedBit : slot;
    thread.untimed[node] = untimed ? 1 : 0;
    thread.visits[node] = reader.u64(offset + 8);
    thread.inclusiveTicks[node] = reader.u64(offset + 16);
    thread.minimumTicks[node] = reader.u64(offset + 24);
    thread.maximumTicks[node] = reader.u64(offset + 32);
    thread.childEvents[node] = reader.u64(offset + 40);
  }
  return thread;
}

const regionBytes = 20;

function readRegion(reader: Reader, begin: number): { readonly region: NamedRegion; readonly end: number } {
  reader.need(begin, regionBytes, 'a region of the source');
  const [isPhase = 0, line = 0, nameBytes = 0, fileBytes = 0] = [4, 8, 12, 16].map((at) =>
    reader.u32(begin + at),
  );
  const end = begin + regionBytes + nameBytes + fileBytes;
  reader.need(begin, end - begin, 'a region of the source');
  const name = reader.text(begin + regionBytes, nameBytes);
  const file = reader.text(begin + regionBytes + nameBytes, fileBytes);
  return {
    region: {
      name,
      isPhase: isPhase === 1,
      ...(file === '' ? {} : { file }),
      ...(line === 0 ? {} : { line }),
    },
    end,
  };
}

class Reader {
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly file: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  need(offset: number, length: number, what: string): void {
    if (offset + length > this.bytes.length) {
      this.fail(offset, `${what} needs ${length} bytes, found ${this.bytes.length - offset}: cut off`);
    }
  }

  fail(offset: number, message: string): never {
    throw new KymoError<ResultFileErrorReason>(
      'invalid-result',
      `${this.file}, byte ${offset}: ${message}. The file is damaged; measure again.`,
      { file: this.file, offset },
    );
  }

  u32(offset: number): number {
    return this.view.getUint32(offset, true);
  }

  u64(offset: number): number {
    return this.u32(offset) + this.u32(offset + 4) * 0x1_0000_0000;
  }

  hex64(offset: number): string {
    return [offset + 4, offset].map((at) => this.u32(at).toString(16).padStart(8, '0')).join('');
  }

  f64(offset: number): number {
    return this.view.getFloat64(offset, true);
  }

  /** NUL-padded text. */
  text(offset: number, length: number): string {
    const field = Buffer.from(this.bytes.subarray(offset, offset + length));
    const end = field.indexOf(0);
    return field.toString('utf8', 0, end < 0 ? length : end);
  }
}
