import type { CommandAction } from '../../../src/cli/execution/context';
import { KymoError } from '../../../src/core/errors';
import { runMain } from '../../../src/cli/runMain';
import type { RegisterCommand } from '../../../src/cli/execution/context';

/** Commands that end in every way a command can, behind the real start of the program. */
const ends: Readonly<Record<string, CommandAction>> = {
  done: ({ json, workspace, target }) =>
    Promise.resolve({ result: { json, workspace, target }, text: 'done' }),
  exceeded: () => Promise.resolve({ result: { limit: 5 }, text: 'too much', limitExceeded: true }),
  pointsFailed: () => Promise.resolve({ result: { limit: 5 }, text: 'too much', status: 4 }),
  failed: () => Promise.reject(new KymoError('build-failed', 'It failed.', { file: 'a.c', line: 3 })),
  misconfigured: () =>
    Promise.reject(new KymoError('config-invalid', 'Wrong.', { file: 'k', line: 1, column: 2 })),
  broken: () => Promise.reject(new TypeError('a bug')),
  nothing: () => Promise.resolve({ result: undefined, text: '' }),
  much: () => Promise.resolve({ result: 'x'.repeat(5e6), text: `first\n${'x\n'.repeat(2e6)}` }),
  waits: ({ signal, progress }) =>
    new Promise((_, reject) => {
      progress.report({ message: 'waiting', fraction: 0.5, remainingSeconds: 2 });
      const timer = setTimeout(() => undefined, 60_000);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('ended'));
      });
    }),
  deaf: ({ progress }) =>
    new Promise(() => {
      progress.log('waiting');
      setTimeout(() => undefined, 60_000);
    }),
};
const registered = Object.entries(ends).map(([name, action]): RegisterCommand => (program, run) => {
  program
    .command(name)
    .option('--number <n>')
    .action(() => run(action));
});
void runMain(process.argv.slice(2), registered);
