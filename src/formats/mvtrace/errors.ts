import { KymoError } from '../../core/errors';

/** Why a trace in text form cannot be read. */
export function invalid(file: string, line: number, what: string): KymoError {
  return new KymoError(
    'invalid-mvtrace',
    `${file}, line ${line}: ${what}. docs/formats/mvtrace.md describes the format.`,
    { file, line },
  );
}
