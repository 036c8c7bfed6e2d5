import { KymoError } from '../../core/errors';
import type { Diagnostic } from './diagnostics';

/** The build command did not succeed. `where` is the place of the first error that has one. */
export class BuildError extends KymoError<'build-failed'> {
  override readonly name = 'BuildError';

  constructor(
    readonly command: string,
    cwd: string,
    what: string,
    readonly diagnostics: readonly Diagnostic[],
    /** Output of the build, its middle left out when it was long. */
    readonly output: string,
  ) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const first = errors.find(({ file }) => file !== undefined) ?? errors[0];
    super('build-failed', `${headline(command, cwd, what)}${detail(errors, first, output)}`, {
      ...(first?.file === undefined ? {} : { file: first.file }),
      ...(first?.line === undefined ? {} : { line: first.line }),
      ...(first?.column === undefined ? {} : { column: first.column }),
    });
  }
}

function headline(command: string, cwd: string, what: string): string {
  return `The build command “${command}” in ${cwd} ${what}`;
}

function detail(errors: readonly Diagnostic[], first: Diagnostic | undefined, output: string): string {
  if (first !== undefined) {
    const place = [first.file, first.line, first.column].filter((part) => part !== undefined).join(':');
    const more = errors.length > 1 ? ` (and ${String(errors.length - 1)} more)` : '';
    return `: ${place === '' ? '' : `${place}: `}${first.text}${more}. Mend that, or run the command by hand to see everything.`;
  }
  const last = output.trimEnd().split('\n').slice(-3).join(' | ').slice(-500);
  return `${last === '' ? '' : `: ${last}`}. Run the command by hand in that folder to see why, or mend "build" in kymo.json.`;
}
