import { describe, expect, it } from 'vitest';
import { targetCommands } from '../../../../src/engine/requests/targetCommands';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import { file, withTarget } from '../../measurement/config/configText';

const linesOf = (change: object): readonly string[] => {
  const [target] = parseConfig(withTarget(change), file).config.targets;
  return target === undefined ? [] : targetCommands(target).map(({ purpose, line }) => `${purpose}: ${line}`);
};

describe('the commands that a user is asked about', () => {
  it('are all that the target makes Kymo start, in the order in which it does', () => {
    expect(
      linesOf({
        build: { command: 'make CC=${cc}', clean: 'make clean', configure: './configure CC=${cc}' },
        executable: './my prog',
        run: { arguments: ["it's", '${n}'], input: 'in 1', environment: { LD_PRELOAD: './x.so' } },
        parameters: { n: [1, 'a;b'] },
      }),
    ).toEqual([
      'clean: make clean',
      'configure: ./configure CC=${cc}',
      'build: make CC=${cc}',
      "run: LD_PRELOAD=./x.so './my prog' 'it'\\''s' ${n} < 'in 1'",
      "with: ${n} = 1, 'a;b'",
    ]);
  });

  it('name the templates of files that a run reads', () => {
    const run = { files: { 'run.in': 'my template' }, arguments: ['${file:run.in}'], cwd: '${files}' };
    expect(linesOf({ run }).slice(1)).toEqual([
      'run: ./nbody ${file:run.in}  (in ${files})',
      "with: ${file:run.in} = 'my template' with the values of its parameters",
    ]);
  });

  it('name the folders that they run in, unless it is the workspace', () => {
    const build = { command: 'make CC=${cc}', cwd: '../other' };
    expect(linesOf({ build, run: { cwd: '/tmp/x' } })).toEqual([
      'build: make CC=${cc}  (in ../other)',
      'run: ./nbody  (in /tmp/x)',
    ]);
    expect(linesOf({ build: { ...build, cwd: './' } })[0]).toBe('build: make CC=${cc}');
  });

  it('name the launcher with its arguments', () => {
    const run = { launcher: { kind: 'mpirun', ranks: [2, 4], arguments: ['--hostfile', 'h'] } };
    expect(linesOf({ run }).at(-1)).toBe('run: mpirun -n 2|4 --hostfile h ./nbody');
    const command = ['bsub', '-I', '-n', '${ranks}', 'mpirun', '${program}'];
    const template = { launcher: { kind: 'template', ranks: 4, command }, arguments: ['a b'] };
    expect(linesOf({ run: template }).at(-1)).toBe("run: bsub -I -n 4 mpirun ./nbody 'a b'");
  });

  it('tell the flags and variables of Score-P, where that measures', () => {
    const scorep = { flags: ['--user'], environment: { SCOREP_METRIC_PAPI: 'PAPI_TOT_INS' } };
    expect(linesOf({ backend: 'scorep', scorep })).toContain(
      'instrument: SCOREP_METRIC_PAPI=PAPI_TOT_INS scorep --user',
    );
    expect(linesOf({ scorep }).join()).not.toContain('--user');
  });
});
