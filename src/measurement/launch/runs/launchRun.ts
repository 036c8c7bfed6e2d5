import { constants } from 'node:os';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import type { Target } from '../../config/config';
import { substitute } from '../../config/substitute';
import { BoundedOutput } from '../boundedOutput';
import { isExecutableFile } from '../findProgram';
import { launchCommand, runsHere } from './launchCommand';
import { launcherProgram } from '../launcherProgram';
import { leftBehind } from '../leftBehind';
import { OutputFile } from './outputFile';
import { runProcess, type ProcessEnd, type ProcessResult, type ProcessUsage } from '../process';

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
  /** Variables of the measurement, which override those of this process and of the target; paths are absolute. */
  readonly environment: Readonly<Record<string, string>>;
  /** File for the program's output (both streams as they come): its head and its tail, at most 4 MiB. */
  readonly outputFile: string;
  readonly signal: AbortSignal;
  /** Number of the only processor that the program may use; default: any. */
  readonly processor?: number;
}

/** A successful run. */
export interface RunOutcome {
  /** The command with its launcher. */
  readonly command: readonly string[];
  /** ISO 8601, wall clock. */
  readonly startedAt: string;
  /** Seconds from start to end by the monotonic clock, including the launcher's own time. */
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
 * Runs the program once. Its standard input is empty unless the target names a file. The program and all its descendants end within a
 * second of an abort or time-out.
 * @throws KymoError `executable-missing`, `run-folder-missing`, `launcher-missing`, `program-failed` (status other than 0),
 *   `program-crashed` (signal), `program-timeout`, `cancelled`, `disk-full` or `write-failed` (its output could not be written)
 */
export async function launchRun(request: RunRequest): Promise<RunOutcome> {
  const { target, executable, outputFile, signal } = request;
  const cwd = path.resolve(request.workspace, target.run.cwd);
  await checkPlaces(target, executable, cwd);
  const ranks = request.ranks ?? 1;
  const values = { ranks: String(ranks), ...request.parameters };
  const runEnvironment = { ...target.run.environment, ...request.environment };
  const command = await launchCommand(
    target.run.launcher,
    [executable, ...target.run.arguments.map((argument) => substitute(argument, values))],
    ranks,
    runEnvironment,
  );
  const output = new OutputFile(outputFile);
  const lastWords = new BoundedOutput(lastWordsBytes);
  const record = (piece: Buffer): void => {
    output.add(piece);
    lastWords.add(piece);
  };
  const launcher = await launcherProgram();
  const startedAt = new Date().toISOString();
  const result = await runProcess(
    { argv: command.argv },
    {
      cwd,
      env: { ...process.env, ...command.environment, ...runEnvironment },
      signal,
      launcher,
      processor: request.processor,
      timeoutSeconds: target.run.timeoutSeconds,
      input: target.run.input === undefined ? undefined : { file: path.resolve(cwd, target.run.input) },
      onStdout: record,
      onStderr: record,
      maximumOutputBytes: 2,
    },
  );
  const outputBytes = output.bytes;
  output.close();
  const wayToEnd = throughLauncher(result.end, target.run.launcher.kind !== 'local');
  if (wayToEnd.kind !== 'exit' || !target.run.successStatuses.includes(wayToEnd.status))
    throw runError(request, wayToEnd, result, command.argv, lastWords.text());
  const isHere = runsHere(target.run.launcher, process.env);
  return {
    command: command.argv,
    startedAt,
    wallSeconds: result.seconds,
    cpuSeconds: isHere ? result.cpuSeconds : undefined,
    usage: isHere ? result.usage : undefined,
    exitStatus: wayToEnd.status,
    outputBytes,
    leftBehind: leftBehind(`Runs of ${target.name}`, result),
  };
}

const lastWordsBytes = 8192;
const lastWordsLines = 6;

async function checkPlaces(target: Target, executable: string, cwd: string): Promise<void> {
  const isFolder = await stat(cwd).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
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

/** Launchers and shells report a rank's death by a signal as status 128 + its number. */
function throughLauncher(end: ProcessEnd, launched: boolean): ProcessEnd {
  if (!launched || end.kind !== 'exit' || end.status <= 128) return end;
  const signals = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  const [signal] = signals.find(([, number]) => number === end.status - 128) ?? [];
  return signal === undefined ? end : { kind: 'signal', signal };
}

function runError(
  { target, outputFile }: RunRequest,
  end: ProcessEnd,
  result: ProcessResult,
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

/** A sentence with the last lines that the program printed, without control characters. */
function lastLines(printed: string): string {
  const lines = printed
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-lastWordsLines)
    .map((line) => `  ${line.slice(0, 300)}`);
  return lines.length === 0 ? ' It printed nothing.' : ` It printed last:\n${lines.join('\n')}`;
}
