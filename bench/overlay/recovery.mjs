// node bench/overlay/recovery.mjs
// What a loss costs a real network of 4×4: from kill -9 of an inner process, or of two at once, until all back ends have a parent again and the next wave arrives, while back ends
// flood the network with reductions; and how long the end takes, ordered or when the front end is killed. The specification wants 2 s (N18, N20); MRNet 5.0.1 brings back 3 of 16
// (§12.3).
import { readdirSync, readFileSync } from 'node:fs';
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
const script = path.join(folder, 'agent.main.mjs');
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const waves = 20_000;
const backEnds = 16;

/** Processes of the network that run. */
const running = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script);
    } catch {
      return false;
    }
  }).length;

async function losing(victims) {
  const events = [];
  const started = new Map();
  const network = await createNetwork({
    layout: balanced(4, 4),
    mode: 'launch',
    start: localStarter(script, { onStart: (rank, pid) => started.set(rank, pid) }),
    onEvent: (event) => void events.push(event),
  });
  const pids = victims.map((rank) => started.get(rank));
  const stream = network.newStream(network.broadcastCommunicator(), { up: 'sum' });
  let [wave, killed, next, exact, longest, last] = [0, 0, 0, 0, 0, performance.now()];
  const done = new Promise((resolve) => {
    stream.onPacket((packet) => {
      const now = performance.now();
      wave++;
      if (packet.values()[0] === wave * 1000 * backEnds + (backEnds * (backEnds - 1)) / 2) exact++;
      if (killed > 0) longest = Math.max(longest, now - last);
      last = now;
      if (wave === 1000) {
        for (const pid of pids) process.kill(pid, 'SIGKILL');
        killed = performance.now();
      }
      if (
        next === 0 &&
        killed > 0 &&
        events.filter(({ kind }) => kind === 'adopted').length >= 4 * victims.length
      ) {
        next = now;
      }
      if (wave === waves) resolve();
    });
  });
  stream.send(tags.flood, '%d', waves);
  await done;
  const back = network.topology().filter(({ role, state }) => role === 'back-end' && state === 'up').length;
  const begin = performance.now();
  await network.shutdown();
  while (running() > 0) await pause(5);
  return { back, recovery: next - killed, longest, exact, end: performance.now() - begin };
}

console.log(`load of the machine ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} processors`);
console.log(
  'killed of 4×4 | back ends that are back | recovery ms | longest pause between waves ms | exact sums | end of the network ms',
);
for (const victims of [[16], [17], [18], [19], [16, 17], [18, 19], [16, 19]]) {
  const { back, recovery, longest, exact, end } = await losing(victims);
  console.log(
    [
      victims.join(' and '),
      `${back} of ${backEnds}`,
      recovery.toFixed(0),
      longest.toFixed(0),
      `${exact} of ${waves}`,
      end.toFixed(0),
    ].join(' | '),
  );
}
process.exit(0);
