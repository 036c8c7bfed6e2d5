/** Maximum number of lines per batch: a program that prints gigabytes must not block the editor. */
const linesPerFlush = 200;
const flushMilliseconds = 100;
const charactersPerLine = 2000;

/**
 * Sends log lines in batches of bounded size and rate. It counts the lines that do not fit and sends their number instead, so that the log
 * shows the gap.
 */
export class LogOutlet {
  private lines: string[] = [];
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly send: (lines: readonly string[]) => void) {}

  add(line: string): void {
    if (this.lines.length >= linesPerFlush) this.leftOut += 1;
    else this.lines.push(shorten(line));
    this.timer ??= setTimeout(() => this.flush(), flushMilliseconds);
  }

  /** Sends the remaining lines. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines.length === 0) return;
    const lines = this.leftOut === 0 ? this.lines : [...this.lines, `… ${this.leftOut} lines left out …`];
    this.lines = [];
    this.leftOut = 0;
    this.send(lines);
  }
}

function shorten(line: string): string {
  if (line.length <= charactersPerLine) return line;
  return `${line.slice(0, charactersPerLine)} … ${line.length - charactersPerLine} characters left out`;
}
