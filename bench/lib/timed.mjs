import { spawnSync } from 'node:child_process';

/** Runs a program as `runCommand` gives it; wall, user and system CPU seconds, as bash's `time` tells them. */
export function timed({ command, tree }) {
  const run = spawnSync(
    'bash',
    [
      '-c',
      'TIMEFORMAT="%3R %3U %3S"; { time "$0" "$@" <"$KYMO_BENCH_INPUT" >/dev/null 2>/dev/null; }',
      ...command.words,
    ],
    {
      cwd: command.cwd ?? tree,
      env: { ...process.env, ...command.environment, KYMO_BENCH_INPUT: command.input },
      encoding: 'utf8',
    },
  );
  if (!command.statuses.includes(run.status))
    throw new Error(`${command.words.join(' ')} ended with ${run.status}`);
  const [wall, user, system] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, user, system };
}
