import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { readResults, type Result } from '../result';
import type { Build, Environment, Workbench } from '../harness';
import { everything, readSites, writeSelection, type Chosen } from '../selection';
import { runtimeFolder } from '../build';
import { Watcher } from './client';

export const include = `-I${path.join(runtimeFolder, 'include')}`;
export const token = 'a secret of this test';

/** Names of the functions with sleds in `watched.c`. */
export const names: ReadonlyMap<number, string> = new Map([
  [1, 'leaf'],
  [2, 'inner'],
  [3, 'recursive'],
  [4, 'outer'],
  [5, 'step'],
  [6, 'pausing'],
  ...Array.from({ length: 40 }, (_, i) => [100 + i, `part${100 + i}`] as const),
]);

export interface Ending {
  readonly status: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly errors: string;
}

/** A measured program that is under way, and that a test may watch. */
export interface WatchedRun {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly slots: readonly string[];
  readonly ended: Promise<Ending>;
  readonly watch: () => Promise<Watcher>;
  readonly results: () => readonly Result[];
}

export interface WatchedOptions {
  readonly phases?: readonly string[];
  readonly idle?: readonly string[];
  readonly intervals?: ReadonlyMap<string, number>;
  /** Names of the chosen regions; absent: all. */
  readonly only?: readonly string[];
  readonly objects?: readonly Chosen[];
  readonly environment?: Environment;
  readonly folder?: string;
  /** What is started in place of the program, and starts it. */
  readonly program?: string;
}

/** Starts a program with everything in its selection. */
export function startWatched(
  bench: Workbench,
  file: string,
  kind: Build['kind'],
  words: readonly string[],
  options: WatchedOptions = {},
): WatchedRun {
  const folder = options.folder ?? bench.path('watched');
  mkdirSync(folder, { recursive: true });
  const selection = bench.path('selection');
  const all = everything(readSites(file), kind, names);
  const wanted = new Set(options.only ?? all.regions.keys());
  const chosen = {
    sites: all.sites,
    regions: new Map([...all.regions].filter(([name]) => wanted.has(name))),
  };
  const slots = writeSelection(
    selection,
    [chosen, ...(options.objects ?? [])],
    options.intervals,
    options.phases,
    options.idle,
  );
  const child = spawn(options.program ?? file, words, {
    cwd: bench.folder,
    env: {
      ...process.env,
      KYMO_SELECTION: selection,
      KYMO_RESULTS: folder,
      KYMO_CONTROL: folder,
      KYMO_CONTROL_TOKEN: token,
      ...options.environment,
    },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const ended = new Promise<Ending>((resolve) =>
    child.on('close', (status, signal) => resolve({ status, signal, output, errors })),
  );
  return {
    child,
    folder,
    slots,
    ended,
    watch: () => Watcher.open(folder, token, child.pid),
    results: () => readResults(folder),
  };
}
