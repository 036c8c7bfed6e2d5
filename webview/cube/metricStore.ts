import { loadTotal, loadValues, type CubeChannel } from './load';
import type { CubeModel, MetricValues } from './model';

/** Maximum number of metrics in memory, each with two numbers per call path; the least recently used one is dropped. */
const mostKept = 12;

/** Cached values of metrics. Rows are those of the metric tree. */
export class MetricStore {
  private readonly values = new Map<number, Promise<MetricValues>>();
  private readonly abort = new AbortController();

  constructor(
    private readonly channel: CubeChannel,
    private readonly model: CubeModel,
  ) {}

  /** @param own without the metrics that are part of this one. @throws RequestError */
  async of(metric: number, own: boolean): Promise<MetricValues> {
    const whole = await this.fetched(metric);
    const parts = own ? this.model.partsOf(metric) : [];
    if (parts.length === 0) return whole;
    const inclusive = whole.inclusive.slice();
    const exclusive = whole.exclusive.slice();
    for (const part of parts) {
      const less = await this.fetched(part);
      for (let i = 0; i < inclusive.length; i++) {
        inclusive[i] = (inclusive[i] ?? 0) - (less.inclusive[i] ?? 0);
        exclusive[i] = (exclusive[i] ?? 0) - (less.exclusive[i] ?? 0);
      }
    }
    return { ...whole, inclusive, exclusive };
  }

  /** Fetches the totals of all metrics with values, one after the other, and reports each by `onTotal`. */
  async totals(onTotal: (metric: number, total: number | undefined) => void): Promise<void> {
    for (const [row, { position, expression }] of this.model.metrics.entries()) {
      if (expression !== undefined) continue;
      if (this.abort.signal.aborted) return;
      const total = await loadTotal(this.channel, this.model.header, position, this.abort.signal).catch(
        () => undefined,
      );
      onTotal(row, total);
    }
  }

  dispose(): void {
    this.abort.abort();
  }

  private fetched(metric: number): Promise<MetricValues> {
    const { values, model } = this;
    const position = model.metrics[metric]?.position ?? 0;
    const loading = values.get(metric) ?? loadValues(this.channel, model.header, position, this.abort.signal);
    values.delete(metric);
    values.set(metric, loading);
    loading.catch(() => values.delete(metric));
    for (const oldest of values.keys()) {
      if (values.size <= mostKept) break;
      values.delete(oldest);
    }
    return loading;
  }
}
