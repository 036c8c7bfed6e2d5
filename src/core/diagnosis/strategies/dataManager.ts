import { getOrMake } from '../../getOrMake';
import type { Focus } from '../resources/focus';
import { printFocus } from '../resources/focusText';

/** The value of a metric over [start, end), in seconds since the search began. */
export interface DataSample {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** What is measured on a host. */
export interface MetricFocus {
  readonly metric: string;
  readonly focus: Focus;
}

/** Bytes that a sample takes where it is stored: three numbers. */
const bytesPerSample = 24;

interface Measured {
  readonly requests: Set<string>;
  /** The last samples, the oldest first. */
  readonly stored: DataSample[];
  state: DataState;
}

/** What the measurement has answered: data arrive, there is nothing of it yet, or nothing so far. */
type DataState = 'accepted' | 'deferred' | 'asked';

/** What there is for a new request. */
export interface Requested {
  /** The metric at the focus. */
  readonly data: string;
  /** Whether it must be measured from now on. */
  readonly isNew: boolean;
  readonly state: DataState;
  /** What was measured of it. */
  readonly stored: readonly DataSample[];
}

/**
 * Which data are measured on a host, and for which requests: equal ones share the measurement ([D 5.2], the Local Data Manager), and each has its
 * own deliveries. With room for samples, what was already measured is delivered to a later request at once, so that it concludes earlier:
 * from samples that it would have had if it had been made earlier.
 */
export class DataManager {
  private readonly measured = new Map<string, Measured>();
  private readonly dataOf = new Map<string, string>();
  private samples = 0;

  /** @param storedBytes most bytes of samples that are stored for later requests; 0 for independent requests */
  constructor(private readonly storedBytes: number) {}

  /** Bytes of stored samples. */
  get bytes(): number {
    return this.samples * bytesPerSample;
  }

  request(request: string, { metric, focus }: MetricFocus): Requested {
    const data = `${metric} ${printFocus(focus)}`;
    const isNew = !this.measured.has(data);
    const measured = getOrMake(this.measured, data, (): Measured => ({
      requests: new Set<string>(),
      stored: [],
      state: 'asked',
    }));
    measured.requests.add(request);
    this.dataOf.set(request, data);
    return { data, isNew, state: measured.state, stored: [...measured.stored] };
  }

  /** @returns the data that need no longer be measured, if any */
  release(request: string): string | undefined {
    const data = this.dataOf.get(request);
    const measured = data === undefined ? undefined : this.measured.get(data);
    this.dataOf.delete(request);
    if (data === undefined || measured === undefined) return undefined;
    measured.requests.delete(request);
    if (measured.requests.size > 0) return undefined;
    this.samples -= measured.stored.length;
    this.measured.delete(data);
    return data;
  }

  answered(data: string, state: DataState): void {
    const measured = this.measured.get(data);
    if (measured !== undefined) measured.state = state;
  }

  /** Those that data are delivered to. */
  requestsOf(data: string): readonly string[] {
    return [...(this.measured.get(data)?.requests ?? [])];
  }

  store(data: string, sample: DataSample): void {
    const measured = this.measured.get(data);
    if (measured === undefined || this.storedBytes < bytesPerSample) return;
    measured.stored.push(sample);
    this.samples++;
    while (this.bytes > this.storedBytes) this.dropOldest();
  }

  private dropOldest(): void {
    let oldest: DataSample[] = [];
    for (const { stored } of this.measured.values())
      if ((stored[0]?.start ?? Infinity) < (oldest[0]?.start ?? Infinity)) oldest = stored;
    oldest.shift();
    this.samples--;
  }
}
