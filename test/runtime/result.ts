import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface ResultNode {
  readonly parent: number;
  readonly slot: number;
  readonly visits: number;
  readonly ticks: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly events: number;
}
export interface ResultThread {
  readonly number: number;
  readonly begin: number;
  readonly end: number;
  /** Nanoseconds. */
  readonly preempted: number;
  readonly cpuTime: number;
  readonly nodes: readonly ResultNode[];
}
export interface ResultRegion {
  readonly slot: number;
  readonly isPhase: boolean;
  readonly line: number;
  readonly name: string;
  readonly file: string;
}
export interface Result {
  readonly flags: number;
  readonly selection: bigint;
  readonly pid: number;
  readonly parent: number;
  readonly begin: bigint;
  readonly end: bigint;
  readonly ticksPerSecond: number;
  /** Seconds: pair, spread, inside, outside. */
  readonly sled: readonly number[];
  readonly entry: readonly number[];
  /** Costs of sampled slots in seconds: counted visit, its spread, timed pair, inside of it. */
  readonly sampledSled: readonly number[];
  readonly sampledEntry: readonly number[];
  readonly mapped: number;
  readonly nodeBytes: number;
  readonly rank: number;
  readonly ranks: number;
  readonly host: string;
  readonly iterations: number;
  /** CPU time of the process in nanoseconds. */
  readonly cpuTime: number;
  /** Regions that the source names. */
  readonly regions: readonly ResultRegion[];
  readonly threads: readonly ResultThread[];
}

/** Reads one result file (docs/formats.md) strictly: anything left over or missing throws. */
export function readResult(file: string): Result {
  const data = readFileSync(file);
  if (data.toString('latin1', 0, 8) !== 'KYMORES4') throw new Error(`${file}: no result file`);
  const u64 = (at: number): number => Number(data.readBigUInt64LE(at));
  const four = (at: number): number[] => [0, 8, 16, 24].map((more) => data.readDoubleLE(at + more));
  const threads: ResultThread[] = [];
  let at = 320;
  for (let t = 0; t < data.readUInt32LE(12); t++) {
    const count = data.readUInt32LE(at + 4);
    const thread = {
      number: data.readUInt32LE(at),
      begin: u64(at + 8),
      end: u64(at + 16),
      preempted: u64(at + 24),
      cpuTime: u64(at + 32),
      nodes: [] as ResultNode[],
    };
    at += 40;
    for (let n = 0; n < count; n++, at += 48) {
      thread.nodes.push({
        parent: data.readUInt32LE(at),
        slot: data.readUInt32LE(at + 4),
        visits: u64(at + 8),
        ticks: u64(at + 16),
        minimum: u64(at + 24),
        maximum: u64(at + 32),
        events: u64(at + 40),
      });
    }
    threads.push(thread);
  }
  const regions: ResultRegion[] = [];
  for (let r = 0; r < data.readUInt32LE(264); r++) {
    const [slot = 0, isPhase, line = 0, name = 0, source = 0] = [0, 4, 8, 12, 16].map((more) =>
      data.readUInt32LE(at + more),
    );
    const text = (from: number, length: number): string => data.toString('utf8', from, from + length);
    regions.push({
      slot,
      isPhase: isPhase === 1,
      line,
      name: text(at + 20, name),
      file: text(at + 20 + name, source),
    });
    at += 20 + name + source;
  }
  if (at !== data.length) throw new Error(`${file}: ${data.length - at} bytes left over`);
  return {
    flags: data.readUInt32LE(8),
    selection: data.readBigUInt64LE(16),
    pid: data.readUInt32LE(24),
    parent: data.readUInt32LE(28),
    begin: data.readBigUInt64LE(32),
    end: data.readBigUInt64LE(40),
    ticksPerSecond: data.readDoubleLE(48),
    sled: four(56),
    entry: four(88),
    sampledSled: four(192),
    sampledEntry: four(224),
    mapped: u64(120),
    nodeBytes: u64(128),
    rank: data.readUInt32LE(136),
    ranks: data.readUInt32LE(140),
    iterations: u64(256),
    cpuTime: u64(272),
    regions,
    host: data.toString('utf8', 144, 192).replace(/\0.*$/s, ''),
    threads,
  };
}

/** Reads all results of a folder; throws when a `.tmp` remains there. */
export function readResults(folder: string): readonly Result[] {
  return readdirSync(folder)
    .filter((name) => !/\.(iterations|trace)$/.test(name))
    .sort()
    .map((name) => {
      if (!name.endsWith('.kymo')) throw new Error(`${name} was left behind`);
      return readResult(path.join(folder, name));
    });
}

/** Combined with a slot: the node counts the slot's untimed visits. */
export const untimed = 0x8000_0000;

/** Slots of special nodes: exclusive waiting time of the node above, and calls below the depth limit. */
export const waiting = 0xfffffffc;
export const deeper = 0xfffffffe;

const isUntimed = (slot: number): boolean => slot >= untimed && slot < waiting;

const nameOf = (slot: number, slots: readonly string[]): string => {
  if (slot === waiting) return '(waiting)';
  if (slot === deeper) return '(depth exceeded)';
  return slots[isUntimed(slot) ? slot - untimed : slot] ?? `slot ${slot}`;
};

/** Visits by call path (`main/f/g`) over all threads of the results, without waiting nodes. */
export function visitsByPath(results: readonly Result[], slots: readonly string[]): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const thread of results.flatMap((result) => result.threads)) {
    const paths: string[] = [];
    for (const node of thread.nodes) {
      if (paths.length === 0) {
        paths.push('');
        continue;
      }
      const parent = paths[node.parent];
      if (parent === undefined) throw new Error('a child precedes its parent');
      const callPath = parent === '' ? nameOf(node.slot, slots) : `${parent}/${nameOf(node.slot, slots)}`;
      paths.push(callPath);
      if (node.slot === waiting) continue;
      visits[callPath] = (visits[callPath] ?? 0) + node.visits;
    }
  }
  return visits;
}

export function visitsByRegion(results: readonly Result[], slots: readonly string[]): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const node of results.flatMap((r) => r.threads).flatMap((t) => t.nodes.slice(1))) {
    if (node.slot === waiting) continue;
    const name = nameOf(node.slot, slots);
    visits[name] = (visits[name] ?? 0) + node.visits;
  }
  return visits;
}

/**
 * Checks every result for these properties: the children of a node, waiting included, take no longer than the node; the child events of a node are the sum
 * over its children; extremes belong to visits. Visits of the mark of the depth limit are no pairs, and flat nodes below it have exclusive times.
 */
export function inconsistencies(result: Result): readonly string[] {
  return result.threads.flatMap(({ number, nodes }) => {
    const below = nodes.map(() => ({ events: 0, ticks: 0 }));
    nodes.forEach((node, index) => {
      const parent = below[node.parent];
      if (index === 0 || parent === undefined) return;
      parent.ticks += node.ticks;
      if (!isUntimed(node.slot) && node.slot !== waiting)
        parent.events += node.events + (node.slot === deeper ? 0 : node.visits);
    });
    return nodes.flatMap((node, index) => {
      const { events, ticks } = below[index] ?? { events: 0, ticks: 0 };
      const isFlat = nodes[node.parent]?.slot === deeper;
      const where = `thread ${number} node ${index}`;
      return [
        ...(node.minimum > node.maximum ? [`${where}: minimum above maximum`] : []),
        ...(node.maximum > node.ticks && !isFlat
          ? [`${where}: maximum ${node.maximum} above the sum ${node.ticks}`]
          : []),
        ...(ticks > node.ticks ? [`${where}: ${node.ticks} ticks, below it ${ticks}`] : []),
        ...(events === node.events
          ? []
          : [`${where}: ${node.events} events, children have ${String(events)}`]),
      ];
    });
  });
}
