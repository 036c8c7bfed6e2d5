import type * as vscode from 'vscode';

/** Enough context for a problem, and short enough for a report. */
const maximumLines = 200;

/** The last lines of the log, for *Collect Diagnostics*: an output channel cannot be read back. */
export class LogTail {
  private readonly last: string[] = [];

  get lines(): readonly string[] {
    return this.last;
  }

  /** The same channel; the tail records each line. */
  watch(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
    const remembering =
      (level: 'info' | 'warn' | 'error') =>
      (what: string | Error, ...rest: readonly unknown[]): void => {
        const text = what instanceof Error ? (what.stack ?? what.message) : what;
        this.add(`${new Date().toISOString()} [${level}] ${text}`);
        (channel[level] as (what: string | Error, ...rest: readonly unknown[]) => void)(what, ...rest);
      };
    return Object.create(channel, {
      info: { value: remembering('info') },
      warn: { value: remembering('warn') },
      error: { value: remembering('error') },
    }) as vscode.LogOutputChannel;
  }

  private add(line: string): void {
    this.last.push(line);
    if (this.last.length > maximumLines) this.last.shift();
  }
}
