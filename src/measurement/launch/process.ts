import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { BoundedOutput } from './boundedOutput';
import { guardGroup, signalProcesses } from './processGroup';

/** What is started: an argument vector, or (for the user's own build and run command only) a line for the shell. */
export type ProcessCommand = { readonly argv: readonly [string, ...string[]] } | { readonly shell: string };

export interface ProcessOptions {
  readonly cwd?: string;
  /** The whole environment of the program; default: the one of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** When it aborts, everything that was started is killed within a second. */
  readonly signal?: AbortSignal;
  readonly timeoutSeconds?: number;
  /** Its standard input: a text, or a file; default: none (end of file at once). */
  readonly input?: string | { readonly file: string };
  /** Called with every piece of output as it comes, also with what is not kept. Must not throw. */
  readonly onStdout?: (piece: Buffer) => void;
  readonly onStderr?: (piece: Buffer) => void;
  /** How much of each stream is kept: the first and the last half of it. Default 1 MiB. */
  readonly maximumOutputBytes?: number;
  /** Time between asking (SIGTERM) and killing (SIGKILL) everything. Default 0.5 s. */
  readonly graceSeconds?: number;
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
  /** What was kept of the output; a line says how much is missing in its middle. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

/** Pipes that a surviving grandchild holds open are given this long after the program's own end. */
const pipeGraceMilliseconds = 300;

/**
 * Runs a program in a session and process group of its own and never rejects: every way to end is a `ProcessEnd`. Nothing of
 * the group survives it: not its end, not a time-out, an abort, nor the death of this process.
 */
export function runProcess(command: ProcessCommand, options: ProcessOptions = {}): Promise<ProcessResult> {
  if (options.signal?.aborted === true) {
    return Promise.resolve({ ...nothing, end: { kind: 'aborted' } });
  }
  const begin = process.hrtime.bigint();
  const secondsSinceBegin = (): number => Number(process.hrtime.bigint() - begin) / 1e9;
  let child: ChildProcess;
  try {
    child = start(command, options);
  } catch (error) {
    return Promise.resolve({ ...nothing, end: failure(error) });
  }
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
      (end, exitSeconds) =>
        resolve({
          end,
          seconds: exitSeconds ?? secondsSinceBegin(),
          stdout: stdout.text(),
          stderr: stderr.text(),
          stdoutBytes: stdout.bytes,
          stderrBytes: stderr.bytes,
        }),
      secondsSinceBegin,
    );
  });
}

const nothing = { seconds: 0, stdout: '', stderr: '', stdoutBytes: 0, stderrBytes: 0 } as const;

function failure(error: unknown): ProcessEnd {
  return { kind: 'failed-to-start', error: error instanceof Error ? error : new Error(String(error)) };
}

function start(command: ProcessCommand, options: ProcessOptions): ChildProcess {
  const [program, ...rest]: readonly [string, ...string[]] =
    'argv' in command ? command.argv : ['/bin/sh', '-c', command.shell];
  const { input } = options;
  const file = typeof input === 'object' ? openSync(input.file, 'r') : undefined;
  try {
    const child = spawn(program, rest, {
      cwd: options.cwd,
      env: options.env === undefined ? process.env : { ...options.env },
      stdio: [file ?? (input === undefined ? 'ignore' : 'pipe'), 'pipe', 'pipe'],
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

/** Follows one started program to its end and makes sure that nothing of its group is left. */
class Watch {
  private forced: ProcessEnd | undefined;
  private own: ProcessEnd | undefined;
  private exitSeconds: number | undefined;
  private finished = false;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly guard: (() => void) | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly options: ProcessOptions,
    private readonly done: (end: ProcessEnd, exitSeconds: number | undefined) => void,
    private readonly clock: () => number,
  ) {
    this.guard = child.pid === undefined ? undefined : guardGroup(child.pid);
    child.once('error', (error) => {
      if (child.pid === undefined) this.finish(failure(error));
    });
    child.once('exit', (status, signal) => this.onExit(status, signal));
    child.once('close', () => this.finish(this.own ?? { kind: 'exit', status: 0 }));
    options.signal?.addEventListener('abort', this.onAbort, { once: true });
    const { timeoutSeconds } = options;
    if (timeoutSeconds !== undefined && Number.isFinite(timeoutSeconds)) {
      this.after(timeoutSeconds * 1000, () => this.stop({ kind: 'timeout', seconds: timeoutSeconds }));
    }
  }

  private readonly onAbort = (): void => this.stop({ kind: 'aborted' });

  private onExit(status: number | null, signal: NodeJS.Signals | null): void {
    this.exitSeconds = this.clock();
    this.own = signal === null ? { kind: 'exit', status: status ?? 0 } : { kind: 'signal', signal };
    if (this.forced !== undefined) return;
    // The program is over; what it left in the background is not wanted and may hold the pipes open.
    this.after(pipeGraceMilliseconds, () => {
      this.signalAll('SIGKILL');
      this.after(pipeGraceMilliseconds, () => this.finish(this.own ?? { kind: 'exit', status: 0 }));
    });
  }

  private stop(end: ProcessEnd): void {
    if (this.forced !== undefined || this.finished) return;
    // A program that had ended already keeps its own end; only its leftovers are stopped.
    this.forced = this.own ?? end;
    this.signalAll('SIGTERM');
    this.after((this.options.graceSeconds ?? 0.5) * 1000, () => {
      this.signalAll('SIGKILL');
      // Pipes held by something that left the session: do not wait for it.
      this.after(pipeGraceMilliseconds, () => this.finish(end));
    });
  }

  private finish(end: ProcessEnd): void {
    if (this.finished) return;
    this.finished = true;
    this.timers.forEach((timer) => clearTimeout(timer));
    this.options.signal?.removeEventListener('abort', this.onAbort);
    if (this.child.pid !== undefined) this.signalAll('SIGKILL');
    this.guard?.();
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.child.stdin?.destroy();
    this.done(this.forced ?? end, this.exitSeconds);
  }

  private signalAll(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.child.pid !== undefined) signalProcesses(this.child.pid, signal, this.forced !== undefined);
  }

  private after(milliseconds: number, action: () => void): void {
    // Node fires at once what lies more than 2^31 ms ahead.
    if (milliseconds < 2 ** 31) this.timers.push(setTimeout(action, milliseconds));
  }
}
