import { KymoError } from '../../../core/errors';
import { substitute } from '../../config/substitute';
import type { Launcher } from '../../config/config';
import { findProgram } from '../findProgram';
import { mpiImplementation, type MpiImplementation } from '../mpi/implementation';

/** The command that starts a run, and the variables that the launcher needs. */
export interface LaunchCommand {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

/** Names of variables of a measured run that remote ranks also need. */
const forwarded = /^(KYMO_|SCOREP_)/;

/**
 * The command line that starts `program` with the target's launcher.
 * @param ranks number of processes; the launcher `local` ignores it
 * @param runEnvironment the run's own variables: MPI launchers pass them to the ranks on other nodes
 * @throws KymoError `launcher-missing`
 */
export async function launchCommand(
  launcher: Launcher,
  program: readonly [string, ...string[]],
  ranks: number,
  runEnvironment: Readonly<Record<string, string>>,
): Promise<LaunchCommand> {
  switch (launcher.kind) {
    case 'local':
      return { argv: program, environment: {} };
    case 'mpirun': {
      const mpirun = await findLauncher('mpirun');
      const implementation = await mpiImplementation(mpirun);
      const extra = withRanks(launcher.arguments, ranks);
      const names = Object.keys(runEnvironment);
      return {
        argv: [mpirun, ...mpiOptions(implementation, ranks, extra, names), ...extra, ...program],
        environment: rootPermission(implementation),
      };
    }
    case 'slurm': {
      const srun = await findLauncher('srun');
      const extra = withRanks(launcher.arguments, ranks);
      return { argv: srunLine(srun, ranks, extra, program), environment: {} };
    }
  }
}

/** The end of one rank ends all. `--export=ALL` is srun's default, but the site's configuration may differ. */
export function srunLine(
  srun: string,
  ranks: number,
  extra: readonly string[],
  program: readonly string[],
): readonly [string, ...string[]] {
  return [
    srun,
    `--ntasks=${ranks}`,
    '--kill-on-bad-exit=1',
    '--export=ALL',
    '--input=none',
    ...extra,
    ...program,
  ];
}

/** Options that depend on the MPI implementation. */
export function mpiOptions(
  { family, major }: MpiImplementation,
  ranks: number,
  extra: readonly string[],
  variables: readonly string[],
): readonly string[] {
  const count = ['-n', String(ranks)];
  switch (family) {
    case 'open-mpi': {
      // Small machines have fewer cores than ranks; Open MPI counts cores, not hardware threads.
      const placed = extra.some((word) =>
        /oversubscribe|^-{1,2}(host|hostfile|machinefile|map-by)\b/.test(word),
      );
      const oversubscribe = placed ? [] : major >= 5 ? ['--map-by', ':OVERSUBSCRIBE'] : ['--oversubscribe'];
      const exported = variables.filter((name) => forwarded.test(name)).flatMap((name) => ['-x', name]);
      return [...count, ...oversubscribe, ...exported];
    }
    case 'hydra':
      return [...count, ...(variables.length > 0 ? ['-envall'] : [])];
    case 'unknown':
      return count;
  }
}

/** Containers and CI run as root, which Open MPI refuses unless both variables are set. */
function rootPermission({ family }: MpiImplementation): Readonly<Record<string, string>> {
  if (family !== 'open-mpi' || process.getuid?.() !== 0) return {};
  return { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };
}

/** Options by which `mpirun` finds other nodes, and variables in which batch systems list them. */
const placingWords = /^-{1,2}(H|f|hosts?|hostfile|machinefile|default-hostfile)\b/;
const hostFiles = ['PBS_NODEFILE', 'PE_HOSTFILE', 'LSB_DJOB_HOSTFILE', 'LSB_HOSTS', 'COBALT_NODEFILE'];

/** Whether all processes certainly run on this node. */
export function runsHere(launcher: Launcher, environment: NodeJS.ProcessEnv): boolean {
  switch (launcher.kind) {
    case 'local':
      return true;
    case 'slurm':
      return false;
    case 'mpirun': {
      const nodes = Number(environment.SLURM_JOB_NUM_NODES ?? environment.SLURM_NNODES ?? 1);
      const batch = nodes > 1 || hostFiles.some((name) => environment[name] !== undefined);
      return !batch && !launcher.arguments.some((word) => placingWords.test(word));
    }
  }
}

function withRanks(words: readonly string[], ranks: number): readonly string[] {
  return words.map((word) => substitute(word, { ranks: String(ranks) }));
}

async function findLauncher(name: 'mpirun' | 'srun'): Promise<string> {
  const program = await findProgram(name);
  if (program !== undefined) return program;
  throw new KymoError(
    'launcher-missing',
    name === 'mpirun'
      ? 'mpirun was not found in PATH. Load the MPI module, or install one (apt install openmpi-bin libopenmpi-dev; dnf install openmpi openmpi-devel), or set "launcher" in kymo.json to {"kind": "local"}.'
      : 'srun was not found in PATH: the launcher "slurm" works on a login or batch node of a cluster with Slurm. Elsewhere set "launcher" in kymo.json to {"kind": "mpirun", "ranks": …} or {"kind": "local"}.',
  );
}
