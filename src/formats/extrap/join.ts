import { at } from '../../core/at';
import type { ParameterMeasurements } from '../../core/modeling/measurements';
import { CollectedMeasurements } from './collected';
import { invalidFile, quoted } from './errors';

/** Measurements, with the file or folder that they come from. */
export interface MeasurementsOf {
  readonly file: string;
  readonly measurements: ParameterMeasurements;
}

/**
 * The measurements of several files as one; repetitions of a point come together. The files have the same parameters, in any order.
 * @throws KymoError `measurements-invalid` for other parameters, and for a point twice of which only statistics are known
 */
export function joinMeasurements(
  files: readonly [MeasurementsOf, ...MeasurementsOf[]],
): ParameterMeasurements {
  const [first, ...others] = files;
  if (others.length === 0) return first.measurements;
  const { parameters } = first.measurements;
  const collected = new CollectedMeasurements(parameters);
  for (const { file, measurements } of files) {
    const complain = (expected: string, found = ''): never => {
      throw invalidFile(file, `${expected} was expected, but ${found} was found`);
    };
    const order = parameters.map((name) => measurements.parameters.indexOf(name));
    if (order.includes(-1) || order.length !== measurements.parameters.length)
      complain(
        `measurements with the parameters ${quoted(parameters.join(', '))}, as in ${first.file},`,
        quoted(measurements.parameters.join(', ')),
      );
    for (const { callPath, metric, points } of measurements.series)
      for (const measured of points) {
        const point = order.map((position) => at(measured.point, position));
        if (measured.values === undefined)
          collected.addStatistics(callPath, metric, { ...measured, point }, complain);
        else collected.add(callPath, metric, point, measured.values, complain);
      }
  }
  return collected.finish((expected, found = '') => {
    throw invalidFile(first.file, `${expected} was expected, but ${found} was found`);
  });
}
