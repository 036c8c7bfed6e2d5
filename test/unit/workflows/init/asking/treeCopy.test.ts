import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isCopyable } from '../../../../../src/workflows/init/asking/folders';
import { copyTree } from '../../../../../src/workflows/init/asking/treeCopy';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-tree-'));
  mkdirSync(path.join(folder, 'tree/sub'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps modes and times, sizes of large files, and links that stay inside; nothing leads out', async () => {
  const at = (...names: readonly string[]): string => path.join(folder, ...names);
  writeFileSync(at('tree/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  utimesSync(at('tree/run.sh'), 1000, 2000);
  writeFileSync(at('tree/data'), '');
  truncateSync(at('tree/data'), 1 << 25);
  writeFileSync(at('outside.mk'), 'X = 1\n');
  symlinkSync('../run.sh', at('tree/sub/inside'));
  symlinkSync('..', at('tree/sub/loop'));
  symlinkSync(at('outside.mk'), at('tree/sub/outside.mk'));
  symlinkSync(folder, at('tree/sub/away'));
  symlinkSync('../..', at('tree/sub/up'));
  symlinkSync('nowhere', at('tree/broken'));
  execFileSync('cp', [process.execPath, at('tree/program')]);
  execFileSync('mkfifo', [at('tree/pipe')]);
  mkdirSync(at('tree/.git'));
  await copyTree(at('tree'), at('copy'));
  expect(lstatSync(at('copy/run.sh'))).toMatchObject({ mode: 0o100755, mtimeMs: 2_000_000 });
  expect(lstatSync(at('copy/data')).size).toBe(1 << 25);
  expect(readlinkSync(at('copy/sub/inside'))).toBe('../run.sh');
  expect(readlinkSync(at('copy/sub/loop'))).toBe('..');
  expect(lstatSync(at('copy/sub/outside.mk')).isFile()).toBe(true);
  expect(readFileSync(at('copy/sub/outside.mk'), 'utf8')).toBe('X = 1\n');
  for (const name of ['sub/away', 'sub/up', 'program', 'pipe', '.git'])
    expect(existsSync(at('copy', name)), name).toBe(false);
});

it('ends when it is cancelled', async () => {
  await expect(
    copyTree(path.join(folder, 'tree'), path.join(folder, 'copy'), AbortSignal.abort()),
  ).rejects.toMatchObject({
    reason: 'cancelled',
  });
});

it('is made of the folder of a program, never of a home folder, one above it, or one of the system', () => {
  const { HOME } = process.env;
  process.env.HOME = '/data/users/ada';
  try {
    for (const wide of ['/', '/usr', '/data', '/data/users', '/data/users/ada', path.dirname(tmpdir())])
      expect(isCopyable(wide), wide).toBe(false);
    for (const own of ['/data/users/ada/code', '/data/users/adam', '/opt/program'])
      expect(isCopyable(own), own).toBe(true);
  } finally {
    process.env.HOME = HOME;
  }
});
