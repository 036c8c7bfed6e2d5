import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { total } from '../../../../src/core/profile/hotPath';
import { exclusive } from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import { csvLines } from '../../../../src/formats/exports/csv';
import { profileJson } from '../../../../src/formats/exports/json';
import { speedscopeFile, type SpeedscopeFile } from '../../../../src/formats/exports/speedscope';
import { arbitraryProfile } from '../../core/profile/profiles';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/cube4');
const mpi = readCube(readFileSync(path.join(fixtures, 'lulesh-mpi.cubex')), 'lulesh-mpi.cubex');
const tiny = readCube(readFileSync(path.join(fixtures, 'tiny.cubex')), 'tiny.cubex');

describe('JSON as docs/INTERFACES.md fixes it', () => {
  test('combined over locations', () => {
    const json = profileJson(tiny);
    expect(Object.keys(json)).toEqual(['metrics', 'regions', 'callTree', 'locations', 'values']);
    expect(json.metrics.slice(0, 2)).toEqual([
      { name: 'visits', unit: 'occ', dtype: 'UINT64' },
      { name: 'time', unit: 'sec', dtype: 'DOUBLE' },
    ]);
    expect(json.regions[4]).toEqual({
      name: 'Grid::Grid(int, int, uint32_t, int)',
      mangled: '_ZN4GridC2Eiiji',
      file: '/home/hpcuser/bench1/build/tiny/grid.cc',
      line: 4,
      endLine: 4,
    });
    expect(json.regions[0]).toEqual({ name: 'MEASUREMENT OFF', mangled: 'MEASUREMENT OFF' });
    expect(json.callTree.slice(0, 2)).toEqual([
      { parent: -1, region: 2, fileId: 0 },
      { parent: 0, region: 3, fileId: 1 },
    ]);
    expect(json.locations).toEqual([{ name: 'Master thread', rank: 0, thread: 0 }]);
    expect(json.values.visits?.inclusive.slice(0, 3)).toEqual([10_635_868, 10_635_867, 65_537]);
    expect(json.values.visits?.exclusive.slice(0, 3)).toEqual([1, 1, 1]);
    expect(json.values.bytes_put?.exclusive).toEqual(new Array(50).fill(0));
  });

  test('per location: a row for each call path', () => {
    const { inclusive, exclusive: own } = profileJson(mpi, { perLocation: true }).values.visits ?? {};
    expect(inclusive).toHaveLength(42);
    expect(own?.[0]).toEqual(new Array(8).fill(1));
    const sums = (inclusive as number[][]).map((row) => row.reduce((a, b) => a + b, 0));
    expect(sums).toEqual(profileJson(mpi).values.visits?.inclusive);
  });
});

describe('CSV', () => {
  test('one line per call path, names quoted', () => {
    const lines = [...csvLines(tiny)];
    expect(lines).toHaveLength(51);
    expect(lines[0]).toMatch(
      /^callPath,parent,depth,region,mangledName,file,line,endLine,visits \(inclusive\),/,
    );
    expect(lines[2]).toMatch(
      /^1,0,1,"int main\(int, char\*\*\)",main,\/home\/.*main.cc,4,6,10635867,1,.*\r\n$/,
    );
    const quotes = { ...tiny, regions: tiny.regions.map((region) => ({ ...region, name: 'a"b\nc' })) };
    expect([...csvLines(quotes)][1]).toContain(',"a""b\nc",');
    const formula = { ...tiny, regions: tiny.regions.map((region) => ({ ...region, name: '=1+1' })) };
    expect([...csvLines(formula)][1]).toContain(",'=1+1,");
  });
});

/** What the published schema asks for, and what the viewer checks on top: events nest and times never go back. */
function checkSpeedscope(file: SpeedscopeFile): void {
  for (const { events, startValue, endValue } of file.profiles) {
    const open: number[] = [];
    let now = startValue;
    for (const { type, frame, at } of events) {
      expect(at).toBeGreaterThanOrEqual(now);
      expect(file.shared.frames[frame]).toBeDefined();
      now = at;
      if (type === 'O') open.push(frame);
      else expect(open.pop()).toBe(frame);
    }
    expect(open).toEqual([]);
    expect(now).toBe(endValue);
  }
}

describe('speedscope', () => {
  test('a profile of all locations and one of each', () => {
    const file = speedscopeFile(mpi, 'lulesh');
    checkSpeedscope(file);
    expect(file.$schema).toBe('https://www.speedscope.app/file-format-schema.json');
    expect(file.profiles).toHaveLength(9);
    expect(file.profiles[0]?.unit).toBe('seconds');
    expect(file.profiles[0]?.endValue).toBeCloseTo(total(mpi), 9);
    expect(file.profiles[8]?.name).toBe('rank 7, thread 0 (Master thread)');
  });

  test('other metrics have other units; unknown ones are errors', () => {
    expect(speedscopeFile(mpi, 'x', 'visits').profiles[0]?.unit).toBe('none');
    expect(() => speedscopeFile(mpi, 'x', 'nothing')).toThrow(/no metric “nothing”/);
  });

  test('any profile', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const file = speedscopeFile(profile, 'p');
        checkSpeedscope(file);
        const positive = exclusive(profile, 'time').reduce((sum, value) => sum + Math.max(0, value), 0);
        expect(Math.abs((file.profiles[0]?.endValue ?? -1) - positive)).toBeLessThanOrEqual(positive * 1e-12);
      }),
    );
  });
});
