import type { Diagnostic } from './diagnostics';

const placed =
  /^(.+?):(\d+)(?::(\d+))?: (fatal error|error|warning|note|sorry, unimplemented|internal compiler error): (.*)$/;
const unplaced =
  /^(?:\S*(?:gcc|g\+\+|cc1(?:plus)?|cc|c\+\+|clang|clang\+\+|lto1|gfortran|f951)(?:-[\d.]+)?): (fatal error|error|warning): (.*)$/;

/** A line of gcc or clang: `file:line:column: severity: text`; also the drivers' own, about no file. */
export function gccDiagnostic(line: string): Diagnostic | undefined {
  const match = placed.exec(line);
  if (match !== null) {
    const [, file = '', lineNumber = '', column, severity = '', text = ''] = match;
    return {
      file,
      line: Number(lineNumber),
      ...(column === undefined ? {} : { column: Number(column) }),
      severity: severityOf(severity),
      text,
    };
  }
  const driver = unplaced.exec(line);
  return driver === null ? undefined : { severity: severityOf(driver[1] ?? ''), text: driver[2] ?? '' };
}

function severityOf(word: string): Diagnostic['severity'] {
  return word === 'warning' || word === 'note' ? word : 'error';
}
