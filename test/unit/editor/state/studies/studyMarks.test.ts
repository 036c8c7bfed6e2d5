import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { studyMarks } from '../../../../../src/editor/state/studies/studyMarks';

let workspace: string;
const target = (): string => path.join(workspace, '.kymo', 'heat');
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo-marks-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

it('are empty where nothing was measured, and where there is no folder', async () => {
  expect(await studyMarks([workspace, path.join(workspace, 'none')])).toBe('');
  expect(await studyMarks([])).toBe('');
});

it.each([
  ['a study', () => mkdirSync(path.join(target(), 'refine-1'))],
  ['a lock', () => writeFileSync(path.join(target(), 'lock'), '{}')],
  ['a target', () => mkdirSync(path.join(workspace, '.kymo', 'other'))],
])('are others when %s comes', async (_, change) => {
  mkdirSync(target(), { recursive: true });
  utimesSync(target(), 1000, 1000);
  const before = await studyMarks([workspace]);
  expect(await studyMarks([workspace])).toBe(before);
  change();
  expect(await studyMarks([workspace])).not.toBe(before);
});
