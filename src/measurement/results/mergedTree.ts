import { remembered } from '../../core/remembered';
import { at, atFloat, atInt, atUint } from '../../core/at';
import type { CallPaths } from '../../core/profile/profile';
import { preOrder } from '../../core/profile/tree';
import type { ResultHead } from '../../formats/kymo-result/resultFile';
import type { ResultThread, ThreadTree } from '../../formats/kymo-result/threads';
import {
  counterNames,
  isTimeCounter,
  processorCounters,
  type CounterName,
} from '../../formats/kymo-result/slots';
import { estimateCounted } from './estimateCounted';
import { estimateUntimed } from './estimateUntimed';
import type { ProcessResult } from './readResults';
import type { SlotRegions } from './slotRegions';

/** One call tree for all threads of a run; columns are `[callPath * locationCount + location]`. */
export interface MergedTree {
  readonly callPaths: CallPaths;
  /** Threads in the order of the results. */
  readonly locationCount: number;
  readonly visits: Float64Array;
  /** Number of timed visits; undefined when all were timed, else seconds are partly estimates. */
  readonly timedVisits: Float64Array | undefined;
  /** Inclusive time. */
  readonly seconds: Float64Array;
  /** Minimum of the inclusive time of a visit; 0 without a visit. */
  readonly minimumSeconds: Float64Array;
  readonly maximumSeconds: Float64Array;
  readonly childEvents: Float64Array;
  /** The part of the exclusive time in which the thread was blocked; undefined if a process could not measure it. */
  readonly waitingSeconds: Float64Array | undefined;
  /** The estimated part of `seconds`, one element per location, of call paths that have one. */
  readonly estimatedSeconds: ReadonlyMap<number, Float64Array>;
  /** What layers and the processor counted, exclusive; only the counters that are not 0 everywhere. */
  readonly counters: ReadonlyMap<CounterName, Float64Array>;
}

/** Merges nodes with the same path of regions from the root to one call path. Reads one process at a time, once for the tree and once for its values. */
export async function mergeTrees(
  results: readonly ProcessResult[],
  regions: SlotRegions,
): Promise<MergedTree> {
  const union = new Union(regions);
  for (const result of results)
    for (const thread of await result.readTrees()) union.addThread(result, thread);
  const order = preOrder(union.parents);
  const position = new Uint32Array(order.length);
  order.forEach((node, place) => {
    position[node] = place;
  });
  const locationCount = union.nodesOf.length;
  const column = (): Float64Array => new Float64Array(order.length * locationCount);
  const tree = {
    callPaths: {
      count: order.length,
      parent: Int32Array.from(order, (node) => {
        const parent = union.parents[node] ?? -1;
        return parent < 0 ? -1 : (position[parent] ?? -1);
      }),
      region: Uint32Array.from(order, (node) => union.regionOf[node] ?? 0),
      fileId: Uint32Array.from(order, (_, place) => place),
    },
    locationCount,
    visits: column(),
    timedVisits: union.untimedSlots.size > 0 ? column() : undefined,
    seconds: column(),
    minimumSeconds: column(),
    maximumSeconds: column(),
    childEvents: column(),
    waitingSeconds: results.every(({ cpuSeconds }) => cpuSeconds !== undefined) ? column() : undefined,
    counters: new Map(
      counterNames.filter((name) => union.counters.has(name)).map((name) => [name, column()]),
    ),
  };
  // While they grow, a location's values are side by side, except for counters: `[location * callPathCount + callPath]`.
  let location = 0;
  for (const result of results)
    for (const thread of await result.readThreads()) {
      const first = location * order.length;
      const cells = at(union.nodesOf, location).map((node) => first + atUint(position, node));
      fill(tree, thread, cells, 1 / result.ticksPerSecond);
      // Most counters are 0, and memory that is never written is none.
      const cellsOfCounters = cells.map((cell) => (cell - first) * locationCount + location);
      fillCounters(tree, thread, cellsOfCounters, 1 / result.ticksPerSecond);
      location++;
    }
  const inside = insideSeconds(union.untimedSlots, results, regions);
  const estimatedSeconds = estimateUntimed(tree, inside);
  for (const name of processorCounters)
    estimateCounted(tree, tree.counters.get(name), new Set(inside.keys()));
  const transposer = new Transposer(order.length, locationCount);
  const transposed = (values: Float64Array): Float64Array => transposer.transpose(values);
  return {
    ...tree,
    visits: transposed(tree.visits),
    timedVisits: tree.timedVisits && transposed(tree.timedVisits),
    seconds: transposed(tree.seconds),
    minimumSeconds: transposed(tree.minimumSeconds),
    maximumSeconds: transposed(tree.maximumSeconds),
    childEvents: transposed(tree.childEvents),
    waitingSeconds: tree.waitingSeconds && transposed(tree.waitingSeconds),
    estimatedSeconds,
  };
}

/** Exchanges rows and columns. The values given are lost: their memory is that of the next result, because new memory costs more time than this. */
class Transposer {
  private spare: Float64Array;

  constructor(
    private readonly columns: number,
    private readonly rows: number,
  ) {
    this.spare = new Float64Array(columns * rows);
  }

  transpose(values: Float64Array): Float64Array {
    const { columns, rows, spare: result } = this;
    const side = 16; // of squares that fit the processor's cache
    for (let firstRow = 0; firstRow < rows; firstRow += side)
      for (let firstColumn = 0; firstColumn < columns; firstColumn += side) {
        const endRow = Math.min(rows, firstRow + side);
        const endColumn = Math.min(columns, firstColumn + side);
        for (let column = firstColumn; column < endColumn; column++)
          for (let row = firstRow; row < endRow; row++)
            result[column * rows + row] = atFloat(values, row * columns + column);
      }
    this.spare = values;
    return result;
  }
}

/** All call paths of the threads that were added, as nodes in order of appearance. */
class Union {
  readonly parents: number[] = [-1];
  readonly regionOf: number[] = [0];
  /** For each thread, the nodes of its nodes. */
  readonly nodesOf: Int32Array[] = [];
  readonly counters = new Set<CounterName>();
  readonly untimedSlots = new Set<number>();
  /** For each parent: nodes by region. */
  private readonly children: (Map<number, number> | undefined)[] = [undefined];

  constructor(private readonly regions: SlotRegions) {}

  addThread(result: ResultHead, thread: ThreadTree): void {
    const nodes = new Int32Array(thread.parent.length);
    for (let node = 1; node < nodes.length; node++) {
      const slot = atUint(thread.slot, node);
      const parent = atInt(nodes, atInt(thread.parent, node));
      nodes[node] = this.child(parent, this.regions.ofSlotIn(result, slot));
      if (thread.untimed[node] === 1) this.untimedSlots.add(slot);
    }
    for (const name of thread.counterNames) this.counters.add(name);
    this.nodesOf.push(nodes);
  }

  private child(parent: number, region: number): number {
    const children = this.children[parent] ?? new Map<number, number>();
    this.children[parent] = children;
    return remembered(children, region, () => {
      this.regionOf.push(region);
      this.children.push(undefined);
      return this.parents.push(parent) - 1;
    });
  }
}

type Columns = Omit<MergedTree, 'estimatedSeconds'>;

/** @param cells of the columns, by node */
function fill(tree: Columns, thread: ResultThread, cells: Int32Array, secondsPerTick: number): void {
  const { visits, timedVisits, seconds, minimumSeconds, maximumSeconds, childEvents, waitingSeconds } = tree;
  for (let node = 0; node < cells.length; node++) {
    const cell = atInt(cells, node);
    const isRoot = node === 0;
    const count = isRoot ? 1 : atFloat(thread.visits, node);
    const isFirst = atFloat(timedVisits ?? visits, cell) === 0;
    if (waitingSeconds !== undefined)
      add(waitingSeconds, cell, atFloat(thread.waitingTicks, node) * secondsPerTick);
    add(visits, cell, count);
    if (thread.untimed[node] === 1) continue;
    if (timedVisits !== undefined) add(timedVisits, cell, count);
    const ticksOf = (column: Float64Array): number => (isRoot ? thread.lifetimeTicks : atFloat(column, node));
    add(seconds, cell, ticksOf(thread.inclusiveTicks) * secondsPerTick);
    add(childEvents, cell, atFloat(thread.childEvents, node));
    if (count === 0) continue; // its minimum is a marker, not a time
    const minimum = ticksOf(thread.minimumTicks) * secondsPerTick;
    minimumSeconds[cell] = isFirst ? minimum : Math.min(atFloat(minimumSeconds, cell), minimum);
    const maximum = ticksOf(thread.maximumTicks) * secondsPerTick;
    maximumSeconds[cell] = Math.max(atFloat(maximumSeconds, cell), maximum);
  }
}

function fillCounters(
  { counters }: Columns,
  thread: ResultThread,
  cells: Int32Array,
  secondsPerTick: number,
): void {
  for (const [name, amounts] of thread.counters) {
    const column = counters.get(name);
    if (column === undefined) continue;
    const scale = isTimeCounter(name) ? secondsPerTick : 1;
    for (let node = 0; node < amounts.length; node++) {
      const amount = atFloat(amounts, node);
      if (amount !== 0) add(column, atInt(cells, node), amount * scale);
    }
  }
}

function add(column: Float64Array, cell: number, value: number): void {
  column[cell] = atFloat(column, cell) + value;
}

/** For each region with untimed visits, the part of a timed visit that the measurement itself takes. */
function insideSeconds(
  untimedSlots: ReadonlySet<number>,
  [first]: readonly ResultHead[],
  regions: SlotRegions,
): ReadonlyMap<number, number> {
  return new Map(
    [...untimedSlots].map((slot) => {
      const cost = regions.sampleOf(slot)?.kind === 'probe' ? first?.probeCost : first?.entryCost;
      return [regions.ofSlot(slot), cost?.sampled?.insideSeconds ?? 0];
    }),
  );
}
