import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { OverlayEvent } from '../../../src/overlay/events';
import type { FrontEndStream } from '../../../src/overlay/members/frontEnd';
import { createNetwork, type Network, type NetworkOptions } from '../../../src/overlay/network/network';
import type { Packet } from '../../../src/overlay/packets/packet';
import { balanced } from './balanced';
import { localStarter, type LocalStarterOptions } from './localStarter';

/** The program of all processes but the front end, which is the test. */
export async function bundledAgent(): Promise<{
  readonly script: string;
  readonly remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kymo-overlay-'));
  const script = path.join(folder, 'agent.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'agent.main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    logLevel: 'warning',
  });
  return { script, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Started {
  readonly network: Network;
  readonly events: OverlayEvent[];
}

/** A network of real processes on this machine. */
export async function startNetwork(
  script: string,
  fanOuts: readonly number[],
  starting: LocalStarterOptions = {},
  options: Partial<NetworkOptions> = {},
): Promise<Started> {
  const events: OverlayEvent[] = [];
  const network = await createNetwork({
    layout: balanced(...fanOuts),
    mode: starting.attach === true ? 'attach' : 'launch',
    start: localStarter(script, starting),
    onEvent: (event) => void events.push(event),
    ...options,
  });
  return { network, events };
}

/** The next `count` results. */
export function results(stream: FrontEndStream, count: number): Promise<readonly Packet[]> {
  const packets: Packet[] = [];
  return new Promise((resolve) => {
    stream.onPacket((packet) => {
      packets.push(packet);
      if (packets.length === count) resolve(packets);
    });
  });
}

export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const last = performance.now() + 45_000;
  while (!(await isSo())) {
    if (performance.now() > last) throw new Error(`not within 45 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The process of a rank below this process, by the environment that it was started with. */
export async function pidOf(script: string, rank: number): Promise<number> {
  const found = (await agents(script)).find((one) => one.rank === rank);
  if (found === undefined) throw new Error(`there is no process of rank ${rank}`);
  return found.pid;
}

/** All living processes that run `script`. */
export async function agents(
  script: string,
): Promise<readonly { readonly pid: number; readonly rank: number }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => {
      try {
        const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
        if (!words.includes(script)) return [];
        const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
        const rank = environment
          .find((one) => one.startsWith('KYMO_TEST_RANK='))
          ?.slice('KYMO_TEST_RANK='.length);
        return [{ pid: Number(pid), rank: Number(rank) }];
      } catch {
        return [];
      }
    }),
  );
  return all.flat();
}
