// Workspaces for the tests: copies of the fixture under a path with a space and a non-ASCII letter.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
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
import { patience } from './patience.mjs';

const fixture = path.resolve(import.meta.dirname, '../fixtures/tiny');
export const manyFunctions = 500;

/** The same path for all workspaces of a run, which come one after the other: builds and studies name the folder that they belong to. */
let root;
process.once('exit', () => root !== undefined && rmSync(root, { recursive: true, force: true }));

/** Gives `work` the folder of a fresh copy and removes it afterwards. */
export async function withWorkspace(work) {
  const folder = workspaceFolder();
  try {
    mkdirSync(path.dirname(folder), { recursive: true });
    cpSync(fixture, folder, { recursive: true });
    writeFileSync(path.join(folder, 'many.cpp'), manySource());
    await work(folder);
  } finally {
    rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/**
 * As `withWorkspace`, after a refinement of `tiny`: for scenarios about its results. The first one that asks for it has the packaged
 * command line refine; the others get a copy.
 * @param extension folder of the installed extension
 */
export async function withRefinedWorkspace({ extension }, work) {
  const finished = path.join(path.dirname(path.dirname(workspaceFolder())), 'finished');
  if (!existsSync(finished))
    await withWorkspace((folder) => {
      const words = ['refine', '--target', 'tiny', '--workspace', folder];
      const run = spawnSync(process.execPath, [path.join(extension, 'dist/cli.js'), ...words], {
        encoding: 'utf8',
        timeout: patience(300_000),
        killSignal: 'SIGKILL',
      });
      if (run.status !== 0) throw new Error(`kymo refine ended with ${run.status}: ${run.stderr}`);
      copyTree(folder, finished);
    });
  await withWorkspace((folder) => {
    copyTree(finished, folder);
    return work(folder);
  });
}

/** With the times of the files: what is up to date stays so. */
function copyTree(from, to) {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

function workspaceFolder() {
  root ??= mkdtempSync(path.join(realpathSync(tmpdir()), 'kymo-workspace-'));
  return path.join(root, 'größe und zahl', 'tiny');
}

/** A file with 500 functions, to see what lenses cost. They are not inlined and divide nothing: it is compiled in a second, not in five. */
function manySource() {
  const functions = Array.from(
    { length: manyFunctions - 1 },
    (_, at) =>
      `__attribute__((noinline)) double part${at}(int step) {\n  double sum = 0;\n  for (int i = 0; i < 3; ++i) {\n    sum += (step + i) & ${at + 2};\n  }\n  return sum;\n}\n`,
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
