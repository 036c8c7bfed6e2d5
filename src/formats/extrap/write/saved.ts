import type { MeasuredPoint, ParameterMeasurements } from '../../../core/modeling/measurements';
import { seriesByCallPath } from './textAndJson';
import { writeZip } from './zip';

/** The version whose files these are (extrap/fileio/experiment_io.py and values_io.py). */
const extrapVersion = '4.2.5';
const experimentName = 'experiment.json';
const valuesName = 'values/0.vals';

/**
 * Measurements as Extra-P saves them (`.extra-p`), with the values of repetitions where they are known. It has no models: Extra-P makes them
 * of what it opens.
 * @throws KymoError `measurements-unwritable` when a call path has a metric twice, and for more than 4 GiB
 */
export function writeSavedExperiment(measurements: ParameterMeasurements): Uint8Array {
  const kept = new Values();
  const byCallPath = Array.from(seriesByCallPath(measurements), ([callPath, metrics]) => [
    callPath,
    Object.fromEntries(
      Array.from(metrics, ([metric, { points }]) => [metric, points.map((point) => saved(point, kept))]),
    ),
  ]);
  const document = {
    'Extra-P': extrapVersion,
    parameters: measurements.parameters,
    measurements: Object.fromEntries(byCallPath) as object,
  };
  const members = new Map([...kept.members(), [experimentName, Buffer.from(JSON.stringify(document))]]);
  return writeZip(members, new Set([experimentName]));
}

function saved(measured: MeasuredPoint, kept: Values): object {
  const { point, mean, median, minimum, maximum, deviation, repetitions, values } = measured;
  return {
    coordinate: point,
    median,
    mean,
    minimum,
    maximum,
    std: deviation,
    repetitions,
    values: values === undefined ? null : [0, kept.add(values)],
  };
}

/** Arrays of NumPy (numpy.lib.format, version 1.0), and the list of where they begin. */
class Values {
  private readonly arrays: Uint8Array[] = [];

  /** @returns the number of the array */
  add(values: readonly number[]): number {
    const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${values.length},), }`.padEnd(117);
    const start = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}\n`, 'latin1');
    const data = Buffer.alloc(8 * values.length);
    for (const [position, value] of values.entries()) data.writeDoubleLE(value, 8 * position);
    return this.arrays.push(Buffer.concat([start, data])) - 1;
  }

  members(): readonly (readonly [string, Uint8Array])[] {
    const { arrays } = this;
    if (arrays.length === 0) return [];
    const magic = Buffer.from('Extra-P VALUES\0\0');
    const index = Buffer.alloc(24 + 8 * arrays.length);
    index.write('Extra-P INDEX');
    index.writeBigUInt64LE(BigInt(arrays.length), 16);
    let offset = magic.length;
    for (const [position, { length }] of arrays.entries()) {
      index.writeBigUInt64LE(BigInt(offset), 24 + 8 * position);
      offset += length;
    }
    return [
      [valuesName, Buffer.concat([magic, ...arrays])],
      ['values/0.indx', index],
    ];
  }
}
