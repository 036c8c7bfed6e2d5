import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { KymoError } from '../../core/errors';

/** What is longer is no file that is read as a whole. */
const usualMostBytes = 512 << 20;

/**
 * A whole file that anybody may have put there: a pipe could keep the reader waiting, and a device such as `/dev/zero` has no end.
 * @param more flags of `open` beside those for reading
 * @throws KymoError `file-unusable` for what is no file, or too long; as `open`
 */
export async function readRegularFile(file: string, mostBytes = usualMostBytes, more = 0): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | more);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new KymoError('file-unusable', `“${file}” is not a file.`, { file });
    if (found.size > mostBytes)
      throw new KymoError(
        'file-unusable',
        `“${file}” has ${found.size} bytes, and at most ${mostBytes} are read.`,
        { file },
      );
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
