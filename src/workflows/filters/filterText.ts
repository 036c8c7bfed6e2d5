import { readFile, stat } from 'node:fs/promises';
import { KymoError } from '../../core/errors';

/** Maximum size of a filter; any filter by a person or a tool is smaller. */
const mostBytes = 64 << 20;

/**
 * The text of a filter file.
 * @throws KymoError `file-missing`, `file-unusable`
 */
export async function readFilterText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > mostBytes) throw new Error(`it has ${size} bytes, and a filter at most ${mostBytes}`);
    return await readFile(file, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new KymoError(
      missing ? 'file-missing' : 'file-unusable',
      `The filter ${file} cannot be read: ${missing ? 'there is no such file' : why}.`,
      { file },
      { cause },
    );
  }
}
