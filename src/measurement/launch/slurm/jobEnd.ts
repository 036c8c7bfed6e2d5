import { KymoError } from '../../../core/errors';
import type { JobId, JobState } from './commands';

export type JobOver = Extract<JobState, { kind: 'over' }>;

/** Reasons for which Slurm never starts a job (squeue(1), job reason codes). Others may end. */
const impossible =
  /^(Partition(Config|NodeLimit|TimeLimit)|BadConstraints|DependencyNeverSatisfied|Invalid(Account|QOS)|(Account|QOS)NotAllowed)$/;

export function neverStarts(state: JobState): boolean {
  return state.kind === 'waiting' && impossible.test(state.reason);
}

/** Ends that say nothing about the program when the job had served runs before: another job may do. */
export function mayRepeat({ state }: JobOver): boolean {
  return /^(TIMEOUT|PREEMPTED|NODE_FAIL|BOOT_FAIL|COMPLETED|UNKNOWN)/.test(state);
}

export function isNodeFailure({ state }: JobOver): boolean {
  return /^(NODE_FAIL|BOOT_FAIL)/.test(state);
}

/** A job's end in Slurm's words: `state TIMEOUT, reason TimeLimit, exit code 0:0`. */
export function overWords({ state, reason, exitCode }: JobOver): string {
  return [
    `state ${state}`,
    ...(reason === undefined ? [] : [`reason ${reason}`]),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
  ].join(', ');
}

/** What to do, by state. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^(TIMEOUT|DEADLINE)/, 'Ask for more time: "--time=…" in "arguments" of "launcher" in kymo.json.'],
  [/^OUT_OF_MEMORY/, 'Ask for more memory: "--mem=…" in "arguments" of "launcher" in kymo.json.'],
  [/^(NODE_FAIL|BOOT_FAIL)/, 'A node failed; run the same command again.'],
  [/^PREEMPTED/, 'A job of higher priority took its place; run the same command again.'],
  [/^CANCELLED/, 'Somebody cancelled it.'],
  [
    /^UNKNOWN/,
    'Slurm does not know the job any more: it forgets ended jobs after a while (MinJobAge), and this cluster has no accounting that could be asked.',
  ],
  [/./, 'Run it by hand with sbatch to see more.'],
];

/** @param printed last lines of the job's own output, with a line break before them, or empty */
export function jobFailed({ id }: JobId, end: JobOver, target: string, printed: string): KymoError {
  const what = advice.find(([state]) => state.test(end.state))?.[1] ?? '';
  return new KymoError(
    'job-failed',
    `Slurm ended job ${id} before the run of ${target} was complete: ${overWords(end)}. ${what}${printed}`,
  );
}

export function jobImpossible({ id }: JobId, partition: string, reason: string): KymoError {
  return new KymoError(
    'job-rejected',
    `Job ${id} would never start in partition ${partition}: ${reason}. It was cancelled. Correct "arguments" or "ranks" of "launcher" in kymo.json ("sinfo" and "scontrol show partition ${partition}" show the limits).`,
  );
}

export function jobSilent({ id }: JobId, nodes: string, seconds: number, folder: string): KymoError {
  return new KymoError(
    'job-silent',
    `Job ${id} has run on ${nodes} for more than ${seconds} s without any sign of its script in ${folder}, so it was cancelled. Either the node does not answer, or it does not see this folder: the workspace must be on a file system that the nodes share.`,
    { file: folder },
  );
}
