import { setTimeout as sleep } from 'node:timers/promises';
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
  | { readonly kind: 'running'; readonly nodes: string; readonly isEnding: boolean }
  | { readonly kind: 'over'; readonly state: string; readonly reason?: string; readonly exitCode?: string }
  /** Slurm did not answer; the job may go on. */
  | { readonly kind: 'unknown'; readonly why: string };

const commandSeconds = 60;

/** Slurm's words for a controller that does not answer, which the command waited for already. */
const unreachable =
  /unable to contact slurm controller|timed out|connection (refused|reset)|connect failure/i;

export interface Submission {
  /** Options of sbatch. */
  readonly words: readonly string[];
  /** Working folder of the job, and of no other. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Receives Slurm's words while its controller does not answer. */
  readonly onWait: (why: string) => void;
  /** Seconds for which a controller that does not answer is waited for. */
  readonly patienceSeconds: number;
}

const pauseMilliseconds = 2000;

/**
 * Submits a job; again, while Slurm's controller does not answer. A submission without an answer may have arrived: the job is looked for first.
 * @throws KymoError `launcher-missing`, `job-rejected`, `slurm-unreachable`; the reason of an abort
 */
export async function submitJob(submission: Submission): Promise<JobId> {
  const { words, folder, signal, onWait, patienceSeconds } = submission;
  const sbatch = await findProgram('sbatch');
  if (sbatch === undefined)
    throw new KymoError(
      'launcher-missing',
      'sbatch was not found in PATH: the launcher "slurm" works on a login or batch node of a cluster with Slurm. Elsewhere set "launcher" in kymo.json to {"kind": "mpirun", "ranks": …} or {"kind": "local"}.',
    );
  const begin = performance.now();
  for (let isAgain = false; ; isAgain = true) {
    const lost = isAgain ? await jobIn(folder, signal) : undefined;
    if (lost !== undefined) return lost;
    const { isDone, stdout, stderr } = await ask([sbatch, '--parsable', ...words], signal);
    // A job that is submitted nevertheless does not find its folder, and ends.
    signal.throwIfAborted();
    const [, id, cluster] = /^(\d+)(?:;(\S+))?\s*$/m.exec(stdout) ?? [];
    if (isDone && id !== undefined) return { id, ...(cluster === undefined ? {} : { cluster }) };
    const why = errorWords(stderr) || 'sbatch did not print a job id';
    if (!unreachable.test(why))
      throw new KymoError(
        'job-rejected',
        `Slurm rejected the job: ${why}. Correct "arguments" of "launcher" in kymo.json ("sinfo" lists the partitions and their limits).`,
      );
    const seconds = (performance.now() - begin) / 1000;
    if (seconds > patienceSeconds)
      throw new KymoError(
        'slurm-unreachable',
        `Slurm's controller has not answered for ${Math.round(seconds)} s (${why}), so no job was submitted. Run the same command again when "sinfo" answers.`,
      );
    onWait(why);
    await sleep(pauseMilliseconds, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

/** The user's job that works in a folder; undefined also where Slurm does not answer. */
async function jobIn(folder: string, signal: AbortSignal): Promise<JobId | undefined> {
  const { stdout } = await ask(['squeue', '--me', '--noheader', '--format=%i|%Z'], signal);
  const line = stdout.split('\n').find((text) => text.trim().endsWith(`|${folder}`));
  const [, id] = /^(\d+)\|/.exec(line ?? '') ?? [];
  return id === undefined ? undefined : { id };
}

/** @param folder the job's working folder: an id of another Slurm may denote a foreign job, which counts as over */
export async function jobState(job: JobId, folder: string, signal: AbortSignal): Promise<JobState> {
  const { isDone, stdout, stderr } = await ask(
    ['squeue', ...clusterOf(job), '--noheader', `--jobs=${job.id}`, '--format=%T|%P|%N|%r|%Z'],
    signal,
  );
  const line = stdout.split('\n').find((text) => text.includes('|'));
  if (line === undefined) {
    if (isDone || /invalid job id/i.test(stderr)) return endOf(job, signal);
    return { kind: 'unknown', why: errorWords(stderr) || 'squeue failed' };
  }
  const [state = '', partition = '', nodes = '', reason = '', ...place] = line.split('|');
  if (place.join('|').trim() !== folder) return { kind: 'over', state: 'UNKNOWN' };
  if (/^(PENDING|CONFIGURING|REQUEUED|REQUEUE_HOLD|SPECIAL_EXIT|SUSPENDED)$/.test(state))
    return { kind: 'waiting', partition, reason: state === 'PENDING' ? reason : state.toLowerCase() };
  return { kind: 'running', nodes, isEnding: state === 'COMPLETING' };
}

/** Slurm shows a job for `MinJobAge` seconds after its end; later only its accounting does, if there is one. */
async function endOf(job: JobId, signal: AbortSignal): Promise<JobState> {
  const { isDone, stdout, stderr } = await ask(
    ['scontrol', ...clusterOf(job), 'show', 'job', job.id],
    signal,
  );
  if (!isDone && unreachable.test(stderr)) return { kind: 'unknown', why: errorWords(stderr) };
  const field = (name: string): string | undefined => {
    const value = new RegExp(`\\b${name}=(\\S+)`).exec(stdout)?.[1];
    return value === undefined || /^(None|\(null\))$/.test(value) ? undefined : value;
  };
  const state = field('JobState');
  if (isDone && state !== undefined) return over(state, field('Reason'), field('ExitCode'));
  const accounting = await ask(
    [
      'sacct',
      ...clusterOf(job),
      `--jobs=${job.id}`,
      '--allocations',
      '--noheader',
      '--parsable2',
      '--format=State,Reason,ExitCode',
    ],
    signal,
  );
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

/** A command line that the user has cancelled waits no longer for it. */
const cancelSeconds = 4;

/**
 * Ends a job, waiting or running. Harmless for one that has ended.
 * @returns Slurm's words where it did not answer, so that the job may go on
 */
export async function cancelJob(job: JobId): Promise<string | undefined> {
  const words = ['scancel', '--quiet', ...clusterOf(job), job.id] as const;
  const { isDone, stderr } = await ask(words, undefined, cancelSeconds);
  const isAnswered = isDone || (stderr.trim() !== '' && !unreachable.test(stderr));
  return isAnswered ? undefined : errorWords(stderr) || 'scancel did not end';
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
  timeoutSeconds = commandSeconds,
): Promise<{ readonly isDone: boolean; readonly stdout: string; readonly stderr: string }> {
  const result = await runProcess({ argv }, { env: { ...process.env, LC_ALL: 'C' }, timeoutSeconds, signal });
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
    .map((line) => line.replace(/^\w+:? (error|fatal): /, '').trim())
    .filter((line) => line !== '')
    .join('; ');
}
