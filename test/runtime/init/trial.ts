/** Shared by the tests of init: makes a workspace for each test, and builds and runs the targets that init proposes. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  existsSync,
  readdirSync,
  readFileSync,
  lstatSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Config, Target } from '../../../src/measurement/config/config';
import { configurations } from '../../../src/measurement/config/configurations';
import { loadConfig } from '../../../src/measurement/config/loadConfig';
import { substitute } from '../../../src/measurement/config/substitute';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { launchRun } from '../../../src/measurement/launch/runs/launchRun';
import { initWorkspace } from '../../../src/workflows/init';

/** Absolute paths of a target; all are written relative to the workspace. */
function targetPaths(
  { workspace }: Config,
  { build, executable }: Target,
): { readonly buildFolder: string; readonly executable: string } {
  return {
    buildFolder: path.resolve(workspace, build.cwd),
    executable: path.resolve(workspace, executable),
  };
}

const compilers = {
  cc: (await findProgram('gcc')) ?? '',
  cxx: (await findProgram('g++')) ?? '',
  fc: (await findProgram('gfortran')) ?? '',
};
export const complete =
  Object.values(compilers).every((compiler) => compiler !== '') && (await findProgram('make')) !== undefined;
export const has = async (...programs: string[]): Promise<boolean> =>
  complete &&
  (await Promise.all(programs.map((name) => findProgram(name)))).every((found) => found !== undefined);

export const examples = readdirSync(path.resolve('examples')).filter((name) =>
  existsSync(path.resolve('examples', name, 'kymo.json')),
);

export let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo init '));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

export function files(contents: Record<string, string>): void {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), text);
  }
}

/** Writes the configuration, then builds and runs every target, with a trace of the compilers that were called. */
export async function initBuildRun(
  pira?: string,
): Promise<{ targets: readonly Target[]; output: string; notes: readonly string[]; called: string }> {
  const { notes } = await initWorkspace({ workspace, ...(pira === undefined ? {} : { pira }) });
  const { config, warnings } = await loadConfig(workspace);
  expect(warnings).toEqual([]);
  const trace = path.join(workspace, '.called');
  const wrappers = Object.fromEntries(
    Object.entries(compilers).map(([name, compiler]) => {
      const file = path.join(workspace, `.${name}`);
      writeFileSync(file, `#!/bin/sh\necho ${name} >> '${trace}'\nexec ${compiler} "$@"\n`, { mode: 0o755 });
      // The path of a temporary folder has a blank, which no build system accepts in CC.
      const link = path.join(tmpdir(), `kymo-${path.basename(workspace).replace(/\W/g, '')}-${name}`);
      rmSync(link, { force: true });
      writeFileSync(link, `#!/bin/sh\nexec '${file}' "$@"\n`, { mode: 0o755 });
      return [name, link];
    }),
  );
  let output = '';
  try {
    for (const target of config.targets) {
      const { buildFolder, executable } = targetPaths(config, target);
      execFileSync('/bin/sh', ['-c', substitute(target.build.command, wrappers)], {
        cwd: buildFolder,
        stdio: 'pipe',
      });
      const [point] = configurations(target);
      await launchRun({
        target,
        workspace,
        executable,
        ...point!,
        environment: {},
        outputFile: path.join(workspace, 'out.txt'),
        signal: new AbortController().signal,
      });
      output += readFileSync(path.join(workspace, 'out.txt'), 'utf8');
    }
    for (const target of config.targets) {
      if (target.build.clean !== undefined)
        execFileSync('/bin/sh', ['-c', target.build.clean], { cwd: targetPaths(config, target).buildFolder });
      expect(existsSync(targetPaths(config, target).executable)).toBe(false);
    }
  } finally {
    Object.values(wrappers).forEach((file) => rmSync(file, { force: true }));
  }
  const called = existsSync(trace)
    ? [...new Set(readFileSync(trace, 'utf8').trim().split('\n'))].sort().join(' ')
    : '';
  return { targets: config.targets, output, notes, called };
}

/** Names, sizes, modes and times of everything in a folder. */
export function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mode, mtimeMs } = lstatSync(path.join(folder, name));
      return [name, size, mode, mtimeMs].join(' ');
    })
    .sort();
}

export const c = (text: string): string =>
  `#include <stdio.h>\nint main(int n, char **a) { (void)n; (void)a; puts("${text}"); return 0; }\n`;
