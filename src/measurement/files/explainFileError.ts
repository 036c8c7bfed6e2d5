import { KymoError } from '../../core/errors';

/**
 * Does something with a file; what the system says when it fails becomes an error that names the file.
 * @throws KymoError `file-missing` where there is none, `file-unusable` for anything else; those of the action itself as they are
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
