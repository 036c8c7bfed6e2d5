import { KymoError } from '../errors';
import { getOrMake } from '../getOrMake';

/** The unit that a metric's name ends with: `time (ms)`, `size [KiB]`. */
const unitInName = /\s*[([][^()[\]]*[)\]]$/;

/** The units of metrics in profiles. */
export class MetricUnits {
  private readonly units = new Map<string, string>();

  /** @throws KymoError `measurements-invalid` when an earlier profile has the metric in another unit; profiles may leave it open */
  require(metric: string, unit: string): void {
    if (unit === '') return;
    const known = getOrMake(this.units, metric, () => unit);
    if (known === unit) return;
    throw new KymoError(
      'measurements-invalid',
      `The metric “${metric}” has the unit “${known}” in some profiles and “${unit}” in others, so their values cannot be compared. Give profiles of one tool only.`,
    );
  }
}

/** Metrics whose names differ in their unit only, by sentences for the user. */
export function unitNotes(metrics: readonly string[]): readonly string[] {
  const byStem = new Map<string, string[]>();
  for (const metric of new Set(metrics))
    getOrMake(byStem, metric.replace(unitInName, ''), () => []).push(metric);
  return [...byStem.values()]
    .filter((same) => same.length > 1)
    .map(
      (same) =>
        `The metrics ${same.map((name) => `“${name}”`).join(' and ')} differ in what stands in brackets only, and each has models of its own. If it is one metric, write all values in one unit.`,
    );
}
