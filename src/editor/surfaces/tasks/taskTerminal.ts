import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import { terminalLine } from '../../words/settings/taskText';

/** The work of a task: prints lines, ends early when the signal aborts, and resolves with a sentence on its result. */
export type TaskWork = (print: (line: string) => void, signal: AbortSignal) => Promise<string>;

/** Exit status after Ctrl-C, as in shells. */
const cancelledStatus = 130;

/**
 * Delay between the last line and the end of a task. VS Code reads problems from the drawn lines of its terminal and stops a moment after
 * the task has ended, so the messages of a compiler that fails at once would be lost.
 */
const lastLinesMilliseconds = 500;

/** The terminal of a running task. Closing it, ending the task, or Ctrl-C in it cancels the work. */
export class TaskTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly closed = new vscode.EventEmitter<number>();
  readonly onDidClose = this.closed.event;
  private readonly abort = new AbortController();

  constructor(private readonly work: TaskWork) {}

  open(): void {
    void this.run();
  }

  close(): void {
    this.abort.abort();
  }

  handleInput(data: string): void {
    if (data === '\x03') this.abort.abort();
  }

  private async run(): Promise<void> {
    const print = (line: string): void => this.written.fire(terminalLine(line));
    const status = await this.statusOf(print);
    await setTimeout(lastLinesMilliseconds);
    this.closed.fire(status);
    this.written.dispose();
    this.closed.dispose();
  }

  private async statusOf(print: (line: string) => void): Promise<number> {
    try {
      print(await this.work(print, this.abort.signal));
      return 0;
    } catch (error) {
      const cancelled = error instanceof KymoError && error.reason === 'cancelled';
      print(
        cancelled
          ? 'kymo: cancelled. Completed measurements stay.'
          : `kymo: ${error instanceof Error ? error.message : String(error)}`,
      );
      return cancelled ? cancelledStatus : 1;
    }
  }
}
