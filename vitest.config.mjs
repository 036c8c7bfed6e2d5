import { defineConfig } from 'vitest/config';

// Layers (CONTRIBUTING.md): `unit` needs nothing but Node; `webview` a Chromium; `runtime`, `workflows` and `real-programs` start compilers and programs.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/seed.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'webview',
          include: ['test/webview/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A busy machine makes a view slower, not wrong.
          expect: { poll: { timeout: 15_000 } },
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'runtime',
          include: ['test/runtime/**/*.test.ts'],
          setupFiles: ['test/seed.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'workflows',
          include: ['test/workflows/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'real-programs',
          include: ['test/real-programs/**/*.test.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
