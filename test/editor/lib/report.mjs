// Counts checks. A check that was planned and did not run has failed: ending early must not look like success.
import { patience } from './patience.mjs';

export class Report {
  passed = 0;
  failed = 0;
  /** The names of the checks that failed. @type {string[]} */
  failures = [];

  /** @param {(isPassed: boolean, name: string) => void} [ended] called after each check */
  constructor(ended = () => undefined) {
    this.ended = ended;
  }

  /** Runs one check. A failed check ends its session (`session`): the following checks build on it and would only wait in vain. */
  async check(name, action) {
    const started = performance.now();
    try {
      await action();
      this.passed += 1;
      this.ended(true, name);
      console.log(`  ✓ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
      this.failed += 1;
      this.failures.push(name);
      this.ended(false, name);
      console.log(
        `  ✗ ${name}\n    ${String(error?.stack ?? error)
          .split('\n')
          .slice(0, 12)
          .join('\n    ')}`,
      );
      throw new Abandoned();
    }
  }

  /** Runs checks that build on each other; anything else that goes wrong on the way is a failed check too. */
  async session(name, action) {
    try {
      await action();
    } catch (error) {
      if (error instanceof Abandoned) return;
      await this.check(`${name} runs to its end`, () => Promise.reject(error)).catch(() => undefined);
    }
  }

  figure(name, value) {
    console.log(`    ${name}: ${value}`);
  }
}

class Abandoned extends Error {}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Waits until `probe` gives something true, and returns it. The limit is that of a quiet machine. */
export async function until(what, probe, milliseconds = 60_000, step = 100) {
  const limit = patience(milliseconds);
  const end = Date.now() + limit;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${Math.round(limit / 1000)} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}
