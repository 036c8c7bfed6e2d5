/**
 * The base of all errors that a user may meet. `reason` is stable and scripts may test it; `message` says what failed,
 * why, and what to do next; `where` names the place in the user's files, if there is one.
 */
export class KymoError<Reason extends string = string> extends Error {
  override readonly name: string = 'KymoError';

  constructor(
    readonly reason: Reason,
    message: string,
    readonly where: ErrorPlace = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A type guard, because `instanceof` alone would leave the reason untyped. */
export function isKymoError(error: unknown): error is KymoError {
  return error instanceof KymoError;
}

/** Where an error was met: a file with a 1-based line and column, or a byte offset (0-based) in a binary file. */
export interface ErrorPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly offset?: number;
}

/** Marks the branch of a `switch` over a union that cannot be reached. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
