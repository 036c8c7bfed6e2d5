/** Bytes of the trace of a process (docs/formats.md), for tests. */
export interface TraceBytes {
  readonly host?: string;
  readonly begin?: bigint;
  readonly beginNanoseconds?: bigint;
  readonly ticksPerSecond?: number;
  readonly clocks?: readonly (readonly [own: bigint, root: bigint])[];
  /** Words of communicators. */
  readonly definitions?: readonly number[];
  readonly iterations?: readonly [first: bigint, last: bigint, from: bigint, until: bigint];
  readonly last?: boolean;
  readonly threads?: readonly ThreadBytes[];
}

export interface ThreadBytes {
  readonly end: bigint;
  readonly lost?: bigint;
  readonly lostTime?: bigint;
  readonly parked?: readonly [calls: number, until: bigint];
  /** Of each page the time of its head, and its words. */
  readonly pages?: readonly (readonly [time: bigint, words: readonly bigint[]])[];
}

const pageBytes = 1 << 15;
export const enter = (time: bigint, slot: number): bigint => word(time, slot, 1);
export const leave = (time: bigint, slot: number): bigint => word(time, slot, 2);
/** A record with words behind it. */
export const other = (time: bigint, code: number, ...words: readonly bigint[]): readonly bigint[] => [
  word(time, code + words.length * 256, 3),
  ...words,
];

function word(time: bigint, slot: number, kind: number): bigint {
  return BigInt.asUintN(64, time << 24n) | (BigInt(slot) << 2n) | BigInt(kind);
}

export function traceBytes(trace: TraceBytes): Uint8Array {
  const { definitions = [], threads = [], clocks = [], iterations = [0n, 0n, 0n, 0n] } = trace;
  const head = Buffer.alloc(256);
  head.write('KYMOTRC1', 'latin1');
  head.writeBigUInt64LE(0x1234n, 8);
  head.writeUInt32LE(77, 16);
  head.writeUInt32LE(threads.length, 20);
  head.writeBigUInt64LE(trace.begin ?? 1000n, 24);
  head.writeBigUInt64LE(trace.beginNanoseconds ?? 0n, 32);
  head.writeDoubleLE(trace.ticksPerSecond ?? 1e9, 40);
  const [first, last, from, until] = iterations;
  [from, until, first, last].forEach((value, index) => head.writeBigUInt64LE(value, 48 + 8 * index));
  clocks.flat().forEach((value, index) => head.writeBigUInt64LE(value, 80 + 8 * index));
  head.writeUInt32LE(pageBytes, 112);
  head.writeUInt32LE(trace.last === true ? 1 : 0, 116);
  head.writeUInt32LE(definitions.length * 4, 120);
  head.writeUInt32LE(32, 124);
  head.write(trace.host ?? 'node1', 128);
  return Buffer.concat([
    head,
    Buffer.from(Uint32Array.from(definitions).buffer),
    ...threads.map(threadBytes),
  ]);
}

function threadBytes({ end, lost, lostTime, parked, pages = [] }: ThreadBytes, number: number): Buffer {
  const head = Buffer.alloc(64);
  head.writeUInt32LE(number, 0);
  head.writeUInt32LE(pages.length, 4);
  head.writeBigUInt64LE(1000n, 8);
  head.writeBigUInt64LE(end, 16);
  head.writeBigUInt64LE(lost ?? 0n, 24);
  head.writeBigUInt64LE(lostTime ?? 0n, 32);
  head.writeBigUInt64LE(parked?.[1] ?? 0n, 48);
  head.writeUInt32LE(parked?.[0] ?? 0, 56);
  return Buffer.concat([
    head,
    ...pages.map(([time, words]) => {
      const page = Buffer.alloc(pageBytes);
      page.writeBigUInt64LE(time, 8);
      words.forEach((value, index) => page.writeBigUInt64LE(value, 16 + 8 * index));
      return page;
    }),
  ]);
}
