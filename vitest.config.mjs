import { readFileSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { patience } from './scripts/lib/machine.mjs';

/** `npm test` measures how busy the machine is: a busy one makes tests slower, not wrong. */
const minutes = (count) => patience(count * 60_000);
const limits = (count) => ({ testTimeout: minutes(count), hookTimeout: minutes(count) });

/**
 * Workflow tests that judge measured times. They do so with shares and ratios that a busy machine hardly moves, but run one after the other,
 * with nothing beside them.
 */
const judgeTimes = ['degrading', 'offCost', 'refineHeat', 'sampledVisits', 'together'].map(
  (name) => `test/workflows/${name}.test.ts`,
);

/** Unit tests that replace modules, VS Code's among them: what they load must not be there for other tests, nor what others loaded for them. */
const replaceModules = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/unit/${name}`)
  .filter((file) => /\bvi\.(?:do)?mock\(/i.test(readFileSync(file, 'utf8')));

// Layers (CONTRIBUTING.md): `unit` needs nothing but Node; `webview` a Chromium; the others start compilers and programs.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: replaceModules,
          setupFiles: ['test/seed.ts'],
          // What is tested is loaded once per process, not once per file: half of the processor time.
          isolate: false,
          ...limits(3),
        },
      },
      {
        test: {
          name: 'unit-replaced',
          include: replaceModules,
          setupFiles: ['test/seed.ts'],
          ...limits(3),
        },
      },
      {
        test: {
          name: 'webview',
          include: ['test/webview/**/*.test.ts'],
          ...limits(2),
          expect: { poll: { timeout: patience(15_000) } },
        },
      },
      {
        test: {
          name: 'runtime',
          include: ['test/runtime/**/*.test.ts'],
          setupFiles: ['test/seed.ts'],
          globalSetup: ['test/runtime/sharedRuntimes.ts'],
          ...limits(5),
        },
      },
      {
        test: {
          name: 'workflows',
          include: ['test/workflows/**/*.test.ts'],
          exclude: judgeTimes,
          ...limits(10),
        },
      },
      {
        test: {
          name: 'workflows-alone',
          include: judgeTimes,
          ...limits(10),
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'real-programs',
          include: ['test/real-programs/**/*.test.ts'],
          ...limits(30),
        },
      },
    ],
  },
});
