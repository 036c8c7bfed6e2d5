import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ordersEnvironment,
  pickOrders,
  readOrders,
  readOrdersFile,
  writeOrders,
} from '../../../../src/overlay/agent/agentOrders';
import { environmentOf, takeInvitation } from '../../../../src/overlay/network/starting';

const invited = (rank: number) => ({
  rank,
  host: 'node7',
  parent: { rank: 20, host: 'node1', port: 4711 },
  root: { rank: 21, host: 'login', port: 4712 },
  token: 'secret',
  silenceMilliseconds: 20_000,
});
const orders = (rank: number) => ({
  invitation: invited(rank),
  watched: { folder: '/run/sockets', token: 'of the run' },
});
const onThisHost = (rank: number) => ({
  ...orders(rank),
  invitation: { ...invited(rank), host: os.hostname() },
});

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'kymo-overlay-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('orders of agents', () => {
  it('N5: of a file that only its owner reads, each agent takes its own', async () => {
    const file = path.join(folder, 'orders');
    await writeOrders(file, [orders(0), orders(1)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readOrders(await readOrdersFile(file, 1))).toEqual(onThisHost(1));
    await expect(readOrdersFile(file, 2)).rejects.toThrow('has orders for 2 agents; this one is number 2');
    await expect(writeOrders(file, [])).rejects.toThrow('EEXIST');
  });

  it('U6: a file that others can read is refused', async () => {
    const file = path.join(folder, 'orders');
    await writeOrders(file, [orders(0)]);
    await chmod(file, 0o640);
    await expect(readOrdersFile(file, 0)).rejects.toMatchObject({ reason: 'usage' });
  });

  it('U6: the token of the run comes from its own file when nobody gives it, if nobody else can read that', async () => {
    const { KYMO_OVERLAY } = ordersEnvironment(orders(3));
    const variables = { KYMO_OVERLAY, KYMO_CONTROL: folder };
    await writeFile(path.join(folder, 'token'), 'from the file\n', { mode: 0o600 });
    expect((await readOrders(variables)).watched).toEqual({ folder, token: 'from the file' });
    await chmod(path.join(folder, 'token'), 0o644);
    await expect(readOrders(variables)).rejects.toThrow('no other user may read it');
  });

  it.each(['', '17', '{}', '[1', '[{"KYMO_OVERLAY":7}]'])('says what is wrong with %j', (content) => {
    expect(() => pickOrders(content, 'stdin', 0)).toThrow(/^(stdin|A control message)/);
  });

  it('N5: an invitation is removed from the environment, so that programs started later do not have it', () => {
    const environment = { ...environmentOf(invited(3)), HOME: '/home' };
    expect(takeInvitation(environment)).toEqual(invited(3));
    expect(environment).toEqual({ HOME: '/home' });
    expect(() => takeInvitation(environment)).toThrow('the network starts this process');
    expect(() => takeInvitation({ KYMO_OVERLAY: '{"rank":-1}' })).toThrow('rank is no whole number');
  });
});
