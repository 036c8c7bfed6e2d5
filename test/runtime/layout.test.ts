import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { layoutNeutralEntry } from '../../src/core/probes/entryNops';
import { entryOptions } from '../../src/measurement/wrappers/commandLine/entryOptions';
import { parseCommandLine } from '../../src/measurement/wrappers/commandLine/commandLine';
import { programs, Workbench } from './harness';
import { readSites } from './selection';

const bench = new Workbench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

const solver = path.resolve(import.meta.dirname, '../../examples/solver');
const fortran = ['sparse', 'conjugate', 'main'].map((name) => path.join(solver, `${name}.f90`));
const c = [path.join(programs, 'tree.c'), '-DPROBES_OFF', '-pthread', '-w'];
/** Bytes of a cache line. */
const line = 64;

function build(driver: string, words: readonly string[], measured: boolean): string {
  const identity = { family: 'gcc', version: '12', architecture: 'x86-64' } as const;
  const entries = entryOptions(identity, parseCommandLine([], false), true);
  const file = bench.path('layout');
  execFileSync(driver, [
    ...(measured ? entries : ['-g', '-fno-ipa-ra']),
    ...(driver === 'gfortran' ? [`-J${bench.folder}`] : []),
    ...words,
    ...['-o', file],
    ...(measured ? bench.runtime('gcc').executable : []),
  ]);
  return file;
}

function symbols(file: string): ReadonlyMap<string, number> {
  const rows = execFileSync('nm', [file], { encoding: 'utf8' }).matchAll(/^([0-9a-f]{16}) [tT] (\S+)$/gm);
  return new Map([...rows].map(([, address = '', name = '']) => [name, parseInt(address, 16)]));
}

describe('a program that has only patchable entries', () => {
  it.each([
    ['Fortran, -O3', 'gfortran', [...fortran, '-O3'], 0],
    ['Fortran, not position independent', 'gfortran', [...fortran, '-O2', '-no-pie'], 0],
    ['Fortran, functions not aligned', 'gfortran', [...fortran, '-Os'], 0],
    ['Fortran, static', 'gfortran', [...fortran, '-O2', '-static'], 0],
    ['C', 'gcc', [...c, '-O2'], 0],
    ['C, landing pads', 'gcc', [...c, '-O2', '-fcf-protection=full'], 4],
  ])(
    'has its code at the same positions within cache lines as a vanilla build: %s',
    (_, driver, words, landingPad) => {
      const vanilla = symbols(build(driver, words, false));
      const { entries } = readSites(build(driver, words, true));
      expect(entries.size).toBeGreaterThan(3);
      for (const [name, site] of entries) {
        const before = (vanilla.get(name) ?? 0) + landingPad;
        expect([name, (site + layoutNeutralEntry.at) % line]).toEqual([name, before % line]);
      }
    },
  );
});
