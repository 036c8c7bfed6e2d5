// node bench/launch/run.mjs
// From the end of a program by Kymo to the end of its last process: four generations that ignore SIGTERM. Bar: 1 s.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';
import { median } from '../lib/statistics.mjs';

const { runProcess } = await load('src/measurement/launch/process.ts');
const generations = `trap '' TERM
(trap '' TERM; (trap '' TERM; (trap '' TERM; sh -c 'echo $PPID >> family; sleep 60') & sh -c 'echo $PPID >> family; sleep 60') & sh -c 'echo $PPID >> family; sleep 60') &
echo $$ >> family; wait`;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function isAlive(pid) {
  try {
    // A process that has ended and was not waited for is a zombie.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function secondsToEnd() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
  const family = path.join(folder, 'family');
  const pids = () => (existsSync(family) ? readFileSync(family, 'utf8').trim().split('\n').map(Number) : []);
  try {
    const stop = new globalThis.AbortController();
    const running = runProcess({ shell: generations }, { cwd: folder, signal: stop.signal });
    while (pids().length < 4) await wait(20);
    const begin = performance.now();
    stop.abort();
    await running;
    while (pids().some(isAlive)) await wait(5);
    return (performance.now() - begin) / 1000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const seconds = [];
for (let round = 0; round < 7; round++) seconds.push(await secondsToEnd());
console.log(
  `from the abort to the end of four generations: median ${median(seconds).toFixed(3)} s, most ${Math.max(...seconds).toFixed(3)} s (bar 1)`,
);
