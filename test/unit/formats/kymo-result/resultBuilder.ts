import { regionKinds, type RegionKind } from '../../../../src/formats/kymo-result/resultFile';
import { rootSlot } from '../../../../src/formats/kymo-result/slots';

/** Result files as the measurement library writes them (docs/formats.md). */
/** With a slot: the node counts its visits that were not timed. */
export const untimed = 0x8000_0000;

export interface TestNode {
  readonly parent: number;
  readonly slot: number;
  readonly visits: number;
  readonly ticks: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly events?: number;
}

export interface TestResult {
  readonly flags?: number;
  readonly selectionId?: string;
  readonly pid?: number;
  readonly ticksPerSecond?: number;
  readonly rank?: number;
  readonly ranks?: number;
  readonly host?: string;
  readonly pairSeconds?: number;
  readonly begin?: bigint;
  /** Version 2: of slots that are sampled, seconds of a counted visit, its spread, a timed one, the part of it inside. */
  readonly sampled?: readonly [number, number, number, number];
  /** Version 3: iterations, and regions that the source names. */
  readonly iterations?: number;
  readonly regions?: readonly {
    readonly name: string;
    readonly kind: RegionKind;
    readonly file?: string;
    readonly line?: number;
  }[];
  /** Version 4: nanoseconds of the process. */
  readonly cpuTime?: number;
  /** Version 4: of the processor's counters. Times in nanoseconds. */
  readonly counters?: {
    readonly lost?: boolean;
    readonly error?: number;
    readonly paranoid?: number;
    readonly enabled?: number;
    readonly running?: number;
  };
  /** Per thread: its life time in ticks and the nodes below the root, which is number 0; in version 4 also two times in nanoseconds. */
  readonly threads: readonly {
    readonly ticks: number;
    readonly nodes: readonly TestNode[];
    readonly preempted?: number;
    readonly cpuTime?: number;
  }[];
}

export function buildResult(result: TestResult): Buffer {
  const { sampled, regions } = result;
  const header = emptyHeader(result);
  sampled?.forEach((value, i) => {
    header.writeDoubleLE(value, 192 + i * 8);
    header.writeDoubleLE(value * 2, 224 + i * 8);
  });
  header.writeUInt32LE(result.flags ?? 0, 8);
  header.writeUInt32LE(result.threads.length, 12);
  header.writeBigUInt64LE(BigInt(`0x${result.selectionId ?? 'ab'}`), 16);
  header.writeUInt32LE(result.pid ?? 1, 24);
  header.writeBigUInt64LE(result.begin ?? 1_700_000_000_000_000_000n, 32);
  header.writeDoubleLE(result.ticksPerSecond ?? 1e9, 48);
  const pair = result.pairSeconds ?? 17e-9;
  [pair, 1e-9, pair / 2, pair / 2].forEach((value, i) => {
    header.writeDoubleLE(value, 56 + i * 8);
    header.writeDoubleLE(value * 2, 88 + i * 8);
  });
  header.writeBigUInt64LE(1_048_576n, 120);
  header.writeBigUInt64LE(4096n, 128);
  header.writeUInt32LE(result.rank ?? 0, 136);
  header.writeUInt32LE(result.ranks ?? 1, 140);
  header.write(result.host ?? 'node1', 144);
  const threads = result.threads.map(({ ticks, nodes, preempted, cpuTime }, number) => {
    const begin = Buffer.alloc(result.cpuTime === undefined ? 24 : 40);
    if (result.cpuTime !== undefined) {
      begin.writeBigUInt64LE(BigInt(preempted ?? 0), 24);
      begin.writeBigUInt64LE(BigInt(cpuTime ?? 0), 32);
    }
    begin.writeUInt32LE(number, 0);
    begin.writeUInt32LE(nodes.length + 1, 4);
    begin.writeBigUInt64LE(1000n, 8);
    begin.writeBigUInt64LE(BigInt(1000 + ticks), 16);
    const root = { parent: 0, slot: rootSlot, visits: 1, ticks, events: nodes.length };
    return Buffer.concat([begin, ...[root, ...nodes].map(nodeBytes)]);
  });
  return Buffer.concat([header, ...threads, ...(regions ?? []).map(regionBytes)]);
}

function emptyHeader({ sampled, regions, iterations, cpuTime, counters }: TestResult): Buffer {
  const version = cpuTime !== undefined ? 4 : regions !== undefined ? 3 : sampled !== undefined ? 2 : 1;
  const header = Buffer.alloc([192, 256, 320, 320][version - 1] ?? 0);
  header.write(`KYMORES${version}`, 'latin1');
  if (cpuTime !== undefined) header.writeBigUInt64LE(BigInt(cpuTime), 272);
  if (counters !== undefined) {
    const { lost = false, error = 0, paranoid = 0, enabled = 0, running = 0 } = counters;
    header.writeUInt8(1, 280);
    header.writeUInt8(lost ? 1 : 0, 281);
    header.writeUInt16LE(error, 282);
    header.writeInt32LE(paranoid, 284);
    header.writeBigUInt64LE(BigInt(enabled), 288);
    header.writeBigUInt64LE(BigInt(running), 296);
  }
  if (regions === undefined) return header;
  header.writeBigUInt64LE(BigInt(iterations ?? 0), 256);
  header.writeUInt32LE(regions.length, 264);
  return header;
}

function regionBytes(
  { name, kind, file = '', line = 0 }: NonNullable<TestResult['regions']>[number],
  slot: number,
): Buffer {
  const texts = [Buffer.from(name), Buffer.from(file)];
  const bytes = Buffer.alloc(20);
  [slot, regionKinds.indexOf(kind), line, ...texts.map((text) => text.length)].forEach((value, i) =>
    bytes.writeUInt32LE(value, i * 4),
  );
  return Buffer.concat([bytes, ...texts]);
}

function nodeBytes(node: TestNode): Buffer {
  const bytes = Buffer.alloc(48);
  bytes.writeUInt32LE(node.parent, 0);
  bytes.writeUInt32LE(node.slot, 4);
  const { visits, ticks } = node;
  const each = visits === 0 ? 0 : Math.floor(ticks / visits);
  [visits, ticks, node.minimum ?? each, node.maximum ?? each, node.events ?? 0].forEach((value, i) =>
    bytes.writeBigUInt64LE(BigInt(value), 8 + i * 8),
  );
  return bytes;
}
