import { KymoError } from '../../../core/errors';
import type { Mpirun } from '../mpirun/fittingMpirun';
import { shellQuoted } from '../shellText';

/** Starts one program on each host of a job. */
export type HelperWay =
  /** A step of a running job of Slurm that shares the nodes with the program, and takes none of its processors. */
  | {
      readonly kind: 'srun';
      readonly job: string;
      readonly hosts: readonly string[];
      readonly environment?: undefined;
    }
  /** A second job of the MPI that started the program, on the same hosts. @property environment that this MPI needs */
  | {
      readonly kind: 'mpirun';
      readonly mpirun: Mpirun;
      readonly hosts: readonly string[];
      readonly environment?: Readonly<Record<string, string>>;
    };

type Words = readonly [string, ...string[]];

/** The command that starts `program` on all hosts of a way. Each process finds its number in the variables that `helperNumber` reads. */
export function helperWords(way: HelperWay, program: Words): Words {
  return way.kind === 'srun' ? stepWords(way, program) : mpirunWords(way, program);
}

function stepWords({ job, hosts }: Extract<HelperWay, { kind: 'srun' }>, program: Words): Words {
  if (!/^\d+$/.test(job)) throw wrong(`“${job}” is no number of a job of Slurm`);
  hosts.forEach(requireHost);
  // Slurm knows nodes by their short names.
  const nodes = hosts.map((host) => host.replace(/\..*/, ''));
  return [
    'srun',
    `--jobid=${job}`,
    '--overlap',
    `--nodelist=${nodes.join(',')}`,
    `--nodes=${nodes.length}`,
    `--ntasks=${nodes.length}`,
    '--ntasks-per-node=1',
    '--cpus-per-task=1',
    '--mem=0',
    // It is no program of MPI, and the job's own choice would make it wait for one.
    '--mpi=none',
    '--cpu-bind=none',
    '--input=none',
    '--quiet',
    // One agent that ends does not end the others.
    '--kill-on-bad-exit=0',
    ...program,
  ];
}

function mpirunWords({ mpirun, hosts }: Extract<HelperWay, { kind: 'mpirun' }>, program: Words): Words {
  hosts.forEach(requireHost);
  const count = String(hosts.length);
  return mpirun.implementation.family === 'hydra'
    ? [mpirun.path, '-hosts', hosts.join(','), '-ppn', '1', '-n', count, ...program]
    : [
        mpirun.path,
        '--host',
        hosts.join(','),
        '--map-by',
        'ppr:1:node',
        '--bind-to',
        'none',
        '-np',
        count,
        ...program,
      ];
}

/**
 * The command that starts `program` on one host. `ssh` gives it to a shell of the user there, so each word is quoted; it asks nothing.
 * @throws KymoError `usage` for what is no name of a host
 */
export function sshWords(host: string, program: Words): Words {
  requireHost(host);
  return ['ssh', '-T', '-o', 'BatchMode=yes', '--', host, program.map(shellQuoted).join(' ')];
}

/** Number of this process among those that one command has started; undefined: nothing says so. */
export function helperNumber(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  for (const name of ['PMIX_RANK', 'OMPI_COMM_WORLD_RANK', 'PMI_RANK', 'SLURM_PROCID']) {
    const value = environment[name];
    if (value !== undefined && /^\d{1,9}$/.test(value)) return Number(value);
  }
  return undefined;
}

/** What stands in a command could otherwise be an option, or a list of hosts. */
function requireHost(host: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/.test(host))
    throw wrong(`“${host.slice(0, 60)}” is no name of a host`);
}

function wrong(what: string): KymoError {
  return new KymoError('usage', `Agents cannot be started: ${what}.`);
}
