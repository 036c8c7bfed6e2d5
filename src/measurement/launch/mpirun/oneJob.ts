import path from 'node:path';
import { KymoError } from '../../../core/errors';
import type { Launcher } from '../../config/config';
import { findProgram } from '../findProgram';
import { mpiTitles } from './fittingMpirun';
import { mpiImplementation } from './implementation';
import { linkedMpi } from './linkedMpi';

/** A run that has ended, and what its processes say of MPI. */
export interface RanksOfRun {
  readonly target: string;
  /** Number of ranks that were asked for. */
  readonly ranks: number;
  /** Size of MPI_COMM_WORLD in each process that called MPI. */
  readonly worldSizes: readonly number[];
  readonly launcher: Launcher;
  /** The command with its launcher. */
  readonly command: readonly string[];
  readonly executable: string;
  /** Variables of the run. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const launcherNames = /^(mpi(run|exec)|orterun|prterun)/;

/**
 * Compares the ranks of a run with those that were asked for. Only the processes know: a launcher of another MPI starts them as well as its own.
 * @returns a sentence where the job had another number of ranks
 * @throws KymoError `launcher-mismatch` where each of several processes was a job of its own, whose results belong to different runs
 */
export async function requireOneJob(run: RanksOfRun): Promise<string | undefined> {
  const { ranks, worldSizes, launcher } = run;
  const largest = Math.max(0, ...worldSizes);
  if (ranks < 2 || largest === 0 || worldSizes.includes(ranks)) return undefined;
  if (largest === 1 && worldSizes.length > 1) throw await apart(run);
  const hint = launcher.kind === 'template' ? ' Does "command" of "launcher" in kymo.json use ${ranks}?' : '';
  return `The program ran with ${largest} ${largest === 1 ? 'rank' : 'ranks'}, although ${ranks} were asked for.${hint}`;
}

async function apart(run: RanksOfRun): Promise<KymoError> {
  const { target, ranks, worldSizes, launcher, command, executable, environment } = run;
  const mpi = await linkedMpi(executable, environment).catch(() => undefined);
  const own = typeof mpi === 'object' ? `${mpiTitles[mpi.family]} (${mpi.library})` : 'its MPI';
  const remedy =
    launcher.kind === 'slurm'
      ? 'Remove "--mpi=…" from "arguments" of "launcher" in kymo.json and SLURM_MPI_TYPE from the environment, so that Kymo chooses what this MPI needs.'
      : `Set "launcher" in kymo.json to {"kind": "mpirun", "ranks": ${ranks}}, for which Kymo takes the mpirun of the program's MPI, or start it by that mpirun.`;
  return new KymoError(
    'launcher-mismatch',
    `${worldSizes.length} processes of ${target} were started, and each believes to be the only one of its job: its MPI_COMM_WORLD has 1 rank, although ${ranks} were asked for. The program runs with ${own}, but was started by ${await starter(command)}. These are independent runs, which are not shown as one. ${remedy}`,
    { file: executable },
  );
}

/** The program among the words that starts ranks, and the MPI that it belongs to. */
async function starter(command: readonly string[]): Promise<string> {
  const word = command.find((text) => launcherNames.test(path.basename(text)));
  const file = word === undefined ? undefined : await findProgram(word);
  if (file === undefined) return `“${command[0] ?? ''}” without a way for its ranks to find each other`;
  const { description } = await mpiImplementation(file);
  return description === '' ? file : `${file} (${description})`;
}
