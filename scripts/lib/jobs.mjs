// Programs that run beside each other: at most two at a time, the output of each in one piece.
import { spawn } from 'node:child_process';
import { root } from './system.mjs';

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {readonly string[]} command program and arguments; runs in the root folder
 * @property {number} workers processors that it uses: 0 for one that mostly waits, else 1 or 2
 * @property {number} expectedSeconds on a quiet machine with two processors
 */
/** @typedef {{ job: Job, status: number | undefined, output: string, seconds: number, timedOut: boolean }} Outcome */

const processors = 2;
const minute = 60_000;

/**
 * Runs the jobs in their order, each as soon as there is room for it. Prints when one starts and a line each minute.
 * @param {readonly Job[]} jobs
 * @param {{ slowness: number, environment: NodeJS.ProcessEnv, ended: (outcome: Outcome) => void }} options
 */
export async function runJobs(jobs, { slowness, environment, ended }) {
  const waiting = [...jobs];
  /** @type {Map<Job, { started: number, end: Promise<void>, kill: () => void }>} */
  const running = new Map();
  const killAll = () => {
    for (const { kill } of running.values()) kill();
  };
  const interrupted = () => {
    killAll();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupted);
  const ticker = setInterval(() => console.log(progressLine(running, waiting, slowness)), minute);
  while (waiting.length > 0 || running.size > 0) {
    const busy = [...running.keys()].reduce((sum, { workers }) => sum + workers, 0);
    const next = waiting[0];
    if (next !== undefined && busy + next.workers <= processors) {
      waiting.shift();
      const expected = duration(next.expectedSeconds * slowness);
      console.log(`… ${next.name} (about ${expected})`);
      const child = start(next, environment, limitSeconds(next, slowness));
      const end = child.outcome.then((outcome) => {
        running.delete(next);
        ended(outcome);
      });
      running.set(next, { started: performance.now(), end, kill: child.kill });
    } else await Promise.race([...running.values()].map(({ end }) => end));
  }
  clearInterval(ticker);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, interrupted);
}

/** Something that hangs must end, also where others compute beside it: far above what is expected. */
function limitSeconds({ expectedSeconds }, slowness) {
  return Math.max(600, 5 * expectedSeconds) * slowness;
}

function progressLine(running, waiting, slowness) {
  const now = [...running].map(([{ name, expectedSeconds }, { started }]) => {
    const since = duration((performance.now() - started) / 1000);
    return `${name} (${since} of about ${duration(expectedSeconds * slowness)})`;
  });
  const then = waiting.length === 0 ? '' : `; then ${waiting.map(({ name }) => name).join(', ')}`;
  return `… running: ${now.join(', ')}${then}`;
}

/** `40 s`, `3 min`. */
export function duration(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** In a process group of its own, so that nothing is left when it ends. */
function start(job, environment, seconds) {
  const started = performance.now();
  const [program, ...words] = job.command;
  const child = spawn(program, words, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  /** @type {Buffer[]} */
  const pieces = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, seconds * 1000);
  const outcome = new Promise((resolve) => {
    child.once('error', (error) => pieces.push(Buffer.from(`${error.message}\n`)));
    child.once('exit', kill);
    child.once('close', (status) => {
      clearTimeout(timer);
      const output = Buffer.concat(pieces).toString();
      resolve({
        job,
        status: status ?? undefined,
        output,
        seconds: (performance.now() - started) / 1000,
        timedOut,
      });
    });
  });
  return { outcome, kill };
}
