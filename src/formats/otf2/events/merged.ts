import type { Location } from '../definitions/model';
import type { EventChunk } from './chunk';

/** @param index of the event in the chunk */
export type MergedVisitor = (location: Location, chunk: EventChunk, index: number) => void;

export interface LocationChunks {
  readonly location: Location;
  readonly chunks: Iterator<EventChunk>;
}

interface Cursor extends LocationChunks {
  readonly order: number;
  chunk: EventChunk;
  index: number;
  time: number;
}

/** Events of one location that no event of another one is between: [from, to) of the chunk, which later runs overwrite. */
export interface MergedRun {
  readonly location: Location;
  readonly chunk: EventChunk;
  readonly from: number;
  readonly to: number;
}

/**
 * Visits the events of several locations in the order of their times; events of the same time in the order of the locations, those of one location in
 * their order. Where the time of a location goes backwards, its events follow as they are.
 */
export function visitMerged(locations: Iterable<LocationChunks>, visit: MergedVisitor): void {
  for (const { location, chunk, from, to } of mergedRuns(locations))
    for (let index = from; index < to; index++) visit(location, chunk, index);
}

/** The events of `visitMerged` for callers that stop in between. */
export function* mergedRuns(locations: Iterable<LocationChunks>): Generator<MergedRun> {
  const heap: Cursor[] = [];
  let order = 0;
  for (const { location, chunks } of locations) {
    const cursor = { location, chunks, order: order++, chunk: empty, index: -1, time: -Infinity };
    if (advance(cursor)) heap.push(cursor);
  }
  for (let from = (heap.length >> 1) - 1; from >= 0; from--) sink(heap, from);
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    const second = least(heap[1], heap[2]);
    // Most of the time a location has several events before the next one's turn.
    const { location, chunk, index: from } = top;
    let to = from;
    do to++;
    while (within(top, to) && (second === undefined || before(top, second)));
    yield { location, chunk, from, to };
    // The next chunk overwrites this one.
    if (to === chunk.count && !advance(top)) {
      const last = heap.pop();
      if (last !== undefined && last !== top) heap[0] = last;
    }
    if (heap.length > 1) sink(heap, 0);
  }
}

const empty: EventChunk = {
  count: 0,
  kind: new Uint8Array(0),
  time: new Float64Array(0),
  first: new Uint32Array(1),
  values: new Float64Array(0),
  exact: new Map(),
  attributes: new Map(),
};

/** Moves to an event of the same chunk. @returns whether there is one */
function within(cursor: Cursor, index: number): boolean {
  if (index >= cursor.chunk.count) return false;
  cursor.index = index;
  cursor.time = cursor.chunk.time[index] ?? 0;
  return true;
}

/** Moves to the first event of the next chunk. @returns whether there is one */
function advance(cursor: Cursor): boolean {
  const next = cursor.chunks.next();
  if (next.done === true) return false;
  cursor.chunk = next.value;
  return within(cursor, 0);
}

function before(one: Cursor, other: Cursor): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}

function least(one: Cursor | undefined, other: Cursor | undefined): Cursor | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return before(one, other) ? one : other;
}

function sink(heap: Cursor[], from: number): void {
  const moved = heap[from];
  if (moved === undefined) return;
  let position = from;
  for (;;) {
    const left = 2 * position + 1;
    const child = least(heap[left], heap[left + 1]);
    if (child === undefined || !before(child, moved)) break;
    heap[position] = child;
    position = child === heap[left] ? left : left + 1;
  }
  heap[position] = moved;
}
