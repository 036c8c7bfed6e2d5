import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/measurement/config/parseConfig';
import { writeFileAtomically } from '../../../src/measurement/files/disk';
import { lockStudy } from '../../../src/measurement/experiments/studyLock';
import { launchRun } from '../../../src/measurement/launch/runs/launchRun';

/** A file system of 128 KiB, if this user may create one. */
const disk = mkdtempSync(path.join(tmpdir(), 'kymo full disk '));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk]).status === 0;
beforeAll(() => {
  if (!mounted) process.stderr.write('skipped: a small file system cannot be mounted here\n');
});
afterAll(() => {
  if (mounted) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});
const fill = (): void => {
  try {
    writeFileSync(path.join(disk, 'filler'), Buffer.alloc(1 << 20));
  } catch {
    // The test needs the disk to be full.
  }
};

describe.skipIf(!mounted)('a full disk', () => {
  it('preserves the old file, leaves no partial file, and reports the error', async () => {
    const file = path.join(disk, 'experiment.json');
    await writeFileAtomically(file, 'old');
    fill();
    await expect(writeFileAtomically(file, 'x'.repeat(100_000))).rejects.toMatchObject({
      reason: 'disk-full',
      message: expect.stringMatching(/full: cannot write .*experiment\.json.*Free some space/s) as string,
    });
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(disk).sort()).toEqual(['experiment.json', 'filler']);
    await expect(lockStudy(path.join(disk, 'study'))).rejects.toMatchObject({ reason: 'disk-full' });
    rmSync(path.join(disk, 'filler'));
    await writeFileAtomically(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
  });
  it('does not stop a program that prints, and is reported after it', async () => {
    rmSync(path.join(disk, 'filler'), { force: true });
    const text = JSON.stringify({
      version: 1,
      targets: [
        {
          name: 'it',
          build: { command: '${cc}' },
          executable: 'x',
          run: {
            arguments: [
              '-c',
              'head -c 1000000 /dev/zero; touch "$0"',
              path.join(tmpdir(), path.basename(disk), 'done'),
            ],
          },
        },
      ],
    });
    await expect(
      launchRun({
        target: parseConfig(text, path.join(disk, 'kymo.json')).config.targets[0]!,
        workspace: disk,
        executable: '/bin/sh',
        parameters: {},
        environment: {},
        outputFile: path.join(disk, 'output.txt'),
        signal: new AbortController().signal,
      }),
    ).rejects.toMatchObject({ reason: 'disk-full', where: { file: path.join(disk, 'output.txt') } });
    expect(readdirSync(disk)).toContain('done');
  });
});
