import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCube, readWhole } from '../../../../src/formats/cube4/read';
import { openProfileFile } from '../../../../src/measurement/experiments/profileFile';

const fixture = path.resolve(import.meta.dirname, '../../../fixtures/cube4/tiny.cubex');
let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-profile-file-'));
  file = path.join(folder, 'profile.cubex');
  copyFileSync(fixture, file);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const reasonOf = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error instanceof Error && 'reason' in error ? error.reason : error;
  }
  return 'nothing was thrown';
};

test('a file that is written to or cut off while it is open is refused, and can be closed', () => {
  for (const change of [
    () => {
      truncateSync(file, 2000);
    },
    () => {
      appendFileSync(file, 'x');
    },
    () => {
      writeFileSync(file, 'something else');
    },
  ]) {
    copyFileSync(fixture, file);
    const opened = openProfileFile(file);
    const cube = openCube(opened.source, file);
    change();
    expect(reasonOf(() => cube.parts('time'))).toBe('profile-changed');
    opened.close();
  }
});

test('a file that is replaced stays readable as it was', () => {
  const opened = openProfileFile(file);
  const before = readWhole(opened.source, file);
  writeFileSync(path.join(folder, 'new'), 'another');
  renameSync(path.join(folder, 'new'), file);
  expect(readWhole(opened.source, file)).toEqual(before);
  opened.close();
});

test('what is no file says so', () => {
  expect(reasonOf(() => openProfileFile(path.join(folder, 'none.cubex')))).toBe('file-missing');
  expect(reasonOf(() => openProfileFile(folder))).toBe('file-unusable');
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(reasonOf(() => openProfileFile(pipe))).toBe('file-unusable');
});
