// Workspaces for the tests: copies of the fixture under a path with a space and a non-ASCII letter.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const fixture = path.resolve(import.meta.dirname, '../fixtures/tiny');
export const manyFunctions = 500;

/** Gives `work` the folder of a fresh copy and removes it afterwards. */
export async function withWorkspace(work) {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), 'kymo-workspace-'));
  const folder = path.join(root, 'größe und zahl', 'tiny');
  try {
    mkdirSync(path.dirname(folder), { recursive: true });
    cpSync(fixture, folder, { recursive: true });
    writeFileSync(path.join(folder, 'many.cpp'), manySource());
    await work(folder);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** A file with 500 functions, to see what lenses cost. */
function manySource() {
  const functions = Array.from(
    { length: manyFunctions - 1 },
    (_, at) =>
      `double part${at}(int step) {\n  double sum = 0;\n  for (int i = 0; i < 3; ++i) {\n    sum += (step + i) % ${at + 2};\n  }\n  return sum;\n}\n`,
  );
  const calls = functions.map((_, at) => `  sum += part${at}(step);`).join('\n');
  return `#include "many.h"\n\n${functions.join('\n')}\ndouble many(int step) {\n  double sum = 0;\n${calls}\n  return sum * 1e-12;\n}\n`;
}

/** Command lines of processes whose arguments or working directory lie in `folder`, without VS Code's own. */
export function processesIn(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => {
      try {
        return {
          command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
          cwd: realpathSync(`/proc/${name}/cwd`),
        };
      } catch {
        return { command: '', cwd: '' };
      }
    })
    .filter(({ command, cwd }) => command !== '' && (cwd.startsWith(folder) || command.includes(folder)))
    .map(({ command }) => command)
    .filter((command) => !command.includes('/code-server/'));
}
