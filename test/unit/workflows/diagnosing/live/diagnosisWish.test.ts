import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  diagnosisWishName,
  readDiagnosisWish,
  usualWish,
  writeDiagnosisWish,
} from '../../../../../src/workflows/diagnosing/live/diagnosisWish';
import { wishDiagnosis } from '../../../../../src/workflows/diagnosing/live/searchedRun';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'kymo-wish-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('what is wanted of a search in a run', () => {
  test('is read as it was written', async () => {
    expect(await readDiagnosisWish(folder)).toBeUndefined();
    const wish = { ...usualWish, deepStart: 0.2, thresholds: { CPUBound: 0.5 }, state: 'pause' } as const;
    await writeDiagnosisWish(folder, wish);
    expect(await readDiagnosisWish(folder)).toEqual(wish);
  });

  test('changes in what is given, and keeps the rest', async () => {
    await wishDiagnosis(folder, { strategy: 'truly distributed', thresholds: { CPUBound: 0.5 } });
    await wishDiagnosis(folder, { state: 'stop', thresholds: { Blocked: 0.1 } });
    expect(await readDiagnosisWish(folder)).toEqual({
      ...usualWish,
      strategy: 'truly distributed',
      thresholds: { CPUBound: 0.5, Blocked: 0.1 },
      state: 'stop',
    });
  });

  test.each([
    ['no JSON', '{'],
    ['an array', '[]'],
    ['another strategy', JSON.stringify({ ...usualWish, strategy: 'recorded' })],
    ['another state', JSON.stringify({ ...usualWish, state: 'begin' })],
    ['no cost limit', JSON.stringify({ ...usualWish, costLimit: 0 })],
    ['a cost limit of more than there is', JSON.stringify({ ...usualWish, costLimit: 1 })],
    ['a number that is none', JSON.stringify({ ...usualWish, concludeAfter: '5' })],
    ['conclusions at once', JSON.stringify({ ...usualWish, concludeAfter: 0 })],
    ['thresholds that are no numbers', JSON.stringify({ ...usualWish, thresholds: { CPUBound: 'much' } })],
    [
      'thresholds without bound',
      JSON.stringify({ ...usualWish, thresholds: { CPUBound: 1 } }).replace('1}', '1e999}'),
    ],
    ['a deep start of nothing', JSON.stringify({ ...usualWish, deepStart: -1 })],
    ['a part of it', JSON.stringify({ state: 'stop' })],
  ])('is not in a file with %s', async (_, text) => {
    writeFileSync(path.join(folder, diagnosisWishName), text);
    expect(await readDiagnosisWish(folder)).toBeUndefined();
  });

  test('is not in a file of somebody else, that a link leads to, nor in a folder', async () => {
    const other = path.join(folder, 'other.json');
    writeFileSync(other, JSON.stringify(usualWish));
    symlinkSync(other, path.join(folder, diagnosisWishName));
    expect(await readDiagnosisWish(folder)).toBeUndefined();
    rmSync(path.join(folder, diagnosisWishName));
    mkdirSync(path.join(folder, diagnosisWishName));
    expect(await readDiagnosisWish(folder)).toBeUndefined();
  });

  test('does not reach what all objects have', async () => {
    const text = JSON.stringify({ ...usualWish, thresholds: {} }).replace(
      '{}',
      '{"__proto__":5,"constructor":1}',
    );
    writeFileSync(path.join(folder, diagnosisWishName), text);
    const wish = await readDiagnosisWish(folder);
    expect(Object.getPrototypeOf(wish?.thresholds)).toBe(Object.prototype);
    expect(usualWish.thresholds).toEqual({});
  });
});
