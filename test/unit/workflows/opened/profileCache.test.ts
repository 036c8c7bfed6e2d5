import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { communicationMatrix } from '../../../../src/core/communication/communicationMatrix';
import { writeCube } from '../../../../src/formats/cube4/write';
import { writeCommunication } from '../../../../src/formats/kymo-communication/communicationFile';
import { cachedProfile } from '../../../../src/workflows/opened/profileCache';
import { runOf } from '../../core/problems/runs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-cache-'));
  writeFileSync(
    path.join(folder, 'profile.cubex'),
    writeCube(runOf({ region: { name: 'main' }, seconds: [1, 2] }, 2)),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const beside = (name = 'communication.json'): string => path.join(folder, name);
const matrix = communicationMatrix(2, [{ from: 0, to: 1, messages: 3, bytes: 12, seconds: 0.5 }]);
const opened = (): ReturnType<typeof cachedProfile> => cachedProfile(path.join(folder, 'profile.cubex'));

describe('a profile with a file of messages beside it', () => {
  it('has them', async () => {
    writeFileSync(beside(), writeCommunication(matrix));
    expect((await opened()).communication).toEqual(matrix);
  });

  it.each([
    ['is a pipe that nobody writes', () => execFileSync('mkfifo', [beside()])],
    ['is a folder', () => execFileSync('mkdir', [beside()])],
    ['is damaged', () => writeFileSync(beside(), '{"kymoCommunication":1')],
    ['leads nowhere', () => symlinkSync(beside('gone'), beside())],
    ['is missing', () => undefined],
  ])('opens without them when that %s', async (_, make) => {
    make();
    const { communication, profile } = await opened();
    expect(communication).toBeUndefined();
    expect(profile.locations).toHaveLength(2);
  });
});
