import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readInvitation, writeInvitations } from '../../../../src/overlay/network/invitationFile';
import { environmentOf, takeInvitation } from '../../../../src/overlay/network/starting';

const invited = (rank: number) => ({
  rank,
  host: 'node7',
  parent: { rank: 20, host: 'node1', port: 4711 },
  root: { rank: 21, host: 'login', port: 4712 },
  token: 'secret',
  silenceMilliseconds: 20_000,
});

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'kymo-overlay-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('invitations', () => {
  it('N5: of a file that only its owner reads, each process takes its own', async () => {
    const file = path.join(folder, 'invitations');
    await writeInvitations(file, [invited(0), invited(1)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readInvitation(file, 1)).toEqual(invited(1));
    await expect(readInvitation(file, 2)).rejects.toThrow('has 2 invitations; this process is number 2');
    await expect(writeInvitations(file, [])).rejects.toThrow('EEXIST');
  });

  it('N5: a file that others can read is refused', async () => {
    const file = path.join(folder, 'invitations');
    await writeInvitations(file, [invited(0)]);
    await chmod(file, 0o640);
    await expect(readInvitation(file, 0)).rejects.toMatchObject({ reason: 'usage' });
  });

  it('N5: of the environment it is removed, so that programs started later do not have it', () => {
    const environment = { ...environmentOf(invited(3)), HOME: '/home' };
    expect(takeInvitation(environment)).toEqual(invited(3));
    expect(environment).toEqual({ HOME: '/home' });
    expect(() => takeInvitation(environment)).toThrow('the network starts this process');
    expect(() => takeInvitation({ KYMO_OVERLAY: '{"rank":-1}' })).toThrow('rank is no whole number');
  });
});
