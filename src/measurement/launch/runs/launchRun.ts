import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import { ownFolder, type Target } from '../../config/config';
import { substitute } from '../../config/substitute';
import { writeError } from '../../files/disk';
import { BoundedOutput } from '../boundedOutput';
import { isExecutableFile } from '../findProgram';
import { launchCommand, runsHere, type LaunchCommand } from './launchCommand';
import { launcherProgram } from '../launcherProgram';
import { leftBehind } from '../leftBehind';
import { lastLines } from './lastLines';
import { OutputFile } from './outputFile';
import { rankEnd } from './rankEnd';
import { placeholderValues, writeRunFiles } from './runFiles';
import { runProcess, succeeded, type ProcessEnd, type ProcessResult, type ProcessUsage } from '../process';
import { programScript, secondsOf } from '../shellText';
import type { BatchRuns } from '../slurm/batchRuns';

/** One run of a target's program. */
export interface RunRequest {
  readonly target: Target;
  /** Absolute path; `run.cwd` is relative to it. */
  readonly workspace: string;
  /** Absolute path of the program. */
  readonly executable: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Number of processes, for MPI launchers; default 1. */
  readonly ranks?: number;
  /** Number of processes that a job of a batch system has room for, so that runs with fewer take place in it, too; default: `ranks`. */
  readonly jobRanks?: number;
  /** Variables of the measurement, which override those of this process and of the target; paths are absolute. */
  readonly environment: Readonly<Record<string, string>>;
  /** File for the program's output (both streams as they come): its head and its tail, at most 4 MiB. */
  readonly outputFile: string;
  readonly signal: AbortSignal;
  /** Makes the place for the run's results; called before it starts, not where an earlier process has started it in a job. */
  readonly prepare?: () => Promise<void>;
  /** Receives sentences for the user. */
  readonly note?: (sentence: string) => void;
  /** Number of the only processor that the program may use; default: any. */
  readonly processor?: number;
}

/** A successful run. */
export interface RunOutcome {
  /** The command with its launcher. */
  readonly command: readonly string[];
  /** ISO 8601, wall clock. */
  readonly startedAt: string;
  /** Seconds from start to end by the monotonic clock (in a job of Slurm by the node's clock), including the launcher's own time. */
  readonly wallSeconds: number;
  /**
   * User and system time of the program and all its processes, including those left running. Undefined without a C compiler
   * for the launcher program, and if processes may run on other nodes.
   */
  readonly cpuSeconds: number | undefined;
  /** Defined if `cpuSeconds` is. */
  readonly usage: ProcessUsage | undefined;
  readonly exitStatus: number;
  /** Length of the whole output. */
  readonly outputBytes: number;
  /** A sentence when processes were still running after the program's end. */
  readonly leftBehind: string | undefined;
}

/**
 * Runs the program once. Its standard input is empty unless the target names a file. The program and all its descendants on this machine
 * end within a second of an abort or time-out; a job of Slurm is cancelled.
 * @param batch the jobs of the target; without it, the launcher `slurm` works inside an allocation only
 * @throws KymoError `executable-missing`, `run-folder-missing`, `launcher-missing`, `launcher-mismatch`, `program-failed` (status other
 *   than 0), `program-crashed` (signal), `program-timeout`, `cancelled`, `disk-full` or `write-failed` (its output could not be
 *   written); as `BatchRuns.run`
 */
export async function launchRun(request: RunRequest, batch?: BatchRuns): Promise<RunOutcome> {
  const { target, executable, outputFile, note = () => undefined } = request;
  const { run } = target;
  const files = path.join(path.dirname(outputFile), 'files');
  const cwd = run.cwd === ownFolder ? files : path.resolve(request.workspace, run.cwd);
  await checkPlaces(target, executable, cwd);
  const ranks = request.ranks ?? 1;
  const environment = { ...run.environment, ...request.environment };
  const threads = environment.OMP_NUM_THREADS ?? process.env.OMP_NUM_THREADS;
  const { workspace, parameters } = request;
  const own = { target, workspace, parameters, ranks, threads, folder: files };
  const values = placeholderValues(own);
  const words = run.arguments.map((word) => substitute(word, values));
  const program = [executable, ...words] as const;
  const input = run.input === undefined ? undefined : path.resolve(cwd, substitute(run.input, values));
  const script = `${outputFile}.sh`;
  const command = await launchCommand({
    launcher: run.launcher,
    program,
    ranks,
    values,
    environment,
    hasInput: input !== undefined,
    inJob: batch !== undefined,
    script,
  });
  command.notes.forEach(note);
  const output = new OutputFile(outputFile);
  const lastWords = new BoundedOutput(lastWordsBytes);
  const record = (piece: Buffer): void => {
    output.add(piece);
    lastWords.add(piece);
  };
  const prepare = async (): Promise<void> => {
    await request.prepare?.();
    await writeRunFiles(own, values);
  };
  const started: Started = {
    request: { ...request, prepare },
    command,
    cwd,
    environment,
    input,
    ranks,
    record,
  };
  const ended = await startAndWait(started, script, program, batch).finally(() => output.close());
  const end = rankEnd(ended.end, run.launcher.kind, lastWords.text());
  if (end.kind !== 'exit' || !run.successStatuses.includes(end.status))
    throw runError(request, end, ended, command.argv, lastWords.text());
  const isHere = runsHere(run.launcher, process.env);
  return {
    command: command.argv,
    startedAt: ended.startedAt,
    wallSeconds: ended.seconds,
    cpuSeconds: isHere ? ended.cpuSeconds : undefined,
    usage: isHere ? ended.usage : undefined,
    exitStatus: end.status,
    outputBytes: output.bytes,
    leftBehind: leftBehind(`Runs of ${target.name}`, ended),
  };
}

interface Started {
  readonly request: RunRequest;
  readonly command: LaunchCommand;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string | undefined;
  readonly ranks: number;
  readonly record: (piece: Buffer) => void;
}

type Ended = Pick<ProcessResult, 'end' | 'seconds' | 'cpuSeconds' | 'usage' | 'remaining' | 'stuck'> & {
  readonly startedAt: string;
};

async function startAndWait(
  started: Started,
  script: string,
  argv: readonly string[],
  batch: BatchRuns | undefined,
): Promise<Ended> {
  const { request, command, cwd, environment, input } = started;
  if (command.jobOptions !== undefined && batch !== undefined)
    return runInJob(started, command.jobOptions, batch);
  if (request.target.run.launcher.kind !== 'template') return runHereNow(started);
  const times = `${script}.times`;
  await writeScript(times, '');
  await writeScript(script, programScript({ cwd, environment, argv, input, times }));
  try {
    const ended = await runHereNow(started);
    // The command's own time contains the wait in a queue.
    const seconds = secondsOf(await readFile(times, 'utf8'));
    if (seconds === undefined && succeeded(ended)) request.note?.(unknownTimes);
    return { ...ended, seconds: seconds ?? ended.seconds };
  } finally {
    for (const file of [script, times]) await rm(file, { force: true });
  }
}

const unknownTimes =
  'The launcher’s command did not start ${program} with "/bin/sh", or other nodes do not see the workspace, so times contain the wait in the queue.';

async function runHereNow({ request, command, cwd, environment, input, record }: Started): Promise<Ended> {
  const launcher = await launcherProgram();
  await request.prepare?.();
  const startedAt = new Date().toISOString();
  const result = await runProcess(
    { argv: command.argv },
    {
      cwd,
      env: { ...process.env, ...command.environment, ...environment },
      signal: request.signal,
      launcher,
      processor: request.processor,
      timeoutSeconds: request.target.run.timeoutSeconds,
      input: input === undefined ? undefined : { file: input },
      onStdout: record,
      onStderr: record,
      maximumOutputBytes: 2,
    },
  );
  return { ...result, startedAt };
}

async function runInJob(
  { request, command, cwd, environment, input, ranks, record }: Started,
  options: readonly string[],
  batch: BatchRuns,
): Promise<Ended> {
  const { signal, target } = request;
  const { timeoutSeconds } = target.run;
  try {
    const { status, seconds, startedAt, timedOut } = await batch.run({
      script: programScript({ cwd, environment, argv: command.argv, input }),
      ranks: request.jobRanks ?? ranks,
      options,
      limitSeconds: timeoutSeconds,
      prepare: async () => request.prepare?.(),
      record,
      signal,
    });
    const end: ProcessEnd = timedOut
      ? { kind: 'timeout', seconds: timeoutSeconds }
      : { kind: 'exit', status };
    return { ...nothingKnown, end, seconds, startedAt };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ...nothingKnown, end: { kind: 'aborted' }, seconds: 0, startedAt: '' };
  }
}

const nothingKnown = { cpuSeconds: undefined, usage: undefined, remaining: [], stuck: [] } as const;

async function writeScript(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o700 });
  } catch (error) {
    throw writeError(file, error);
  }
}

const lastWordsBytes = 8192;

async function checkPlaces(target: Target, executable: string, cwd: string): Promise<void> {
  const isFolder =
    target.run.cwd === ownFolder ||
    (await stat(cwd).then(
      (entry) => entry.isDirectory(),
      () => false,
    ));
  if (!isFolder)
    throw new KymoError(
      'run-folder-missing',
      `The folder to run ${target.name} in does not exist: ${cwd}. Make it, or correct "cwd" of "run" in kymo.json.`,
      { file: cwd },
    );
  if (!(await isExecutableFile(executable)))
    throw new KymoError(
      'executable-missing',
      `${executable} is not an executable program. Does the build make it? If it has another name, correct "executable" in kymo.json.`,
      { file: executable },
    );
}

function runError(
  { target, outputFile }: RunRequest,
  end: ProcessEnd,
  result: Ended,
  argv: readonly string[],
  printed: string,
): KymoError {
  const { seconds } = result;
  const after = `after ${seconds.toFixed(seconds < 10 ? 2 : 0)} s`;
  const message = leftBehind('It', result);
  const more = `${lastLines(printed)}${message === undefined ? '' : `\n${message}`}\nCommand: ${argv.join(' ')}\nIts whole output: ${outputFile}`;
  const place = { file: outputFile };
  switch (end.kind) {
    case 'exit':
      return new KymoError(
        'program-failed',
        `${target.name} ended with status ${end.status} ${after}. A measurement needs a run that succeeds: check "arguments", "cwd" and "environment" of "run" in kymo.json, or, if this status is how the program reports a result, add "successStatuses": [${end.status}] to "run".${more}`,
        place,
      );
    case 'signal':
      return new KymoError(
        'program-crashed',
        `${target.name} was ended by ${end.signal}${meaning(end.signal)} ${after}. Run it without Kymo with the same arguments; if it crashes there too, it needs a debugger first.${more}`,
        place,
      );
    case 'timeout':
      return new KymoError(
        'program-timeout',
        `${target.name} was ended because it ran longer than ${end.seconds} s. If it needs more, raise "timeoutSeconds" of "run" in kymo.json; if not, it hangs.${more}`,
        place,
      );
    case 'aborted':
      return new KymoError('cancelled', `The run of ${target.name} was cancelled ${after}.`);
    case 'failed-to-start':
      return new KymoError(
        'program-failed',
        `${target.name} could not be started: ${end.error.message}.\nCommand: ${argv.join(' ')}`,
        {},
        { cause: end.error },
      );
  }
}

function meaning(signal: NodeJS.Signals): string {
  const meanings: Partial<Record<NodeJS.Signals, string>> = {
    SIGSEGV: ' (invalid memory access)',
    SIGBUS: ' (bus error)',
    SIGFPE: ' (arithmetic error, such as an integer division by zero)',
    SIGILL: ' (illegal instruction)',
    SIGABRT: ' (abort, such as a failed assertion)',
    SIGKILL: ' (killed, often by the system when memory runs out)',
    SIGXCPU: ' (limit of CPU time)',
    SIGXFSZ: ' (limit of file size)',
  };
  return meanings[signal] ?? '';
}
