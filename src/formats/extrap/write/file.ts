import type { ParameterMeasurements } from '../../../core/modeling/measurements';
import { KymoError } from '../../../core/errors';
import { writeJson, writeText } from './textAndJson';
import { writeSavedExperiment } from './saved';

/**
 * Measurements in the format of Extra-P that belongs to the end of a file's name: `.extra-p`, `.json` or `.txt`.
 * @throws KymoError `usage` for another end; `measurements-unwritable`
 */
export function measurementsFor(file: string, measurements: ParameterMeasurements): string | Uint8Array {
  for (const { callPath, metric, points } of measurements.series)
    if (!points.every(({ mean }) => Number.isFinite(mean)))
      throw new KymoError(
        'measurements-unwritable',
        `“${metric}” of “${callPath}” has values that are no numbers, which Extra-P does not read. Leave it out with --metric or --call-path.`,
      );
  if (file.endsWith('.extra-p')) return writeSavedExperiment(measurements);
  if (file.endsWith('.json')) return writeJson(measurements);
  if (file.endsWith('.txt')) return writeText(measurements);
  throw new KymoError(
    'usage',
    `“${file}”: measurements are written for Extra-P as .extra-p, .json or .txt; give the file one of these ends.`,
  );
}
