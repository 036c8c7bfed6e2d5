import type { ParameterMeasurements } from '../../../../src/core/modeling/measurements';
import { KymoError } from '../../../../src/core/errors';
import { readParameterMeasurements } from '../../../../src/formats/extrap/read';

export function read(content: string | Uint8Array): ParameterMeasurements {
  return readParameterMeasurements(
    typeof content === 'string' ? new TextEncoder().encode(content) : content,
    'in',
  );
}

/** Points and values (or the mean, where there are no values) of each series, by `call path|metric`. */
export function valuesBySeries(measurements: ParameterMeasurements): Record<string, unknown> {
  return Object.fromEntries(
    measurements.series.map(({ callPath, metric, points }) => [
      `${callPath}|${metric}`,
      points.map(({ point, values, mean }) => [...point, values ?? mean]),
    ]),
  );
}

/** The message of the error that reading throws. */
export function errorOf(content: string | Uint8Array): string {
  try {
    read(content);
  } catch (error) {
    if (error instanceof KymoError && error.reason === 'measurements-invalid') return error.message;
    throw error;
  }
  throw new Error('There was no error.');
}
