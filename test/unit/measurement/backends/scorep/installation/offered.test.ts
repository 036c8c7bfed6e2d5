import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lacking, lackingAll } from '../../../../../../src/core/scorepOptions/offered';
import type { OfferedScorep } from '../../../../../../src/core/scorepOptions/option';
import { scorepCatalogue } from '../../../../../../src/measurement/backends/scorep/installation/catalogue';
import { instrumenterOptions } from '../../../../../../src/measurement/backends/scorep/installation/instrumenterOptions';
import { parseConfigVariables } from '../../../../../../src/measurement/backends/scorep/installation/offered';

const recorded = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../../../../../data/scorep', name), 'utf8');

const { names, threads, mpps } = instrumenterOptions(recorded('scorep-help.txt'));
/** The one of which test/data/scorep was recorded. */
const real: OfferedScorep = {
  path: '/opt/scorep/bin/scorep',
  version: '8.4',
  flags: names,
  paradigms: [...threads, ...mpps, 'posix'],
  variables: parseConfigVariables(recorded('config-vars-full.txt')),
};

describe('what a real Score-P 8.4 offers', () => {
  it('are its variables with the values that they take', () => {
    expect(Object.keys(real.variables)).toHaveLength(
      recorded('config-vars-full.txt').match(/^SCOREP_/gm)?.length ?? 0,
    );
    expect(real.variables.SCOREP_TIMER).toEqual(['tsc', 'gettimeofday', 'clock_gettime']);
    expect(real.variables.SCOREP_PROFILING_FORMAT).toContain('cluster_threads');
    expect(real.variables.SCOREP_ENABLE_PROFILING).toEqual([]);
    expect(real.variables.SCOREP_METRIC_PAPI).toBeUndefined();
  });

  it('lacks PAPI, SHMEM and OMPT of the whole catalogue, and says so', () => {
    const missing = scorepCatalogue.options.flatMap((option) => {
      const values = option.input.kind === 'choice' ? option.input.choices.map(({ value }) => value) : [''];
      return values.flatMap((value) => lacking(option, value, real) ?? []);
    });
    expect(missing).toEqual([
      'Score-P 8.4 of this machine was built without --mpp=shmem.',
      'Score-P 8.4 of this machine was built without --thread=omp:ompt.',
      'Score-P 8.4 of this machine was built without PAPI.',
    ]);
    const all = scorepCatalogue.options.filter((option) => lackingAll(option, real) !== undefined);
    expect(all.map(({ id }) => id)).toEqual(['SCOREP_METRIC_PAPI']);
  });

  it('lacks nothing as far as is known where it does not tell', () => {
    const silent: OfferedScorep = { path: '/x', version: '', flags: names, paradigms: [], variables: {} };
    for (const option of scorepCatalogue.options) expect(lackingAll(option, silent)).toBeUndefined();
  });

  it('is read from any text', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseConfigVariables(text) === 'object'));
  });
});
