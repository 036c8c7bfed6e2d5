// How much slower than a quiet machine of the CI this one is now: the limits of the tests follow it.
import { spawnSync } from 'node:child_process';

/** CPU time of the work below on the machine that the limits were chosen on. */
const referenceSeconds = 0.8;
const work =
  'let x = 1; for (let i = 0; i < 1.5e8; i++) x = (Math.imul(x, 1664525) + i) | 0; process.exitCode = x & 0;';

/** What is slower than this gets no more time: a test that hangs has to end. */
const mostSlowness = 8;

/**
 * Starts a process that computes for about a second, and compares how long that took. The result is at least 1: a fast machine does not
 * shorten the limits.
 */
export function measureSlowness() {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', work], { stdio: 'ignore' });
  const slowness = (performance.now() - started) / 1000 / referenceSeconds;
  return Math.min(mostSlowness, Math.max(1, slowness));
}

/** What `npm test` measured at its start and gives to the tests, or 1 where somebody runs a part of them. */
export function givenSlowness() {
  const given = Number(process.env.KYMO_SLOWNESS);
  return given >= 1 ? given : 1;
}

/**
 * The limit on this machine for one that is right on a quiet machine. Both are whole milliseconds: Node refuses others for a process.
 *
 * @param {number} milliseconds
 */
export function patience(milliseconds) {
  return Math.round(milliseconds * givenSlowness());
}
