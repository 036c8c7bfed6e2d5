import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScorepTargetSettings } from '../../../../src/core/scorepOptions/option';
import { valueProblem } from '../../../../src/core/scorepOptions/checkValue';
import { readSettings, sameSettings, writeSettings } from '../../../../src/core/scorepOptions/values';
import { scorepCatalogue } from '../../../../src/measurement/backends/scorep/installation/catalogue';

const { options } = scorepCatalogue;
const nothing: ScorepTargetSettings = { flags: [], filtering: 'hybrid', environment: {} };

function option(id: string) {
  const found = options.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no option ${id}`);
  return found;
}

describe('settings of a target', () => {
  it('become values, and what no option knows is kept', () => {
    const read = readSettings(options, {
      flags: ['--user', '--nomemory', '--cuda', '--thread=omp:opari2'],
      filtering: 'compile-time',
      environment: { SCOREP_METRIC_RUSAGE: 'all', SCOREP_MACHINE_NAME: 'here', SCOREP_VERBOSE: 'yes' },
    });
    expect(read).toEqual({
      values: {
        user: '--user',
        memory: '--nomemory',
        thread: '--thread=omp:opari2',
        filtering: 'compile-time',
        SCOREP_METRIC_RUSAGE: 'all',
        SCOREP_VERBOSE: 'true',
      },
      otherFlags: ['--cuda'],
      otherEnvironment: { SCOREP_MACHINE_NAME: 'here' },
    });
  });

  it('that say the default explicitly mean it', () => {
    const settings = {
      ...nothing,
      flags: ['--compiler', '--nouser', '--memory'],
      environment: { SCOREP_ENABLE_PROFILING: 'on', SCOREP_PROFILING_FORMAT: 'cube4' },
    };
    expect(readSettings(options, settings).values).toEqual({});
  });

  it('of two flags of one option, the last one counts', () => {
    const read = readSettings(options, { ...nothing, flags: ['--user', '--nouser'] });
    expect(read.values).toEqual({});
  });

  it('are written without what Kymo sets itself', () => {
    const read = readSettings(options, {
      ...nothing,
      flags: ['--instrument-filter=/tmp/a.filter'],
      environment: { SCOREP_FILTERING_FILE: '/tmp/b', SCOREP_EXPERIMENT_DIRECTORY: 'x' },
    });
    expect(read.values.instrumentFilter).toBe('/tmp/a.filter');
    expect(writeSettings(options, read)).toEqual(nothing);
  });

  it('read and written mean the same again, whatever they are', () => {
    const choices = options.flatMap(({ input, place }) =>
      place.kind === 'flag' && input.kind === 'choice'
        ? input.choices.flatMap(({ value, aliases = [] }) => [value, ...aliases])
        : [],
    );
    const names = options.map(({ id }) => id);
    const settings = fc.record({
      flags: fc.array(fc.oneof(fc.constantFrom(...choices.filter((one) => one !== '')), fc.string())),
      filtering: fc.constantFrom('hybrid', 'compile-time', 'run-time'),
      environment: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), fc.string()),
    });
    fc.assert(
      fc.property(settings, (given) => {
        const once = writeSettings(options, readSettings(options, given));
        const twice = writeSettings(options, readSettings(options, once));
        expect(sameSettings(once, twice)).toBe(true);
      }),
    );
  });
});

describe('a value', () => {
  it.each([
    ['SCOREP_TOTAL_MEMORY', '200M'],
    ['SCOREP_TOTAL_MEMORY', '3999999999'],
    ['SCOREP_PROFILING_MAX_CALLPATH_DEPTH', '30'],
    ['SCOREP_METRIC_RUSAGE', 'ru_maxrss,ru_minflt'],
    ['SCOREP_METRIC_PERF', 'cycles, L1-dcache-misses'],
    ['instrumentFilter', '/a b/ü.filter'],
    ['SCOREP_EXPERIMENT_DIRECTORY', 'run1'],
  ])('of %s can be %s', (id, value) => {
    expect(valueProblem(option(id), value)).toBeUndefined();
  });

  it.each([
    ['SCOREP_TOTAL_MEMORY', '4G', /Less than 4 GB/],
    ['SCOREP_TOTAL_MEMORY', 'much', /such as 200M/],
    ['SCOREP_TOTAL_MEMORY', '0k', /More than nothing/],
    ['SCOREP_PROFILING_MAX_CALLPATH_DEPTH', '0', /from 1/],
    ['SCOREP_PROFILING_MAX_CALLPATH_DEPTH', '1e3', /whole number/],
    ['SCOREP_METRIC_RUSAGE', 'ru_maxrs', /“ru_maxrs” is none of/],
    ['SCOREP_METRIC_PERF', 'cycles,,instructions', /one comma/],
    ['SCOREP_MPI_ENABLE_GROUPS', 'coll,toppo', /“toppo”/],
    ['instrumentFilter', 'a.filter', /absolute/],
    ['SCOREP_METRIC_PERF', 'cycles\nrm', /Control/],
    ['SCOREP_METRIC_PERF', 'c'.repeat(1001), /At most/],
  ])('of %s cannot be %s', (id, value, why) => {
    expect(valueProblem(option(id), value)).toMatch(why);
  });
});
