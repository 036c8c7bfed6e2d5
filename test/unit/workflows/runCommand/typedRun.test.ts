import { describe, expect, it } from 'vitest';
import { readRun, type TypedRun } from '../../../../src/workflows/runCommand/typedRun';

/** Asserts that the words are wrong usage, and why. */
function expectWrong(words: readonly string[], message: string, environment: NodeJS.ProcessEnv = {}): void {
  const read = (): TypedRun => readRun(words, environment);
  expect(read).toThrow(message);
  expect(read).toThrow(expect.objectContaining({ reason: 'usage' }) as Error);
}

/** The typed run of a line without quotes. */
const read = (line: string, environment: NodeJS.ProcessEnv = {}): Omit<TypedRun, 'hint'> => {
  const { program, arguments: own, launcher } = readRun(line.split(' '), environment);
  return { program, arguments: own, ...(launcher === undefined ? {} : { launcher }) };
};

describe('a typed run', () => {
  it('is a program, whose arguments stay as they are', () => {
    expect(readRun(['./a.out', '-n', '4', '--', 'two words', '', '${x}', '--json'])).toEqual({
      program: './a.out',
      arguments: ['-n', '4', '--', 'two words', '', '${x}', '--json'],
      hint: '',
    });
  });

  it.each([
    ['mpirun -n 4 ./a.out -n 8', [4], undefined],
    ['mpiexec -np 2 ./a.out -n 8', [2], undefined],
    ['/opt/mpi/bin/mpirun --np 2 ./a.out -n 8', [2], undefined],
    ['mpirun --n=3 ./a.out -n 8', [3], undefined],
    ['mpirun -n 2 -- ./a.out -n 8', [2], undefined],
    ['mpirun --bind-to core -n 2 -x A=b ./a.out -n 8', [2], ['--bind-to', 'core', '-x', 'A=b']],
    ['mpirun --mca btl self,vader -np 2 ./a.out -n 8', [2], ['--mca', 'btl', 'self,vader']],
    ['mpirun --oversubscribe -n 2 ./a.out -n 8', [2], ['--oversubscribe']],
    ['mpiexec.hydra -genv A b -n 2 ./a.out -n 8', [2], ['-genv', 'A', 'b']],
  ])('%s is started by mpirun', (line, ranks, own) => {
    expect(read(line)).toEqual({
      launcher: { kind: 'mpirun', ranks, ...(own === undefined ? {} : { arguments: own }) },
      program: './a.out',
      arguments: ['-n', '8'],
    });
  });

  it.each([
    ['srun -n 4 ./a.out', [4], undefined],
    ['srun -n4 -N2 ./a.out', [4], ['-N2']],
    ['srun -l --ntasks=8 -p short ./a.out', [8], ['-l', '-p', 'short']],
    ['srun --ntasks 8 --mpi pmix --exclusive ./a.out', [8], ['--mpi', 'pmix', '--exclusive']],
  ])('%s is started by srun', (line, ranks, own) => {
    expect(read(line)).toEqual({
      launcher: { kind: 'slurm', ranks, ...(own === undefined ? {} : { arguments: own }) },
      program: './a.out',
      arguments: [],
    });
  });

  it('has the number of tasks of the job of Slurm that it is typed in', () => {
    const job = { SLURM_NTASKS: '16' };
    expect(read('srun ./a.out', job).launcher?.ranks).toEqual([16]);
    expect(read('srun -n 2 ./a.out', job).launcher?.ranks).toEqual([2]);
    // Other numbers of nodes start other numbers of tasks.
    expectWrong(['srun', '-N', '2', './a.out'], 'number of ranks', job);
  });

  it('says which option may have taken the program for its value', () => {
    const { program, hint } = readRun(['mpirun', '-n', '2', '--new-option', 'value', './a.out']);
    expect(program).toBe('value');
    expect(hint).toContain('--new-option=value');
  });

  it.each([
    [[''], 'Which program'],
    [['-x'], 'is no program'],
    [['mpirun', '-n', '4'], 'Which program'],
    [['mpirun', './a.out'], 'number of ranks is missing'],
    [['mpirun', '-n', '0', './a.out'], '"0" is no number of ranks'],
    [['mpirun', '-n', '-1', './a.out'], 'is no number of ranks'],
    [['srun', '-n', '1e9', './a.out'], 'is no number of ranks'],
    [['./a.out', 'bad\ufffdname'], 'UTF-8'],
  ])('%j is no run', (words, message) => {
    expectWrong(words, message);
  });
});
