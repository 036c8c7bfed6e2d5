import { KymoError } from '../../../core/errors';
import type { Launcher } from '../../config/config';
import { substitute } from '../../config/substitute';
import { findProgram } from '../findProgram';
import { fittingMpirun } from '../mpirun/fittingMpirun';
import type { MpiImplementation } from '../mpirun/implementation';
import { linkedMpi, type LinkedMpi } from '../mpirun/linkedMpi';
import { allowedProcessors } from '../processors';
import { mpiOption } from '../slurm/commands';
import { slurmOptions } from '../slurm/options';

export interface LaunchOptions {
  readonly launcher: Launcher;
  /** The program with its arguments. */
  readonly program: readonly [string, ...string[]];
  /** Number of processes; the launcher `local` ignores it. */
  readonly ranks: number;
  /** Values of placeholders in the launcher's own arguments. */
  readonly values: Readonly<Record<string, string>>;
  /** The run's own variables: MPI launchers pass them to the ranks on other nodes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
  /** Whether the launcher `slurm` submits a job; otherwise srun asks for an allocation itself, or works in that of this process. */
  readonly inJob: boolean;
  /** File that a template's command starts in place of the program. */
  readonly script: string;
}

/** The command that starts a run, and the variables that the launcher needs. */
export interface LaunchCommand {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** Options of the batch job in which the command is run; absent for all but a job of Slurm. */
  readonly jobOptions?: readonly string[];
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/** Names of variables of a measured run that remote ranks also need. */
const forwarded = /^(KYMO_|SCOREP_|LD_PRELOAD$)/;

/**
 * The command line that starts a program with the target's launcher.
 * @throws KymoError `launcher-missing`; `launcher-mismatch` if the ranks would not find each other
 */
export async function launchCommand(options: LaunchOptions): Promise<LaunchCommand> {
  const { launcher, program } = options;
  switch (launcher.kind) {
    case 'local':
      return { argv: program, environment: {}, notes: [] };
    case 'mpirun':
      return mpirunCommand(options, substituted(launcher.arguments, options));
    case 'slurm':
      return slurmCommand(options, substituted(launcher.arguments, options));
    case 'template': {
      const [first, ...rest] = substituted(launcher.command, options);
      return { argv: [first ?? '', ...rest], environment: {}, notes: [] };
    }
  }
}

async function mpirunCommand(options: LaunchOptions, extra: readonly string[]): Promise<LaunchCommand> {
  const { launcher, program, ranks, environment } = options;
  const mpi = await mpiOf(options);
  const mpirun = await fittingMpirun(typeof mpi === 'object' ? mpi : undefined);
  if (mpirun === undefined)
    throw new KymoError(
      'launcher-missing',
      'mpirun was not found in PATH. Load the MPI module, or install one (apt install openmpi-bin libopenmpi-dev; dnf install openmpi openmpi-devel), or set "launcher" in kymo.json to {"kind": "local"}.',
    );
  const { path: file, implementation } = mpirun;
  const isDoubtful = typeof mpi === 'object' && implementation.family === 'unknown';
  const notes = isDoubtful
    ? [`${file} does not print which MPI it belongs to, so Kymo could not check that it fits ${mpi.library}.`]
    : [];
  return {
    argv: [file, ...mpiOptions(implementation, ranks, extra, Object.keys(environment)), ...extra, ...program],
    environment: rootPermission(implementation),
    notes: [...notes, ...aloneNotes(mpi, options), ...crowdNotes(launcher, ranks)],
  };
}

/** A single rank needs nothing to find others, but Open MPI does not start under srun without its plug-in. */
async function mpiOptionFor(mpi: LinkedMpi, ranks: number): Promise<readonly string[]> {
  const option = mpiOption(mpi);
  return ranks > 1 ? option : option.catch(() => []);
}

async function slurmCommand(options: LaunchOptions, extra: readonly string[]): Promise<LaunchCommand> {
  const { program, ranks, hasInput, inJob } = options;
  const srun = await findProgram('srun');
  if (srun === undefined)
    throw new KymoError(
      'launcher-missing',
      'srun was not found in PATH: the launcher "slurm" works on a login or batch node of a cluster with Slurm. Elsewhere set "launcher" in kymo.json to {"kind": "mpirun", "ranks": …} or {"kind": "local"}.',
    );
  const mpi = await mpiOf(options);
  const isChosen = process.env.SLURM_MPI_TYPE !== undefined || extra.some((word) => /^--mpi(=|$)/.test(word));
  const found = typeof mpi === 'object' && !isChosen ? await mpiOptionFor(mpi, ranks) : [];
  const notes = aloneNotes(mpi, options);
  if (!inJob || process.env.SLURM_JOB_ID !== undefined)
    return { argv: srunLine(srun, ranks, [...found, ...extra], program, hasInput), environment: {}, notes };
  const { sbatch, srun: own } = slurmOptions(extra);
  return {
    argv: srunLine(srun, ranks, [...found, ...own], program, hasInput),
    environment: {},
    jobOptions: sbatch,
    notes,
  };
}

function mpiOf({ program, environment }: LaunchOptions): Promise<LinkedMpi | 'none' | undefined> {
  return linkedMpi(program[0], { ...process.env, ...environment });
}

/** An executable without MPI: the processes do not know of each other. */
function aloneNotes(
  mpi: LinkedMpi | 'none' | undefined,
  { program, ranks }: LaunchOptions,
): readonly string[] {
  if (mpi !== 'none' || ranks === 1) return [];
  return [
    `${program[0]} is not linked with MPI: unless it loads MPI itself, its ${ranks} processes are ${ranks} independent runs of the whole program.`,
  ];
}

function crowdNotes(launcher: Launcher, ranks: number): readonly string[] {
  const processors = allowedProcessors().length;
  if (processors === 0 || ranks <= processors || !runsHere(launcher, process.env)) return [];
  return [
    // The same sentence for each number of ranks, so that those of a study are one.
    `Ranks share processors where there are more than ${processors}: those that wait take time from those that compute, so times mean little. Visits and bytes are right.`,
  ];
}

/** The end of one rank ends all. `--export=ALL` is srun's default, but the site's configuration may differ. */
export function srunLine(
  srun: string,
  ranks: number,
  extra: readonly string[],
  program: readonly string[],
  hasInput = false,
): readonly [string, ...string[]] {
  return [
    srun,
    `--ntasks=${ranks}`,
    '--kill-on-bad-exit=1',
    '--export=ALL',
    // As with mpirun, rank 0 reads it.
    `--input=${hasInput ? '0' : 'none'}`,
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
export function rootPermission({ family }: MpiImplementation): Readonly<Record<string, string>> {
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
    case 'template':
      return false;
    case 'mpirun': {
      const nodes = Number(environment.SLURM_JOB_NUM_NODES ?? environment.SLURM_NNODES ?? 1);
      const batch = nodes > 1 || hostFiles.some((name) => environment[name] !== undefined);
      return !batch && !launcher.arguments.some((word) => placingWords.test(word));
    }
  }
}

function substituted(words: readonly string[], { values, script }: LaunchOptions): readonly string[] {
  return words.map((word) => substitute(word, { ...values, program: script }));
}
