import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { measuredPoint, type ParameterMeasurements } from '../../../../src/core/modeling/measurements';
import { measurementsFor } from '../../../../src/formats/extrap/write/file';
import { writeSavedExperiment } from '../../../../src/formats/extrap/write/saved';
import { findProgram } from '../../../../src/measurement/launch/findProgram';
import { read } from './reading';

const unzip = await findProgram('unzip');

const values = [0.1, 1e-300, 3];
const measurements: ParameterMeasurements = {
  parameters: ['p', 'größe'],
  series: [
    {
      callPath: 'main->“ü” f(int, char**)',
      metric: 'time',
      points: [measuredPoint([2, 0.5], values), measuredPoint([4, 0.5], [7])],
    },
    {
      callPath: 'main',
      metric: 'time',
      points: [
        { point: [2, 0.5], mean: 2, median: 1.5, minimum: 1, maximum: 4, deviation: 1.25, repetitions: 3 },
      ],
    },
    { callPath: 'main', metric: 'visits', points: [measuredPoint([4, 0.5], [1, 2])] },
  ],
};

describe('an experiment that is saved for Extra-P', () => {
  it('has all points, statistics and values when it is read again', () => {
    expect(read(writeSavedExperiment(measurements))).toEqual(measurements);
  });
  it('has only statistics where no values are known', () => {
    const [, main] = measurements.series;
    const only = { parameters: ['p', 'größe'], series: main === undefined ? [] : [main] };
    const bytes = writeSavedExperiment(only);
    expect(read(bytes)).toEqual(only);
    expect(Buffer.from(bytes).includes('values/')).toBe(false);
  });
  it.skipIf(unzip === undefined)('is an archive without damage for other programs', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kymo extrap '));
    try {
      writeFileSync(path.join(folder, 'a.extra-p'), writeSavedExperiment(measurements));
      const printed = execFileSync('unzip', ['-t', 'a.extra-p'], { cwd: folder, encoding: 'utf8' });
      expect(printed).toMatch(/No errors detected/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  it('is the same for the same measurements', () => {
    expect(writeSavedExperiment(measurements)).toEqual(writeSavedExperiment(measurements));
  });
  it('is written by the end of the file’s name', () => {
    const [first] = measurements.series;
    const one = { parameters: measurements.parameters, series: first === undefined ? [] : [first] };
    const ofName = (name: string): ParameterMeasurements => {
      const { content, leftOut } = measurementsFor(name, one);
      expect(leftOut).toEqual([]);
      return read(content);
    };
    for (const name of ['a.extra-p', 'a.json']) expect(ofName(name)).toEqual(one);
    expect(ofName('a.txt').series).toEqual(one.series);
    expect(() => measurementsFor('a.csv', one)).toThrow(/\.extra-p, \.json or \.txt/);
    const unusable = { ...one, series: [{ ...one.series[0]!, points: [measuredPoint([1, 1], [NaN])] }] };
    expect(() => measurementsFor('a.json', unusable)).toThrow(/no numbers/);
  });
  it('cannot have a metric of a call path twice', () => {
    const [, , visits] = measurements.series;
    if (visits === undefined) throw new Error('no series');
    expect(() => writeSavedExperiment({ ...measurements, series: [visits, visits] })).toThrow(
      /is there twice/,
    );
  });
});
