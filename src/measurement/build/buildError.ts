import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { Diagnostic } from './diagnostics';

/** The build command failed. `where` is the place of the first error that has one. */
export class BuildError extends KymoError<'build-failed'> {
  override readonly name = 'BuildError';

  constructor(
    readonly command: string,
    cwd: string,
    how: string,
    readonly diagnostics: readonly Diagnostic[],
    /** Output of the build; a long one lacks its middle. */
    readonly output: string,
  ) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const first = errors.find(({ file }) => file !== undefined) ?? errors[0];
    const message = `The build command “${command}” in ${cwd} ${how}${detail(errors, first, output)}`;
    super('build-failed', message, present({ file: first?.file, line: first?.line, column: first?.column }));
  }
}

function detail(errors: readonly Diagnostic[], first: Diagnostic | undefined, output: string): string {
  if (first !== undefined) {
    const place = [first.file, first.line, first.column].filter((part) => part !== undefined).join(':');
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    const text = `${first.text}${more}`;
    // Compilers ask “did you mean …?”.
    const end = /[.?!]$/.test(text) ? '' : '.';
    return `: ${place === '' ? '' : `${place}: `}${text}${end} Fix this, or run the command yourself for the full output.`;
  }
  const last = output.trimEnd().split('\n').slice(-3).join(' | ').slice(-500);
  return `${last === '' ? '' : `: ${last}`}. Run the command yourself in that folder to see why, or correct "build" in kymo.json.`;
}
