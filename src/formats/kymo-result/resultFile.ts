import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { knownParanoid, type CounterUse } from '../../core/profile/hardwareCounters';
import { pairCost, type FourCosts, type PairCost } from './pairCost';
import { Reader, type ResultFileErrorReason } from './reader';
import {
  readThread,
  readTree,
  type Part,
  type ResultThread,
  type ThreadHead,
  type ThreadTree,
} from './threads';

/**
 * What a named region is: one that the source names (`KYMO_REGION_BEGIN` and its equivalents), one whose visits are iterations
 * (`KYMO_PHASE_BEGIN`), or a function or construct of a library whose calls a layer records. Positions are the numbers in the file.
 */
export const regionKinds = ['region', 'phase', 'mpi', 'openmp', 'threads', 'io'] as const;
export type RegionKind = (typeof regionKinds)[number];

/** A region that has a name and no site. */
export interface NamedRegion {
  readonly name: string;
  readonly kind: RegionKind;
  readonly file?: string;
  readonly line?: number;
}

/** The measurement of one process (docs/formats.md, "Result file"). Times are seconds. */
export interface KymoResult {
  readonly file: string;
  readonly flags: ResultFlags;
  /** Id of the selection, 16 hex digits. */
  readonly selectionId: string;
  readonly pid: number;
  readonly parentPid: number;
  /** CLOCK_REALTIME in nanoseconds since 1970, as double (exact to 256 ns). */
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
  /** CPU time of the process, including threads and code that were not recorded. Undefined before version 4, which lacks waiting times as well. */
  readonly cpuSeconds: number | undefined;
  /** Number of iterations of the phase; a separate file next to this one has their values. */
  readonly iterations: number;
  /** Undefined: the processor's counters were not to be used. */
  readonly counters?: CounterUse;
  /** Regions of the source; their slots follow those of the selection. */
  readonly regions: readonly NamedRegion[];
  /** Threads by number. */
  readonly threads: readonly ResultThread[];
}

export interface ResultFlags {
  /** Whether a fatal signal ended the program; the file has the measurement up to then. */
  readonly incomplete: boolean;
  readonly depthLimitHit: boolean;
  readonly outOfMemory: boolean;
  /** Whether ticks are nanoseconds of CLOCK_MONOTONIC. */
  readonly monotonicClock: boolean;
  /** Whether writing the iterations failed before the end. */
  readonly iterationsLost: boolean;
  /** Whether regions of the source began or ended in places where they should not. */
  readonly unbalanced: boolean;
  /** Whether a security policy prevented changes of code: at least one linked object is not measured. */
  readonly unpatched: boolean;
  /** Whether the program forbade itself system calls (seccomp); the file lacks what happened after that. */
  readonly confined: boolean;
}

/** A result without the values of its call trees. */
export interface KymoResultTrees extends Omit<KymoResult, 'threads'> {
  readonly threads: readonly ThreadTree[];
}

/** A result without the call trees of its threads. */
export interface ResultHead extends Omit<KymoResult, 'threads'> {
  readonly threads: readonly ThreadHead[];
}

/** Bytes of the header and of a thread's header. The last character of the magic is the version. */
const sizesOf: Readonly<Record<string, { readonly header: number; readonly thread: number }>> = {
  KYMORES1: { header: 192, thread: 24 },
  KYMORES2: { header: 256, thread: 24 },
  KYMORES3: { header: 320, thread: 24 },
  KYMORES4: { header: 320, thread: 40 },
};

/** Reads and checks a whole result file. Throws a `KymoError` with file and offset. */
export function parseResult(bytes: Uint8Array, file: string): KymoResult {
  return parse(bytes, file, readThread);
}

/** Checks the same and leaves the values of nodes out, which takes half the time. */
export function parseResultTrees(bytes: Uint8Array, file: string): KymoResultTrees {
  return parse(bytes, file, readTree);
}

type ReadThread<Thread> = (reader: Reader, begin: number, headBytes: number) => Part<Thread>;

function parse<Thread extends ThreadHead>(
  bytes: Uint8Array,
  file: string,
  read: ReadThread<Thread>,
): Omit<KymoResult, 'threads'> & { readonly threads: readonly Thread[] } {
  const reader = new Reader(bytes, file);
  const sizes = sizesOf[Buffer.from(bytes.subarray(0, 8)).toString('latin1')];
  if (sizes === undefined) {
    throw new KymoError<ResultFileErrorReason>(
      'not-a-result',
      `${file}: not a result of the measurement library (it does not begin with one of ${Object.keys(sizesOf).join(', ')}).`,
      { file, offset: 0 },
    );
  }
  const { header: headerBytes, thread: threadBytes } = sizes;
  const hasClock = threadBytes > 24;
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
  const threads: Thread[] = [];
  let offset = headerBytes;
  for (let i = 0; i < threadCount; i++) {
    const { thread, end } = read(reader, offset, threadBytes);
    threads.push(thread);
    offset = end;
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
    cpuSeconds: hasClock ? reader.u64(272) / 1e9 : undefined,
    iterations: headerBytes < 320 ? 0 : reader.u64(256),
    ...present({ counters: readCounterUse(reader, headerBytes) }),
    regions,
    threads: threads.sort((a, b) => a.number - b.number),
  };
}

/** Of files before version 3 it is not part. */
function readCounterUse(reader: Reader, headerBytes: number): CounterUse | undefined {
  if (headerBytes < 320) return undefined;
  const [use, paranoid] = [reader.u32(280), reader.u32(284) | 0];
  if ((use & 0xff) === 0) return undefined;
  const [enabled, running] = [reader.u64(288), reader.u64(296)];
  return {
    error: use >>> 16,
    paranoid: knownParanoid(paranoid),
    countedShare: enabled > 0 ? Math.min(1, running / enabled) : 1,
    isWhole: (use & 0xff00) === 0,
  };
}

function readCost(reader: Reader, offset: number, sampledOffset: number | undefined): PairCost {
  return pairCost(
    fourCosts(reader, offset),
    sampledOffset === undefined ? undefined : fourCosts(reader, sampledOffset),
  );
}

function fourCosts(reader: Reader, offset: number): FourCosts {
  return [0, 8, 16, 24].map((field) => {
    const value = reader.f64(offset + field);
    if (!Number.isFinite(value) || value < 0) reader.fail(offset + field, `a calibrated cost of ${value} s`);
    return value;
  }) as [number, number, number, number];
}

const regionBytes = 20;

function readRegion(reader: Reader, begin: number): { readonly region: NamedRegion; readonly end: number } {
  reader.need(begin, regionBytes, 'a region of the source');
  const [kind = 0, line = 0, nameBytes = 0, fileBytes = 0] = [4, 8, 12, 16].map((field) =>
    reader.u32(begin + field),
  );
  const end = begin + regionBytes + nameBytes + fileBytes;
  reader.need(begin, end - begin, 'a region of the source');
  const name = reader.text(begin + regionBytes, nameBytes);
  const file = reader.text(begin + regionBytes + nameBytes, fileBytes);
  return {
    region: {
      name,
      kind: regionKinds[kind] ?? 'region',
      ...(file === '' ? {} : { file }),
      ...(line === 0 ? {} : { line }),
    },
    end,
  };
}
