import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scratchPrefix } from '../files/leftovers';
import { responseText } from './commandLine/responseFile';

/** Status and captured output of a step of the compiler. */
export interface StepResult {
  /** 0 for success; death by a signal counts as 1. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export type Capture = 'nothing' | 'stderr' | 'both';

export interface StepRunner {
  /** @param capture the streams to capture instead of passing them on */
  run(argumentList: readonly string[], capture: Capture): Promise<StepResult>;
}

/**
 * Runs the steps of one command line. They stay in the process group of the build, so that Ctrl-C and the build tool reach
 * them. Wrappers among their descendants act as plain compilers.
 */
export class CompilerRun implements StepRunner {
  private folder: string | undefined;
  private readonly children = new Set<ChildProcess>();

  constructor(private readonly compiler: readonly [string, ...string[]]) {}

  /** Runs another program with the same process handling and scratch folder. */
  tool(program: string): StepRunner {
    return { run: (argumentList, capture) => this.start([program], argumentList, capture) };
  }

  /** Ends the running steps and removes the scratch folder when a signal ends this process. */
  endWithSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        this.children.forEach((child) => child.kill(signal));
        this.close();
        process.exit(signal === 'SIGINT' ? 130 : 143);
      });
    }
  }

  /** A temporary folder of this run, created on first use. */
  scratch(...below: readonly string[]): string {
    this.folder ??= mkdtempSync(path.join(tmpdir(), scratchPrefix('unit')));
    const folder = path.join(this.folder, ...below);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  close(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  run(argumentList: readonly string[], capture: Capture): Promise<StepResult> {
    return this.start(this.compiler, argumentList, capture);
  }

  private start(
    [program, ...rest]: readonly [string, ...string[]],
    argumentList: readonly string[],
    capture: Capture,
  ): Promise<StepResult> {
    const child = spawn(program, [...rest, ...this.fitting(argumentList)], {
      stdio: ['inherit', capture === 'both' ? 'pipe' : 'inherit', capture === 'nothing' ? 'inherit' : 'pipe'],
      env: { ...process.env, KYMO_WRAPPER: 'off' },
    });
    this.children.add(child);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on('data', (piece: Buffer) => stdout.push(piece));
    child.stderr?.on('data', (piece: Buffer) => stderr.push(piece));
    return new Promise((resolve) => {
      const finish = (status: number, message?: string): void => {
        this.children.delete(child);
        if (message !== undefined) stderr.push(Buffer.from(message));
        resolve({ status, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
      };
      child.once('error', (error) => finish(1, `kymo: cannot run ${program}: ${error.message}\n`));
      child.once('close', (status) => finish(status ?? 1));
    });
  }

  /** Linux limits an argument to 128 KiB and all arguments to a share of the stack; longer lists go through a response file. */
  private fitting(argumentList: readonly string[]): readonly string[] {
    const bytes = argumentList.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 9, 0);
    if (bytes < 100_000) return argumentList;
    const file = path.join(this.scratch(), 'arguments');
    writeFileSync(file, responseText(argumentList));
    return [`@${file}`];
  }
}

/** Prints one line for the user who builds. */
export function say(message: string): void {
  process.stderr.write(`kymo: ${message}\n`);
}

/** Options for colours in captured messages, if the compiler itself would use colours. */
export function colourOptions(environment: NodeJS.ProcessEnv): string[] {
  const colours = process.stderr.isTTY && environment.TERM !== 'dumb';
  return colours ? ['-fdiagnostics-color=always'] : [];
}
