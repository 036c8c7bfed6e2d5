import type { Diagnostic } from './diagnostics';

const place =
  /^(?:\S*ld(?:\.\w+)?: )?(.+?):(?:(\d+)|\([^()]*\)): ((?:undefined reference|multiple definition).*)$/;
const lld = /^(?:\S*ld(?:\.\w+)?): (error|warning): (.*)$/;
const other =
  /^(?:\S*\/)?ld(?:\.\w+)?: (cannot find .*|final link failed.*|.*: file not recognized.*|.*relocation .*)$/;
const missing = /^(?:\S*make(?:\[\d+\])?): \*\*\* (No rule to make target .*)$/;

/** A line of ld, gold or lld that names a cause, or of make for a missing target. */
export function linkerDiagnostic(line: string): Diagnostic | undefined {
  const match = place.exec(line);
  if (match !== null) {
    const lineNumber = match[2];
    return {
      file: match[1] ?? '',
      ...(lineNumber === undefined ? {} : { line: Number(lineNumber) }),
      severity: 'error',
      text: match[3] ?? '',
    };
  }
  const modern = lld.exec(line);
  if (modern !== null)
    return { severity: modern[1] === 'warning' ? 'warning' : 'error', text: modern[2] ?? '' };
  const text = (other.exec(line) ?? missing.exec(line))?.[1];
  return text === undefined ? undefined : { severity: 'error', text };
}
