import { largestOf } from '../../core/sums';
import {
  checkSample,
  combine,
  type AggregatedSample,
  type Aggregation,
  type Operation,
  type Sample,
  type WaitingSample,
} from './sample';
import { stateOf } from './serviceError';

/**
 * Aggregates the first sample of each child, then the second, and so on, whatever their times: the baseline that time alignment is compared with.
 * The interval of the result spans those of the samples, which may not agree.
 */
export class Ordinal implements Aggregation {
  private readonly children: Map<number, { readonly queue: Sample[]; isWaitedFor: boolean }>;

  constructor(
    children: readonly number[],
    private readonly operation: Operation,
    private readonly mostWaiting = 4096,
  ) {
    this.children = new Map(children.map((child) => [child, { queue: [], isWaitedFor: true }]));
  }

  push(child: number, sample: Sample): readonly AggregatedSample[] {
    const state = stateOf(this.children, child);
    checkSample(sample, Infinity);
    state.queue.push(sample);
    state.isWaitedFor = true;
    return this.passOn(() => state.queue.length > this.mostWaiting);
  }

  join(child: number): void {
    if (!this.children.has(child)) this.children.set(child, { queue: [], isWaitedFor: false });
  }

  leave(child: number): readonly AggregatedSample[] {
    const state = this.children.get(child);
    if (state !== undefined) state.isWaitedFor = false;
    const passedOn = this.passOn(() => false);
    if (state?.queue.length === 0) this.children.delete(child);
    return passedOn;
  }

  waiting(): readonly WaitingSample[] {
    return [...this.children].flatMap(([child, { queue }]) => queue.map((sample) => ({ child, sample })));
  }

  private passOn(must: () => boolean): readonly AggregatedSample[] {
    const states = [...this.children.values()];
    const isComplete = () => states.every(({ queue, isWaitedFor }) => queue.length > 0 || !isWaitedFor);
    const passedOn: AggregatedSample[] = [];
    while (states.some(({ queue }) => queue.length > 0) && (isComplete() || must())) {
      const wave = states.flatMap(({ queue }) => queue.splice(0, 1));
      const weights = wave.map(({ weight = 1 }) => weight);
      const weight = weights.reduce((sum, one) => sum + one, 0);
      passedOn.push({
        value: combine(
          this.operation,
          wave.map((sample, i) => ({ value: sample.value, weight: weights[i] ?? 1 })),
        ),
        start: -largestOf(wave.map(({ start }) => -start)),
        end: largestOf(wave.map(({ end }) => end)),
        coverage: -largestOf(wave.map(({ coverage = 1 }) => -coverage)),
        weight,
      });
    }
    return passedOn;
  }
}
