import { runProcess } from '../process';

/** The family of an `mpirun` and its main version (0: unknown). Hydra is the launcher of MPICH, Intel MPI and MVAPICH. */
export interface MpiImplementation {
  readonly family: 'open-mpi' | 'hydra' | 'unknown';
  readonly major: number;
  /** First line of `mpirun --version`, or what its later lines say. */
  readonly description: string;
}

const answers = new Map<string, Promise<MpiImplementation>>();

/** Runs each `mpirun` once. */
export function mpiImplementation(mpirun: string): Promise<MpiImplementation> {
  const answer = answers.get(mpirun) ?? ask(mpirun);
  answers.set(mpirun, answer);
  return answer;
}

async function ask(mpirun: string): Promise<MpiImplementation> {
  const { stdout, stderr } = await runProcess({ argv: [mpirun, '--version'] }, { timeoutSeconds: 20 });
  return recogniseMpi(`${stdout}\n${stderr}`);
}

/** @param text output of `mpirun --version` */
export function recogniseMpi(text: string): MpiImplementation {
  const description = /\S.*/.exec(text)?.[0].trim() ?? '';
  const openMpi = /\(Open MPI\)\s+(\d+)/.exec(text);
  if (openMpi !== null) return { family: 'open-mpi', major: Number(openMpi[1]), description };
  if (/HYDRA|Intel\(R\) MPI|MVAPICH/i.test(text)) {
    const version = /Version:?\s+((\d+)[\w.]*)/.exec(text);
    const isPlain = description.startsWith('HYDRA build');
    return {
      family: 'hydra',
      major: Number(version?.[2] ?? 0),
      description: isPlain ? `Hydra ${version?.[1] ?? ''}`.trim() : description,
    };
  }
  return { family: 'unknown', major: 0, description };
}
