import { CallStack } from '../index/callStack';
import { fanOut } from '../index/node';
import type { RowIndex, StackSummary } from '../index/rowIndex';
import { Painter } from '../paint/painter';
import { SpanList } from '../paint/spanList';
import type { TimelineStack } from '../pieces';
import { nothingOpen, type TickWindow, type TimelineIndex, type Turn } from './trace';

/** Blocks may be that many pixels long before their events are decoded. */
const coarsestBlock = 4;
/** Of a function that was called again and again: that is no call. */
const almostAll = 1 - 1e-6;

/** The calls of row `firstRow`, a row of spans for each depth from the root on; `rowCount` is their number. */
export async function stackOf(index: TimelineIndex, window: TickWindow, turn: Turn): Promise<TimelineStack> {
  const { firstRow, rowCount: depths, from, to, pixels } = window;
  const row = index.row(firstRow);
  const walk = new StackWalk(from, to, depths, index.slots, (coarsestBlock * (to - from)) / pixels);
  if (row !== undefined) await walk.row(row, turn);
  const list = new SpanList(index.scale);
  const painter = new Painter(from, to, pixels, index.slots, true);
  for (const pieces of walk.pieces) {
    for (let at = 0; at < pieces.count; at++)
      painter.add(pieces.begin[at] ?? 0, pieces.end[at] ?? 0, pieces.slot[at] ?? 0, pieces.share[at] ?? 0);
    painter.finish(list);
    await turn();
  }
  return list.spans();
}

/** What was at one depth, in the order of time. */
class Pieces {
  count = 0;
  readonly begin: number[] = [];
  readonly end: number[] = [];
  readonly slot: number[] = [];
  readonly share: number[] = [];

  add(begin: number, end: number, slot: number, share: number): void {
    this.count++;
    this.begin.push(begin);
    this.end.push(end);
    this.slot.push(slot);
    this.share.push(share);
  }
}

class StackWalk {
  readonly pieces: readonly Pieces[];
  readonly #calls: CallStack;

  constructor(
    private readonly from: number,
    private readonly to: number,
    depths: number,
    slots: number,
    /** Ticks. */
    private readonly coarsest: number,
  ) {
    this.pieces = Array.from({ length: depths }, () => new Pieces());
    const calls: CallStack = new CallStack(slots, {
      ran: () => undefined,
      entered: () => undefined,
      left: (depth, time) =>
        this.#add(depth, calls.frames.begin[depth] ?? 0, time, calls.frames.slot[depth] ?? 0, 1),
    });
    this.#calls = calls;
  }

  async row(index: RowIndex, turn: Turn): Promise<void> {
    if (index.levels === 0) return;
    // Nodes from left to right; those that are not used as they are give way to those that they join.
    const waiting: (readonly [level: number, node: number])[] = [[index.levels - 1, 0]];
    let open: Pick<StackSummary['stack'], 'depth' | 'slot' | 'begin'> = nothingOpen;
    let end = this.from;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [level, node] = next;
      const begin = index.begin(level, node);
      if (index.end(level, node) <= this.from || begin >= this.to) continue;
      if (index.end(level, node) - begin > this.coarsest && level > 0) {
        const last = Math.min(index.count(level - 1), (node + 1) * fanOut);
        for (let child = last - 1; child >= node * fanOut; child--) waiting.push([level - 1, child]);
        continue;
      }
      end = index.end(level, node);
      if (end - begin > this.coarsest) {
        this.#calls.start(index.stack(0, node).stack, begin);
        this.#calls.replay(index.events(node));
        open = this.#calls.frames;
      } else open = this.#summary(index, level, node);
      await turn();
    }
    for (let depth = 0; depth < open.depth; depth++)
      this.#add(depth, open.begin[depth] ?? 0, end, open.slot[depth] ?? 0, 1);
  }

  /** Of a node whose calls are shorter than a few pixels, unless they reach beyond it. @returns the call stack at its end */
  #summary(index: RowIndex, level: number, node: number): typeof nothingOpen {
    const { stack, alive, ended, middleSlot, middleTicks } = index.stack(level, node);
    const isLast = node + 1 === index.count(level);
    const after = isLast ? nothingOpen : index.stack(level, node + 1).stack;
    const end = index.end(level, node);
    for (let depth = alive; depth < Math.max(stack.depth, middleSlot.length); depth++) {
      const till = depth < stack.depth ? (ended[depth] ?? 0) : index.begin(level, node);
      if (depth < stack.depth) this.#add(depth, stack.begin[depth] ?? 0, till, stack.slot[depth] ?? 0, 1);
      const slot = middleSlot[depth] ?? 0;
      const next = depth < after.depth ? (after.begin[depth] ?? 0) : end;
      if (slot > 0 && next > till)
        this.#add(depth, till, next, slot, Math.min(almostAll, (middleTicks[depth] ?? 0) / (next - till)));
    }
    return isLast ? { ...nothingOpen } : after;
  }

  #add(depth: number, begin: number, end: number, slot: number, share: number): void {
    if (end > this.from && begin < this.to) this.pieces[depth]?.add(begin, end, slot, share);
  }
}
