import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgressSink } from '../../../core/progress';
import { UserLeft } from '../../../core/userLeft';
import { BoundedOutput } from '../boundedOutput';
import { cancelJob, jobState, submitJob } from './commands';
import { followRun, type RunEnded } from './followJob';
import { jobFailed, mayRepeat, overWords } from './jobEnd';
import { hashOf, JobFolder } from './jobFolder';
import { jobFiles } from './waitingScript';

export interface BatchRunsOptions {
  /** Folder for the jobs of one target, below `.kymo`. Only one process at a time uses it (the target's lock). */
  readonly folder: string;
  readonly target: string;
  readonly progress: ProgressSink;
  readonly note: (sentence: string) => void;
  /** An allocation without work waits so long for a command that finds it again. Default 300 s. */
  readonly idleSeconds?: number;
  /** A running job whose script does not answer for so long has failed. Default 180 s. */
  readonly silentSeconds?: number;
  /** A controller of Slurm that does not answer is waited for so long when a job is submitted. Default 120 s. */
  readonly patienceSeconds?: number;
}

export interface BatchRun {
  /** Text of the shell script that performs the run in the job. */
  readonly script: string;
  /** Number of processes that the job must have room for. */
  readonly ranks: number;
  /** Options of sbatch. */
  readonly options: readonly string[];
  readonly limitSeconds: number;
  /** Makes the place for its results; called before a run begins, not for one that an earlier process began. */
  readonly prepare: () => Promise<void>;
  readonly record: (piece: Buffer) => void;
  readonly signal: AbortSignal;
}

export interface BatchRunEnd extends RunEnded {
  readonly timedOut: boolean;
}

const beatMilliseconds = 5000;
const farewellMilliseconds = 3000;
const lastBytes = 4096;
const mostAttempts = 5;
/** What srun says when it could not ask for the program to be started. */
const notStarted =
  /^srun: error: Unable to (confirm allocation|create step|contact)\b.*(timed out|contact|connect)/im;

/**
 * Runs of one target in one allocation of Slurm: the queue is waited for once. The job is a batch script that waits for runs, since any
 * site allows batch jobs, while interactive ones (salloc) and runs that are started from a login node (srun --jobid) are often limited, and end
 * with the terminal. When this process dies, the run goes on, and a later process finds the job and takes over the result.
 */
export class BatchRuns {
  private current: JobFolder | undefined;
  private wasFound = false;
  private hasSearched = false;
  private beating: NodeJS.Timeout | undefined;

  constructor(private readonly options: BatchRunsOptions) {}

  /** @throws KymoError `launcher-missing`, `job-rejected`, `job-failed`, `job-silent`, `slurm-unreachable`; the reason of an abort */
  async run(run: BatchRun): Promise<BatchRunEnd> {
    try {
      for (let attempt = 1; ;) {
        const job = await this.jobFor(run);
        const isServing = this.wasFound || job.taken > 0;
        await this.endUnwanted(job, run);
        const number = job.isOpen(run.script) ? job.runs : await this.request(job, run);
        const last = new BoundedOutput(lastBytes);
        const record = (piece: Buffer): void => {
          last.add(piece);
          run.record(piece);
        };
        const end = await followRun(job, number, { ...this.followOptions(run, false), record });
        if (end.kind === 'ended') {
          await job.takeOver();
          if (end.status !== 0 && attempt < mostAttempts && notStarted.test(last.text())) {
            attempt++;
            this.options.note('Slurm’s controller did not answer srun, so a run was begun again.');
            continue;
          }
          return { ...end, timedOut: isTimeout(end, run.limitSeconds) };
        }
        const failure = jobFailed(job.job, end, this.options.target, await lastLines(job));
        await this.forget(job);
        if (!isServing || !mayRepeat(end)) throw failure;
        this.options.note(
          `Job ${job.job.id} ended before all runs were complete (${overWords(end)}), so another one was submitted.`,
        );
      }
    } catch (error) {
      await this.abandon(run.signal);
      throw error;
    }
  }

  /** Number of the job that was submitted or found; undefined also where it belongs to another cluster. */
  get jobId(): string | undefined {
    const { job } = this.current ?? {};
    return job?.cluster === undefined ? job?.id : undefined;
  }

  /** Ends the job after its last run, or leaves it to a later process when the user has left. */
  async close(signal: AbortSignal): Promise<void> {
    if (this.current === undefined) return;
    if (signal.aborted) return this.abandon(signal);
    const job = this.current;
    await job.requestEnd();
    const deadline = performance.now() + farewellMilliseconds;
    while (!(await job.events()).isOver && performance.now() < deadline) await sleep(50);
    if ((await job.events()).isOver) await this.forget(job);
    else await this.cancel(job);
  }

  /** Ends the job. One that Slurm was not asked to end keeps its folder, in which a later command finds it and ends it. */
  private async cancel(job: JobFolder): Promise<void> {
    this.leave();
    const { id } = job.job;
    this.options.progress.log(`Cancelling job ${id}`);
    const why = await cancelJob(job.job);
    if (why === undefined) return job.remove();
    await job.requestEnd();
    await job.disown();
    this.options.progress.log(
      `Slurm does not answer (${why}), so job ${id} could not be cancelled: it ends after its run. End it with “scancel ${id}”; the same command, run again, does that, too.`,
    );
  }

  private async request(job: JobFolder, run: BatchRun): Promise<number> {
    await run.prepare();
    return job.request(run.script, run.limitSeconds);
  }

  private async abandon(signal: AbortSignal): Promise<void> {
    const job = this.current;
    if (job === undefined) return;
    if (signal.reason instanceof UserLeft) {
      this.leave();
      return;
    }
    await this.cancel(job);
  }

  private async jobFor(run: BatchRun): Promise<JobFolder> {
    const settings = hashOf(
      JSON.stringify([run.ranks, run.options, process.env.PATH, process.env.LD_LIBRARY_PATH]),
    );
    if (!this.hasSearched) await this.search(run, settings);
    if (this.current !== undefined && this.current.settings !== settings) await this.close(run.signal);
    return this.current ?? this.submit(run, settings);
  }

  /** Finds the job of an earlier process, and ends those that cannot be used. */
  private async search({ script, signal }: BatchRun, settings: string): Promise<void> {
    this.hasSearched = true;
    const jobs = await JobFolder.all(this.options.folder);
    const wanted = jobs.find((job) => job.isOpen(script) && job.settings === settings);
    for (const job of wanted === undefined ? jobs : [wanted, ...jobs.filter((other) => other !== wanted)]) {
      const state = await jobState(job.job, job.folder, signal);
      const isUseful = job === wanted || (state.kind !== 'over' && job.settings === settings);
      if (isUseful && this.current === undefined) {
        this.options.progress.log(`Found job ${job.job.id}, which an earlier command submitted.`);
        this.wasFound = true;
        this.use(job);
        continue;
      }
      if (state.kind !== 'over') {
        this.options.progress.log(
          `Job ${job.job.id} was submitted by an earlier command with other settings.`,
        );
        await this.cancel(job);
      } else await job.remove();
    }
  }

  private async submit({ ranks, options, signal }: BatchRun, settings: string): Promise<JobFolder> {
    const { folder: parent, target, progress, idleSeconds = 300, patienceSeconds = 120 } = this.options;
    const folder = await JobFolder.make(parent, idleSeconds);
    const words = [
      `--job-name=kymo ${target}`,
      `--ntasks=${ranks}`,
      '--export=ALL',
      ...options,
      // These last, since they must not be replaced: the script finds its folder, and a job that Slurm repeats would repeat its runs.
      '--no-requeue',
      `--chdir=${folder}`,
      // sbatch replaces patterns such as %j.
      `--output=${path.join(folder, jobFiles.log).replaceAll('%', '%%')}`,
      path.join(folder, jobFiles.script),
    ];
    progress.log(`sbatch ${words.join(' ')}`);
    progress.report({ message: `Submitting a job for ${target}` });
    const onWait = (why: string): void =>
      progress.report({ message: `Waiting for Slurm’s controller, which does not answer (${why})` });
    const job = await submitJob({ words, folder, signal, onWait, patienceSeconds }).catch(
      async (error: unknown) => {
        await rm(folder, { recursive: true, force: true });
        throw error;
      },
    );
    const made = await JobFolder.begin(folder, job, settings);
    this.wasFound = false;
    this.use(made);
    return made;
  }

  private use(job: JobFolder): void {
    this.current = job;
    void job.beat();
    this.beating = setInterval(() => void job.beat(), beatMilliseconds).unref();
  }

  private leave(): void {
    clearInterval(this.beating);
    this.current = undefined;
  }

  private async forget(job: JobFolder): Promise<void> {
    this.leave();
    await job.remove();
  }

  /** A run of an earlier command that nobody wants any more is ended, so that the next can begin. */
  private async endUnwanted(job: JobFolder, run: BatchRun): Promise<void> {
    if (!job.hasOpenRun || job.isOpen(run.script)) return;
    const end = await followRun(job, job.runs, this.followOptions(run, true));
    if (end.kind === 'ended') await job.takeOver();
  }

  private followOptions(run: BatchRun, isUnwanted: boolean): Parameters<typeof followRun>[2] {
    const { progress, silentSeconds = 180 } = this.options;
    const { limitSeconds, signal } = run;
    const record = isUnwanted ? () => undefined : run.record;
    return { limitSeconds, signal, record, isUnwanted, progress, silentSeconds };
  }
}

/** Statuses of timeout(1) after SIGTERM and after SIGKILL. */
function isTimeout({ status, seconds }: RunEnded, limitSeconds: number): boolean {
  return (status === 124 || status === 137) && seconds >= limitSeconds;
}

async function lastLines(job: JobFolder): Promise<string> {
  const text = await readFile(path.join(job.folder, jobFiles.log), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : ` Its output ends with:\n  ${lines.slice(-6).join('\n  ')}`;
}
