import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { environmentOf } from '../../../src/overlay/network/starting';
import { agents, bundledAgent, pidOf, results, startNetwork, type Started, until } from './agents';
import { tags } from './tags';
import { onlyInFull } from '../../volume';

let script = '';
let folder = '';
let remove = (): Promise<void> => Promise.resolve();
const running: Started[] = [];

beforeAll(async () => {
  ({ script, remove } = await bundledAgent());
  folder = await mkdtemp(path.join(os.tmpdir(), 'kymo-overlay-'));
});
afterAll(async () => {
  await remove();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const { network } of running.splice(0)) await network.shutdown();
  await until(async () => (await agents(script)).length === 0, 'no process of the network is left');
});

async function started(
  ...options: Parameters<typeof startNetwork> extends [string, ...infer Rest] ? Rest : never
): Promise<Started> {
  const network = await startNetwork(script, ...options);
  running.push(network);
  return network;
}

const sumOfWave = (wave: number, backEnds: number): number =>
  wave * 1000 * backEnds + (backEnds * (backEnds - 1)) / 2;
const numbers = (packets: Awaited<ReturnType<typeof results>>): readonly number[] =>
  packets.map((packet) => Number(packet.values()[0]));

describe('a network of real processes', () => {
  it('N4: launches 8×8 with all 64 back ends, branches beside each other', async () => {
    const { network, events } = await started([8, 8]);
    const joined = events.flatMap((event) => (event.kind === 'joined' ? [event] : []));
    expect(joined).toHaveLength(72);
    const stream = network.newStream(network.broadcastCommunicator(), { up: 'sum' });
    stream.send(tags.rank, '%d', 0);
    expect(numbers(await results(stream, 1))).toEqual([(63 * 64) / 2]);
    // Branches overlap: back ends of one branch come before the last ones of another that began earlier.
    const branches = joined.filter(({ role }) => role === 'back-end').map(({ parent }) => parent);
    const changes = branches.filter((parent, at) => at > 0 && parent !== branches[at - 1]).length;
    expect(changes).toBeGreaterThan(7);
  });

  it('N4: a process that fails at the start is named with its rank and host, and nothing is left', async () => {
    await expect(started([2, 2], { environment: { KYMO_TEST_FAILS: '2' } })).rejects.toThrow(
      /process 2 on localhost has ended/,
    );
    await until(async () => (await agents(script)).length === 0, 'no process is left');
  });

  it('N4: who is missing at the deadline is named', async () => {
    await expect(
      started(
        [2],
        {},
        { startMilliseconds: 50, start: () => ({ ended: Promise.resolve('later'), kill: () => undefined }) },
      ),
    ).rejects.toMatchObject({ reason: 'start' });
  });

  it('N5: back ends that others start attach evenly to the leaves, late ones join the broadcast communicator, and may leave', async () => {
    const { network, events } = await started([2, 2], { attach: true });
    const attach = (): void => {
      const invited = network.invite('localhost');
      spawn(process.execPath, [script], {
        stdio: 'inherit',
        env: { ...process.env, ...environmentOf(invited), KYMO_TEST_RANK: String(invited.rank) },
      });
    };
    const attached = (): number =>
      network.topology().filter(({ role, state }) => role === 'back-end' && state === 'up').length;
    for (let count = 0; count < 16; count++) attach();
    await until(() => attached() === 16, '16 back ends');
    const perLeaf = new Map<number, number>();
    for (const { role, parent } of network.topology())
      if (role === 'back-end' && parent !== undefined) perLeaf.set(parent, (perLeaf.get(parent) ?? 0) + 1);
    expect([...perLeaf.values()]).toEqual([4, 4, 4, 4]);
    const count = async (): Promise<number> => {
      const stream = network.newStream(network.broadcastCommunicator(), { up: 'concat' });
      stream.send(tags.rank, '%d', 0);
      const [packet] = await results(stream, 1);
      stream.close();
      return (packet!.values()[0] as Int32Array).length;
    };
    expect(await count()).toBe(16);
    attach();
    await until(() => attached() === 17, 'the late back end');
    expect(events.at(-1)).toMatchObject({ kind: 'joined', role: 'back-end' });
    expect(await count()).toBe(17);
    process.kill(await pidOf(script, 7), 'SIGUSR2');
    await until(() => attached() === 16, 'one has left');
    expect(events).toContainEqual({ kind: 'left', rank: 7 });
    expect(await count()).toBe(16);
  });

  it('N8 N15: 20 collectives on 5 streams at the same time do not mix', async () => {
    const { network } = await started([2, 2]);
    const all = network.broadcastCommunicator();
    const some = network.newCommunicator([0, 3]);
    const streams = [
      network.newStream(all, { up: 'sum' }),
      network.newStream(all, { up: 'max' }),
      network.newStream(all, { up: 'min' }),
      network.newStream(some, { up: 'sum' }),
      network.newStream(some, { up: 'concat' }),
    ];
    for (let round = 0; round < 4; round++) for (const stream of streams) stream.send(tags.rank, '%d', round);
    const got = await Promise.all(streams.map((stream) => results(stream, 4)));
    expect(got.map((packets) => packets.map((packet) => packet.values()[0]))).toEqual([
      [6, 6, 6, 6],
      [3, 3, 3, 3],
      [0, 0, 0, 0],
      [3, 3, 3, 3],
      Array(4).fill(Int32Array.of(0, 3)),
    ]);
  });

  it('N13: a filter is loaded by all inner processes or the call fails; each stream has its own state', async () => {
    const module = path.join(folder, 'counting.mjs');
    await build({
      stdin: {
        contents: `
          import { appendFileSync } from 'node:fs';
          import { Packet } from ${JSON.stringify(path.resolve(import.meta.dirname, '../../../src/overlay/packets/packet.ts'))};
          appendFileSync(${JSON.stringify(path.join(folder, 'loaded'))}, process.env.KYMO_TEST_RANK + '\\n');
          if (process.env.KYMO_TEST_RANK !== undefined && process.env.KYMO_TEST_RANK === process.env.KYMO_TEST_REFUSES) throw new Error('not here');
          export class Waves {
            waves = 0;
            constructor(place) { this.place = place; }
            apply(wave, output) { output.up(Packet.of(100, this.place.rank, '%d', [++this.waves])); }
          }`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: module,
    });
    const { network } = await started([2, 2]);
    const filter = await network.loadFilter(module, 'Waves');
    expect((await readFile(path.join(folder, 'loaded'), 'utf8')).trim().split('\n').sort()).toEqual([
      '4',
      '5',
      'undefined',
    ]);
    const all = network.broadcastCommunicator();
    const [a, b] = [network.newStream(all, { up: filter }), network.newStream(all, { up: filter })];
    for (let round = 0; round < 3; round++) a.send(tags.rank, '%d', 0);
    b.send(tags.rank, '%d', 0);
    expect(numbers(await results(a, 3))).toEqual([1, 2, 3]);
    expect(numbers(await results(b, 1))).toEqual([1]);
    await expect(network.loadFilter(module, 'Missing')).rejects.toThrow('exports no filter class Missing');
    const refusing = await started([2, 2], { environment: { KYMO_TEST_REFUSES: '5' } });
    await expect(refusing.network.loadFilter(module, 'Waves')).rejects.toThrow(
      /by the processes 5: not here/,
    );
  });

  it('N14: what no filter touches is not decoded on the way', async () => {
    const { network } = await started([2, 2]);
    const stream = network.newStream(network.broadcastCommunicator());
    stream.send(tags.flood, '%d', 500);
    await results(stream, 2000);
    const inner = network
      .topology()
      .filter(({ role }) => role === 'inner')
      .map(({ rank }) => rank);
    await until(
      () => inner.every((rank) => (network.totals(rank)?.bytesRead ?? 0) > 500 * 2 * 30),
      'reports of the load',
    );
    expect(inner.map((rank) => network.totals(rank)?.decoded)).toEqual([0, 0]);
  });

  it('N16: a slow front end slows the back ends down: no process grows, and nothing is lost', async () => {
    const { network } = await started([2, 2]);
    await until(() => network.topology().every(({ load }) => load !== undefined), 'reports of the load');
    const memory = (): number[] => network.topology().map(({ load }) => load?.memory ?? 0);
    const idle = memory();
    const stream = network.newStream(network.broadcastCommunicator());
    // 320 MB of packets in all.
    stream.send(tags.floodBytes, '%d %d', 4000, 20_000);
    let most = 0;
    const next = new Map<unknown, number>();
    for (let got = 0; got < 16_000;) {
      const packet = stream.take();
      if (packet === undefined || got % 200 === 0) {
        await new Promise((resolve) => setTimeout(resolve, packet === undefined ? 2 : 10));
        most = Math.max(
          most,
          ...memory()
            .slice(0, 6)
            .map((bytes, rank) => bytes - (idle[rank] ?? 0)),
        );
      }
      if (packet === undefined) continue;
      const value = Number(packet.values()[0]);
      expect(value).toBe((next.get(packet.source) ?? 1) * 1000 + packet.source);
      next.set(packet.source, (next.get(packet.source) ?? 1) + 1);
      got++;
    }
    expect(most).toBeLessThan(64 * 2 ** 20);
  });

  it('N17: strangers and garbage are closed with an event, and the network goes on', async () => {
    let port = 0;
    const { network, events } = await started(
      [2],
      {},
      {
        start: (node, environment) => {
          port = (JSON.parse(environment.KYMO_OVERLAY ?? '{}') as { root: { port: number } }).root.port;
          const child = spawn(process.execPath, [script], {
            stdio: 'inherit',
            env: { ...process.env, ...environment, KYMO_TEST_RANK: String(node.rank) },
          });
          return {
            ended: new Promise((resolve) => child.once('exit', () => resolve('ended'))),
            kill: () => void child.kill('SIGKILL'),
          };
        },
      },
    );
    const send = (bytes: Buffer): Promise<void> =>
      new Promise((resolve) => {
        const socket = net.connect({ host: 'localhost', port });
        socket.on('error', () => undefined).on('close', () => resolve());
        socket.resume().end(bytes);
      });
    const hello = JSON.stringify({ hello: JSON.stringify({ rank: 0 }), nonce: 'x', proof: 'y' });
    const signed = Buffer.concat([Buffer.alloc(4), Buffer.from([2]), Buffer.from(hello)]);
    signed.writeUInt32LE(signed.length - 4, 0);
    await send(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    await send(signed);
    await until(() => events.filter(({ kind }) => kind === 'problem').length === 2, 'two events');
    expect(events.flatMap((event) => (event.kind === 'problem' ? [event.reason] : []))).toEqual([
      'malformed',
      'token',
    ]);
    const stream = network.newStream(network.broadcastCommunicator(), { up: 'sum' });
    stream.send(tags.rank, '%d', 0);
    expect(numbers(await results(stream, 1))).toEqual([1]);
  });

  it('N22: the load of each process is what /proc says of it, and is kept per type', async () => {
    const { network } = await started([2, 2]);
    const stream = network.newStream(network.broadcastCommunicator(), { up: 'sum' });
    stream.send(tags.flood, '%d', 60_000);
    await results(stream, 60_000);
    const pid = await pidOf(script, 4);
    const seconds = async (): Promise<number> => {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    };
    // Idle by now: the next report says what the process has used, to a hundredth of a second.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const [reported, counted] = [network.totals(4)?.cpu ?? 0, await seconds()];
    expect(Math.abs(reported - counted)).toBeLessThan(0.05 * counted + 0.02);
    expect(new Set(network.loads().map(({ role }) => role))).toEqual(
      new Set(['front-end', 'inner', 'back-end']),
    );
    expect(network.loads().at(-1)).toMatchObject({ role: 'back-end', processes: 4 });
  });
});

describe('recovery of real processes', () => {
  it.each([[[18]], [[16, 17]], ...onlyInFull([[[16]], [[17]], [[19]], [[18, 19]]])])(
    'N18: 4×4 with %j killed in the middle of waves: all orphans are back and the sums exact',
    async (victims) => {
      const { network, events } = await started([4, 4]);
      const waves = 20_000;
      const stream = network.newStream(network.broadcastCommunicator(), { up: 'sum' });
      const sums: number[] = [];
      let killed = 0;
      const pids = await Promise.all(victims.map((rank) => pidOf(script, rank)));
      const done = new Promise<void>((resolve) => {
        stream.onPacket((packet) => {
          sums.push(Number(packet.values()[0]));
          if (sums.length === 1000) {
            for (const pid of pids) process.kill(pid, 'SIGKILL');
            killed = performance.now();
          }
          if (sums.length === waves) resolve();
        });
      });
      stream.send(tags.flood, '%d', waves);
      await done;
      expect(killed).toBeGreaterThan(0);
      expect(sums).toEqual(Array.from({ length: waves }, (_, at) => sumOfWave(at + 1, 16)));
      expect(
        events
          .filter(({ kind }) => kind === 'lost')
          .map((event) => 'rank' in event && event.rank)
          .sort(),
      ).toEqual(victims);
      const back = network.topology().filter(({ role, state }) => role === 'back-end' && state === 'up');
      expect(back).toHaveLength(16);
      expect(events.filter(({ kind }) => kind === 'adopted').length).toBeGreaterThanOrEqual(
        4 * victims.length,
      );
    },
  );
});

describe('a process that stands still', () => {
  it('N18: is lost for the others, who go on without it, and comes back when it goes on', async () => {
    const { network, events } = await started([2, 2], {}, { silenceMilliseconds: 4000 });
    const pid = await pidOf(script, 4);
    const waves = 3000;
    const stream = network.newStream(network.broadcastCommunicator(), { up: 'sum' });
    const sums: number[] = [];
    stream.onPacket((packet) => {
      sums.push(Number(packet.values()[0]));
      if (sums.length === 500) process.kill(pid, 'SIGSTOP');
    });
    stream.send(tags.floodOneByOne, '%d', waves);
    await until(() => sums.length === waves, 'all waves');
    expect(sums).toEqual(Array.from({ length: waves }, (_, at) => sumOfWave(at + 1, 4)));
    expect(events).toContainEqual(expect.objectContaining({ kind: 'lost', rank: 4 }));
    process.kill(pid, 'SIGCONT');
    await until(
      () => network.topology().some(({ rank, state }) => rank === 4 && state === 'up'),
      'it is back',
    );
  });
});

describe('shutdown of real processes', () => {
  it('N20: nothing is alive after the end of the session', async () => {
    const { network } = await startNetwork(script, [2, 2]);
    expect(await agents(script)).toHaveLength(6);
    await network.shutdown();
    await until(async () => (await agents(script)).length === 0, 'no process is left');
  });

  it('N20: nor after the front end was killed', async () => {
    const main = path.join(folder, 'frontEnd.mjs');
    await writeFile(
      path.join(folder, 'frontEnd.ts'),
      `
      import { startNetwork } from ${JSON.stringify(path.join(import.meta.dirname, 'agents.ts'))};
      await startNetwork(${JSON.stringify(script)}, [2, 2]);
      console.log('complete');
    `,
    );
    await build({
      entryPoints: [path.join(folder, 'frontEnd.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['esbuild'],
      outfile: main,
      nodePaths: [path.resolve('node_modules')],
    });
    // esbuild is only there for the bundle of the agent, which exists.
    const bundle = (await readFile(main, 'utf8')).replace(
      /import \{ build \} from "esbuild";/,
      'const build = undefined;',
    );
    await writeFile(main, bundle);
    const frontEnd = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => frontEnd.stdout.once('data', resolve));
    expect(await agents(script)).toHaveLength(6);
    frontEnd.kill('SIGKILL');
    await until(async () => (await agents(script)).length === 0, 'no process is left');
  });
});
