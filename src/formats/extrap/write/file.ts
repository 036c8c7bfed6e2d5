import type { MeasuredSeries, ParameterMeasurements } from '../../../core/modeling/measurements';
import { KymoError } from '../../../core/errors';
import { withoutGaps, writeJson, writeText } from './textAndJson';
import { writeSavedExperiment } from './saved';

/** What a file has. */
interface WrittenMeasurements {
  readonly content: string | Uint8Array;
  /** Series that the format cannot hold, because they lack points that others have. */
  readonly leftOut: readonly MeasuredSeries[];
}

/**
 * Measurements in the format of Extra-P that belongs to the end of a file's name: `.extra-p`, `.json` or `.txt`.
 * @throws KymoError `usage` for another end; `measurements-unwritable`
 */
export function measurementsFor(file: string, measurements: ParameterMeasurements): WrittenMeasurements {
  for (const { callPath, metric, points } of measurements.series)
    if (!points.every(({ mean }) => Number.isFinite(mean)))
      throw new KymoError(
        'measurements-unwritable',
        `“${metric}” of “${callPath}” has values that are no numbers, which Extra-P does not read. Leave it out with --metric or --call-path.`,
      );
  if (file.endsWith('.extra-p')) return { content: writeSavedExperiment(measurements), leftOut: [] };
  if (file.endsWith('.json')) return { content: writeJson(measurements), leftOut: [] };
  if (file.endsWith('.txt')) {
    const { complete, leftOut } = withoutGaps(measurements);
    return { content: writeText(complete), leftOut };
  }
  throw new KymoError(
    'usage',
    `“${file}”: measurements are written for Extra-P as .extra-p, .json or .txt; give the file one of these ends.`,
  );
}
