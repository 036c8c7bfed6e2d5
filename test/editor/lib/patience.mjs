// Time limits that follow the speed of the machine: a busy one makes the tests slower, not wrong.
import { givenSlowness, measureSlowness } from '../../../scripts/lib/machine.mjs';

let slowness = givenSlowness();

/** The limit on this machine for one that is right on a quiet machine. */
export function patience(milliseconds) {
  return Math.round(milliseconds * slowness);
}

/** Measures the machine again. The limits grow when it has become slower, and never shrink: it may become as slow again. */
export function adjustPatience() {
  const now = measureSlowness();
  if (now > 1.2 * slowness) console.log(`  (the machine is busy: all limits × ${now.toFixed(1)})`);
  slowness = Math.max(slowness, now);
}
