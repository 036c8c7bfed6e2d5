import { spawn, spawnSync } from 'node:child_process';

const script = 'TIMEFORMAT="%3R %3U %3S"; { time "$0" "$@" <"$KYMO_BENCH_INPUT" >/dev/null 2>/dev/null; }';

function bash({ command, tree }) {
  const env = { ...process.env, ...command.environment, KYMO_BENCH_INPUT: command.input };
  return { words: ['bash', '-c', script, ...command.words], options: { cwd: command.cwd ?? tree, env } };
}

function timesOf({ command }, status, stderr) {
  if (!command.statuses.includes(status)) throw new Error(`${command.words.join(' ')} ended with ${status}`);
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, user, system };
}

/** Runs a program as `runCommand` gives it; wall, user and system CPU seconds, as bash's `time` prints them. */
export function timed(run) {
  const { words, options } = bash(run);
  const { status, stderr } = spawnSync(words[0], words.slice(1), { ...options, encoding: 'utf8' });
  return timesOf(run, status, stderr);
}

/**
 * The same of several programs at the same time, in turns of a few milliseconds on the same processors (`taskset`'s list): whatever
 * slows the machine down then slows each of them alike. Ratios of such runs vary by one percent where runs side by side vary by twenty.
 */
export function timedTogether(runs, processors) {
  return Promise.all(
    runs.map(
      (run) =>
        new Promise((resolve, reject) => {
          const { words, options } = bash(run);
          const pinned = ['-c', processors, ...words];
          const child = spawn('taskset', pinned, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
          let stderr = '';
          child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
          child.on('error', reject).on('close', (status) => {
            try {
              resolve(timesOf(run, status, stderr));
            } catch (error) {
              reject(error);
            }
          });
        }),
    ),
  );
}
