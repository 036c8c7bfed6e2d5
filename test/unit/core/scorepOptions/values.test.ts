import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScorepTargetSettings, TextFormat } from '../../../../src/core/scorepOptions/option';
import { valueProblem } from '../../../../src/core/scorepOptions/checkValue';
import {
  environmentOf,
  flagsOf,
  readSettings,
  sameSettings,
  writeSettings,
} from '../../../../src/core/scorepOptions/values';
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

  it('are written in the order of the options, those that no option knows last', () => {
    const given = {
      flags: ['--cuda', '--nomemory', '--user', '--mpp=mpi'],
      filtering: 'run-time',
      environment: { A: '', SCOREP_VERBOSE: 'loud', SCOREP_METRIC_RUSAGE: '', SCOREP_TOTAL_MEMORY: '32M' },
    };
    const written = writeSettings(options, readSettings(options, given));
    expect(written).toEqual({
      flags: ['--user', '--mpp=mpi', '--nomemory', '--cuda'],
      filtering: 'run-time',
      environment: { SCOREP_TOTAL_MEMORY: '32M', SCOREP_VERBOSE: 'loud', A: '', SCOREP_METRIC_RUSAGE: '' },
    });
    const place = ({ id }: { readonly id: string }): number => options.findIndex((one) => one.id === id);
    const names = Object.keys(written.environment)
      .slice(0, 2)
      .map((id) => place({ id }));
    expect(names).toEqual([...names].sort((a, b) => a - b));
    // A flag with a prefix has its value after it.
    expect(flagsOf(options, { instrumentFilter: '/a b', user: '--user', SCOREP_VERBOSE: 'true' })).toEqual([
      '--user',
      '--instrument-filter=/a b',
    ]);
    expect(environmentOf(options, { instrumentFilter: '/a b', SCOREP_VERBOSE: 'true' })).toEqual({
      SCOREP_VERBOSE: 'true',
    });
  });

  it('are the same in any order of variables, and in one order of flags only', () => {
    const settings = { flags: ['a', 'b'], filtering: 'hybrid', environment: { x: '1', y: '2', z: '3' } };
    for (const environment of [
      { z: '3', y: '2', x: '1' },
      { y: '2', z: '3', x: '1' },
    ])
      expect(sameSettings(settings, { ...settings, environment })).toBe(true);
    for (const other of [
      { ...settings, flags: ['b', 'a'] },
      { ...settings, filtering: 'run-time' },
      { ...settings, environment: { x: '1', y: '2' } },
      { ...settings, environment: { x: '1', y: '2', z: '4' } },
    ])
      expect(sameSettings(settings, other)).toBe(false);
  });

  it('of a catalogue without a filter have the usual filtering', () => {
    const few = options.filter(({ place }) => place.kind !== 'filtering');
    const read = readSettings(few, { ...nothing, filtering: 'run-time' });
    expect(read.values).toEqual({});
    expect(writeSettings(few, read).filtering).toBe('hybrid');
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

describe('the format of a value', () => {
  const place = { kind: 'variable', name: 'X' } as const;
  const of = (format: TextFormat, value: string): string | undefined =>
    valueProblem(
      { ...option('SCOREP_METRIC_PERF'), place, input: { kind: 'text', placeholder: '', format } },
      value,
    );
  const below: TextFormat = { kind: 'size', below: 2 ** 31 };
  const wholes: TextFormat = { kind: 'count', least: 3, most: 500 };
  const few: TextFormat = { kind: 'count', least: 1, most: 9 };
  const known: TextFormat = { kind: 'names', known: ['all', 'time'] };
  const anyNames: TextFormat = { kind: 'names' };
  const tooMuch = 'Less than 2 GB: Score-P takes no more per process.';
  const noSize = 'Bytes, with k, M or G for more: such as 200M.';

  it.each<[TextFormat, string, string | undefined]>([
    [below, '', undefined],
    [below, '2147483647', undefined],
    [below, '2147483648', tooMuch],
    [below, '2097151k', undefined],
    [below, '2097152K', tooMuch],
    [below, '2047MB', undefined],
    [below, '2048mb', tooMuch],
    [below, '1g', undefined],
    [below, '2GB', tooMuch],
    [below, '12b', undefined],
    [below, '0', 'More than nothing.'],
    [below, '1t', noSize],
    [below, ' 1k', noSize],
    [below, '1234567890123', noSize],
    [wholes, '3', undefined],
    [wholes, '500', undefined],
    [wholes, '2', 'A whole number from 3 to 500, such as 200.'],
    [wholes, '501', 'A whole number from 3 to 500, such as 200.'],
    [wholes, '4.5', 'A whole number from 3 to 500, such as 200.'],
    [few, '10', 'A whole number from 1 to 9, such as 9.'],
    [known, 'Time, ALL', undefined],
    [known, ' time ,all', undefined],
    [known, 'time, cpu', '“cpu” is none of all, time.'],
    [known, 'time, ', 'Names with one comma between, such as a,b.'],
    [anyNames, 'x y, z', undefined],
    [{ kind: 'file', absolute: true }, 'a/b', 'An absolute path: builds change folders.'],
    [{ kind: 'file', absolute: true }, '/a', undefined],
    [{ kind: 'file', absolute: false }, 'a/b', undefined],
    [anyNames, 'x'.repeat(1000), undefined],
    [anyNames, 'x'.repeat(1001), 'At most 1000 characters.'],
    [anyNames, 'a\tb', 'Control characters cannot be used.'],
  ])('%j: “%s”', (format, value, problem) => {
    expect(of(format, value)).toBe(problem);
  });

  it('of a choice is for Score-P to judge, but for control characters and length', () => {
    const choice = {
      ...option('SCOREP_METRIC_PERF'),
      input: { kind: 'choice', choices: [{ value: '', label: '' }] },
    } as const;
    expect(valueProblem(choice, 'a,,b')).toBeUndefined();
    expect(valueProblem(choice, 'a\u0007')).toBe('Control characters cannot be used.');
  });
});
