import type { Reader } from './reader';
import { rootSlot, waitingSlot, counterOfSlot, isQuantitySlot, type CounterName } from './slots';

export interface ThreadHead {
  readonly number: number;
  /** Lifetime on the thread's own clock; from version 4 on without the time during which it was preempted. */
  readonly lifetimeTicks: number;
  /** Both are 0 before version 4. */
  readonly preemptedSeconds: number;
  readonly cpuSeconds: number;
}

/** The call tree of a thread without its values. One element per node; parents precede their children, node 0 is the root. */
export interface ThreadTree extends ThreadHead {
  readonly parent: Int32Array;
  readonly slot: Uint32Array;
  /** 1 for a node that counts untimed visits of its slot. It has no times, and is a sibling of the timed node if there is one. */
  readonly untimed: Uint8Array;
  /** Counters that are not 0 everywhere. */
  readonly counterNames: ReadonlySet<CounterName>;
}

/** One column per field, one element per node. */
export interface ResultThread extends ThreadTree {
  readonly visits: Float64Array;
  readonly inclusiveTicks: Float64Array;
  readonly minimumTicks: Float64Array;
  readonly maximumTicks: Float64Array;
  readonly childEvents: Float64Array;
  /** The part of a node's own time during which the thread was blocked. */
  readonly waitingTicks: Float64Array;
  /** Sums of what layers counted at each node; times are ticks. */
  readonly counters: ReadonlyMap<CounterName, Float64Array>;
}

/** A thread, and where it ends in the file. */
export interface Part<Thread> {
  readonly thread: Thread;
  readonly end: number;
}

const untimedBit = 0x8000_0000;
const nodeBytes = 48;

/** The tree of the thread at an offset, checked. */
export function readTree(reader: Reader, begin: number, headBytes: number): Part<ThreadTree> {
  reader.need(begin, headBytes, 'a thread');
  const count = reader.u32(begin + 4);
  if (count === 0) reader.fail(begin + 4, 'a thread without a root node');
  const first = begin + headBytes;
  reader.need(first, count * nodeBytes, `${count} nodes`);
  const nodes = new Nodes(count);
  const knowsWaiting = headBytes > 24;
  for (let node = 0; node < count; node++) nodes.add(reader, first + node * nodeBytes, node, knowsWaiting);
  const rootTicks = reader.u64(first + 16);
  const between = reader.u64(begin + 16) - reader.u64(begin + 8);
  const thread: ThreadTree = {
    number: reader.u32(begin),
    ...(knowsWaiting
      ? {
          lifetimeTicks: rootTicks,
          preemptedSeconds: reader.u64(begin + 24) / 1e9,
          cpuSeconds: reader.u64(begin + 32) / 1e9,
        }
      : { lifetimeTicks: Math.max(between, rootTicks), preemptedSeconds: 0, cpuSeconds: 0 }),
    ...nodes.filled(),
  };
  return { thread, end: first + count * nodeBytes };
}

/** The same with the values of its nodes. */
export function readThread(reader: Reader, begin: number, headBytes: number): Part<ResultThread> {
  const { thread: tree, end } = readTree(reader, begin, headBytes);
  const { length } = tree.parent;
  const column = (): Float64Array => new Float64Array(length);
  const thread: ResultThread = {
    ...tree,
    visits: column(),
    inclusiveTicks: column(),
    minimumTicks: column(),
    maximumTicks: column(),
    childEvents: column(),
    waitingTicks: column(),
    counters: new Map([...tree.counterNames].map((name) => [name, column()])),
  };
  const positions = new Int32Array((end - begin - headBytes) / nodeBytes);
  let position = 0;
  for (let node = 0; node < positions.length; node++) {
    const offset = begin + headBytes + node * nodeBytes;
    const slot = reader.u32(offset + 4);
    if (headBytes > 24 && isQuantitySlot(slot)) {
      addQuantity(thread, slot, positions[reader.u32(offset)] ?? 0, reader.u64(offset + 16));
      continue;
    }
    positions[node] = position;
    thread.visits[position] = reader.u64(offset + 8);
    thread.inclusiveTicks[position] = reader.u64(offset + 16);
    thread.minimumTicks[position] = reader.u64(offset + 24);
    thread.maximumTicks[position] = reader.u64(offset + 32);
    thread.childEvents[position] = reader.u64(offset + 40);
    position++;
  }
  return { thread, end };
}

function addQuantity(thread: ResultThread, slot: number, above: number, amount: number): void {
  const counter = counterOfSlot(slot);
  const column =
    slot === waitingSlot
      ? thread.waitingTicks
      : counter === undefined
        ? undefined
        : thread.counters.get(counter);
  if (column !== undefined) column[above] = (column[above] ?? 0) + amount;
}

/** The tree of the nodes; a node with a quantity of its parent is none of it. */
class Nodes {
  private readonly positions: Int32Array;
  private length = 0;
  private readonly parent: Int32Array;
  private readonly slot: Uint32Array;
  private readonly untimed: Uint8Array;
  private readonly counterNames = new Set<CounterName>();

  constructor(count: number) {
    this.positions = new Int32Array(count);
    this.parent = new Int32Array(count);
    this.slot = new Uint32Array(count);
    this.untimed = new Uint8Array(count);
  }

  add(reader: Reader, offset: number, node: number, knowsWaiting: boolean): void {
    const parent = reader.u32(offset);
    const slot = reader.u32(offset + 4);
    if (node > 0 && parent >= node) reader.fail(offset, `node ${node} precedes its parent ${parent}`);
    if ((slot === rootSlot) !== (node === 0)) reader.fail(offset + 4, `node ${node} has slot ${slot}`);
    const above = node === 0 ? -1 : (this.positions[parent] ?? 0);
    if (above === quantityNode) reader.fail(offset, `node ${node} is below a quantity`);
    if (knowsWaiting && isQuantitySlot(slot)) {
      this.positions[node] = quantityNode;
      const counter = counterOfSlot(slot);
      if (counter !== undefined) this.counterNames.add(counter);
      return;
    }
    const position = this.length++;
    this.positions[node] = position;
    this.parent[position] = above;
    const isUntimed = slot >= untimedBit && slot < waitingSlot;
    this.slot[position] = isUntimed ? slot - untimedBit : slot;
    this.untimed[position] = isUntimed ? 1 : 0;
  }

  filled(): Omit<ThreadTree, keyof ThreadHead> {
    const { length } = this;
    return {
      parent: this.parent.subarray(0, length),
      slot: this.slot.subarray(0, length),
      untimed: this.untimed.subarray(0, length),
      counterNames: this.counterNames,
    };
  }
}

/** Marks nodes with quantities of their parents in place of a position. */
const quantityNode = -2;
