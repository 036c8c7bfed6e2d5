import { KymoError } from '../../core/errors';

/**
 * Runs an action on a file and turns the system's errors into one that names the file.
 * @throws KymoError `file-missing`, or `file-unusable` for any other failure; errors of the action itself pass unchanged
 */
export function explainFileError<T>(file: string, done: 'read' | 'written', action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof KymoError || !(error instanceof Error)) throw error;
    const missing = 'code' in error && error.code === 'ENOENT';
    throw new KymoError(
      missing ? 'file-missing' : 'file-unusable',
      `“${file}” cannot be ${done}: ${missing ? 'there is no such file or folder' : error.message}.`,
      { file },
      { cause: error },
    );
  }
}
