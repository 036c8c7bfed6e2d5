import { describe, expect, it } from 'vitest';
import { requireOneProgram } from '../../../../src/measurement/config/oneProgram';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';

const check =
  (launcher: object, words: readonly string[] = []) =>
  () => {
    const target = {
      name: 'pair',
      build: { command: 'make CC=${cc}' },
      executable: './a',
      run: { launcher, arguments: words },
    };
    const { config } = parseConfig(JSON.stringify({ version: 1, targets: [target] }), '/w/kymo.json');
    config.targets.forEach(requireOneProgram);
  };

describe('a launcher that starts different programs', () => {
  it.each([
    ['mpirun -n 1 a : -n 3 b', { kind: 'mpirun', ranks: 1 }, [':', '-n', '3', './b']],
    ['before the program', { kind: 'mpirun', ranks: 1, arguments: ['./b', ':'] }, []],
    ['a file of Open MPI', { kind: 'mpirun', ranks: 4, arguments: ['--app', 'programs'] }, []],
    ['a file of Hydra', { kind: 'mpirun', ranks: 4, arguments: ['-configfile', 'programs'] }, []],
    ['a file of Slurm', { kind: 'slurm', ranks: 4, arguments: ['--multi-prog'] }, []],
    ['steps of Slurm', { kind: 'slurm', ranks: 1 }, [':', '-n3', './b']],
    ['a template', { kind: 'template', ranks: 1, command: ['mpirun', '${program}', ':', './b'] }, []],
  ])('is refused with the reason: %s', (_, launcher, words) =>
    expect(check(launcher, words)).toThrow(
      expect.objectContaining({
        reason: 'several-programs',
        message: expect.stringContaining('one executable') as string,
      }),
    ),
  );
  it.each([
    [{ kind: 'local' }, [':']],
    [{ kind: 'mpirun', ranks: 2, arguments: ['--map-by', ':OVERSUBSCRIBE'] }, ['a:b', '--app']],
    [{ kind: 'template', ranks: 2, command: ['bsub', '-app', 'x', '${program}'] }, [':']],
  ])('is not %o', (launcher, words) => expect(check(launcher, words)).not.toThrow());
});
