import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { buildRuntime, type BuiltRuntime } from './build';
import { readResults, visitsByRegion, type Result } from './result';
import { everything, readSites, writeSelection, type Chosen, type SiteKind } from './selection';
import { sharedRuntime } from './sharedRuntimes';

export const programs = path.join(import.meta.dirname, 'programs');

export interface Build {
  readonly compiler: 'gcc' | 'clang-19';
  readonly kind: SiteKind;
  readonly flags: readonly string[];
}
/** The wrappers' options for units without probes, which keep their layout. */
function nops({ compiler, kind }: Build): string {
  return compiler === 'gcc' && kind === 'entry' ? '64,58' : '5';
}

export interface Outcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly output: string;
}
export interface Measured {
  readonly outcome: Outcome;
  readonly results: readonly Result[];
  readonly slots: readonly string[];
  /** `KYMO_RESULTS` of the run. */
  readonly folder: string;
}
export type Environment = Readonly<Record<string, string>>;

/** The `= name visits` lines of the output; after a fork, those of each process. */
export function truth(output: string): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const [, name = '', count] of output.matchAll(/^= (\S+) (\d+)$/gm))
    visits[name] = (visits[name] ?? 0) + Number(count);
  return visits;
}

/** Recorded visits of the regions that the program counts itself; clones and mangled names belong to their function. */
export function recorded(
  measured: Measured,
  known: Readonly<Record<string, number>>,
): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const [name, count] of Object.entries(visitsByRegion(measured.results, measured.slots))) {
    const region = name.replace(/^__\w+_MOD_/, '').replace(/\..*/, '');
    if (region in known && count > 0) visits[region] = (visits[region] ?? 0) + count;
  }
  return visits;
}

/** Compiles, runs and measures programs in a temporary folder with the runtime. */
export class Workbench {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-runtime-'));
  private serial = 0;

  runtime(compiler: string): BuiltRuntime {
    return sharedRuntime(compiler, (folder) => buildRuntime(compiler, folder));
  }

  path(stem: string): string {
    return path.join(this.folder, `${stem}-${++this.serial}`);
  }

  compile(build: Build, source: string, more: readonly string[] = [], shared = false): string {
    const gcc = build.compiler === 'gcc';
    const driver = source.endsWith('.f90')
      ? 'gfortran'
      : source.endsWith('.cpp')
        ? gcc
          ? 'g++'
          : 'clang++-19'
        : build.compiler;
    const file = this.path('program') + (shared ? '.so' : '');
    const sites = [
      `-fpatchable-function-entry=${nops(build)}`,
      ...(gcc && !build.flags.includes('-fipa-ra') ? ['-fno-ipa-ra'] : []),
      ...(build.kind === 'entry' && !source.endsWith('.f90') ? ['-DPROBES_OFF'] : []),
      ...(shared ? ['-shared', '-fPIC'] : []),
    ];
    const runtime = this.runtime(build.compiler);
    execFileSync(driver, [
      '-g',
      '-pthread',
      '-w',
      ...(source.endsWith('.f90') ? [`-J${this.folder}`] : []),
      ...sites,
      ...build.flags,
      path.resolve(programs, source),
      ...more,
      '-o',
      file,
      ...(shared ? runtime.shared : runtime.executable),
    ]);
    return file;
  }

  run(file: string, words: readonly string[], environment: Environment = {}): Outcome {
    const done = spawnSync(file, words, {
      encoding: 'utf8',
      cwd: this.folder,
      env: { ...process.env, ...environment },
      timeout: 60_000,
      maxBuffer: 1 << 26,
    });
    return { status: done.status, signal: done.signal, output: done.stdout + done.stderr };
  }

  measure(
    file: string,
    chosen: readonly Chosen[],
    words: readonly string[],
    environment: Environment = {},
    intervals: ReadonlyMap<string, number> = new Map(),
    phases: readonly string[] = [],
  ): Measured {
    const results = this.path('results');
    mkdirSync(results);
    const selection = this.path('selection');
    const slots = writeSelection(selection, chosen, intervals, phases);
    const outcome = this.run(file, words, {
      KYMO_SELECTION: selection,
      KYMO_RESULTS: results,
      ...environment,
    });
    return { outcome, results: readResults(results), slots, folder: results };
  }

  measureAll(
    file: string,
    kind: SiteKind,
    names: ReadonlyMap<number, string>,
    words: readonly string[],
    environment: Environment = {},
  ): Measured {
    return this.measure(file, [everything(readSites(file), kind, names)], words, environment);
  }

  /** Measures everything, and times about one in `interval` visits of each function. */
  measureSampled(
    file: string,
    kind: SiteKind,
    names: ReadonlyMap<number, string>,
    words: readonly string[],
    interval: number,
    environment: Environment = {},
  ): Measured {
    const chosen = everything(readSites(file), kind, names);
    const intervals = new Map([...chosen.regions.keys()].map((region) => [region, interval]));
    return this.measure(file, [chosen], words, environment, intervals);
  }

  /** Measures everything, and expects the outcome of the unmeasured run and the visits that the program itself counted. */
  expectSame(
    file: string,
    kind: SiteKind,
    names: ReadonlyMap<number, string>,
    words: readonly string[],
    environment: Environment = {},
  ): Measured {
    return this.expectTruth(file, words, this.measureAll(file, kind, names, words, environment));
  }

  /** Does the same with samples: the outcome must not change, and every visit counts. */
  expectSameSampled(
    file: string,
    kind: SiteKind,
    names: ReadonlyMap<number, string>,
    words: readonly string[],
    interval: number,
    environment: Environment = {},
  ): Measured {
    return this.expectTruth(
      file,
      words,
      this.measureSampled(file, kind, names, words, interval, environment),
    );
  }

  private expectTruth(file: string, words: readonly string[], measured: Measured): Measured {
    const plain = this.run(file, words);
    expect(measured.outcome).toEqual(plain);
    const known = truth(plain.output);
    expect(Object.keys(known).length).toBeGreaterThan(0);
    expect(recorded(measured, known)).toEqual(known);
    return measured;
  }
}
