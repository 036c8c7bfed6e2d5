import { binsPerNode } from '../index/binList';
import { CallStack } from '../index/callStack';
import { fanOut } from '../index/node';
import type { RowIndex } from '../index/rowIndex';
import { Painter } from '../paint/painter';
import { SpanList } from '../paint/spanList';
import type { TimelineSpans } from '../pieces';
import type { TickWindow, TimelineIndex, Turn } from './trace';

/** Pixels of the largest picture that is painted as finely as a smaller one: the work is limited. In one of 64 rows and 1600 pixels, bins are 3 pixels long, and 6 where events would be decoded otherwise. */
const mostPixels = 32 * 1024;
/** Bins of a block may be that many pixels long before its events are decoded. */
const coarsestBins = 2;

/** In each pixel of each row the function with the most exclusive time. */
export async function spansOf(index: TimelineIndex, window: TickWindow, turn: Turn): Promise<TimelineSpans> {
  const list = new SpanList(index.scale);
  const { firstRow, rowCount, from, to, pixels } = window;
  const painter = new Painter(from, to, pixels, index.slots);
  const walk = new SpanWalk(painter, index.slots, Math.max(1, (rowCount * pixels) / mostPixels));
  for (let row = firstRow; row < firstRow + rowCount; row++) {
    const rowIndex = index.row(row);
    if (rowIndex !== undefined) walk.row(rowIndex);
    painter.finish(list);
    await turn();
  }
  return list.spans();
}

class SpanWalk {
  readonly #calls: CallStack;
  readonly #finest: number;

  constructor(
    private readonly painter: Painter,
    slots: number,
    coarseness: number,
  ) {
    this.#calls = new CallStack(slots, {
      ran: (slot, from, to) => painter.add(from, to, slot, 1),
      entered: () => undefined,
      left: () => undefined,
    });
    this.#finest = painter.pixel * coarseness * binsPerNode;
  }

  row(index: RowIndex): void {
    if (index.levels > 0) this.#node(index, index.levels - 1, 0);
  }

  #node(index: RowIndex, level: number, node: number): void {
    const begin = index.begin(level, node);
    const end = index.end(level, node);
    if (end <= this.painter.from || begin >= this.painter.to) return;
    if (end - begin <= this.#finest * (level === 0 ? coarsestBins : 1)) this.#bins(index, level, node);
    else if (level === 0) {
      this.#calls.start(index.stack(0, node).stack, begin);
      this.#calls.replay(index.events(node), this.painter.to);
    } else {
      const last = Math.min(index.count(level - 1), (node + 1) * fanOut);
      for (let child = node * fanOut; child < last; child++) this.#node(index, level - 1, child);
    }
  }

  #bins(index: RowIndex, level: number, node: number): void {
    const { count, end, slot, share } = index.bins(level, node);
    let begin = index.begin(level, node);
    for (let bin = 0; bin < count; bin++) {
      const till = end[bin] ?? 0;
      this.painter.add(begin, till, slot[bin] ?? 0, share[bin] ?? 0);
      begin = till;
    }
  }
}
