// Counts checks. A check that was planned and did not run has failed: ending early must not look like success.
export class Report {
  passed = 0;
  failed = 0;
  /** The names of the checks that failed. @type {string[]} */
  failures = [];

  /** Runs one check. One that fails ends its session (`session`): what follows builds on it and would only wait in vain. */
  async check(name, action) {
    const started = performance.now();
    try {
      await action();
      this.passed += 1;
      console.log(`  ✓ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
      this.failed += 1;
      this.failures.push(name);
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

/** Waits until `probe` gives something true; names what was waited for when it does not come. */
export async function until(what, probe, milliseconds = 60_000, step = 100) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${milliseconds / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}
