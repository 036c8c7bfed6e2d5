import type { Diagnostic } from './diagnostics';

const place = /^(.+?):(\d+):(\d+):$/;
const message = /^(?:f951: )?(Fatal Error|Error|Warning|Internal Error): (.*)$/;
/** The quoted source and the caret line. */
const picture = /^\s*(?:\d+\s*)?\|/;

/**
 * gfortran says the place first, then shows the source, then the message: several lines of one report. Feed the lines in order.
 */
export class GfortranReader {
  private pending: { file: string; line: number; column: number } | undefined;

  read(line: string): Diagnostic | undefined {
    const found = place.exec(line);
    if (found !== null) {
      this.pending = { file: found[1] ?? '', line: Number(found[2]), column: Number(found[3]) };
      return undefined;
    }
    const said = message.exec(line);
    if (said !== null && (this.pending !== undefined || line.startsWith('f951: '))) {
      const diagnostic: Diagnostic = {
        ...this.pending,
        severity: said[1] === 'Warning' ? 'warning' : 'error',
        text: said[2] ?? '',
      };
      this.pending = undefined;
      return diagnostic;
    }
    if (line.trim() !== '' && !picture.test(line) && !/^\s*[\d\s]+$/.test(line)) this.pending = undefined;
    return undefined;
  }
}
