import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfigSummary } from '../../../../../../src/measurement/backends/scorep/installation/configSummary';
import { instrumenterCommand } from '../../../../../../src/measurement/backends/scorep/build/instrumenterCommand';
import { instrumenterOptions } from '../../../../../../src/measurement/backends/scorep/installation/instrumenterOptions';
import type { LinkedParadigms } from '../../../../../../src/measurement/backends/scorep/build/linkedParadigms';

const recorded = path.resolve(import.meta.dirname, '../../../../../data/scorep');
const help = readFileSync(path.join(recorded, 'scorep-help.txt'), 'utf8');
const scorep = {
  path: '/opt/scorep/bin/scorep',
  version: '8.4',
  options: instrumenterOptions(help),
  features: readConfigSummary(readFileSync(path.join(recorded, 'config-summary.txt'), 'utf8')),
};
const serial: LinkedParadigms = { mpi: false, openmp: false, pthread: false, throws: false };
const command = (
  flags: readonly string[],
  linked: Partial<LinkedParadigms> = {},
  installed = scorep,
): readonly string[] => {
  const { always, atLink } = instrumenterCommand({
    scorep: installed,
    flags,
    linked: { ...serial, ...linked },
    filter: '/study/scorep.filter',
    target: 'lulesh',
  });
  return [...always, ...atLink.map((word) => `at link: ${word}`)];
};

describe('the command before the compiler', () => {
  it('is the instrumenter, the options, the filter', () => {
    expect(command(['--nomemory', '--user'])).toEqual([
      '/opt/scorep/bin/scorep',
      '--nomemory',
      '--user',
      '--instrument-filter=/study/scorep.filter',
    ]);
  });

  it('says what the program uses where scorep could not see it', () => {
    expect(command([], { mpi: true })).toContain('--mpp=mpi');
    expect(command([], { pthread: true })).toContain('--thread=pthread');
    // A compilation tells OpenMP by -fopenmp; its runtime starts the threads.
    expect(command([], { pthread: true, openmp: true }).slice(1, -2)).toEqual([]);
    expect(command([], { openmp: true })).toContain('at link: --thread=omp');
  });

  it('leaves to the user what the user says', () => {
    expect(command(['--mpp=none'], { mpi: true })).not.toContain('--mpp=mpi');
    expect(command(['--thread=none'], { pthread: true })).not.toContain('--thread=pthread');
    expect(command(['--thread=none'], { openmp: true })).not.toContain('at link: --thread=omp');
    expect(command(['--thread=omp', '--io=posix', '-v', '--verbose=2'])).toHaveLength(6);
  });

  it.each([
    ['--nomemroy', /no option of Score-P 8\.4; did you mean "--nomemory"\?/],
    ['--instrument-filter=/my', /belongs to Kymo/],
    ['--version', /answer instead of compiling/],
    ['user', /not an option/],
    ['--mpp=shmem', /it has none, mpi/],
    ['--thread=omp:ompt', /it has none, omp:opari2, pthread/],
  ])('refuses %s', (flag, message) => {
    expect(() => command([flag])).toThrow(message);
  });

  it('refuses MPI programs with a Score-P that has none', () => {
    const without = { ...scorep, options: { ...scorep.options, mpps: ['none'] } };
    expect(() => command([], { mpi: true }, without)).toThrow(/lulesh uses MPI.*built without/);
  });
});
