import { atFloat } from '../../../core/at';
import type { Cluster, Digest } from '../../../core/digest/digest';
import { pairCost, type FourCosts, type PairCost } from '../../../formats/kymo-result/pairCost';
import { counterNames, firstCounterSlot } from '../../../formats/kymo-result/slots';
import type { ResultThread } from '../../../formats/kymo-result/threads';
import { eventsBelow } from '../live/eventsBelow';
import { noFlags, type WindowResult } from '../live/liveResult';
import { untimedBit } from './digestOfProcess';
import { namedRegions } from './namedRegions';

/** Each cluster as the result of one process with one thread, which has the sums: whatever reads results reads these. Times are in ticks of one second. */
export function resultsOfDigest(digest: Digest): readonly WindowResult[] {
  const { parents, slots } = digest;
  // The root's, and those of quantities and of calls beyond the depth limit, are above all counted ones.
  const isUntimed = (slot: number): boolean => slot >= untimedBit && slot < firstCounterSlot;
  const tree = {
    number: 0,
    preemptedSeconds: 0,
    cpuSeconds: 0,
    parent: parents,
    slot: slots.map((slot) => (isUntimed(slot) ? slot - untimedBit : slot)),
    untimed: Uint8Array.from(slots, (slot) => (isUntimed(slot) ? 1 : 0)),
  };
  return digest.clusters.map((cluster): WindowResult => {
    const threads = [threadOf(cluster, tree)];
    const rank = cluster.ranks[0]?.[0] ?? 0;
    return {
      file: `ranks from ${rank}`,
      flags: noFlags,
      selectionId: '',
      pid: 0,
      parentPid: 0,
      beginNanoseconds: 0,
      endNanoseconds: 0,
      ticksPerSecond: 1,
      ...costsOfDigest(digest),
      mappedBytes: 0,
      nodeBytes: 0,
      rank,
      rankCount: digest.ranks,
      host: 'several hosts',
      cpuSeconds: cluster.cpuSeconds,
      iterations: cluster.mostIterations,
      regions: namedRegions(digest),
      threads,
      readTrees: () => Promise.resolve(threads),
      readThreads: () => Promise.resolve(threads),
      iterationsFile: { file: '', range: { offset: 0, length: 0 } },
    };
  });
}

/** Costs of recording in the process where they are least. */
export function costsOfDigest({ costs }: Digest): Pick<WindowResult, 'probeCost' | 'entryCost'> {
  return { probeCost: costOf(costs.slice(0, 8)), entryCost: costOf(costs.slice(8, 16)) };
}

type Tree = Omit<
  ResultThread,
  | 'lifetimeTicks'
  | 'counterNames'
  | 'visits'
  | 'inclusiveTicks'
  | 'minimumTicks'
  | 'maximumTicks'
  | 'childEvents'
  | 'waitingTicks'
  | 'counters'
>;

function threadOf({ amounts }: Cluster, tree: Tree): ResultThread {
  const { length } = tree.parent;
  const amount = (name: string): Float64Array => amounts.get(name) ?? new Float64Array(length);
  const [visits, seconds] = [amount('visits'), amount('seconds')];
  const mean = seconds.map((value, path) => value / Math.max(1, atFloat(visits, path)));
  const counters = new Map(
    counterNames.flatMap((name) => {
      const values = amounts.get(name);
      return values === undefined ? [] : [[name, values] as const];
    }),
  );
  return {
    ...tree,
    lifetimeTicks: atFloat(seconds, 0),
    counterNames: new Set(counters.keys()),
    visits,
    inclusiveTicks: seconds,
    minimumTicks: mean,
    maximumTicks: mean,
    childEvents: eventsBelow(tree.parent, tree.untimed, visits),
    waitingTicks: amount('waiting'),
    counters,
  };
}

function costOf(costs: readonly number[]): PairCost {
  const [pair = 0, spread = 0, inside = 0, outside = 0, ...sampled] = costs;
  const [counted = 0, countedSpread = 0, sampledPair = 0, sampledInside = 0] = sampled;
  const ofSampled: FourCosts = [counted, countedSpread, sampledPair, sampledInside];
  return pairCost([pair, spread, inside, outside], ofSampled);
}
