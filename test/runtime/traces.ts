import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { namedBytes } from '../../src/formats/byteSource';
import {
  openTrace,
  readEvents,
  type ProcessTrace,
  type TraceThread,
} from '../../src/formats/kymo-trace/traceFile';
import type { Measured } from './harness';
import type { Result } from './result';

/** The events of one thread, added up by slot. */
export interface ThreadSums {
  readonly thread: TraceThread;
  readonly events: number;
  readonly visits: ReadonlyMap<number, number>;
  readonly exclusiveTicks: ReadonlyMap<number, number>;
  /** Visits that a fiber goes on with. */
  readonly resumed: number;
  /** Ends of visits whose begin is not there. */
  readonly unmatched: number;
  /** Slots of visits without an end, outermost first. */
  readonly open: readonly number[];
  /** Ends of visits that are not the innermost one. */
  readonly crossed: number;
}

export interface ReadTrace extends ProcessTrace {
  readonly sums: readonly ThreadSums[];
}

/** The traces that a run left, by process id. */
export function readTraces({ folder }: Pick<Measured, 'folder'>): ReadonlyMap<number, ReadTrace> {
  const traces = readdirSync(folder)
    .filter((name) => name.endsWith('.trace'))
    .map((name) => readTrace(path.join(folder, name)));
  return new Map(traces.map((trace) => [trace.pid, trace]));
}

function readTrace(file: string): ReadTrace {
  const source = namedBytes(file, readFileSync(file));
  const trace = openTrace(source);
  return {
    ...trace,
    sums: trace.threads.map((thread) =>
      sumsOf(thread, (visitor) => readEvents(source, thread, trace.begin, visitor)),
    ),
  };
}

function sumsOf(
  thread: TraceThread,
  read: (visitor: Parameters<typeof readEvents>[3]) => Generator,
): ThreadSums {
  const visits = new Map<number, number>();
  const exclusiveTicks = new Map<number, number>();
  const open: number[] = [];
  const counts = { events: 0, resumed: 0, unmatched: 0, crossed: 0 };
  let before = -Infinity;
  const passes = (time: number): void => {
    if (time < before) throw new Error(`${time} behind ${before}`);
    const top = open.at(-1);
    if (top !== undefined) exclusiveTicks.set(top, (exclusiveTicks.get(top) ?? 0) + time - before);
    before = time;
    counts.events++;
  };
  const leave = (time: number, slot: number): void => {
    passes(time);
    const depth = open.lastIndexOf(slot);
    if (depth < 0) counts.unmatched++;
    else {
      if (depth < open.length - 1) counts.crossed++;
      open.length = depth;
    }
  };
  const enter = (time: number, slot: number): void => {
    passes(time);
    open.push(slot);
  };
  const pages = read({
    enter(time, slot) {
      enter(time, slot);
      visits.set(slot, (visits.get(slot) ?? 0) + 1);
    },
    leave,
    fiber(time, slot, resumes) {
      if (resumes) counts.resumed++;
      (resumes ? enter : leave)(time, slot);
    },
    other: passes,
  });
  while (pages.next().done !== true);
  return { thread, ...counts, visits, exclusiveTicks, open };
}

/** Visits by slot of a thread in the profile. */
export function profileVisits(thread: Result['threads'][number]): ReadonlyMap<number, number> {
  const visits = new Map<number, number>();
  for (const { slot, visits: count } of thread.nodes)
    if (slot < 1 << 29 && count > 0) visits.set(slot, (visits.get(slot) ?? 0) + count);
  return visits;
}

/** Exclusive ticks by slot of a thread in the profile. */
export function profileTicks(thread: Result['threads'][number]): ReadonlyMap<number, number> {
  const exclusive = thread.nodes.map(({ ticks }) => ticks);
  thread.nodes.forEach(({ parent, slot, ticks }) => {
    if (slot < 1 << 29 && exclusive[parent] !== undefined) exclusive[parent] -= ticks;
  });
  const bySlot = new Map<number, number>();
  thread.nodes.forEach(({ slot }, node) => {
    if (slot < 1 << 29) bySlot.set(slot, (bySlot.get(slot) ?? 0) + (exclusive[node] ?? 0));
  });
  return bySlot;
}
