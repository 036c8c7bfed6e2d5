import { atFloat, atInt, atUint } from '../../../core/at';
import type { Cluster, Digest } from '../../../core/digest/digest';
import { remembered } from '../../../core/remembered';
import type { ProcessState } from '../../../formats/control/messages';
import type { PairCost } from '../../../formats/kymo-result/pairCost';
import { regionKinds } from '../../../formats/kymo-result/resultFile';
import { isTimeCounter, rootSlot } from '../../../formats/kymo-result/slots';
import type { ResultThread } from '../../../formats/kymo-result/threads';
import { GrowingPaths } from '../live/growingPaths';
import type { WindowResult } from '../live/liveResult';

/** Of a slot whose visits were only counted. */
export const untimedBit = 0x8000_0000;

/** What a process measured so far, as one cluster. Its threads are added up. */
export function digestOfProcess(
  result: WindowResult,
  { slotCount, iterations, threadCount, isSuspended }: ProcessState,
  isWatched: boolean,
): Digest {
  const sums = new Sums(1 / result.ticksPerSecond);
  for (const thread of result.threads) sums.add(thread);
  const cluster: Cluster = {
    ranks: [[result.rank, result.rank]],
    processes: 1,
    threads: threadCount,
    cpuSeconds: result.cpuSeconds ?? 0,
    leastIterations: iterations,
    mostIterations: iterations,
    iterating: iterations > 0 ? 1 : 0,
    suspended: isWatched && isSuspended ? 1 : 0,
    ended: isWatched ? 0 : 1,
    amounts: sums.amounts(),
  };
  return {
    ranks: result.rankCount,
    slotCount,
    regions: result.regions.map(({ name, kind, file = '', line = 0 }) => ({
      name,
      kind: regionKinds.indexOf(kind),
      file,
      line,
    })),
    ...sums.paths(),
    costs: [...costsOf(result.probeCost), ...costsOf(result.entryCost)],
    clusters: [cluster],
  };
}

/** Sums over threads by call path. */
class Sums {
  private readonly tree = new GrowingPaths();
  private count = 1;
  private readonly columns = new Map<string, number[]>([
    ['visits', []],
    ['seconds', []],
  ]);

  constructor(private readonly secondsPerTick: number) {}

  add(thread: ResultThread): void {
    const places = new Int32Array(thread.parent.length);
    for (let node = 0; node < places.length; node++) {
      if (node > 0) places[node] = this.place(thread, node, atInt(places, atInt(thread.parent, node)));
      const place = atInt(places, node);
      this.increase('visits', place, atFloat(thread.visits, node));
      this.increase('seconds', place, atFloat(thread.inclusiveTicks, node) * this.secondsPerTick);
      this.increase('waiting', place, atFloat(thread.waitingTicks, node) * this.secondsPerTick);
      for (const [name, amounts] of thread.counters)
        this.increase(name, place, atFloat(amounts, node) * (isTimeCounter(name) ? this.secondsPerTick : 1));
    }
  }

  amounts(): Cluster['amounts'] {
    const column = (values: readonly number[]): Float64Array =>
      Float64Array.from({ length: this.count }, (_, path) => values[path] ?? 0);
    return new Map([...this.columns].map(([name, values]) => [name, column(values)]));
  }

  paths(): Pick<Digest, 'parents' | 'slots'> {
    const { count: length } = this;
    return {
      parents: Int32Array.from({ length }, (_, path) => this.tree.parentOf(path)),
      slots: Uint32Array.from({ length }, (_, path) => (path === 0 ? rootSlot : this.tree.regionOf(path))),
    };
  }

  private place({ slot, untimed }: ResultThread, node: number, above: number): number {
    const place = this.tree.child(above, atUint(slot, node) + (untimed[node] === 1 ? untimedBit : 0));
    this.count = Math.max(this.count, place + 1);
    return place;
  }

  private increase(name: string, path: number, amount: number): void {
    if (amount === 0) return;
    const column = remembered(this.columns, name, () => []);
    column[path] = (column[path] ?? 0) + amount;
  }
}

/** Eight numbers; the last four are 0 where nothing can be sampled. */
function costsOf({ sampled, ...cost }: PairCost): readonly number[] {
  const { pairSeconds, spreadSeconds, insideSeconds, outsideSeconds } = cost;
  return [
    pairSeconds,
    spreadSeconds,
    insideSeconds,
    outsideSeconds,
    sampled?.countedSeconds ?? 0,
    sampled?.spreadSeconds ?? 0,
    sampled?.pairSeconds ?? 0,
    sampled?.insideSeconds ?? 0,
  ];
}
