import { KymoError } from '../../core/errors';

/**
 * Runs an action on a file and turns the system's errors into one that names the file.
 * @throws KymoError `file-missing`, or `file-unusable` for any other failure; errors of the action itself pass unchanged
 */
export function explainFileError<T>(file: string, done: 'read' | 'written', action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileError(file, done, error);
  }
}

/** The error that names the file, for one of the system's. */
export function fileError(file: string, done: 'read' | 'written', error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof KymoError) return error;
  const missing = 'code' in error && error.code === 'ENOENT';
  return new KymoError(
    missing ? 'file-missing' : 'file-unusable',
    `“${file}” cannot be ${done}: ${missing ? 'there is no such file or folder' : error.message}.`,
    { file },
    { cause: error },
  );
}
