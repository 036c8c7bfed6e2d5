import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../../../src/core/profile/profile';
import {
  exclusive,
  exclusivePerLocation,
  inclusive,
  inclusivePerLocation,
} from '../../../../src/core/profile/values';
import type { CubeFile } from '../../../../src/formats/cube4/cubeFile';
import { CubeValues } from '../../../../src/formats/cube4/cubeValues';
import { limitsFor } from '../../../../src/formats/cube4/archive/limits';
import { memoryCube } from '../../../../src/formats/cube4/memoryCube';
import { openCube, openExpanded, readCube } from '../../../../src/formats/cube4/read';
import { bytesSource } from '../../../../src/formats/byteSource';
import { writeCube } from '../../../../src/formats/cube4/write';
import { sharedData } from '../../../shared';
import { arbitraryProfile } from '../../core/profile/profiles';

const limits = limitsFor(1e6);
const fixture = (name: string): Buffer =>
  readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/cube4', name));

/** Sums in another order differ by the rounding of what was summed. */
function close(found: Float64Array, expected: Float64Array, summed: number): void {
  expect(found.length).toBe(expected.length);
  const errors = expected.map((value, i) => Math.abs((found[i] ?? Number.NaN) - value));
  expect(errors.every((error) => error <= 1e-13 * summed)).toBe(true);
}

/** What is read by rows is what `core/profile/values.ts` computes of the whole profile. */
function compare(cube: CubeFile, profile: Profile): void {
  const values = new CubeValues(cube);
  const width = profile.locations.length;
  for (const { name, stored } of profile.metrics) {
    if (stored === 'derived') continue;
    const summed = (profile.stored.get(name) ?? new Float64Array()).reduce(
      (sum, value) => sum + Math.abs(value),
      0,
    );
    const combined = values.combined([name]);
    close(inclusive(combined, name), inclusive(profile, name), summed);
    close(exclusive(combined, name), exclusive(profile, name), summed);
    for (const masking of ['visited', 'as-stored'] as const) {
      const whole = inclusivePerLocation(profile, name, masking);
      const own = exclusivePerLocation(profile, name, masking);
      const step = Math.max(1, Math.floor(profile.callPaths.count / 20));
      for (let at = 0; at < profile.callPaths.count; at += step) {
        close(
          values.atCallPath(name, at, 'inclusive', masking),
          whole.slice(at * width, (at + 1) * width),
          summed,
        );
        close(
          values.atCallPath(name, at, 'exclusive', masking),
          own.slice(at * width, (at + 1) * width),
          summed,
        );
      }
    }
  }
}

describe('values by rows are those of the whole profile', () => {
  test('random profiles, from bytes and from memory', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        compare(openCube(bytesSource(writeCube(profile)), 'p.cubex'), profile);
        compare(memoryCube(profile, limits), profile);
      }),
      { numRuns: 60 },
    );
  });

  test('without any visit nothing is left out of minima and maxima', () => {
    const measured = { ...readCube(fixture('lulesh-mpi.cubex'), 'lulesh-mpi.cubex') };
    const stored = new Map([...measured.stored].filter(([name]) => name !== 'visits'));
    const width = measured.locations.length;
    for (const visits of [undefined, new Float64Array(measured.callPaths.count * width)]) {
      const uncounted = {
        ...measured,
        stored: visits === undefined ? stored : new Map([...stored, ['visits', visits]]),
      };
      compare(openCube(bytesSource(writeCube(uncounted)), 'p.cubex'), uncounted);
      expect(Math.max(...inclusive(uncounted, 'max_time'))).toBeGreaterThan(0);
    }
  });

  test.each([
    'foreign/blast.p64.r1',
    'lulesh-mpi/lulesh.p8.s5',
    'lulesh-tuple/lulesh.s10.tuple',
    'lulesh-omp/lulesh.p1.t3.s6',
    'lulesh-dynamic/lulesh.s10.i250.dynamic-clustered64',
  ])('%s', (folder) => {
    const file = sharedData(`scorep/${folder}/profile.cubex`);
    if (file === undefined) return;
    const bytes = readFileSync(file);
    compare(openExpanded(bytesSource(bytes), file), readCube(bytes, file));
  });
});

test('values of chosen locations', () => {
  const profile = readCube(fixture('lulesh-mpi.cubex'), 'lulesh-mpi.cubex');
  const width = profile.locations.length;
  const values = new CubeValues(openCube(bytesSource(fixture('lulesh-mpi.cubex')), 'lulesh-mpi.cubex'));
  const third = values.combined(['visits', 'min_time'], { length: width, 3: 1 });
  expect(third.locations.length).toBe(1);
  for (const name of ['visits', 'min_time'])
    expect([...exclusive(third, name)]).toEqual(
      Array.from(profile.stored.get(name) ?? []).filter((_, i) => i % width === 3),
    );
});

test('rows of a part of the call tree', () => {
  const profile = readCube(fixture('tiny.cubex'), 'tiny.cubex');
  for (const cube of [openCube(bytesSource(writeCube(profile)), 'p.cubex'), memoryCube(profile, limits)])
    for (const metric of ['time', 'visits']) {
      const met: number[] = [];
      const visit = (callPath: number, [values]: readonly Float64Array[]): void => {
        met.push(callPath);
        expect(values?.[0]).toBe(profile.stored.get(metric)?.[callPath]);
      };
      cube.eachRow(metric, visit, 10, 20);
      expect(met.sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    }
});
