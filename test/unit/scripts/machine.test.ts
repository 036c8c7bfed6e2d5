import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../scripts/lib/machine.mjs';

afterEach(() => vi.unstubAllEnvs());

describe('time limits on a slow machine', () => {
  it('are what Node takes as the limit of a process, and never shorter than on a quiet machine', () => {
    const measured = fc.double({ min: 1, max: 8, noNaN: true }).map((slowness) => slowness.toFixed(2));
    fc.assert(
      fc.property(measured, fc.integer({ min: 1, max: 3_600_000 }), (slowness, milliseconds) => {
        vi.stubEnv('KYMO_SLOWNESS', slowness);
        expect(Number.isSafeInteger(patience(milliseconds))).toBe(true);
        expect(patience(milliseconds)).toBeGreaterThanOrEqual(milliseconds);
      }),
    );
  });
  it('follow the slowness, such as 1.39 of five minutes', () => {
    vi.stubEnv('KYMO_SLOWNESS', '1.39');
    expect(patience(300_000)).toBe(417_000);
    expect(() => spawnSync(process.execPath, ['--version'], { timeout: patience(300_000) })).not.toThrow();
  });
  it.each(['', 'fast', '0.5', '-3', undefined])(
    'are those of a quiet machine where %j was given',
    (given) => {
      vi.stubEnv('KYMO_SLOWNESS', given);
      expect(patience(300_000)).toBe(300_000);
    },
  );
});
