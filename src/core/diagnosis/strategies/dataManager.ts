import { getOrMake } from '../../getOrMake';
import type { Focus } from '../resources/focus';

/** Values of a metric over [start, end), in seconds since the search began. */
export interface DataSample {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** What is measured on a host: a metric at a focus. */
export interface MetricFocus {
  readonly metric: string;
  readonly focus: Focus;
}

/** Bytes that a sample takes where it is stored: three numbers. */
const bytesPerSample = 24;

interface Measured extends MetricFocus {
  readonly requests: Set<string>;
  /** The last samples, the oldest first. */
  readonly cached: DataSample[];
}

/**
 * Which data are measured on a host, and for which requests: equal ones share the measurement ([D 5.2], the Local Data Manager). Each has its own
 * deliveries. With a cache, what was already measured for one is delivered to a later one at once, so that it concludes earlier: conclusions
 * are the same, as they follow from the same samples.
 */
export class DataManager {
  private readonly measured = new Map<string, Measured>();
  private readonly keys = new Map<string, string>();
  private cachedSamples = 0;

  /** @param cacheBytes most bytes of samples that are stored for later requests; 0 for independent requests */
  constructor(private readonly cacheBytes: number) {}

  get bytes(): number {
    return this.cachedSamples * bytesPerSample;
  }

  /** @returns whether it must be measured from now on, and what has been measured of it */
  request(
    request: string,
    { metric, focus }: MetricFocus,
  ): { readonly data: string; readonly isNew: boolean; readonly cached: readonly DataSample[] } {
    const data = dataKey(metric, focus);
    const isNew = !this.measured.has(data);
    const measured = getOrMake(this.measured, data, () => ({
      metric,
      focus,
      requests: new Set<string>(),
      cached: [],
    }));
    measured.requests.add(request);
    this.keys.set(request, data);
    return { data, isNew, cached: [...measured.cached] };
  }

  /** @returns the data that need no longer be measured, if any */
  release(request: string): string | undefined {
    const data = this.keys.get(request);
    const measured = data === undefined ? undefined : this.measured.get(data);
    this.keys.delete(request);
    if (data === undefined || measured === undefined) return undefined;
    measured.requests.delete(request);
    if (measured.requests.size > 0) return undefined;
    this.cachedSamples -= measured.cached.length;
    this.measured.delete(data);
    return data;
  }

  requestsOf(data: string): Iterable<string> {
    return this.measured.get(data)?.requests ?? [];
  }

  /** Stores a sample for later requests. */
  sample(data: string, sample: DataSample): void {
    const measured = this.measured.get(data);
    if (measured === undefined || this.cacheBytes < bytesPerSample) return;
    measured.cached.push(sample);
    this.cachedSamples++;
    while (this.bytes > this.cacheBytes) this.dropOldest();
  }

  private dropOldest(): void {
    let oldest: Measured | undefined;
    let start = Infinity;
    for (const measured of this.measured.values()) {
      const first = measured.cached[0];
      if (first !== undefined && first.start < start) [oldest, start] = [measured, first.start];
    }
    oldest?.cached.shift();
    this.cachedSamples--;
  }
}

function dataKey(metric: string, { Code, Machine, SyncObject }: Focus): string {
  return JSON.stringify([metric, Code, Machine, SyncObject]);
}
