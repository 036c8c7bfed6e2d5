import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { BoundedOutput } from './boundedOutput';
import { LauncherReport } from './launcherReport';
import { channelOf, groupControl, launcherControl, type ProcessControl } from './processControl';
import { workspaceIsTrusted } from './trust';

/** An argument vector, or (for the user's own build and run command only) a line for the shell. */
export type ProcessCommand = { readonly argv: readonly [string, ...string[]] } | { readonly shell: string };

export interface ProcessOptions {
  readonly cwd?: string;
  /** The whole environment of the program; default: the one of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** An abort kills all started processes within a second. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutSeconds?: number;
  /** Standard input: a text, or a file; default: empty. */
  readonly input?: string | { readonly file: string } | undefined;
  /** Called immediately with every piece of output. Must not throw. */
  readonly onStdout?: (piece: Buffer) => void;
  readonly onStderr?: (piece: Buffer) => void;
  /** Size of the beginning and the end of each stream in the result, together. Default 1 MiB. */
  readonly maximumOutputBytes?: number;
  /** Time between SIGTERM and SIGKILL. Default 0.5 s. */
  readonly graceSeconds?: number;
  /**
   * The program `runtime/launcher`, which starts the command, reports its CPU time, and ends all its descendants in any
   * session. Default: none.
   */
  readonly launcher?: string | undefined;
  /** Number of the only processor that the program may use; ignored without a launcher. Default: any. */
  readonly processor?: number | undefined;
  /**
   * The program belongs to the machine (a compiler, a demangler), and no file of a workspace determines its start, its arguments or
   * its folder. Untrusted workspaces do not prevent its start. Default: false.
   */
  readonly asksMachine?: boolean;
}

/** Resources other than time that a program and its descendants used. */
export interface ProcessUsage {
  /** Largest resident set of one process. */
  readonly memoryBytes: number;
  /** Bytes written to disks, including files that were removed again; not to pipes and file systems in memory. */
  readonly writtenBytes: number;
}

/** How a program ended. */
export type ProcessEnd =
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timeout'; readonly seconds: number }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed-to-start'; readonly error: NodeJS.ErrnoException };

export interface ProcessResult {
  readonly end: ProcessEnd;
  /** Wall time from the start to the end of the program. */
  readonly seconds: number;
  /** The output; a line in the middle of a shortened one gives the number of missing bytes. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** User and system time of the program and its descendants; undefined without a launcher. */
  readonly cpuSeconds: number | undefined;
  readonly usage: ProcessUsage | undefined;
  /** Names of processes that the program left running; empty without a launcher. */
  readonly remaining: readonly string[];
  /** Names of processes that could not be ended. */
  readonly stuck: readonly string[];
}

/** After the program's end, time for pipes that a surviving grandchild holds open. */
const pipeGraceMilliseconds = 300;
/** Time for the launcher to kill everything, after the grace. */
const launcherMilliseconds = 2500;
const defaultGraceSeconds = 0.5;

/**
 * Runs a program in its own session and process group. Never rejects: `ProcessEnd` describes every way to end. No process of the group
 * survives the program's end, a time-out, an abort, or the death of this process.
 */
export function runProcess(command: ProcessCommand, options: ProcessOptions = {}): Promise<ProcessResult> {
  if (options.signal?.aborted === true) {
    return Promise.resolve({ ...nothing, end: { kind: 'aborted' } });
  }
  if (options.asksMachine !== true && !workspaceIsTrusted()) {
    return Promise.resolve({ ...nothing, end: failure(new Error('the workspace is not trusted')) });
  }
  const begin = process.hrtime.bigint();
  const secondsSinceBegin = (): number => Number(process.hrtime.bigint() - begin) / 1e9;
  let child: ChildProcess;
  try {
    child = start(command, options);
  } catch (error) {
    return Promise.resolve({ ...nothing, end: failure(error) });
  }
  const report = new LauncherReport('argv' in command ? command.argv[0] : command.shell);
  return new Promise((resolve) => {
    const stdout = new BoundedOutput(options.maximumOutputBytes);
    const stderr = new BoundedOutput(options.maximumOutputBytes);
    child.stdout?.on('data', (piece: Buffer) => {
      stdout.add(piece);
      options.onStdout?.(piece);
    });
    child.stderr?.on('data', (piece: Buffer) => {
      stderr.add(piece);
      options.onStderr?.(piece);
    });
    new Watch(
      child,
      options,
      report,
      (end, exitSeconds) =>
        resolve({
          end,
          seconds: report.seconds ?? exitSeconds ?? secondsSinceBegin(),
          stdout: stdout.text(),
          stderr: stderr.text(),
          stdoutBytes: stdout.bytes,
          stderrBytes: stderr.bytes,
          cpuSeconds: report.cpuSeconds,
          usage: report.usage,
          remaining: report.remaining,
          stuck: report.stuck,
        }),
      secondsSinceBegin,
    );
  });
}

/** Whether a program ended with status 0. */
export function succeeded({ end }: Pick<ProcessResult, 'end'>): boolean {
  return end.kind === 'exit' && end.status === 0;
}

const nothing = {
  seconds: 0,
  stdout: '',
  stderr: '',
  stdoutBytes: 0,
  stderrBytes: 0,
  cpuSeconds: undefined,
  usage: undefined,
  remaining: [],
  stuck: [],
} as const;

function failure(error: unknown): ProcessEnd {
  return { kind: 'failed-to-start', error: error instanceof Error ? error : new Error(String(error)) };
}

function start(command: ProcessCommand, options: ProcessOptions): ChildProcess {
  const words: readonly [string, ...string[]] =
    'argv' in command ? command.argv : ['/bin/sh', '-c', command.shell];
  const { input, launcher, processor = 'any' } = options;
  const [program, ...rest] =
    launcher === undefined
      ? words
      : ([launcher, String(graceMilliseconds(options)), String(processor), ...words] as const);
  const file = typeof input === 'object' ? openSync(input.file, 'r') : undefined;
  try {
    const child = spawn(program, rest, {
      cwd: options.cwd,
      env: environmentOf(options),
      // The fourth one is the launcher's socket.
      stdio: [
        file ?? (input === undefined ? 'ignore' : 'pipe'),
        'pipe',
        'pipe',
        ...(launcher === undefined ? [] : ['pipe' as const]),
      ],
      detached: true,
      shell: false,
    });
    // A program that does not read its input must not end this one.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(typeof input === 'string' ? input : undefined);
    return child;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** For programs of the machine, relative folders of `PATH` are skipped: they may be in a workspace. */
function environmentOf({ env = process.env, asksMachine }: ProcessOptions): NodeJS.ProcessEnv {
  if (asksMachine !== true) return { ...env };
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  // An empty PATH would mean the current folder.
  return { ...env, PATH: folders.length === 0 ? '/usr/bin:/bin' : folders.join(path.delimiter) };
}

function graceMilliseconds({ graceSeconds = defaultGraceSeconds }: ProcessOptions): number {
  return Math.round(graceSeconds * 1000);
}

/** Watches a started program until its end and ensures that no process of its group survives. */
class Watch {
  private forced: ProcessEnd | undefined;
  private exit: ProcessEnd | undefined;
  private exitSeconds: number | undefined;
  private finished = false;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly control: ProcessControl | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly options: ProcessOptions,
    private readonly report: LauncherReport,
    private readonly done: (end: ProcessEnd, exitSeconds: number | undefined) => void,
    private readonly clock: () => number,
  ) {
    this.control = this.controlOf(child);
    child.once('error', (error) => {
      if (child.pid === undefined) this.finish(failure(error));
    });
    child.once('exit', (status, signal) => this.onExit(status, signal));
    child.once('close', () => this.finish(this.ownEnd() ?? { kind: 'exit', status: 0 }));
    options.signal?.addEventListener('abort', this.onAbort, { once: true });
    const { timeoutSeconds } = options;
    if (timeoutSeconds !== undefined && Number.isFinite(timeoutSeconds)) {
      this.after(timeoutSeconds * 1000, () => this.stop({ kind: 'timeout', seconds: timeoutSeconds }));
    }
  }

  private controlOf(child: ChildProcess): ProcessControl | undefined {
    if (child.pid === undefined) return undefined;
    if (this.options.launcher === undefined) return groupControl(child.pid);
    const channel = channelOf(child);
    channel?.on('error', () => undefined);
    channel?.on('data', (piece: Buffer) => this.report.add(piece));
    return launcherControl(child.pid, channel, this.report);
  }

  private readonly onAbort = (): void => this.stop({ kind: 'aborted' });

  private onExit(status: number | null, signal: NodeJS.Signals | null): void {
    this.exitSeconds = this.clock();
    this.exit = signal === null ? { kind: 'exit', status: status ?? 0 } : { kind: 'signal', signal };
    if (this.forced !== undefined) return;
    // The program has ended; processes that it left in the background may hold the pipes open.
    this.after(pipeGraceMilliseconds, () => {
      this.control?.kill(false);
      this.after(pipeGraceMilliseconds, () => this.finish(this.ownEnd() ?? { kind: 'exit', status: 0 }));
    });
  }

  /** The launcher's own end applies if it could not report the program's. */
  private ownEnd(): ProcessEnd | undefined {
    return this.report.end ?? this.exit;
  }

  private stop(end: ProcessEnd): void {
    if (this.forced !== undefined || this.finished) return;
    // A program that has already ended has its own end; only its descendants are stopped.
    this.forced = this.ownEnd() ?? end;
    this.control?.ask();
    const more = this.options.launcher === undefined ? 0 : launcherMilliseconds;
    this.after(graceMilliseconds(this.options) + more, () => {
      this.control?.kill(true);
      // A process that left the session may hold the pipes: do not wait for it.
      this.after(pipeGraceMilliseconds, () => this.finish(end));
    });
  }

  private finish(end: ProcessEnd): void {
    if (this.finished) return;
    this.finished = true;
    this.timers.forEach((timer) => clearTimeout(timer));
    this.options.signal?.removeEventListener('abort', this.onAbort);
    this.control?.kill(this.forced !== undefined);
    this.control?.release();
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.child.stdin?.destroy();
    this.done(this.forced ?? end, this.exitSeconds);
  }

  private after(milliseconds: number, action: () => void): void {
    // Node runs timers of more than 2^31 ms at once.
    if (milliseconds < 2 ** 31) this.timers.push(setTimeout(action, milliseconds));
  }
}
