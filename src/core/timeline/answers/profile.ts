import { CallStack } from '../index/callStack';
import { fanOut } from '../index/node';
import type { RowIndex } from '../index/rowIndex';
import { SumTable } from '../index/sums';
import type { TimelineProfileRow } from '../pieces';
import type { TickWindow, TimelineIndex, Turn } from './trace';

/** What functions did in a range of rows and of time: whole nodes by their sums, the blocks at its ends from their events. */
export async function profileRows(
  index: TimelineIndex,
  { firstRow, rowCount, from, to }: Omit<TickWindow, 'pixels'>,
  turn: Turn,
): Promise<readonly TimelineProfileRow[]> {
  // The last moment of the trace belongs to the range that ends there.
  const walk = new ProfileWalk(index.slots, from, to >= index.end ? Infinity : to);
  for (let row = firstRow; row < firstRow + rowCount; row++) {
    const rowIndex = index.row(row);
    if (rowIndex !== undefined && rowIndex.levels > 0) walk.node(rowIndex, rowIndex.levels - 1, 0);
    await turn();
  }
  const { slot, visits, exclusive, inclusive } = walk.table.take();
  const { ticksPerSecond } = index.scale;
  return Array.from(slot, (which, at) => ({
    function: which - 1,
    visits: visits[at] ?? 0,
    exclusiveSeconds: (exclusive[at] ?? 0) / ticksPerSecond,
    inclusiveSeconds: (inclusive[at] ?? 0) / ticksPerSecond,
  })).filter(({ visits: count, inclusiveSeconds }) => count > 0 || inclusiveSeconds > 0);
}

class ProfileWalk {
  readonly table: SumTable;
  readonly #calls: CallStack;
  readonly #included: Float64Array;

  constructor(
    slots: number,
    private readonly from: number,
    private readonly to: number,
  ) {
    this.table = new SumTable(slots);
    this.#included = new Float64Array(slots);
    const calls: CallStack = new CallStack(slots, {
      ran: (slot, begin, end) => this.#ran(slot, begin, end),
      entered: (slot, time) => this.#entered(slot, time),
      left: (depth, time) => {
        const slot = calls.frames.slot[depth] ?? 0;
        if (calls.openCalls(slot) === 0) this.#include(slot, time);
      },
    });
    this.#calls = calls;
  }

  node(index: RowIndex, level: number, node: number): void {
    const begin = index.begin(level, node);
    const end = index.end(level, node);
    if (end < this.from || begin >= this.to) return;
    if (level > 0 && begin >= this.from && end < this.to) this.table.add(index.sums(level, node));
    else if (level === 0) this.#block(index, node, begin);
    else {
      const last = Math.min(index.count(level - 1), (node + 1) * fanOut);
      for (let child = node * fanOut; child < last; child++) this.node(index, level - 1, child);
    }
  }

  #block(index: RowIndex, block: number, begin: number): void {
    const { stack } = index.stack(0, block);
    for (let depth = 0; depth < stack.depth; depth++) this.#included[stack.slot[depth] ?? 0] = begin;
    this.#calls.start(stack, begin);
    this.#calls.replay(index.events(block));
    const { slot, depth } = this.#calls.frames;
    const end = this.#calls.now;
    for (let at = 0; at < depth; at++) this.#include(slot[at] ?? 0, end);
  }

  #overlap(begin: number, end: number): number {
    return Math.max(0, Math.min(end, this.to) - Math.max(begin, this.from));
  }

  #ran(slot: number, begin: number, end: number): void {
    if (slot === 0) return;
    this.table.touch(slot);
    const { exclusive } = this.table;
    exclusive[slot] = (exclusive[slot] ?? 0) + this.#overlap(begin, end);
  }

  #entered(slot: number, time: number): void {
    if (this.#calls.openCalls(slot) === 1) this.#included[slot] = time;
    if (time < this.from || time >= this.to) return;
    this.table.touch(slot);
    const { visits } = this.table;
    visits[slot] = (visits[slot] ?? 0) + 1;
  }

  #include(slot: number, time: number): void {
    this.table.touch(slot);
    const { inclusive } = this.table;
    inclusive[slot] = (inclusive[slot] ?? 0) + this.#overlap(this.#included[slot] ?? 0, time);
    this.#included[slot] = time;
  }
}
