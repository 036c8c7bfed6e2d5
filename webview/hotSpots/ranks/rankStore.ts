import type { Extent } from '../../../src/core/views/ranks/rankRows';
import { maximumRankRows } from '../../../src/protocol/hotSpots';
import { errorText, isCancelled } from '../../ui/page/shell';
import type { HotSpotsChannel } from '../data/load';

/** Values of functions by rank, asked for when they are looked at. */
export class RankStore {
  private readonly rows = new Map<number, Float64Array>();
  /** Asked for, and not here yet. */
  private readonly wanted = new Set<number>();
  private abort = new AbortController();
  private metric = -1;
  private extent: Extent = 'exclusive';
  private largest = 0;

  constructor(
    private readonly channel: HotSpotsChannel,
    private readonly ranks: number,
    /** Position of a function in the profile. */
    private readonly positionOf: (region: number) => number,
    private readonly onRows: () => void,
    private readonly onError: (text: string) => void,
  ) {}

  /** Forgets the rows of another metric. */
  show(metric: number, extent: Extent): void {
    if (metric === this.metric && extent === this.extent) return;
    this.abort.abort();
    this.abort = new AbortController();
    [this.metric, this.extent] = [metric, extent];
    this.rows.clear();
    this.wanted.clear();
    this.largest = 0;
  }

  row(region: number): Float64Array | undefined {
    return this.rows.get(region);
  }

  /** Largest value of the rows that are here. */
  get most(): number {
    return this.largest;
  }

  /** Asks for the rows that are missing. */
  async want(regions: readonly number[]): Promise<void> {
    const missing = regions.filter((region) => !this.rows.has(region) && !this.wanted.has(region));
    for (const region of missing) this.wanted.add(region);
    const { signal } = this.abort;
    for (let first = 0; first < missing.length; first += maximumRankRows)
      await this.load(missing.slice(first, first + maximumRankRows), signal);
  }

  private async load(regions: readonly number[], signal: AbortSignal): Promise<void> {
    const { metric, extent } = this;
    const positions = regions.map(this.positionOf);
    try {
      const values = await this.channel.request(
        'rankRows',
        { metric, extent, regions: positions },
        { signal },
      );
      if (signal.aborted) return;
      regions.forEach((region, row) =>
        this.put(region, values.slice(row * this.ranks, (row + 1) * this.ranks)),
      );
      this.onRows();
    } catch (error) {
      if (isCancelled(error)) return;
      for (const region of regions) this.wanted.delete(region);
      this.onError(errorText(error));
    }
  }

  private put(region: number, values: Float64Array): void {
    this.wanted.delete(region);
    this.rows.set(region, values);
    for (const value of values) this.largest = Math.max(this.largest, value);
  }
}
