// node bench/overlay/run.mjs [all]
// The network beside MRNet 5.0.1 (C++; specification §12.2, on a machine with two cores): all processes real and on this machine, loopback
// TCP, one int32 per packet, SUM, wait for all. First broadcasts with reductions one after the other, then reductions that back ends flood
// the network with: one packet per write, and as many as there are.
import os from 'node:os';
import path from 'node:path';
import { bundled } from '../lib/bundled.mjs';
import { load } from '../lib/bundle.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const { folder } = await bundled([path.join(root, 'test/workflows/overlay/agent.main.ts')]);
const { createNetwork, localStarter, balanced, tags } = await load(
  'src/overlay/network/network.ts',
  'test/workflows/overlay/localStarter.ts',
  'test/workflows/overlay/balanced.ts',
  'test/workflows/overlay/tags.ts',
);

/** Of MRNet: best and median of round trip µs, reductions/s, front-end CPU µs per collective. */
const peers = {
  4: [
    [151, 181],
    [15464, 12560],
    [49, 53],
  ],
  16: [
    [687, 1051],
    [3426, 2849],
    [226, 239],
  ],
  64: [
    [4241, 7106],
    [512, 445],
    [1286, 1364],
  ],
  '4x4': [
    [948, 1160],
    [2593, 2328],
    [69, 74],
  ],
  '8x8': [
    [5783, 6911],
    [475, 455],
    [189, 199],
  ],
  8: [
    [325, 459],
    [7694, 5816],
    [91, 129],
  ],
  32: [
    [1683, 2004],
    [1669, 1456],
    [500, 514],
  ],
  '2x2x2x2': [
    [1207, 2390],
    [2064, 1670],
    [37, 43],
  ],
  '4x8': [
    [2356, 2520],
    [1341, 1181],
    [63, 79],
  ],
  '8x4': [
    [2188, 2922],
    [1055, 1025],
    [157, 169],
  ],
  '4x16': [
    [4905, 5536],
    [590, 565],
    [77, 89],
  ],
  '4x4x4': [
    [7273, 9703],
    [414, 354],
    [106, 126],
  ],
  '2x4x8': [
    [5897, 7572],
    [493, 415],
    [51, 77],
  ],
};
const chosen =
  process.argv[2] === 'all'
    ? Object.keys(peers)
    : (process.argv[2]?.split(',') ?? ['4', '16', '64', '4x4', '8x8']);

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Waits for `count` results; microseconds of wall clock and of this process's CPU for each. */
async function collect(stream, count, begin) {
  let left = count;
  const done = new Promise((resolve) => {
    stream.onPacket(() => {
      if (--left === 0) resolve();
    });
  });
  const [wallBefore, cpuBefore] = [performance.now(), cpu()];
  begin();
  await done;
  return { wall: ((performance.now() - wallBefore) * 1000) / count, cpu: (cpu() - cpuBefore) / count };
}

async function measure(name) {
  const layout = balanced(...name.split('x').map(Number));
  const before = performance.now();
  const network = await createNetwork({
    layout,
    mode: 'launch',
    start: localStarter(path.join(folder, 'agent.main.mjs')),
  });
  const instantiation = performance.now() - before;
  const broadcast = network.broadcastCommunicator();
  const stream = network.newStream(broadcast, { up: 'sum' });
  const rounds = 500;
  let left = rounds;
  await collect(stream, 50, () => {
    for (let round = 0; round < 50; round++) stream.send(tags.echo, '%d', 1);
  });
  const trips = await new Promise((resolve) => {
    const [wallBefore, cpuBefore] = [performance.now(), cpu()];
    stream.onPacket(() => {
      if (--left > 0) stream.send(tags.echo, '%d', 1);
      else
        resolve({
          wall: ((performance.now() - wallBefore) * 1000) / rounds,
          cpu: (cpu() - cpuBefore) / rounds,
        });
    });
    stream.send(tags.echo, '%d', 1);
  });
  const single = network.newStream(broadcast, { up: 'sum' });
  const one = await collect(single, 3000, () => single.send(tags.floodOneByOne, '%d', 3000));
  const warm = network.newStream(broadcast, { up: 'sum' });
  const later = await collect(warm, 10_000, () => warm.send(tags.floodOneByOne, '%d', 10_000));
  const batched = network.newStream(broadcast, { up: 'sum' });
  const many = await collect(batched, 20_000, () => batched.send(tags.flood, '%d', 20_000));
  await network.shutdown();
  return { processes: layout.nodes.length, instantiation, trips, one, later, many };
}

const [load1] = os.loadavg();
console.log(
  `load of the machine ${load1.toFixed(1)} on ${os.cpus().length} processors; in parentheses MRNet 5.0.1, best and median`,
);
const cell = (value, peer) => `${Math.round(value)}${peer ? ` (${peer[0]} / ${peer[1]})` : ''}`;
console.log(
  'tree | processes | start ms | round trip µs | reductions/s, one packet per write: the first 3,000, with code that is still being compiled, and the 10,000 after them | front-end CPU µs per collective: round trips, reductions, both as MRNet mixes them (500 : 3000) | reductions/s, batched | front-end CPU µs',
);
for (const name of chosen) {
  const { processes, instantiation, trips, one, later, many } = await measure(name);
  const [roundTrip, reductions, frontEnd] = peers[name] ?? [];
  const mixed = (500 * trips.cpu + 3000 * one.cpu) / 3500;
  console.log(
    [
      name,
      processes,
      Math.round(instantiation),
      cell(trips.wall, roundTrip),
      `${Math.round(1e6 / one.wall)}, ${cell(1e6 / later.wall, reductions)}`,
      `${Math.round(trips.cpu)}, ${Math.round(one.cpu)}, ${cell(mixed, frontEnd)}`,
      cell(1e6 / many.wall),
      many.cpu.toFixed(1),
    ].join(' | '),
  );
}
