import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { kymoTarget } from './programs.mjs';

/** `kymo refine --json`, as a user runs it, on a tree of its own, or one of an earlier refinement, whose build is taken. */
export function refine(program, tool, extra = [], tree = program.tree('refined')) {
  const config = { version: 1, targets: [kymoTarget(program)] };
  writeFileSync(path.join(tree, 'kymo.json'), JSON.stringify(config, undefined, 2));
  const words = ['refine', '--json', '--fresh', '--workspace', tree, ...extra];
  const run = spawnSync(process.execPath, [path.join(tool, 'cli.js'), ...words], {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  });
  if (run.status !== 0)
    throw new Error(
      `refining ${program.name} ended with ${run.status ?? run.signal}: ${run.stdout.slice(0, 2000)}\n${run.stderr.slice(-2000)}`,
    );
  return { tree, result: JSON.parse(run.stdout) };
}
