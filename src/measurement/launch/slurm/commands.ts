import { KymoError } from '../../../core/errors';
import { findProgram } from '../findProgram';
import type { LinkedMpi } from '../mpirun/linkedMpi';
import { runProcess, succeeded } from '../process';

/** A batch job; `cluster` where Slurm manages several. */
export interface JobId {
  readonly id: string;
  readonly cluster?: string;
}

/** The state of a job, in Slurm's own words. */
export type JobState =
  | { readonly kind: 'waiting'; readonly partition: string; readonly reason: string }
  | { readonly kind: 'running'; readonly nodes: string }
  | { readonly kind: 'over'; readonly state: string; readonly reason?: string; readonly exitCode?: string }
  /** Slurm did not answer; the job may go on. */
  | { readonly kind: 'unknown'; readonly why: string };

const commandSeconds = 60;

/** Submits a job. @throws KymoError `launcher-missing`, `job-rejected` */
export async function submitJob(words: readonly string[]): Promise<JobId> {
  const sbatch = await findProgram('sbatch');
  if (sbatch === undefined)
    throw new KymoError(
      'launcher-missing',
      'sbatch was not found in PATH: the launcher "slurm" works on a login or batch node of a cluster with Slurm. Elsewhere set "launcher" in kymo.json to {"kind": "mpirun", "ranks": …} or {"kind": "local"}.',
    );
  const { isDone, stdout, stderr } = await ask([sbatch, '--parsable', ...words]);
  const [, id, cluster] = /^(\d+)(?:;(\S+))?\s*$/m.exec(stdout) ?? [];
  if (isDone && id !== undefined) return { id, ...(cluster === undefined ? {} : { cluster }) };
  throw new KymoError(
    'job-rejected',
    `Slurm rejected the job: ${errorWords(stderr) || 'sbatch did not print a job id'}. Correct "arguments" of "launcher" in kymo.json ("sinfo" lists the partitions and their limits).`,
  );
}

/** @param folder the job's working folder: an id of another Slurm may denote a foreign job, which counts as over */
export async function jobState(job: JobId, folder: string, signal: AbortSignal): Promise<JobState> {
  const { isDone, stdout, stderr } = await ask(
    ['squeue', ...clusterOf(job), '--noheader', `--jobs=${job.id}`, '--format=%T|%P|%N|%r|%Z'],
    signal,
  );
  const line = stdout.split('\n').find((text) => text.includes('|'));
  if (line === undefined) {
    if (isDone || /invalid job id/i.test(stderr)) return endOf(job);
    return { kind: 'unknown', why: errorWords(stderr) || 'squeue failed' };
  }
  const [state = '', partition = '', nodes = '', reason = '', ...place] = line.split('|');
  if (place.join('|').trim() !== folder) return { kind: 'over', state: 'UNKNOWN' };
  if (/^(PENDING|CONFIGURING|REQUEUED|REQUEUE_HOLD|SPECIAL_EXIT|SUSPENDED)$/.test(state))
    return { kind: 'waiting', partition, reason: state === 'PENDING' ? reason : state.toLowerCase() };
  return { kind: 'running', nodes };
}

/** Slurm shows a job for `MinJobAge` seconds after its end; later only its accounting does, if there is one. */
async function endOf(job: JobId): Promise<JobState> {
  const { isDone, stdout } = await ask(['scontrol', ...clusterOf(job), 'show', 'job', job.id]);
  const field = (name: string): string | undefined => {
    const value = new RegExp(`\\b${name}=(\\S+)`).exec(stdout)?.[1];
    return value === undefined || /^(None|\(null\))$/.test(value) ? undefined : value;
  };
  const state = field('JobState');
  if (isDone && state !== undefined) return over(state, field('Reason'), field('ExitCode'));
  const accounting = await ask([
    'sacct',
    ...clusterOf(job),
    `--jobs=${job.id}`,
    '--allocations',
    '--noheader',
    '--parsable2',
    '--format=State,Reason,ExitCode',
  ]);
  const [known = '', reason, exitCode] = accounting.stdout.trim().split('\n')[0]?.split('|') ?? [];
  return known === '' ? over('UNKNOWN', undefined, undefined) : over(known, reason, exitCode);
}

function over(state: string, reason: string | undefined, exitCode: string | undefined): JobState {
  return {
    kind: 'over',
    state,
    ...(reason === undefined || reason === 'None' ? {} : { reason }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

/** Ends a job, waiting or running. Harmless for one that has ended. */
export async function cancelJob(job: JobId): Promise<void> {
  await ask(['scancel', '--quiet', ...clusterOf(job), job.id]);
}

/** Ends the runs of a job, but not its script. */
export async function cancelSteps(job: JobId): Promise<void> {
  const { stdout } = await ask([
    'squeue',
    ...clusterOf(job),
    '--noheader',
    '--steps',
    `--jobs=${job.id}`,
    '--format=%i',
  ]);
  const steps = stdout.split('\n').filter((step) => /^\d+\.\d+$/.test(step.trim()));
  if (steps.length > 0) await ask(['scancel', '--quiet', ...clusterOf(job), ...steps]);
}

/**
 * The option by which the ranks of a program find each other, where Slurm's default would make each believe to be alone: with none, and
 * for MPICH also with PMIx. Open MPI ends with a message of its own where another default does not fit.
 * @throws KymoError `launcher-mismatch` if Slurm has no way for this MPI
 */
export async function mpiOption({ family, usesPmix }: LinkedMpi): Promise<readonly string[]> {
  const config = await ask(['scontrol', 'show', 'config']);
  const usual = /^MpiDefault\s*=\s*(\S+)/m.exec(config.stdout)?.[1] ?? 'none';
  const wanted = family === 'open-mpi' || usesPmix ? 'pmix' : 'pmi2';
  const isSilent = usual === 'none' || (usual.startsWith('pmix') && wanted === 'pmi2');
  // Otherwise the site has chosen one that fits its MPI.
  if (!isSilent) return [];
  const list = await ask(['srun', '--mpi=list']);
  const known = `${list.stdout} ${list.stderr}`.split(/[\s,:]+/);
  if (known.includes(wanted)) return [`--mpi=${wanted}`];
  throw new KymoError(
    'launcher-mismatch',
    `Slurm here has no plug-in by which the ranks of ${family === 'open-mpi' ? 'Open MPI' : 'MPICH'} find each other (srun --mpi=list does not name ${wanted}). Each would believe to be alone, so nothing was run. Ask the site for it, name another one in "arguments" of "launcher" (--mpi=…), or use the launcher "mpirun" in a job of your own.`,
  );
}

function clusterOf({ cluster }: JobId): readonly string[] {
  return cluster === undefined ? [] : [`--clusters=${cluster}`];
}

/** Formats of the user's environment, such as `SQUEUE_FORMAT`, do not apply: each command names its own. */
async function ask(
  argv: readonly [string, ...string[]],
  signal?: AbortSignal,
): Promise<{ readonly isDone: boolean; readonly stdout: string; readonly stderr: string }> {
  const result = await runProcess(
    { argv },
    { env: { ...process.env, LC_ALL: 'C' }, timeoutSeconds: commandSeconds, signal },
  );
  const { end, stdout, stderr } = result;
  return {
    isDone: succeeded(result),
    stdout,
    stderr: end.kind === 'failed-to-start' ? end.error.message : stderr,
  };
}

/** `sbatch: error: Invalid --time specification` without its beginning; several lines joined. */
function errorWords(stderr: string): string {
  return stderr
    .split('\n')
    .map((line) => line.replace(/^\w+: (error|fatal): /, '').trim())
    .filter((line) => line !== '')
    .join('; ');
}
