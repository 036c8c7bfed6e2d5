import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import type { RefineResult } from '../src/workflows/studies/refine.types';
import { kymo, refineProgram } from './refineProgram';

/** Fewer steps, of which each is like the others; the threads of the stencil meet a quarter as often. */
const shorter: Readonly<Record<string, readonly string[]>> = {
  nbody: ['--bodies', '${bodies}', '--steps', '50', '--follow', '1700'],
  stencil: ['${cells}', '1000', 'corner'],
  channel: ['400', '${columns}', '300'],
};
const examples = path.resolve(import.meta.dirname, '../examples');

export const hasMpi = ['mpicc', 'mpifort', 'mpirun'].every(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0,
);

interface ExampleRun {
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Refines a bundled example in a copy below the folder, with one repetition. */
export function refineExample(
  directory: string,
  name: string,
  options: Parameters<typeof refineProgram>[2] = {},
): { readonly workspace: string; readonly result: RefineResult } {
  const workspace = path.join(directory, name);
  cpSync(path.join(examples, name), workspace, {
    recursive: true,
    filter: (file) => !file.includes('.kymo'),
  });
  const config = parse(readFileSync(path.join(workspace, 'kymo.json'), 'utf8')) as {
    targets: [Record<string, unknown> & { readonly run: ExampleRun }];
  };
  const [example] = config.targets;
  // On a busy machine, threads that wait for each other by computing take tens of times as long.
  const environment = { ...example.run.environment, OMP_WAIT_POLICY: 'passive' };
  const run = { ...example.run, arguments: shorter[name] ?? example.run.arguments, environment };
  const target = { ...example, run: { ...run, timeoutSeconds: 1200 }, repetitions: 1 };
  return { workspace, result: refineProgram(workspace, target, options) };
}

/** What `kymo efficiency` says of a function with its callees, in the run that the shares are of. */
export function efficiencyOf(
  { directory }: RefineResult,
  name: string,
): { readonly loadBalance: number; readonly slowestRanks?: string } | undefined {
  const { functions } = kymo(['efficiency', directory]) as {
    functions: { name: string; loadBalance: number; slowestRanks?: string }[];
  };
  return functions.find((own) => own.name === name);
}
