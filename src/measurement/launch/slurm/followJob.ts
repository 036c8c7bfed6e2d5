import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import type { ProgressSink } from '../../../core/progress';
import { cancelSteps, jobState, type JobState } from './commands';
import { isNodeFailure, jobImpossible, jobSilent, neverStarts, type JobOver } from './jobEnd';
import { Tail, type JobFolder } from './jobFolder';
import { jobFiles, type JobEvents } from './waitingScript';

export interface FollowOptions {
  readonly limitSeconds: number;
  /** Receives the output of the run as it comes. */
  readonly record: (piece: Buffer) => void;
  /** The run belongs to an earlier command: end it as soon as it has begun. */
  readonly isUnwanted: boolean;
  readonly progress: ProgressSink;
  readonly silentSeconds: number;
  readonly signal: AbortSignal;
}

export interface RunEnded {
  readonly kind: 'ended';
  readonly status: number;
  /** Wall time by the node's clock. */
  readonly seconds: number;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** Files are looked at so often, at first and at last. */
const firstPollMilliseconds = 50;
const lastPollMilliseconds = 1000;
/** Slurm is asked so often, at first and at last: many sites ask users to be modest. */
const firstAskMilliseconds = 1000;
const lastAskMilliseconds = 15_000;
/** Time for the last lines of an ended job to arrive over a network file system. */
const lateMilliseconds = 3000;

/**
 * Follows one run of a job from the queue to its end.
 * @returns the run's end, or the job's where Slurm ended that first
 * @throws KymoError `job-rejected` for a job that can never start, `job-silent` where its script does not begin; the reason of an abort
 */
export function followRun(
  job: JobFolder,
  number: number,
  options: FollowOptions,
): Promise<RunEnded | JobOver> {
  return new Follower(job, number, options).follow();
}

class Follower {
  private readonly output: Tail;
  private readonly log: Tail;
  private shown = '';
  private poll = firstPollMilliseconds;
  private askEvery = firstAskMilliseconds;
  private nextAsk = 0;
  /** An error in what Slurm answered. */
  private failure: Error | undefined;
  private unansweredSince: number | undefined;
  private state: JobState | undefined;
  /** When the script should have begun to answer. */
  private expected: number | undefined;
  private overSince: number | undefined;
  private impossibleCount = 0;

  constructor(
    private readonly job: JobFolder,
    private readonly number: number,
    private readonly options: FollowOptions,
  ) {
    this.output = new Tail(path.join(job.folder, jobFiles.output(number)));
    this.log = new Tail(path.join(job.folder, jobFiles.log));
  }

  async follow(): Promise<RunEnded | JobOver> {
    const asking = new AbortController();
    try {
      return await this.watch(AbortSignal.any([this.options.signal, asking.signal]));
    } finally {
      asking.abort();
    }
  }

  private async watch(asking: AbortSignal): Promise<RunEnded | JobOver> {
    const { signal, isUnwanted } = this.options;
    let isEnding = false;
    for (;;) {
      signal.throwIfAborted();
      if (this.failure !== undefined) throw this.failure;
      const events = await this.job.events();
      await this.output.read(this.options.record);
      await this.log.read((piece) => this.logLines(piece));
      const end = this.endIn(events);
      if (end !== undefined) return (await this.nodeFailure(end, events, asking)) ?? end;
      if (isUnwanted && events.begun.has(this.number) && !isEnding) {
        isEnding = true;
        await cancelSteps(this.job.job);
      }
      if (performance.now() >= this.nextAsk) this.askSlurm(asking, events.isReady);
      this.requireSign(events);
      if (this.state?.kind === 'over') {
        this.overSince ??= performance.now();
        if (events.isOver || performance.now() - this.overSince > lateMilliseconds) return this.state;
      }
      // An abort is noticed at the next turn.
      await sleep(this.poll, undefined, { signal }).catch(() => undefined);
      this.poll = Math.min(1.1 * this.poll, lastPollMilliseconds);
    }
  }

  private endIn(events: JobEvents): RunEnded | undefined {
    const end = events.ended.get(this.number);
    if (end === undefined) return undefined;
    const begin = events.begun.get(this.number) ?? 0;
    return { kind: 'ended', ...end, startedAt: new Date(1000 * begin).toISOString() };
  }

  /** srun ends with status 0 when Slurm takes a failed node from it, so a run that seems to have succeeded may have been cut off. */
  private async nodeFailure(
    { status }: RunEnded,
    { isOver }: JobEvents,
    asking: AbortSignal,
  ): Promise<JobOver | undefined> {
    if (status !== 0 || isOver) return undefined;
    const begin = performance.now();
    for (;;) {
      const state = await jobState(this.job.job, this.job.folder, asking);
      if (state.kind === 'over') return isNodeFailure(state) ? state : undefined;
      const isEnding = state.kind === 'running' && state.isEnding;
      if (!isEnding || performance.now() - begin > lateMilliseconds) return undefined;
      await sleep(firstPollMilliseconds);
    }
  }

  /** Asks in the background: a controller that does not answer must not delay what the files tell. */
  private askSlurm(asking: AbortSignal, isReady: boolean): void {
    this.nextAsk = Infinity;
    jobState(this.job.job, this.job.folder, asking)
      .then((state) => {
        if (!asking.aborted) this.learn(state, isReady);
      })
      .catch((error: unknown) => {
        this.failure = error instanceof Error ? error : new Error(String(error));
      });
  }

  private learn(state: JobState, isReady: boolean): void {
    const { id } = this.job.job;
    this.nextAsk = performance.now() + this.askEvery;
    this.askEvery = Math.min(1.5 * this.askEvery, lastAskMilliseconds);
    if (state.kind === 'unknown') {
      this.unansweredSince ??= performance.now();
      const minutes = Math.floor((performance.now() - this.unansweredSince) / 60_000);
      const time = minutes === 0 ? '' : ` for ${minutes} min`;
      this.show(
        `Job ${id}: Slurm does not answer${time} (${state.why}). The job may go on, and its files are watched`,
      );
      return;
    }
    this.unansweredSince = undefined;
    this.state = state;
    if (state.kind === 'waiting') this.waits(state);
    if (state.kind === 'running') {
      if (this.expected === undefined) this.poll = firstPollMilliseconds;
      this.expected ??= performance.now();
      const silent = performance.now() - this.expected > lateMilliseconds && !isReady;
      this.show(`Job ${id} runs on ${state.nodes}${silent ? ', but its script has not begun there' : ''}`);
    }
  }

  private waits(state: Extract<JobState, { kind: 'waiting' }>): void {
    const { partition, reason } = state;
    const { job } = this.job;
    const why = reason === '' || reason === 'None' ? '' : ` (${reason})`;
    this.show(`Waiting for job ${job.id} in partition ${partition}${why}`);
    // While Slurm decides, a reason may be shown for a moment.
    this.impossibleCount = neverStarts(state) ? this.impossibleCount + 1 : 0;
    if (this.impossibleCount >= 3) throw jobImpossible(job, partition, reason);
  }

  /** A job that runs must answer: its script begins, takes the run, and ends it in time. */
  private requireSign(events: JobEvents): void {
    const { silentSeconds, limitSeconds } = this.options;
    if (this.state?.kind !== 'running' || this.expected === undefined) return;
    const allowed = silentSeconds + (events.begun.has(this.number) ? limitSeconds : 0);
    if ((performance.now() - this.expected) / 1000 > allowed)
      throw jobSilent(this.job.job, this.state.nodes, allowed, this.job.folder);
  }

  private show(message: string): void {
    if (message === this.shown) return;
    this.shown = message;
    this.options.progress.report({ message });
  }

  private logLines(piece: Buffer): void {
    for (const line of piece.toString('utf8').split('\n'))
      if (line.trim() !== '') this.options.progress.log(line);
  }
}
