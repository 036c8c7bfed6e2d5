import { describe, expect, it } from 'vitest';
import {
  helperNumber,
  helperWords,
  sshWords,
} from '../../../../../src/measurement/launch/helpers/helperWords';

const program = ['/opt/node v20/bin/node', '/opt/kymo/cli.js', "it's"] as const;

describe('the command that starts agents', () => {
  it('is a step of the Slurm job on these nodes, which takes none of the program’s processors', () => {
    const words = helperWords({ kind: 'srun', job: '4711', hosts: ['n1.site.org', 'n2'] }, program);
    expect(words[0]).toBe('srun');
    expect(words).toEqual(
      expect.arrayContaining(['--jobid=4711', '--overlap', '--nodelist=n1,n2', '--ntasks=2', '--mpi=none']),
    );
    expect(words.slice(-3)).toEqual([...program]);
  });

  it('is one of the same MPI, with one process on each host', () => {
    const of = (family: 'hydra' | 'open-mpi'): readonly string[] => {
      const implementation = { family, major: 4 } as never;
      return helperWords(
        { kind: 'mpirun', mpirun: { path: '/mpi/run', implementation }, hosts: ['a', 'b'] },
        program,
      );
    };
    expect(of('hydra').join(' ')).toMatch(/^\/mpi\/run -hosts a,b -ppn 1 -n 2 \/opt/);
    expect(of('open-mpi').join(' ')).toMatch(/^\/mpi\/run --host a,b --map-by ppr:1:node .*-np 2 \/opt/);
  });

  it('is given to the shell of another host with each word quoted, and asks for no password', () => {
    expect(sshWords('n1', program)).toEqual([
      ...['ssh', '-T', '-o', 'BatchMode=yes', '--', 'n1'],
      expect.stringContaining(String.raw`'it'\''s'`),
    ]);
  });

  it.each(['-oProxyCommand=evil', 'a,b', 'a b', 'user@host', '', '.', `a${'b'.repeat(300)}`])(
    'is refused for “%s”, which is no name of a host',
    (host) => {
      expect(() => sshWords(host, program)).toThrow(/is no name of a host/);
      expect(() => helperWords({ kind: 'srun', job: '1', hosts: ['n1', host] }, program)).toThrow(/no name/);
    },
  );

  it('is refused for a job that is no number', () => {
    expect(() => helperWords({ kind: 'srun', job: '1 --uid=0', hosts: ['n1'] }, program)).toThrow(
      /no number/,
    );
  });

  it('tells each agent which one it is', () => {
    expect(helperNumber({ PMI_RANK: '3' })).toBe(3);
    expect(helperNumber({ SLURM_PROCID: '2', OMPI_COMM_WORLD_RANK: '1' })).toBe(1);
    expect(helperNumber({ PMIX_RANK: '-1', SLURM_PROCID: '0' })).toBe(0);
    expect(helperNumber({})).toBeUndefined();
  });
});
