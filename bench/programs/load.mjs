import { spawn } from 'node:child_process';

/** Runs `work` beside processes that do nothing but compute. */
export async function besideBusyLoops(count, work) {
  const loops = Array.from({ length: count }, () =>
    spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}
