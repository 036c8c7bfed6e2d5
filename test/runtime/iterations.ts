import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bytesSource } from '../../src/formats/byteSource';
import { ProcessStream } from '../../src/formats/kymo-iterations/processStream';
import type { Measured } from './harness';
import { untimed, waiting, type Result } from './result';

/** One iteration: visits, ticks and pairs of events below by call path from the phase on. Call paths of other threads begin with the thread's number. */
export interface Iteration {
  readonly phase: string;
  readonly cutShort: boolean;
  readonly visits: Readonly<Record<string, number>>;
  readonly ticks: Readonly<Record<string, number>>;
  readonly events: Readonly<Record<string, number>>;
  readonly preemptedSeconds: number;
}

/** Reads the iterations that a process wrote, with the names of regions. */
export function readIterations(measured: Measured, result: Result): readonly Iteration[] {
  const file = path.join(measured.folder, `${result.host}.${result.pid}.iterations`);
  if (!existsSync(file)) return [];
  const id = result.selection.toString(16).padStart(16, '0');
  const stream = new ProcessStream(bytesSource(readFileSync(file)), file, id);
  const names = [...measured.slots, ...result.regions.map(({ name }) => name)];
  const pathOf = (number: number): string => {
    const node = stream.nodes[number];
    if (node === undefined) return '?';
    const own = names[node.slot] ?? `slot ${node.slot}`;
    if (node.above !== undefined) return own;
    return node.parent === 0 ? `${node.thread}:${own}` : `${pathOf(node.parent)}/${own}`;
  };
  const found: Iteration[] = [];
  for (let next = stream.next(); next !== undefined; next = stream.next()) {
    const visits: Record<string, number> = {};
    const ticks: Record<string, number> = {};
    const events: Record<string, number> = {};
    for (let at = 0; at < next.count; at++) {
      const name = pathOf(next.nodes[at] ?? 0);
      visits[name] = (visits[name] ?? 0) + (next.visits[at] ?? 0);
      ticks[name] = (ticks[name] ?? 0) + (next.ticks[at] ?? 0);
      events[name] = (events[name] ?? 0) + (next.childEvents[at] ?? 0);
    }
    const preemptedSeconds = next.preemptedNanoseconds / 1e9;
    found.push({
      phase: pathOf(next.phase),
      cutShort: next.cutShort,
      visits,
      ticks,
      events,
      preemptedSeconds,
    });
  }
  return found;
}

export function sumsOf(iterations: readonly Iteration[], what: 'visits' | 'ticks'): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const iteration of iterations)
    for (const [name, value] of Object.entries(iteration[what])) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

/** The sums from the result file over all nodes below the nodes with that name. */
export function totalsBelow(
  { slots }: Measured,
  result: Result,
  phase: string,
): { readonly visits: Record<string, number>; readonly ticks: Record<string, number> } {
  const names = [...slots, ...result.regions.map(({ name }) => name)];
  const visits: Record<string, number> = {};
  const ticks: Record<string, number> = {};
  for (const { nodes } of result.threads) {
    const paths: (string | undefined)[] = [];
    for (const node of nodes) {
      const slot = node.slot >= untimed && node.slot < waiting ? node.slot - untimed : node.slot;
      const own = names[slot] ?? `slot ${slot}`;
      const above = paths[node.parent];
      const name =
        paths.length === 0
          ? undefined
          : above === undefined
            ? own === phase
              ? own
              : undefined
            : `${above}/${own}`;
      paths.push(name);
      if (name === undefined) continue;
      visits[name] = (visits[name] ?? 0) + node.visits;
      ticks[name] = (ticks[name] ?? 0) + node.ticks;
    }
  }
  return { visits, ticks };
}
