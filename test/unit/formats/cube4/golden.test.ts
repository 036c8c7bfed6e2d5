import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../../../src/core/profile/profile';
import { exclusivePerLocation, inclusivePerLocation } from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import { writeCube } from '../../../../src/formats/cube4/write';
import { sharedData } from '../../../shared';

/** Every `.cubex` below a folder; the shared data are not in a user's clone, the fixtures are. */
function profilesIn(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.cubex'))
    .map((file) => path.join(folder, file));
}

const shared = profilesIn(sharedData('scorep'));
const files = [...profilesIn(path.resolve(import.meta.dirname, '../../../fixtures/cube4')), ...shared];

/** `metric,call path id,location id,exclusive,inclusive` as the Cube C++ library computes them. */
function truthOf(file: string): string[][] {
  const text = gunzipSync(readFileSync(file.replace(/\.cubex$/, '.values.csv.gz'))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
}

interface Comparison {
  compared: number;
  differences: { metric: string; id: number; kind: string; truth: number; found: number }[];
}

function compare(profile: Profile, truth: string[][]): Comparison {
  const position = new Map([...profile.callPaths.fileId].map((id, at) => [id, at]));
  const width = profile.locations.length;
  const columns = new Map(
    profile.metrics.map(({ name }) => [
      name,
      [
        exclusivePerLocation(profile, name, 'as-stored'),
        inclusivePerLocation(profile, name, 'as-stored'),
      ] as const,
    ]),
  );
  const result: Comparison = { compared: 0, differences: [] };
  for (const [metric = '', id, location, ...values] of truth) {
    const at = (position.get(Number(id)) ?? Number.NaN) * width + Number(location);
    for (const [k, kind] of ['exclusive', 'inclusive'].entries()) {
      const found = columns.get(metric)?.[k]?.[at] ?? Number.NaN;
      result.compared++;
      if (found !== Number(values[k]))
        result.differences.push({ metric, id: Number(id), kind, truth: Number(values[k]), found });
    }
  }
  return result;
}

describe('profiles of Score-P have the values that the Cube library computes', () => {
  test.each(files)('%s', (file) => {
    const { compared, differences } = compare(readCube(readFileSync(file), file), truthOf(file));
    expect(compared).toBeGreaterThan(0);
    expect(differences).toEqual([]);
  });

  test.skipIf(shared.length === 0)('all files together', () => {
    const results = files.map((file) => compare(readCube(readFileSync(file), file), truthOf(file)));
    const compared = results.reduce((sum, result) => sum + result.compared, 0);
    const differences = results.reduce((sum, result) => sum + result.differences.length, 0);
    process.stderr.write(
      `Cube 4: ${compared} values of ${files.length} files compared, ${differences} differ\n`,
    );
    expect(differences).toBe(0);
    expect(compared).toBeGreaterThan(200_000);
  });
});

describe('what is read can be written and read again', () => {
  test.each(files)('%s', (file) => {
    const profile = readCube(readFileSync(file), file);
    const again = readCube(writeCube(profile), 'again.cubex');
    assert.deepStrictEqual(again, profile);
  });
});
