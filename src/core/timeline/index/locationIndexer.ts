import { BinList, Grouping } from './binList';
import { CallStack, type CallColumns, type CallVisitor } from './callStack';
import { fanOut, OpenNode, type BlockPosition, type NodeSink, type Sums } from './node';
import { SumTable } from './sums';

/** Room for times of functions at depths, which the functions share: 16 MB. */
const mostDepthTimes = 2 ** 21;
const mostDepths = 64;

/** Sums of functions at each depth: of calls that began and ended in the same block. */
class DepthTimes {
  readonly #depths: number;
  readonly #times: Float64Array;
  #touched: number[] = [];

  constructor(private readonly slots: number) {
    this.#depths = Math.max(1, Math.min(mostDepths, Math.floor(mostDepthTimes / slots)));
    this.#times = new Float64Array(this.#depths * slots);
  }

  add(depth: number, slot: number, ticks: number): void {
    if (depth >= this.#depths || ticks === 0) return;
    const at = depth * this.slots + slot;
    const known = this.#times[at] ?? 0;
    if (known === 0) this.#touched.push(at);
    this.#times[at] = known + ticks;
  }

  /** Hands the largest of each depth to a node, and begins anew. */
  moveTo(node: OpenNode): void {
    for (const at of this.#touched) {
      const depth = Math.floor(at / this.slots);
      propose(node, depth, at % this.slots, this.#times[at] ?? 0);
      this.#times[at] = 0;
    }
    this.#touched = [];
  }
}

function propose({ middleSlot, middleTicks }: OpenNode, depth: number, slot: number, ticks: number): void {
  while (middleSlot.length <= depth) {
    middleSlot.push(0);
    middleTicks.push(0);
  }
  if (ticks <= (middleTicks[depth] ?? 0)) return;
  middleSlot[depth] = slot;
  middleTicks[depth] = ticks;
}

/** What a level above the blocks holds while it is put together. */
class Level {
  readonly node = new OpenNode();
  readonly grouped = new BinList();
  readonly sums: SumTable;
  /** Candidates for the middle, by depth: the ticks of functions. */
  readonly #middle: Map<number, number>[] = [];

  constructor(slots: number) {
    this.sums = new SumTable(slots);
  }

  absorb(child: OpenNode, bins: BinList): void {
    const { node } = this;
    if (node.children === 0) {
      node.start(child.begin, child.stack);
      this.#middle.length = 0;
    }
    node.children++;
    node.end = child.end;
    node.bins.append(bins);
    const { alive } = node;
    const { slot, begin, depth } = child.stack;
    for (let at = child.alive; at < depth; at++) {
      const ended = child.ended[at] ?? 0;
      // A call of the beginning, or one that began in an earlier child.
      if (at < alive) node.ended[at] = ended;
      else this.#add(at, slot[at] ?? 0, ended - (begin[at] ?? 0));
    }
    node.alive = Math.min(alive, child.alive);
    for (const [at, which] of child.middleSlot.entries()) this.#add(at, which, child.middleTicks[at] ?? 0);
  }

  #add(depth: number, slot: number, ticks: number): void {
    if (slot === 0 || depth >= mostDepths) return;
    while (this.#middle.length <= depth) this.#middle.push(new Map());
    const known = this.#middle[depth];
    known?.set(slot, (known.get(slot) ?? 0) + ticks);
  }

  decideMiddle(): void {
    for (const [depth, times] of this.#middle.entries())
      for (const [slot, ticks] of times) propose(this.node, depth, slot, ticks);
  }
}

/** Makes the index of locations, one after the other, from their events, which come in blocks. Memory is for one node of each level. */
export class LocationIndexer implements CallVisitor {
  /** The deepest call stack of all. */
  depth = 0;
  readonly calls: CallStack;
  readonly #block = new OpenNode();
  readonly #grouped = new BinList();
  readonly #grouping: Grouping;
  readonly #depthTimes: DepthTimes;
  readonly #sums: SumTable;
  /** When an open function was entered first, or when the sums began. */
  readonly #included: Float64Array;
  readonly #levels: Level[] = [];
  #position: BlockPosition | undefined;
  /** Nodes of each level so far. */
  #counts: number[] = [];

  constructor(
    private readonly slots: number,
    private readonly sink: NodeSink,
  ) {
    this.calls = new CallStack(slots, this);
    this.#grouping = new Grouping(slots);
    this.#depthTimes = new DepthTimes(slots);
    this.#sums = new SumTable(slots);
    this.#included = new Float64Array(slots);
  }

  /** The next events; all but the last block have `blockEvents`. */
  add(events: CallColumns, position: BlockPosition): void {
    if (events.count === 0) return;
    if (this.#position === undefined) {
      const first = events.time[0] ?? 0;
      this.calls.start(this.calls.frames, first);
    } else this.#finishBlock();
    this.#position = position;
    this.#block.start(this.calls.now, this.calls.frames);
    this.calls.replay(events);
    this.#block.end = this.calls.now;
  }

  /** Time of the last event. */
  get now(): number {
    return this.calls.now;
  }

  /** Ends the location: calls that are open end with its last event. The next events are those of another one. */
  end(): void {
    if (this.#position === undefined) return;
    this.calls.end();
    this.#finishBlock();
    for (let level = 1; level <= this.#levels.length; level++) {
      const { node } = this.#level(level);
      if (node.children > 0 && (level === 1 || (this.#counts[level - 1] ?? 0) > 1)) this.#finish(level);
    }
    for (const { node, sums } of this.#levels) {
      node.children = 0;
      sums.take();
    }
    this.#position = undefined;
    this.#counts = [];
  }

  ran(slot: number, from: number, to: number): void {
    this.#block.bins.addPure(slot, to - from, to);
    const { exclusive } = this.#sums;
    exclusive[slot] = (exclusive[slot] ?? 0) + to - from;
  }

  entered(slot: number, time: number): void {
    const { depth } = this.calls.frames;
    if (depth > this.depth) this.depth = depth;
    this.#sums.touch(slot);
    const { visits } = this.#sums;
    visits[slot] = (visits[slot] ?? 0) + 1;
    if (this.calls.openCalls(slot) === 1) this.#included[slot] = time;
  }

  left(depth: number, time: number): void {
    const block = this.#block;
    const { slot, begin } = this.calls.frames;
    const which = slot[depth] ?? 0;
    if (this.calls.openCalls(which) === 0) this.#include(which, time);
    if (depth < block.alive) {
      block.ended[depth] = time;
      block.alive = depth;
    } else this.#depthTimes.add(depth, which, time - (begin[depth] ?? 0));
  }

  #include(slot: number, time: number): void {
    const { inclusive } = this.#sums;
    inclusive[slot] = (inclusive[slot] ?? 0) + time - (this.#included[slot] ?? 0);
    this.#included[slot] = time;
  }

  #finishBlock(): void {
    const block = this.#block;
    this.#depthTimes.moveTo(block);
    this.#grouping.group(block.bins, block.begin, this.#grouped);
    this.#emit(0, block, this.#grouped, undefined, this.#position);
  }

  #emit(
    level: number,
    node: OpenNode,
    bins: BinList,
    sums: Sums | undefined,
    position?: BlockPosition,
  ): void {
    this.sink.node(level, node, bins, sums, position);
    this.#counts[level] = (this.#counts[level] ?? 0) + 1;
    const above = this.#level(level + 1);
    above.absorb(node, bins);
    if (sums !== undefined) above.sums.add(sums);
    if (above.node.children === fanOut) this.#finish(level + 1);
  }

  #finish(level: number): void {
    const own = this.#level(level);
    const { node, grouped, sums } = own;
    own.decideMiddle();
    this.#grouping.group(node.bins, node.begin, grouped);
    this.#emit(level, node, grouped, level === 1 ? this.#takeSums(node.end) : sums.take());
    node.children = 0;
  }

  /** Functions that are open have run until here. */
  #takeSums(end: number): Sums {
    const { slot, depth } = this.calls.frames;
    for (let at = 0; at < depth; at++) this.#include(slot[at] ?? 0, end);
    const sums = this.#sums.take();
    for (let at = 0; at < depth; at++) this.#sums.touch(slot[at] ?? 0);
    return sums;
  }

  #level(level: number): Level {
    return (this.#levels[level - 1] ??= new Level(this.slots));
  }
}
