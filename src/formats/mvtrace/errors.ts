import { KymoError } from '../../core/errors';

/** What could control a terminal, or reorder the text around it. */
const unprintable = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Why a trace in text form cannot be read. @param what may quote the text */
export function invalid(file: string, line: number, what: string): KymoError {
  return new KymoError(
    'invalid-mvtrace',
    `${file}, line ${line}: ${what.replace(unprintable, '\ufffd')}. docs/formats/mvtrace.md describes the format.`,
    { file, line },
  );
}
