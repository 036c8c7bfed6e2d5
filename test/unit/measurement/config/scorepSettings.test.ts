import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import { file, withTarget } from './configText';

const scorepOf = (scorep: unknown) => {
  const { config, warnings } = parseConfig(withTarget({ backend: 'scorep', scorep }), file);
  return { scorep: config.targets[0]?.scorep, warnings };
};

describe('the settings of Score-P', () => {
  it('are read as written', () => {
    const written = {
      instrumenter: '/opt/scorep/bin/scorep',
      flags: ['--user', '--mpp=mpi'],
      filtering: 'run-time',
      environment: { SCOREP_METRIC_PAPI: 'PAPI_TOT_INS' },
    };
    expect(scorepOf(written)).toEqual({ scorep: written, warnings: [] });
  });

  it('have defaults for what is left out', () => {
    expect(scorepOf({ flags: ['--user'] }).scorep).toEqual({
      instrumenter: 'scorep',
      flags: ['--user'],
      filtering: 'hybrid',
      environment: {},
    });
  });

  it.each([
    [{ filtering: 'runtime' }, /"filtering" must be "hybrid" or "compile-time" or "run-time".*run-time/],
    [{ flags: '--user' }, /"flags" must be a list of strings/],
    [{ environment: { 'A=B': '1' } }, /cannot be the name of an environment variable/],
    [{ environment: { A: 1 } }, /must be a string/],
    [{ instrumenter: ' ' }, /must not be empty/],
  ])('%j is refused at its place', (scorep, message) => {
    expect(() => scorepOf(scorep)).toThrow(message);
  });

  it('warn of a key that means nothing, with the nearest that does', () => {
    expect(
      scorepOf({ filter: 'hybrid' })
        .warnings.map(({ message }) => message)
        .join(),
    ).toMatch(/filtering/);
  });

  it('a configure command alone may name the compilers', () => {
    const { warnings } = parseConfig(
      withTarget({ build: { configure: 'cmake -B b -DCMAKE_C_COMPILER=${cc}', command: 'make -C b' } }),
      file,
    );
    expect(warnings).toEqual([]);
  });
});
