import { remembered } from '../../core/remembered';
import { atFloat } from '../../core/at';
import type { CallPaths } from '../../core/profile/profile';
import { preOrder } from '../../core/profile/tree';
import { type KymoResult, type ResultThread } from '../../formats/kymo-result/resultFile';
import { counterNames, isTimeCounter, type CounterName } from '../../formats/kymo-result/slots';
import { estimateUntimed } from './estimateUntimed';
import type { SlotRegions } from './slotRegions';

/** One call tree for all threads of a run; columns are `[callPath * locationCount + location]`. */
export interface MergedTree {
  readonly callPaths: CallPaths;
  /** Threads in the order of the results. */
  readonly locationCount: number;
  readonly visits: Float64Array;
  /** Number of timed visits. */
  readonly timedVisits: Float64Array;
  /** Whether some visits were not timed, so that seconds are partly estimates. */
  readonly isSampled: boolean;
  /** Inclusive time. */
  readonly seconds: Float64Array;
  /** Minimum of the inclusive time of a visit; 0 without a visit. */
  readonly minimumSeconds: Float64Array;
  readonly maximumSeconds: Float64Array;
  readonly childEvents: Float64Array;
  /** The part of the exclusive time in which the thread was blocked; undefined if a process could not measure it. */
  readonly waitingSeconds: Float64Array | undefined;
  /** The estimated part of `seconds`. */
  readonly estimatedSeconds: Float64Array;
  /** Bytes and seconds that layers counted, exclusive; only the counters that are not 0 everywhere. */
  readonly counters: ReadonlyMap<CounterName, Float64Array>;
}

/** Merges nodes with the same path of regions from the root to one call path. */
export function mergeTrees(results: readonly KymoResult[], regions: SlotRegions): MergedTree {
  const nodes = new MergedNodes();
  const threads = results.flatMap((result) =>
    result.threads.map((thread) => ({ result, thread, nodeOf: nodes.addThread(result, thread, regions) })),
  );
  const order = preOrder(nodes.parents);
  const position = new Uint32Array(order.length);
  order.forEach((node, place) => {
    position[node] = place;
  });
  const cells = order.length * threads.length;
  const tree: MergedTree = {
    callPaths: {
      count: order.length,
      parent: Int32Array.from(order, (node) => {
        const parent = nodes.parents[node] ?? -1;
        return parent < 0 ? -1 : (position[parent] ?? -1);
      }),
      region: Uint32Array.from(order, (node) => nodes.regions[node] ?? 0),
      fileId: Uint32Array.from(order, (_, place) => place),
    },
    locationCount: threads.length,
    visits: new Float64Array(cells),
    timedVisits: new Float64Array(cells),
    isSampled: results.some(({ threads: all }) => all.some(({ untimed }) => untimed.includes(1))),
    seconds: new Float64Array(cells),
    minimumSeconds: new Float64Array(cells),
    maximumSeconds: new Float64Array(cells),
    childEvents: new Float64Array(cells),
    waitingSeconds: results.every(({ cpuSeconds }) => cpuSeconds !== undefined)
      ? new Float64Array(cells)
      : undefined,
    estimatedSeconds: new Float64Array(cells),
    counters: new Map(
      counterNames
        .filter((name) => threads.some(({ thread }) => thread.counters.has(name)))
        .map((name) => [name, new Float64Array(cells)]),
    ),
  };
  threads.forEach(({ result, thread, nodeOf }, location) => {
    const cellOf = (node: number): number => (position[nodeOf[node] ?? 0] ?? 0) * threads.length + location;
    fill(tree, thread, cellOf, 1 / result.ticksPerSecond);
    fillCounters(tree, thread, cellOf, 1 / result.ticksPerSecond);
  });
  if (tree.isSampled) estimateUntimed(tree, insideSeconds(results, regions));
  return tree;
}

class MergedNodes {
  readonly parents: number[] = [-1];
  readonly regions: number[] = [0];
  /** For each parent: nodes by region. */
  private readonly children: (Map<number, number> | undefined)[] = [undefined];

  /** For each node of the thread, its merged node. */
  addThread(result: KymoResult, thread: ResultThread, regions: SlotRegions): Int32Array {
    const nodeOf = new Int32Array(thread.parent.length);
    for (let node = 1; node < nodeOf.length; node++) {
      const parent = nodeOf[thread.parent[node] ?? 0] ?? 0;
      nodeOf[node] = this.child(parent, regions.ofSlotIn(result, thread.slot[node] ?? 0));
    }
    return nodeOf;
  }

  private child(parent: number, region: number): number {
    const children = this.children[parent] ?? new Map<number, number>();
    this.children[parent] = children;
    return remembered(children, region, () => {
      this.regions.push(region);
      this.children.push(undefined);
      return this.parents.push(parent) - 1;
    });
  }
}

function fill(
  tree: MergedTree,
  thread: ResultThread,
  cellOf: (node: number) => number,
  secondsPerTick: number,
): void {
  const lifetime = thread.lifetimeTicks;
  for (let node = 0; node < thread.parent.length; node++) {
    const cell = cellOf(node);
    const values =
      node === 0
        ? { visits: 1, ticks: lifetime, minimum: lifetime, maximum: lifetime }
        : {
            visits: atFloat(thread.visits, node),
            ticks: atFloat(thread.inclusiveTicks, node),
            minimum: atFloat(thread.minimumTicks, node),
            maximum: atFloat(thread.maximumTicks, node),
          };
    const isFirst = atFloat(tree.timedVisits, cell) === 0;
    if (tree.waitingSeconds !== undefined)
      tree.waitingSeconds[cell] =
        atFloat(tree.waitingSeconds, cell) + atFloat(thread.waitingTicks, node) * secondsPerTick;
    tree.visits[cell] = atFloat(tree.visits, cell) + values.visits;
    if (thread.untimed[node] === 1) continue;
    tree.timedVisits[cell] = atFloat(tree.timedVisits, cell) + values.visits;
    tree.seconds[cell] = atFloat(tree.seconds, cell) + values.ticks * secondsPerTick;
    tree.childEvents[cell] = atFloat(tree.childEvents, cell) + atFloat(thread.childEvents, node);
    if (values.visits === 0) continue; // its minimum is a marker, not a time
    const minimum = values.minimum * secondsPerTick;
    tree.minimumSeconds[cell] = isFirst ? minimum : Math.min(atFloat(tree.minimumSeconds, cell), minimum);
    tree.maximumSeconds[cell] = Math.max(atFloat(tree.maximumSeconds, cell), values.maximum * secondsPerTick);
  }
}

function fillCounters(
  tree: MergedTree,
  thread: ResultThread,
  cellOf: (node: number) => number,
  secondsPerTick: number,
): void {
  for (const [name, amounts] of thread.counters) {
    const column = tree.counters.get(name);
    const scale = isTimeCounter(name) ? secondsPerTick : 1;
    amounts.forEach((amount, node) => {
      const cell = cellOf(node);
      if (column !== undefined) column[cell] = atFloat(column, cell) + amount * scale;
    });
  }
}

/** For each region with untimed visits, the part of a timed visit that the measurement itself takes. */
function insideSeconds(results: readonly KymoResult[], regions: SlotRegions): ReadonlyMap<number, number> {
  const inside = new Map<number, number>();
  const [first] = results;
  for (const thread of results.flatMap((result) => result.threads)) {
    thread.untimed.forEach((untimed, node) => {
      const slot = thread.slot[node] ?? 0;
      if (untimed !== 1 || first === undefined) return;
      const cost = regions.sampleOf(slot)?.kind === 'probe' ? first.probeCost : first.entryCost;
      inside.set(regions.ofSlot(slot), cost.sampled?.insideSeconds ?? 0);
    });
  }
  return inside;
}
