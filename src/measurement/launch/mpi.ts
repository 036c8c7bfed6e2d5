import { runProcess } from './process';

/** Whose `mpirun` it is, and its main version (0: unknown). Hydra is the launcher of MPICH, Intel MPI and MVAPICH. */
export interface MpiImplementation {
  readonly family: 'open-mpi' | 'hydra' | 'unknown';
  readonly major: number;
  /** First line that it says about itself. */
  readonly description: string;
}

const known = new Map<string, Promise<MpiImplementation>>();

/** Asks each `mpirun` once. */
export function mpiImplementation(mpirun: string): Promise<MpiImplementation> {
  const answer = known.get(mpirun) ?? ask(mpirun);
  known.set(mpirun, answer);
  return answer;
}

async function ask(mpirun: string): Promise<MpiImplementation> {
  const { stdout, stderr } = await runProcess({ argv: [mpirun, '--version'] }, { timeoutSeconds: 20 });
  return recogniseMpi(`${stdout}\n${stderr}`);
}

/** @param text what `mpirun --version` prints */
export function recogniseMpi(text: string): MpiImplementation {
  const description =
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  const openMpi = /\(Open MPI\)\s+(\d+)/.exec(text);
  if (openMpi !== null) return { family: 'open-mpi', major: Number(openMpi[1]), description };
  if (/HYDRA|Intel\(R\) MPI|MVAPICH/i.test(text)) {
    const version = /Version:\s*(\d+)|Version\s+(\d+)/.exec(text);
    return { family: 'hydra', major: Number(version?.[1] ?? version?.[2] ?? 0), description };
  }
  return { family: 'unknown', major: 0, description };
}
