import { at } from '../../at';
import type { Focus } from '../resources/focus';
import type { RecordedValues } from './recordedValues';

/** What the runs of a series say of a metric at a focus. */
export interface SeriesAnswer {
  /** Mean over the runs that show it. */
  readonly value: number;
  /** Of the single runs. */
  readonly values: readonly number[];
}

/**
 * Measurements of one program that are searched together: repetitions, or runs that recorded different functions and metrics. An experiment is answered by the mean of those runs that
 * show it.
 */
export class RecordedRuns {
  /** @param runs at least one */
  constructor(readonly runs: readonly RecordedValues[]) {}

  /** Why no run has values of the metric. */
  missing(metric: string): string | undefined {
    const reasons = this.runs.map((run) => run.missing(metric));
    return reasons.includes(undefined) ? undefined : reasons[0];
  }

  answer(metric: string, focus: Focus): SeriesAnswer | { readonly missing: string } {
    const answers = this.runs.map((run) => run.answer(metric, focus));
    const values = answers.flatMap((answer) => ('value' in answer ? [answer.value] : []));
    const [first] = answers;
    if (values.length === 0)
      return { missing: first !== undefined && 'missing' in first ? first.missing : '' };
    return { value: values.reduce((sum, value) => sum + value, 0) / values.length, values };
  }

  /** Of an imbalance, the ranks that compute longest in a focus, in the first run that shows it. */
  lateRanks(metric: string, focus: Focus): readonly number[] | undefined {
    return this.runs.find((run) => 'value' in run.answer(metric, focus))?.lateRanks(metric, focus);
  }

  get first(): RecordedValues {
    return at(this.runs, 0);
  }

  get notes(): readonly string[] {
    return [...new Set(this.runs.flatMap(({ notes }) => notes))];
  }
}
