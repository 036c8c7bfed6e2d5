import type { Diagnostic } from './diagnostics';

const place = /^(.+?):(\d+):(\d+):$/;
const message = /^(?:f951: )?(Fatal Error|Error|Warning|Internal Error): (.*)$/;
/** The quoted source and the caret line. */
const picture = /^\s*(?:\d+\s*)?\|/;

/** gfortran prints a report in several lines: the place, the source, the message. Call `read` with the lines in order. */
export class GfortranReader {
  private pending: { file: string; line: number; column: number } | undefined;

  read(line: string): Diagnostic | undefined {
    const [, file = '', row, column] = place.exec(line) ?? [];
    if (row !== undefined) {
      this.pending = { file, line: Number(row), column: Number(column) };
      return undefined;
    }
    const [, kind, text = ''] = message.exec(line) ?? [];
    if (kind !== undefined && (this.pending !== undefined || line.startsWith('f951: '))) {
      const diagnostic: Diagnostic = {
        ...this.pending,
        severity: kind === 'Warning' ? 'warning' : 'error',
        text,
      };
      this.pending = undefined;
      return diagnostic;
    }
    if (line.trim() !== '' && !picture.test(line) && !/^\s*[\d\s]+$/.test(line)) this.pending = undefined;
    return undefined;
  }
}
